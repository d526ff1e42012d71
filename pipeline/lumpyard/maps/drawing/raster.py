"""Filled shapes with smooth edges on a grid of pixels, without a library: exact coverage, the same on every machine.

Each edge of a ring adds, for every pixel it goes through, how much the covered part of the row changes there; a running
sum along the row is then each pixel's coverage, and stretches without an edge are filled as one slice. So the work goes
with the length of the edges and not with the area. Only +, -, * and / of doubles are used, whose last bit is the same
everywhere.

Red, green and blue are planes of their own, so that mixing a colour in is a look-up in a table of 256 bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lumpyard.maps.drawing.palette import Colour
    from lumpyard.maps.drawing.shapes import Point, Segment

LEVELS = 64  # of coverage; more cannot be seen
_PAD = 2  # pixels at the end of each row that are not shown; what is right of the picture ends there
MAX_CELLS = 1_000_000  # that are worked on at once, of some 100 bytes each


class Canvas:
    """A picture that is being painted."""

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self.width = width
        self.height = height
        self._stride = width + _PAD
        self._band = max(MAX_CELLS // self._stride, 1)
        self._ground = ground
        self._planes = [bytearray(bytes([value])) * (self._stride * height) for value in ground]
        self._mixes: dict[tuple[int, int], bytes] = {}
        self._sums: dict[int, bytes] = {}

    def paint(self, rings: Iterable[Sequence[Point]], colour: Colour, opacity: int = 100) -> None:
        """Lay a colour over what is there, inside of rings of pixels (nonzero winding)."""
        for start, end, level in self._runs(rings):
            self._lay(start, end, level * opacity // 100, colour)

    def tile(self, rings: Iterable[Sequence[Point]], colour: Colour) -> None:
        """Put one of many areas that do not overlap on the bare ground.

        Pixels on an edge get their share of both sides' colours, so that no ground shines through between two areas.
        """
        red, green, blue = self._planes
        for start, end, level in self._runs(rings):
            if level == LEVELS:
                self._lay(start, end, level, colour)
                continue
            one, two, three = (
                self._sum(level * (value - under) // LEVELS)
                for value, under in zip(colour, self._ground, strict=True)
            )
            red[start:end] = red[start:end].translate(one)
            green[start:end] = green[start:end].translate(two)
            blue[start:end] = blue[start:end].translate(three)

    def rows(self) -> Iterator[bytes]:
        """The rows from the top, each as bytes of red, green and blue."""
        row = bytearray(3 * self.width)
        for start in range(0, self._stride * self.height, self._stride):
            for channel, plane in enumerate(self._planes):
                row[channel::3] = plane[start : start + self.width]
            yield bytes(row)

    def _lay(self, start: int, end: int, level: int, colour: Colour) -> None:
        if level == LEVELS:
            size = end - start
            for plane, value in zip(self._planes, colour, strict=True):
                plane[start:end] = bytes((value,)) * size
        elif end - start == 1:
            for plane, value in zip(self._planes, colour, strict=True):
                plane[start] = self._mix(value, level)[plane[start]]
        else:
            for plane, value in zip(self._planes, colour, strict=True):
                plane[start:end] = plane[start:end].translate(self._mix(value, level))

    def _mix(self, value: int, level: int) -> bytes:
        """What each value becomes under a part of another."""
        table = self._mixes.get((value, level))
        if table is None:
            half = LEVELS // 2
            table = bytes(under + ((value - under) * level + half) // LEVELS for under in range(256))
            self._mixes[value, level] = table
        return table

    def _sum(self, more: int) -> bytes:
        table = self._sums.get(more)
        if table is None:
            table = self._sums[more] = bytes(min(max(under + more, 0), 255) for under in range(256))
        return table

    def _runs(self, rings: Iterable[Sequence[Point]]) -> Iterator[tuple[int, int, int]]:
        """First pixel, the one behind the last, and level of coverage of every stretch that is covered."""
        kept = list(rings)
        for top in range(0, self.height, self._band):
            cells: dict[int, float] = {}
            part = _Part(top, min(top + self._band, self.height), self.width, self._stride)
            for ring in kept:
                _add_ring(cells, ring, part)
            yield from _covered(cells)


class _Part(NamedTuple):
    """The rows of a canvas that are worked on."""

    top: int
    bottom: int
    width: int
    stride: int  # cells from one row to the next


def _covered(cells: Mapping[int, float]) -> Iterator[tuple[int, int, int]]:
    places = sorted(cells)
    places.append(places[-1] + 1 if places else 0)
    cover = 0.0
    for place, start in enumerate(places[:-1]):
        cover += cells[start]
        level = int(abs(cover) * LEVELS + 0.5)
        if level:
            yield start, places[place + 1], min(level, LEVELS)


def _add_ring(cells: dict[int, float], ring: Sequence[Point], part: _Part) -> None:
    """Add what a ring's edges change of the coverage, to the cells `y * stride + x` of those that change."""
    if not ring:
        return
    x0, y0 = ring[-1]
    for x1, y1 in ring:
        if y0 < y1:
            if y1 > part.top and y0 < part.bottom:
                _add_edge(cells, (x0, y0, x1, y1), 1.0, part)
        elif y0 > y1 and y0 > part.top and y1 < part.bottom:
            _add_edge(cells, (x1, y1, x0, y0), -1.0, part)
        x0, y0 = x1, y1


