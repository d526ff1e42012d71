"""What kind of nodes a map has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.maps.model import MapDamage


class Kinds(NamedTuple):
    """The kinds of a map's nodes."""

    nodes: str
    gl_nodes: str
    damage: Sequence[MapDamage]


def recognise(lumps: Mapping[str, bytes]) -> Kinds:
    """The kind of a map's nodes, from the first bytes of its lumps."""
    return Kinds("vanilla" if lumps.get("NODES") else "none", "none", ())
