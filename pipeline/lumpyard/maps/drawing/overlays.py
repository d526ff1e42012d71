"""What can be laid over a plan: a grid, the cells of BLOCKMAP, the cuts of NODES, tags, differences."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from lumpyard.maps.drawing.shapes import Area, Label, Strokes, Symbols
from lumpyard.maps.model import LEAF
from lumpyard.maps.nodes import decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.drawing.kinds import Rules
    from lumpyard.maps.drawing.layers import Sizes
    from lumpyard.maps.drawing.options import Mark
    from lumpyard.maps.drawing.plan import Box, Plan
    from lumpyard.maps.drawing.shapes import Point, Segment, Shape
    from lumpyard.maps.model import DoomMap, Node

_CELL = 128  # map units
_LEAST_GAP = 9  # pixels between two lines of the grid
_MOST_CELLS = 1 << 16
_SHADES = (1, 4, 8, 16)  # lines in a cell, from which on it is darker


def grid_lines(plan: Plan, scale: float, sizes: Sizes) -> Iterator[Shape]:
    """Lines every 64, 128, 256 … map units, as far as they are not too close; every eighth is stronger."""
    gap = 64
    while gap * scale < _LEAST_GAP:
        gap *= 2
    for layer_gap, role, width in ((gap, "grid", 0.8), (gap * 8, "grid-major", 1.0)):
        yield Strokes("grid", role, round(width * sizes.line, 2), list(_grid(plan.box, layer_gap)))
    box, step = plan.box, gap * 8
    inset = sizes.text / scale
    for x in range(int(box.west // step + 1) * step, int(box.east) + 1, step):
        yield Label("grid", "quiet", x + inset / 4, box.south + inset / 4, sizes.text * 0.8, str(x))
    for y in range(int(box.south // step + 1) * step, int(box.north) + 1, step):
        yield Label("grid", "quiet", box.west + inset / 4, y + inset / 4, sizes.text * 0.8, str(y))


def _grid(box: Box, gap: int) -> Iterator[Segment]:
    for x in range(-int(-box.west // gap) * gap, int(box.east) + 1, gap):
        yield x, box.south, x, box.north
    for y in range(-int(-box.south // gap) * gap, int(box.north) + 1, gap):
        yield box.west, y, box.east, y


def block_cells(level: DoomMap, plan: Plan) -> Iterator[Shape]:
    """The cells of BLOCKMAP inside the picture, the darker the more lines are listed in them."""
    table = level.lumps.get("BLOCKMAP", b"")
    if len(table) < 8:
        return
    west, south, columns, rows = struct.unpack_from("<hhHH", table)
    cells = min(columns * rows, (len(table) - 8) // 2, _MOST_CELLS)
    if not columns:
        return
    words = struct.unpack(f"<{len(table) // 2}H", table[: len(table) // 2 * 2])
    shaded: list[list[list[Point]]] = [[] for _ in _SHADES]
    edges: set[Segment] = set()
    for cell in range(cells):
        row, column = divmod(cell, columns)
        x, y = west + column * _CELL, south + row * _CELL
        right, top = min(x + _CELL, plan.box.east), min(y + _CELL, plan.box.north)
        x, y = max(x, plan.box.west), max(y, plan.box.south)
        if x >= right or y >= top:
            continue
        edges |= {(x, y, right, y), (x, y, x, top), (x, top, right, top), (right, y, right, top)}
        listed = _length(words, words[4 + cell])
        shade = sum(listed >= least for least in _SHADES) - 1
        if shade >= 0:
            shaded[shade].append([(x, y), (x, top), (right, top), (right, y)])
    for shade, rings in enumerate(shaded):
        if rings:
            yield Area("blockmap", "block", rings, 8 + 12 * shade)
    yield Strokes("blockmap", "block", 0.6, sorted(edges), 60)


def _length(words: Sequence[int], start: int) -> int:
    """Lines in a list, up to the number from which on it makes no difference."""
    for place in range(start, min(start + _SHADES[-1] + 2, len(words))):
        if words[place] == 0xFFFF:
            return place - start - 1
    return _SHADES[-1] if start < len(words) else 0


def node_cuts(level: DoomMap, plan: Plan, sizes: Sizes) -> Iterator[Shape]:
    """Where each node cuts the area that is left to it; the first cuts are the strongest."""
    nodes = decode(level).nodes
    if not nodes:
        return
    box = plan.box
    around: list[Point] = [
        (box.west, box.south),
        (box.east, box.south),
        (box.east, box.north),
        (box.west, box.north),
    ]
    cuts: dict[int, list[Segment]] = {}
    seen: set[int] = set()
    waiting = [(len(nodes) - 1, 0, around)]
    while waiting:
        number, depth, area = waiting.pop()
        if number & LEAF or number >= len(nodes) or number in seen or len(area) < 3:
            continue
        seen.add(number)
        node = nodes[number]
        right, left, cut = split(area, node)
        if cut:
            cuts.setdefault(min(depth // 3, 4), []).append(cut)
        waiting += [(node.right, depth + 1, right), (node.left, depth + 1, left)]
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


def tag_links(level: DoomMap, plan: Plan, rules: Rules, sizes: Sizes) -> Iterator[Shape]:
    """From every line that acts on a tag to the sectors that have it, and the tag beside them."""
    return iter(())


def mark_shapes(plan: Plan, marks: Sequence[Mark], sizes: Sizes) -> Iterator[Shape]:
    """Differences, over a veil that makes the rest pale."""
    return iter(())
