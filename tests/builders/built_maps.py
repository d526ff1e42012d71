"""Freedoom's maps with nodes that we built, each built once in a run."""

from __future__ import annotations

from functools import cache

from tests.builders import doom_maps, doom_nodes

from lumpyard.maps.bsp import BuiltNodes, build_nodes


@cache
def built(game: str, name: str, *, extended: bool = False) -> BuiltNodes:
    """The lumps of one map."""
    found = build_nodes(doom_maps.freedoom(game, name), extended=extended)
    assert isinstance(found, BuiltNodes)
    return found


@cache
def nodes(game: str, name: str, *, extended: bool = False) -> doom_nodes.Nodes:
    """What is in them."""
    return doom_nodes.of_lumps(built(game, name, extended=extended))
