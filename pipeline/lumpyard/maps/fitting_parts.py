"""Whether the parts that nodes cut a plan into are where the nodes say: on their side of cuts, and inside of boxes."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.model import LEAF

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.model import NodeTree

FARTHEST_BEHIND = (
    7.75  # from a seg's end to a cut whose other side it is on: 7.6 in one of Freedoom's maps, else 1.35
)
FARTHEST_OUTSIDE = 1.0  # of a seg's end from its part's box: 0 in Freedoom's maps; fractions are rounded
MOST_LOOKS = 20_000_000  # at a point and a cut: three seconds; the largest of Freedoom's maps needs 1,000,000


_Box = tuple[float, float, float, float]  # west, south, east, north


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


def parts_fit(tree: NodeTree) -> bool:
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


def boxes_fit(tree: NodeTree) -> bool:
    """Whether the boxes of each node hold the segs on both its sides, as an engine counts on that skips boxes."""
    found: dict[int, _Box] = {}
    for child in _children_first(tree):
        node = tree.nodes[child]
        both: list[_Box] = []
        for below, (top, bottom, left, right) in ((node.right, node.right_box), (node.left, node.left_box)):
            west, south, east, north = box = _box_of(tree, below) if below & LEAF else found.pop(below)
            if max(left - west, bottom - south, east - right, north - top) > FARTHEST_OUTSIDE:
                return False
            both.append(box)
        (west, south, east, north), other = both
        found[child] = (
            min(west, other[0]), min(south, other[1]), max(east, other[2]), max(north, other[3])
        )  # fmt: skip
    return True


def _children_first(tree: NodeTree) -> Iterator[int]:
    """The numbers of all nodes, each behind those below it."""
    order: list[int] = []
    ahead = [len(tree.nodes) - 1] if tree.nodes else []
    while ahead:
        number = ahead.pop()
        order.append(number)
        node = tree.nodes[number]
        ahead += [below for below in (node.right, node.left) if not below & LEAF]
    return reversed(order)


def _box_of(tree: NodeTree, leaf: int) -> _Box:
    """The box of a subsector's segs."""
    subsector = tree.subsectors[leaf ^ LEAF]
    segs = tree.segs[subsector.first : subsector.first + subsector.segs]
    points = [tree.vertices[vertex] for seg in segs for vertex in (seg.v1, seg.v2)]
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return min(xs), min(ys), max(xs), max(ys)
