"""The cuts of NODES: how they take the plan apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.drawing.shapes import Strokes
from lumpyard.maps.model import LEAF
from lumpyard.maps.nodes import decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.maps.drawing.plan import Plan
    from lumpyard.maps.drawing.shapes import Point, Segment, Shape
    from lumpyard.maps.drawing.sizes import Sizes
    from lumpyard.maps.model import DoomMap, Node

_MOST_DEPTH = 160  # of a tree; the deepest of 100 maps has 64, and areas get a corner with every cut


def node_cuts(level: DoomMap, plan: Plan) -> dict[int, list[Segment]]:
    """Where each node cuts the area that is left to it, by how early: 0 first."""
    nodes = decode(level).nodes
    box = plan.box
    around: list[Point] = [
        (box.west, box.south),
        (box.east, box.south),
        (box.east, box.north),
        (box.west, box.north),
    ]
    cuts: dict[int, list[Segment]] = {}
    seen: set[int] = set()
    waiting = [(len(nodes) - 1, 0, around)] if nodes else []
    while waiting:
        number, depth, area = waiting.pop()
        if number & LEAF or number >= len(nodes) or number in seen or len(area) < 3 or depth > _MOST_DEPTH:
            continue
        seen.add(number)
        node = nodes[number]
        right, left, cut = split(area, node)
        if cut:
            cuts.setdefault(min(depth // 3, 4), []).append(cut)
        waiting += [(node.right, depth + 1, right), (node.left, depth + 1, left)]
    return cuts


def cut_shapes(cuts: Mapping[int, Sequence[Segment]], sizes: Sizes) -> Iterator[Shape]:
    """The cuts, the first ones strongest."""
    for depth in sorted(cuts, reverse=True):
        width = round((2.0 - depth * 0.35) * sizes.line, 2)
        yield Strokes("nodes", "node", width, cuts[depth], 85 - depth * 12)


def split(area: Sequence[Point], node: Node) -> tuple[list[Point], list[Point], Segment | None]:
    """The parts of a convex area on the right and on the left of a node's line, and the cut between them."""
    right: list[Point] = []
    left: list[Point] = []
    ends: list[Point] = []
    sides = [(x - node.x) * node.dy - (y - node.y) * node.dx for x, y in area]  # more than 0 on the right
    for place, (point, side) in enumerate(zip(area, sides, strict=True)):
        before, side_before = area[place - 1], sides[place - 1]
        if (side > 0 > side_before) or (side < 0 < side_before):
            part = side_before / (side_before - side)
            x = before[0] + (point[0] - before[0]) * part
            y = before[1] + (point[1] - before[1]) * part
            ends.append((x, y))
            right.append((x, y))
            left.append((x, y))
        if side >= 0:
            right.append(point)
        if side <= 0:
            left.append(point)
        if side == 0:
            ends.append(point)
    cut = (*ends[0], *ends[1]) if len(ends) == 2 and ends[0] != ends[1] else None
    return right, left, cut
