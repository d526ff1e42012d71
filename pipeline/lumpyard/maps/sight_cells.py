"""The plan between its walls cut into triangles, and the open lines in each, for lines of sight (`maps.sight`).

A cell is a triangle whose corners are ends of walls. A gate is an edge that is no wall, looked over from one of its two
cells: its left and right are those of somebody who stands in the cell and looks out. A piece is the part of an open
line that lies in a cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.triangles import FAR_POINTS, Mesh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.sight_plan import SightPlan
    from lumpyard.maps.triangles import Edge

    Point = tuple[float, float]

NONE = -1  # a wall, or the end of the plan
MAX_CELLS = 500_000  # that are looked at for all open lines; the largest of Freedoom's maps takes 60,000
WALK = 1000  # cells that a way to a point leads over, before all are looked at
_NOTHING = 1e-9  # of a line: a part that is shorter is not in the cell


class Gate(NamedTuple):
    """What is seen over an edge: the corner of the next cell, and the gates to the right and to the left of it."""

    right: Point
    left: Point
    apex: Point
    on_right: int  # number of a gate, or NONE
    on_left: int
    cell: int


class Piece(NamedTuple):
    """A part of an open line, and the sectors on its left and on its right."""

    start: Point
    end: Point
    on_left: int  # as bits
    on_right: int


class Cells(NamedTuple):
    """Gates by number, and for each cell the gates that lead out of it and the pieces in it."""

    gates: list[Gate]
    exits: list[list[int]]
    pieces: list[list[Piece]]


def sight_cells(plan: SightPlan) -> Cells | None:
    """The cells of a plan; None where open lines go through too many."""
    places = plan.mesh.points
    known = range(len(places) - FAR_POINTS)
    farthest = sorted(known, key=lambda end: -max(map(abs, places[end])))[
        :1
    ]  # so that no line leaves the cells
    ends = sorted({*farthest, *(end for wall in plan.walls for end in wall)})
    number = {end: at for at, end in enumerate(ends)}
    mesh = Mesh([places[end] for end in ends])
    walls: set[Edge] = set()
    for a, b in sorted(plan.walls):
        if a < b:
            for start, end in mesh.add_line(number[a], number[b]):
                walls |= {(start, end), (end, start)}
    cell_of: dict[Edge, int] = {}
    triangles: list[tuple[int, int, int]] = []
    for (u, v), w in mesh.apex.items():
        if (u, v) not in cell_of:
            cell_of[u, v] = cell_of[v, w] = cell_of[w, u] = len(triangles)
            triangles.append((u, v, w))
    gates = [edge for edge in mesh.apex if edge not in walls and edge[::-1] in mesh.apex]
    numbers = {edge: at for at, edge in enumerate(gates)}
    exits: list[list[int]] = [[] for _ in triangles]
    made = []
    points = [(float(x), float(y)) for x, y in mesh.points]
    for at, (u, v) in enumerate(gates):
        w = mesh.apex[v, u]
        over = numbers.get((w, v), NONE), numbers.get((u, w), NONE)
        made.append(Gate(points[u], points[v], points[w], *over, cell_of[v, u]))
        exits[cell_of[u, v]].append(at)
    pieces = _Parting(mesh, triangles, cell_of).pieces(plan)
    return None if pieces is None else Cells(made, exits, pieces)


class _Parting:
    """Open lines parted by the cells that they go through."""

    def __init__(self, mesh: Mesh, triangles: list[tuple[int, int, int]], cell_of: dict[Edge, int]) -> None:
        self.mesh = mesh
        self.triangles = triangles
        self.cell_of = cell_of
        self.last = 0  # cell
        self.left = MAX_CELLS

    def pieces(self, plan: SightPlan) -> list[list[Piece]] | None:
        """The pieces in each cell; None where too many were looked at."""
        found: list[list[Piece]] = [[] for _ in self.triangles]
        places, areas, sectors = plan.mesh.points, plan.areas, plan.sectors
        for a, b in sorted(plan.mesh.fixed - plan.walls):
            if a < b and (a, b) in areas and (b, a) in areas:
                beside = sectors[areas[a, b]], sectors[areas[b, a]]
                for cell, start, end in self._parts(places[a], places[b]):
                    found[cell].append(Piece(start, end, *beside))
                if self.left < 0:
                    return None
        return found

    def _parts(self, start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, Point, Point]]:
        """The cells on a line that crosses no wall, with the part in each."""
        (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
        ahead = [self._cell_at(start)]
        tried = set(ahead)
        while ahead and self.left >= 0:
            self.left -= 1
            cell = ahead.pop()
            enters, leaves = self._clip(cell, start, end)
            if enters > leaves:
                continue
            if leaves - enters > _NOTHING:
                yield cell, (x + enters * dx, y + enters * dy), (x + leaves * dx, y + leaves * dy)
            u, v, w = self.triangles[cell]
            for edge in ((v, u), (w, v), (u, w)):
                beside = self.cell_of.get(edge)
                if beside is not None and beside not in tried:
                    tried.add(beside)
                    ahead.append(beside)

    def _clip(self, cell: int, start: tuple[int, int], end: tuple[int, int]) -> tuple[float, float]:
        """Where on a line a cell begins and ends: parts of its length; the first is above the second if nowhere."""
        enters, leaves = 0.0, 1.0
        u, v, w = self.triangles[cell]
        for a, b in ((u, v), (v, w), (w, u)):
            first, last = self._turn(a, b, start), self._turn(a, b, end)
            if first < 0 and last < 0:
                return 1.0, 0.0
            if first < 0:
                enters = max(enters, first / (first - last))
            elif last < 0:
                leaves = min(leaves, first / (first - last))
        return enters, leaves

    def _cell_at(self, point: tuple[int, int]) -> int:
        """A cell that a point is in, which is near the last one."""
        for turn in range(WALK):
            self.left -= 1
            u, v, w = self.triangles[self.last]
            edges = ((u, v), (v, w), (w, u))
            away = [(b, a) for a, b in edges if self._turn(a, b, point) < 0]
            if not away:
                return self.last
            self.last = self.cell_of[away[turn % len(away)]]  # in turn, so as not to go round
        self.left -= len(self.triangles)
        self.last = next(
            cell
            for cell, (u, v, w) in enumerate(self.triangles)
            if min(self._turn(u, v, point), self._turn(v, w, point), self._turn(w, u, point)) >= 0
        )
        return self.last

    def _turn(self, a: int, b: int, point: tuple[int, int]) -> int:
        (ax, ay), (bx, by), (x, y) = self.mesh.points[a], self.mesh.points[b], point
        return (bx - ax) * (y - ay) - (by - ay) * (x - ax)
