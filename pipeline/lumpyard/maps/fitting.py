"""Whether nodes are of this map: what an editor leaves that writes lines and forgets about nodes does not fit."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps import nodes
from lumpyard.maps.model import LEAF
from lumpyard.maps.tree import check_tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.maps.model import DoomMap, NodeTree

FARTHEST_OFF = 2.0  # map units from a seg's end to its line; rounding makes 0.71 of it, and in zdbsp 1.34
FARTHEST_BEHIND = (
    7.75  # from a seg's end to a cut whose other side it is on: 7.6 in one of Freedoom's maps, else 1.35
)
MOST_LOOKS = 20_000_000  # at a point and a cut: three seconds; the largest of Freedoom's maps needs 1,000,000


def nodes_fit(level: DoomMap) -> bool:
    """Whether the map has nodes, they are a whole tree, each side has its segs, and these lie where they should.

    That is on their lines, and on their side of every cut above them. What was moved a few units, or such that all this
    still holds, is not noticed.
    """
    tree = nodes.decode(level)
    if not tree.subsectors or tree.damage or check_tree(tree, len(level.lines)):
        return False
    return _on_lines(level, tree) and _sides_of_segs(tree) >= _sides(level) and _parts_fit(tree)


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


class _Cut(NamedTuple):
    """A line with the side of it that is meant, and the cut above."""

    x: float
    y: float
    dx: float  # (dx, dy) is 1 long, and what is meant lies to the right
    dy: float
    above: _Cut | None = None


def _cut(x: float, y: float, dx: float, dy: float, *, left: bool, above: _Cut | None = None) -> _Cut:
    length = hypot(dx, dy) * (-1 if left else 1)
    return _Cut(x, y, dx / length, dy / length, above) if length else _Cut(x, y, 0, 0, above)


def _behind(cut: _Cut, points: Sequence[tuple[float, float]]) -> float:
    """How far the farthest of some points is on the wrong side of a cut."""
    x, y, dx, dy, _ = cut
    return max((at_y - y) * dx - (at_x - x) * dy for at_x, at_y in points)


def _parts_fit(tree: NodeTree) -> bool:
    """Whether all of a subsector is on its side of the cuts above it."""
    looks = 0
    left: list[tuple[int, _Cut | None]] = [(len(tree.nodes) - 1 if tree.nodes else LEAF, None)]
    while left:
        child, above = left.pop()
        if not child & LEAF:
            node = tree.nodes[child]
            for below, is_left in ((node.right, False), (node.left, True)):
                left.append((below, _cut(node.x, node.y, node.dx, node.dy, left=is_left, above=above)))
            continue
        subsector = tree.subsectors[child ^ LEAF]
        segs = tree.segs[subsector.first : subsector.first + subsector.segs]
        points = list({tree.vertices[vertex][:2] for seg in segs for vertex in (seg.v1, seg.v2)})
        while above is not None:
            looks += len(points)
            if looks > MOST_LOOKS or _behind(above, points) > FARTHEST_BEHIND:
                return False
            above = above.above
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
