"""The cells of BLOCKMAP's grid that a line goes through, exactly: in whole numbers, without a rounding.

A cell is half open: it has its west and south edge, and not the others, as in the engine, which finds the cell of a
point by a shift. So a line that ends on the east edge of a cell has its end in the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lumpyard.maps.model import DoomMap

CELL = 128  # map units, both ways


class Span(NamedTuple):
    """A line's two ends, in map units from the origin of a grid."""

    x1: int
    y1: int
    x2: int
    y2: int


def spans(level: DoomMap, numbers: Iterable[int] | None = None) -> Iterator[tuple[int, Span]]:
    """Number and ends, in map units, of every line whose vertices exist, or of those with these numbers.

    Fractions, which UDMF has and BLOCKMAP has not, are cut off.
    """
    vertices = level.vertices
    known = len(vertices)
    for number in range(len(level.lines)) if numbers is None else numbers:
        line = level.lines[number]
        if line.v1 < known and line.v2 < known:
            x1, y1 = vertices[line.v1]
            x2, y2 = vertices[line.v2]
            yield number, Span(int(x1), int(y1), int(x2), int(y2))


def moved(span: Span, x: int, y: int) -> Span:
    """The same line as seen from a point."""
    return Span(span.x1 - x, span.y1 - y, span.x2 - x, span.y2 - y)


def most_cells(span: Span) -> int:
    """How many cells a line can be in at most."""
    across = abs(span.x2 // CELL - span.x1 // CELL)
    return across + abs(span.y2 // CELL - span.y1 // CELL) + 1


def cells_of(span: Span) -> list[tuple[int, int]]:
    """Column and row of all cells that have a point of the line, its ends included, from west to east.

    Source: "Doom map", BLOCKMAP: "for each block the lines that touch it".
    """
    x1, y1, x2, y2 = span
    if x1 > x2:
        x1, y1, x2, y2 = x2, y2, x1, y1
    first, last = x1 // CELL, x2 // CELL
    if first == last or y1 // CELL == y2 // CELL:
        low, high = (y1, y2) if y1 < y2 else (y2, y1)
        rows = range(low // CELL, high // CELL + 1)
        return [(column, row) for column in range(first, last + 1) for row in rows]
    return list(_slanted(x1, y1, x2, y2))


def _slanted(x1: int, y1: int, x2: int, y2: int) -> Iterator[tuple[int, int]]:
    """Cells of a line that goes east through several columns and several rows."""
    run, rise = x2 - x1, y2 - y1
    scale = run * CELL  # a height times `run`, over this, is a row
    first, last = x1 // CELL, x2 // CELL
    entry = y1 * run
    for column in range(first, last + 1):
        # Heights, times `run`, where the line comes into the column and where it leaves it. The column's east edge
        # is not in it: a rising line doesn't reach the row that it only enters there, a falling one has been above.
        leave = y2 * run if column == last else y1 * run + ((column + 1) * CELL - x1) * rise
        if rise > 0:
            top = leave // scale if column == last else -(-leave // scale) - 1
            rows = range(entry // scale, top + 1)
        else:
            rows = range(leave // scale, entry // scale + 1)
        for row in rows:
            yield column, row
        entry = leave


def touches_corner(span: Span, column: int, row: int) -> bool:
    """Whether the line meets the closed cell, edges and corners and all, where it has no point of the half-open one.

    Builders that look at the closed cell list it there; it is harmless.
    """
    west, south = column * CELL, row * CELL
    east, north = west + CELL, south + CELL
    x1, y1, x2, y2 = span
    if max(x1, x2) < west or min(x1, x2) > east or max(y1, y2) < south or min(y1, y2) > north:
        return False
    sides = [(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x in (west, east) for y in (south, north)]
    return min(sides) <= 0 <= max(sides)


def length_in(span: Span, column: int, row: int) -> float:
    """How far a line goes through a cell, in map units along the axis that it goes more along.

    The number is rounded: it tells slivers from the rest.
    """
    x1, y1, x2, y2 = span
    first, last = 0.0, 1.0
    for start, run, low in ((x1, x2 - x1, column * CELL), (y1, y2 - y1, row * CELL)):
        if run:
            near, far = sorted(((low - start) / run, (low + CELL - start) / run))
            first, last = max(first, near), min(last, far)
    return max(last - first, 0.0) * max(abs(x2 - x1), abs(y2 - y1))
