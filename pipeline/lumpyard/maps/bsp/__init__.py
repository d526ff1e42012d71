"""Our own node builder: a plan is cut along lines of its own until every part is convex (docs/maps.md).

Only integers and exact floats decide, so that the same map gives the same bytes everywhere. A map may be as broken as
it likes: lines without vertices, length or sides have no segs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.bsp.numbering import numbered
from lumpyard.maps.bsp.pieces import plan_of
from lumpyard.maps.bsp.tree import grow
from lumpyard.maps.bsp.writing import (
    extended_bytes,
    node_bytes,
    seg_bytes,
    subsector_bytes,
    vertex_bytes,
)
from lumpyard.maps.limits import OverLimit, over

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap

VERSION = 2  # raise it when the same map gives other bytes
MAX_VANILLA = 0x7FFF  # vertices, segs, subsectors and nodes whose numbers all engines read
MAX_EXTENDED = 1_000_000  # segs, of XNOD: memory must end somewhere; the largest map of Freedoom has 18,400
MAX_LINE = 0xFFFF


class BuiltNodes(NamedTuple):
    """Four lumps. In extended nodes `segs` and `ssectors` are empty and `nodes` is all of XNOD."""

    vertexes: (
        bytes  # the map's own, without those behind the last that a line has, and new ones where not extended
    )
    segs: bytes
    ssectors: bytes
    nodes: bytes


def build_nodes(level: DoomMap, *, extended: bool = False) -> BuiltNodes | OverLimit:
    """The nodes of a map; of one without any line that has a side, empty lumps.

    OverLimit: `nodes-too-many-vertices`, `-segs`, `-subsectors`, `-nodes`, `-lines`, and `nodes-too-much-work`.
    """
    plan = plan_of(level)
    own = len(plan.places)
    if not plan.pieces:
        return BuiltNodes(vertex_bytes(plan.places), b"", b"", b"")
    if plan.pieces[-1].line > MAX_LINE:
        return over("nodes-too-many-lines", "lines of segs", plan.pieces[-1].line + 1, MAX_LINE + 1)
    tree = grow(plan, MAX_EXTENDED if extended else MAX_VANILLA)
    if isinstance(tree, OverLimit):
        return tree
    made = numbered(level, tree, own, whole=not extended)
    if extended:
        return BuiltNodes(vertex_bytes(made.places[:own]), b"", b"", extended_bytes(tree.branches, made, own))
    if len(made.places) > MAX_VANILLA:
        return over("nodes-too-many-vertices", "vertices", len(made.places), MAX_VANILLA)
    return BuiltNodes(
        vertex_bytes(made.places),
        seg_bytes(made, plan.cuts),
        subsector_bytes(made),
        node_bytes(tree.branches, made, "H"),
    )
