"""UDMF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.model import UDMF, DoomMap

if TYPE_CHECKING:
    from collections.abc import Mapping


def read(name: str, lumps: Mapping[str, bytes]) -> DoomMap:
    """The map that TEXTMAP is."""
    return DoomMap(name, UDMF, (), (), (), (), (), lumps)
