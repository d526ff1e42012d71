"""Lines by the square of the plan that they go through, so that only near ones are compared.

A square may list a line that only comes close; it never lacks one. The squares grow until the lists are short beside
the number of lines, whatever the lines are.
"""

from __future__ import annotations

from bisect import bisect_left
from math import floor
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.maps.model import Number

SMALLEST = 128  # map units; 64 to 192 cost the same on Freedoom's maps
_PER_LINE = 8  # squares a line may have on average
_NEAR = 1e-6  # of a square: far more than the rounding of a division, far less than a map unit
MAX_STEPS = 500_000  # lines looked at for all points of one map; the largest of Freedoom has 14,000


class Ends(NamedTuple):
    """A line's start and end, in map units."""

    x1: Number
    y1: Number
    x2: Number
    y2: Number


class Grid(NamedTuple):
    """Numbers of lines by row and column."""

    size: int  # of a square, in map units
    rows: Mapping[int, Mapping[int, Sequence[int]]]
    columns: Mapping[int, Sequence[int]]  # the columns of each row that have lines, in order


def make_grid(lines: Sequence[Ends | None]) -> Grid:
    """The grid of all lines that have ends, and are longer than nothing."""
    spans = sum(abs(line.x2 - line.x1) + abs(line.y2 - line.y1) for line in lines if line)
    size = SMALLEST
    while spans > size * _PER_LINE * (len(lines) + 64):
        size *= 2
    rows: dict[int, dict[int, list[int]]] = {}
    for number, line in enumerate(lines):
        if line is None:
            continue
        x1, y1, x2, y2 = line
        row, column = int(y1 // size), int(x1 // size)
        if row == y2 // size and column == x2 // size:  # two of three lines
            squares = rows.setdefault(row, {})
            squares.setdefault(column, []).append(number)
            continue
        for row, first, last in _squares(line, size):
            squares = rows.setdefault(row, {})
            for column in range(first, last + 1):
                squares.setdefault(column, []).append(number)
    return Grid(size, rows, {row: sorted(squares) for row, squares in rows.items()})


def _squares(line: Ends, size: int) -> Iterator[tuple[int, int, int]]:
    """Row, first and last column, for every row that a line comes into."""
    x1, y1, x2, y2 = line if line.y1 <= line.y2 else (line.x2, line.y2, line.x1, line.y1)
    bottom, top = int(y1 // size), int(y2 // size)
    west, east = int(min(x1, x2) // size), int(max(x1, x2) // size)
    if bottom == top or west == east:
        for row in range(bottom, top + 1):
            yield row, west, east
        return
    slope = (x2 - x1) / (y2 - y1)
    for row in range(bottom, top + 1):
        low = x1 + (max(y1, row * size) - y1) * slope
        high = x1 + (min(y2, (row + 1) * size) - y1) * slope
        if low > high:
            low, high = high, low
        yield row, max(west, floor(low / size - _NEAR)), min(east, floor(high / size + _NEAR))


class Steps:
    """How many lines may still be looked at."""

    def __init__(self, left: int = MAX_STEPS) -> None:
        self.left = left


class Hit(NamedTuple):
    """The first line east of a point."""

    line: int
    upward: bool  # it runs north, so the point is on its back side


def line_east_of(grid: Grid, lines: Sequence[Ends | None], x: Number, y: Number, steps: Steps) -> Hit | None:
    """The first line that a ray from a point to the east meets; None where there is none, or no step is left."""
    row = floor(y / grid.size)
    squares = grid.rows.get(row, {})
    columns = grid.columns.get(row, ())
    best: tuple[float, float] | None = None
    hit: Hit | None = None
    for column in columns[bisect_left(columns, floor(x / grid.size)) :]:
        steps.left -= len(squares[column])
        if steps.left < 0:
            return None
        for number in squares[column]:
            line = lines[number]
            assert line is not None
            x1, y1, x2, y2 = line
            if (y1 <= y) == (y2 <= y):
                continue
            slope = (x2 - x1) / (y2 - y1)
            across = x1 + (y - y1) * slope
            # of two lines that go up from one point, the one that leans further west is met first
            if across > x and (best is None or (across, slope) < best):
                best, hit = (across, slope), Hit(number, y2 > y1)
        if best and best[0] < (column + 1) * grid.size:
            break
    return hit


def lines_near(grid: Grid, x: Number, y: Number, reach: Number) -> Iterator[int]:
    """The lines of all squares that a box round a point comes into; some of them twice."""
    first, last = floor((x - reach) / grid.size), floor((x + reach) / grid.size)
    for row in range(floor((y - reach) / grid.size), floor((y + reach) / grid.size) + 1):
        squares = grid.rows.get(row)
        if squares:
            for column in range(first, last + 1):
                yield from squares.get(column, ())
