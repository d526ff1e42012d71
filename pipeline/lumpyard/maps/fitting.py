"""Whether nodes are of this map: what an editor leaves that writes lines and forgets about nodes does not fit."""

from __future__ import annotations

from math import atan2, hypot, pi, sin
from typing import TYPE_CHECKING

from lumpyard.maps import nodes
from lumpyard.maps.fitting_parts import boxes_fit, parts_fit
from lumpyard.maps.tree import check_tree

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap, NodeTree, Seg

FARTHEST_OFF = 2.0  # map units from a seg's end to its line; rounding makes 0.71 of it, and in zdbsp 1.34
TURN = 65536  # of a seg's angle
FARTHEST_ALONG = 3.5  # of a seg's offset from where its start is: 2.3 in zdbsp's vanilla nodes
MOST_OFFSET = 0x7FFF  # of a seg, which is a 16-bit number


def nodes_fit(level: DoomMap) -> bool:
    """Whether the map has nodes, they are a whole tree, each side has its segs, and these lie where they should.

    That is on their lines, with the angles and offsets that these give them, on their side of every cut above them, and
    inside of the boxes of the nodes above. What was moved a unit or two is not noticed.
    """
    tree = nodes.decode(level)
    if not tree.subsectors or tree.damage or check_tree(tree, len(level.lines)):
        return False
    if not (_on_lines(level, tree) and _sides_of_segs(tree) >= _sides(level)):
        return False
    return boxes_fit(tree) and parts_fit(tree)


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
        if seg.side:
            x1, y1, dx, dy = x2, y2, -dx, -dy
        if not _is_told_right(
            seg, hypot(from_x - x1, from_y - y1), hypot(to_x - from_x, to_y - from_y), dx, dy
        ):
            return False
    return True


def _is_told_right(seg: Seg, start: float, length: float, dx: float, dy: float) -> bool:
    """Whether a seg has the angle of its line, and the offset from its start at which it is.

    Short segs may be turned as far as moves their ends: zokumbsp gives them the angle that rounding left.
    """
    if seg.offset is not None and abs(start - seg.offset) > FARTHEST_ALONG and start < MOST_OFFSET:
        return False
    if seg.angle is None:
        return True
    off = 2 * pi * seg.angle / TURN - atan2(dy, dx)
    return abs(sin(off / 2)) * length * 2 <= FARTHEST_OFF


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
