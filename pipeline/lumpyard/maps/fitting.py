"""Whether nodes are of this map: what an editor leaves that writes lines and forgets about nodes does not fit."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from lumpyard.maps import nodes
from lumpyard.maps.tree import check_tree

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap, NodeTree

FARTHEST_OFF = 2.0  # map units from a seg's end to its line; rounding makes 0.71 of it, and in zdbsp 1.34


def nodes_fit(level: DoomMap) -> bool:
    """Whether the map has nodes, they are a whole tree, each side has its segs, and these lie on their lines.

    A line that was moved and that no cut had split is not noticed by that.
    """
    tree = nodes.decode(level)
    if not tree.subsectors or tree.damage or check_tree(tree, len(level.lines)):
        return False
    return _on_lines(level, tree) and _sides_of_segs(tree) >= _sides(level)


def _on_lines(level: DoomMap, tree: NodeTree) -> bool:
    """Whether segs lie on their lines, and go their way where they are of the front, the other way where not.

    Up to version 1.19 zdbsp takes the front for the back where both are the same side (rheit/zdbsp, pull request 6).
    """
    places, known = tree.vertices, len(level.vertices)
    for seg in tree.segs:
        if seg.line is None:
            continue
        line = level.lines[seg.line]
        if line.v1 >= known or line.v2 >= known:
            return False
        (x1, y1), (x2, y2) = level.vertices[line.v1], level.vertices[line.v2]
        dx, dy = x2 - x1, y2 - y1
        length = hypot(dx, dy)
        most = FARTHEST_OFF * length
        (from_x, from_y), (to_x, to_y) = places[seg.v1][:2], places[seg.v2][:2]
        along = dx * (to_x - from_x) + dy * (to_y - from_y)
        if (along if seg.side else -along) > most:
            return False
        for vertex in (seg.v1, seg.v2):
            x, y = places[vertex]
            if abs(dx * (y - y1) - dy * (x - x1)) > most:
                return False
    return True


def _sides_of_segs(tree: NodeTree) -> set[tuple[int, int]]:
    return {(seg.line, seg.side) for seg in tree.segs if seg.line is not None}


def _sides(level: DoomMap) -> set[tuple[int, int]]:
    """Line and side of all that should have segs."""
    known, sides, sectors = len(level.vertices), level.sides, len(level.sectors)
    found = set()
    for number, line in enumerate(level.lines):
        if line.v1 >= known or line.v2 >= known or level.vertices[line.v1] == level.vertices[line.v2]:
            continue
        for which, side in enumerate((line.front, line.back)):
            if side is not None and side < len(sides) and sides[side].sector < sectors:
                found.add((number, which))
    return found
