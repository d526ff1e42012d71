"""Straight lines through the plan, and the sectors that each goes through before it meets a wall.

Two sectors that one of them goes through can see each other, as far as the plan decides: every line with a sector on
both sides is open, however high floors and ceilings stand. Where a line comes to what is not clear (a vertex, two lines
in one place, a side that says another sector than the line came through) it ends. So what is found is sure, and by far
not everything: `maps.sight` finds all, and takes several times as long.

The lines go through the middles of lines with two sides: straight over each, and on to others of the same sector.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.grid import Ends, make_grid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.maps.model import DoomMap

MAX_RAYS = 4_000  # of a map, each with two halves
MAX_STEPS = 500_000  # lines that rays are compared with, in all: a quarter of a second
_ROUNDS = 6  # rays over one line: straight, and to so many others less one
_LONGEST = 256  # squares that half a ray goes through
_NEAR = 1e-6  # of a line's length, and of a ray's first step: nearer to a vertex or another line is too near


class _Edge(NamedTuple):
    """A line with its sectors; the front is on the right of its way."""

    x: float
    y: float
    dx: float
    dy: float
    front: int
    back: int  # -1 of a wall


class Ray(NamedTuple):
    """What one straight line met."""

    line: int  # that it goes over in the middle
    sectors: int  # as bits


def rays(level: DoomMap) -> Iterator[Ray]:
    """The rays of a map, the same for the same map; few of one with very many lines in one place."""
    plan = _Plan(level)
    for line, dx, dy in plan.aims():
        sectors = plan.sectors_met(line, dx, dy)
        if plan.steps < 0:
            return
        yield Ray(line, sectors)


class _Plan:
    def __init__(self, level: DoomMap) -> None:
        self.edges = _edges(level)
        ends = [edge and Ends(edge.x, edge.y, edge.x + edge.dx, edge.y + edge.dy) for edge in self.edges]
        self.grid = make_grid(ends)
        self.steps = MAX_STEPS

    def aims(self) -> Iterator[tuple[int, float, float]]:
        """A line with two sectors, and a way over its middle from the back to the front."""
        edges = self.edges
        open_: list[tuple[int, _Edge]] = [
            (number, edge)
            for number, edge in enumerate(edges)
            if edge and edge.back >= 0 and edge.front != edge.back
        ]
        of_sector: dict[int, list[_Edge]] = {}
        places: list[tuple[int, int]] = []  # of each open line in the lists of its two sectors
        for _, edge in open_:
            front, back = of_sector.setdefault(edge.front, []), of_sector.setdefault(edge.back, [])
            places.append((len(front), len(back)))
            front.append(edge)
            back.append(edge)
        every = 1 + 2 * len(open_) // MAX_RAYS
        left = MAX_RAYS
        for turn in range(_ROUNDS):
            for at in range(turn % every, len(open_), every):
                number, edge = open_[at]
                left -= 1
                if left < 0:
                    return
                if turn == 0:
                    yield number, edge.dy, -edge.dx
                    continue
                is_back = turn % 2
                others = of_sector[edge.back if is_back else edge.front]
                other = others[(places[at][is_back] + 1 + (turn // 2) * (len(others) // 2)) % len(others)]
                dx = other.x + other.dx / 2 - (edge.x + edge.dx / 2)
                dy = other.y + other.dy / 2 - (edge.y + edge.dy / 2)
                ahead = dx * edge.dy - dy * edge.dx
                if ahead:
                    yield number, (dx if ahead > 0 else -dx), (dy if ahead > 0 else -dy)

    def sectors_met(self, line: int, dx: float, dy: float) -> int:
        """The sectors on a ray over the middle of a line with two, as bits; it goes to its front."""
        edge = self.edges[line]
        assert edge is not None
        x, y = edge.x + edge.dx / 2, edge.y + edge.dy / 2
        return self._half(x, y, dx, dy, edge.front, line) | self._half(x, y, -dx, -dy, edge.back, line)

    def _half(self, x: float, y: float, dx: float, dy: float, sector: int, start: int) -> int:
        """The sectors that a ray comes through from a point of a line on, the first of which is known."""
        met = 1 << sector
        for line, front in self._crossings(x, y, dx, dy, start):
            edge = self.edges[line]
            assert edge is not None
            near, far = (edge.front, edge.back) if front else (edge.back, edge.front)
            if near != sector or far < 0:
                break
            sector = far
            met |= 1 << sector
        return met

    def _crossings(self, x: float, y: float, dx: float, dy: float, start: int) -> Iterator[tuple[int, bool]]:
        """The lines that a ray crosses, in order, and whether from the front; it ends where that is not clear."""
        edges, size, rows = self.edges, self.grid.size, self.grid.rows
        tried = {start}
        ahead: list[tuple[float, float, int, bool]] = []
        nothing: Mapping[int, Sequence[int]] = {}
        for column, row, leaves in _squares(x, y, dx, dy, size):
            numbers = rows.get(row, nothing).get(column, ())
            self.steps -= 1 + len(numbers)
            for number in numbers:
                if number in tried:
                    continue
                tried.add(number)
                edge = edges[number]
                assert edge is not None
                at_x, at_y, run, rise = edge[0] - x, edge[1] - y, edge[2], edge[3]
                across = dx * rise - dy * run
                along = at_x * dy - at_y * dx
                if across == 0:
                    if along == 0:
                        return
                    continue
                part = along / across  # of the line
                if -_NEAR <= part <= 1 + _NEAR:
                    far = (at_x * rise - at_y * run) / across  # of the ray
                    if far > -_NEAR:
                        ahead.append((far, part, number, across < 0))
            ahead.sort()
            while ahead and ahead[0][0] <= leaves:
                far, part, number, front = ahead.pop(0)
                is_clear = far > _NEAR and _NEAR < part < 1 - _NEAR
                if not is_clear or (ahead and ahead[0][0] - far < _NEAR):
                    return
                yield number, front
            if self.steps < 0:
                return


def _squares(x: float, y: float, dx: float, dy: float, size: int) -> Iterator[tuple[int, int, float]]:
    """Column and row of the squares on a ray, and the part of the ray at which it leaves each."""
    column, row = int(x // size), int(y // size)
    next_x = ((column + (dx > 0)) * size - x) / dx if dx else inf
    next_y = ((row + (dy > 0)) * size - y) / dy if dy else inf
    step_x, step_y = (abs(size / dx) if dx else inf), (abs(size / dy) if dy else inf)
    for _ in range(_LONGEST):
        yield column, row, min(next_x, next_y)
        if next_x < next_y:
            next_x += step_x
            column += 1 if dx > 0 else -1
        else:
            next_y += step_y
            row += 1 if dy > 0 else -1


def _edges(level: DoomMap) -> list[_Edge | None]:
    """All lines with a length and a sector in front; what else is there is no obstacle that is sure."""
    known, sides, sectors = len(level.vertices), level.sides, len(level.sectors)

    def sector(side: int | None) -> int:
        found = sides[side].sector if side is not None and 0 <= side < len(sides) else -1
        return found if 0 <= found < sectors else -1

    edges: list[_Edge | None] = []
    for line in level.lines:
        edges.append(None)
        if (
            min(line.v1, line.v2) >= 0
            and max(line.v1, line.v2) < known
            and level.vertices[line.v1] != level.vertices[line.v2]
        ):
            (x1, y1), (x2, y2) = level.vertices[line.v1], level.vertices[line.v2]
            edges[-1] = _Edge(x1, y1, x2 - x1, y2 - y1, sector(line.front), sector(line.back))
    return edges