def _add_edge(cells: dict[int, float], edge: Segment, sign: float, part: _Part) -> None:
    """Add one edge that goes down, row by row."""
    x, y, x_end, y_end = edge
    top, bottom, width, stride = part
    slope = (x_end - x) / (y_end - y)
    if y < top:
        x, y = x + (top - y) * slope, float(top)
    y_end = min(y_end, bottom)
    row = int(y)
    get = cells.get
    while y < y_end:
        below = min(row + 1, y_end)
        share = below - y
        x_next = x + slope * share
        share *= sign
        low, high = (x, x_next) if x < x_next else (x_next, x)
        if low < 0 or high > width:
            low, high, share = _clipped(cells, row * stride, width, (low, high, share))
        left = int(low)
        cell = row * stride + left
        if high <= left + 1:  # one pixel of the row
            right_part = share * ((low + high) / 2 - left)
            cells[cell] = get(cell, 0.0) + share - right_part
            cells[cell + 1] = get(cell + 1, 0.0) + right_part
        else:
            _add_flat(cells, cell, low - left, high - left, share)
        x, y, row = x_next, below, row + 1


def _clipped(
    cells: dict[int, float], start: int, width: int, piece: tuple[float, float, float]
) -> tuple[float, float, float]:
    """What of an edge's piece in one row is in the picture; the rest is put at its sides."""
    low, high, share = piece
    if low < 0:
        beyond = share if high <= 0 else share * -low / (high - low)
        cells[start] = cells.get(start, 0.0) + beyond
        low, share = 0.0, share - beyond
    if high > width:
        beyond = share if low >= width else share * (high - width) / (high - low)
        cells[start + width] = cells.get(start + width, 0.0) + beyond
        high, share = float(width), share - beyond
    return min(low, width), max(high, 0.0), share


def _add_flat(cells: dict[int, float], cell: int, low: float, high: float, share: float) -> None:
    """Add an edge that goes through several pixels of one row; low and high count from the first's left edge."""
    rate = share / (high - low)
    done = rate * (1 - low) * (1 - low) / 2
    cells[cell] = cells.get(cell, 0.0) + done
    before = done  # coverage of the pixel before
    at = 1
    while at + 1 < high:
        covered = rate * (at + 0.5 - low)
        cells[cell + at] = cells.get(cell + at, 0.0) + covered - before
        before = covered
        at += 1
    part = high - at  # of the last pixel
    covered = rate * (at - low + part - part * part / 2)
    cells[cell + at] = cells.get(cell + at, 0.0) + covered - before
    cells[cell + at + 1] = cells.get(cell + at + 1, 0.0) + share - covered
