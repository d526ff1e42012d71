"""What lies under a plan's lines: a grid, and the cells of BLOCKMAP."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from lumpyard.maps.drawing.font import text_width
from lumpyard.maps.drawing.shapes import Area, Label, Strokes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.drawing.plan import Box, Plan
    from lumpyard.maps.drawing.shapes import Point, Segment, Shape
    from lumpyard.maps.drawing.sizes import Sizes
    from lumpyard.maps.model import DoomMap

_CELL = 128  # map units
_LEAST_GAP = 20  # pixels between two lines of the grid
_MOST_CELLS = 1 << 16
_SHADES = (1, 4, 8, 16)  # lines in a cell, from which on it is darker


def grid_lines(plan: Plan, scale: float, sizes: Sizes) -> Iterator[Shape]:
    """Lines every 64, 128, 256 … map units, as far as they are not too close; every eighth is stronger."""
    gap = _gap(scale)
    for layer_gap, role, width in ((gap, "grid", 0.8), (gap * 8, "grid", 1.4)):
        yield Strokes("grid", role, round(width * sizes.line, 2), list(_grid(plan.box, layer_gap)), 28)


def grid_numbers(plan: Plan, scale: float, sizes: Sizes) -> Iterator[Shape]:
    """The number of every eighth line, at the west and south edges. It is for above all else."""
    box, step = plan.box, _gap(scale) * 8
    size = sizes.text * 0.8
    inset = size * 0.3 / scale
    for x in range(-int(-box.west // step) * step, int(box.east) + 1, step):
        beyond = x + inset + text_width(str(x), size) / scale > box.east
        place = (x - inset, "end") if beyond else (x + inset, "start")
        yield Label("grid", "quiet", place[0], box.south + inset, size, str(x), place[1], rim=True)
    for y in range(-int(-box.south // step) * step, int(box.north) + 1, step):
        yield Label("grid", "quiet", box.west + inset, y + inset, size, str(y), rim=True)


def _gap(scale: float) -> int:
    gap = 64
    while gap * scale < _LEAST_GAP:
        gap *= 2
    return gap


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
