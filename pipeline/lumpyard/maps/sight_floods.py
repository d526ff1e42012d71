"""What sectors see: beams that flow from cell to cell (`maps.sight`).

Of the gates that beams are at, the nearest to where they began is gone over next, so that all that come to it are there
by then. A gate has few beams: where there are more, two become one that has the lines of both, and some more.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.sight_beams import beam_over, bent, is_within, rest, union
from lumpyard.maps.sight_cells import NONE

if TYPE_CHECKING:
    from lumpyard.maps.sight_beams import Beam
    from lumpyard.maps.sight_cells import Cells, Piece, Point

    _Leaving = tuple[
        int, Point, Point
    ]  # a cell, and a piece in it from its right end to its left as seen from inside

EAST, WEST = 0, 1
_TOUCH = 1e-3  # of a cross product: what is nearer to a beam is in it


class Look(NamedTuple):
    """How one looks from a sector: not at what lies wholly behind, and with so many beams at a gate."""

    way: int
    most_beams: int


class Floods:
    """The beams out of one sector at a time, as far as there are steps for them."""

    def __init__(self, cells: Cells, sectors: int) -> None:
        self.cells = cells
        self.leaving: list[list[_Leaving]] = [[] for _ in range(sectors)]
        self.near = [0] * len(cells.pieces)  # sectors of each cell, as bits
        for cell, pieces in enumerate(cells.pieces):
            for piece in pieces:
                self.near[cell] |= piece.on_left | piece.on_right
                for sector in members(piece.on_left):
                    self.leaving[sector].append((cell, piece.start, piece.end))
                for sector in members(piece.on_right):
                    self.leaving[sector].append((cell, piece.end, piece.start))
        # How far a gate reaches to the east, and how far to the west.
        self.reach = (
            [max(g.right[0], g.left[0]) for g in cells.gates],
            [max(-g.right[0], -g.left[0]) for g in cells.gates],
        )
        self.middles = [((g.right[0] + g.left[0]) / 2, (g.right[1] + g.left[1]) / 2) for g in cells.gates]

    def begins(self, sector: int, way: int) -> float:
        """Where the open lines of a sector begin for somebody who looks that way, in units that way."""
        sign = -1 if way == WEST else 1
        return min((sign * x for _, *ends in self.leaving[sector] for x, _ in ends), default=0.0)

    def unseen_from(self, sector: int, unseen: int, look: Look, steps: int) -> tuple[int, int]:
        """Those of some sectors that are not seen from one, and the steps that are left: below 0 some may be seen.

        Sectors are bits. None begins less far that way than the sector itself.
        """
        gates, near, pieces = self.cells.gates, self.near, self.cells.pieces
        flow = _Flow(self, look, self.begins(sector, look.way))
        steps -= len(self.leaving[sector])
        for cell, right, left in self.leaving[sector]:
            unseen &= ~near[cell]
            for number in self.cells.exits[cell]:
                beam = beam_over(right, left, gates[number])
                if beam:
                    flow.add(number, beam)
        while flow.ahead and unseen:
            number, beams = flow.next()
            _, _, apex, on_right, on_left, cell = gates[number]
            x, y = apex
            for lefts, rights in beams:
                steps -= 1
                (ax, ay), (bx, by) = rights[0], lefts[-1]  # the line that bends most to the left
                inner = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
                (ax, ay), (bx, by) = lefts[0], rights[-1]
                outer = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
                if near[cell] & unseen:
                    unseen &= ~_met(lefts, rights, pieces[cell], unseen)
                if on_right != NONE and inner <= _TOUCH:
                    if outer > 0:
                        flow.add(on_right, (rest(lefts, apex, 1), bent(rights, apex, 1)))
                    else:
                        flow.add(on_right, (lefts, rights))
                if on_left != NONE and outer >= -_TOUCH:
                    if inner < 0:
                        flow.add(on_left, (bent(lefts, apex, -1), rest(rights, apex, -1)))
                    else:
                        flow.add(on_left, (lefts, rights))
            if steps < 0:
                break
        return unseen, steps


class _Flow:
    """The beams at each gate: those to be gone over, and those that were."""

    def __init__(self, floods: Floods, look: Look, least: float) -> None:
        self.gates, self.middles = floods.cells.gates, floods.middles
        self.reach, self.least = floods.reach[look.way], least
        self.most_beams = look.most_beams
        self.start: Point | None = None
        self.ahead: list[tuple[float, int]] = []
        self.waiting: dict[int, list[Beam]] = {}
        self.taken: dict[int, list[Beam]] = {}

    def add(self, number: int, beam: Beam) -> None:
        """Put a beam to a gate, unless that is of no interest."""
        if self.reach[number] < self.least:
            return
        there = self.waiting.get(number)
        if there is not None:
            there.append(beam)
            return
        self.waiting[number] = [beam]
        x, y = self.middles[number]
        if self.start is None:
            self.start = x, y
        heappush(self.ahead, ((x - self.start[0]) ** 2 + (y - self.start[1]) ** 2, number))

    def next(self) -> tuple[int, list[Beam]]:
        """The nearest gate, and the beams that go over it for the first time."""
        _, number = heappop(self.ahead)
        come = self.waiting.pop(number)
        taken = self.taken.get(number)
        if taken is None:
            if len(come) == 1:
                self.taken[number] = come
                return number, come
            taken = self.taken[number] = []
        new = []
        for beam in come:
            for other in taken:
                if is_within(beam, other):
                    break
            else:
                taken[:] = [other for other in taken if not is_within(other, beam)]
                last = beam
                if len(taken) >= self.most_beams:
                    last = union(taken.pop(), beam, self.gates[number])
                taken.append(last)
                new.append(last)
        return number, [beam for beam in new if beam in taken]


def _met(lefts: tuple[Point, ...], rights: tuple[Point, ...], pieces: list[Piece], wanted: int) -> int:
    """The sectors of pieces that are in a beam, as bits; others than those that are wanted may be left out."""
    (rx, ry), (lx, ly) = rights[0], lefts[-1]
    run, rise = lx - rx, ly - ry
    (qx, qy), (kx, ky) = lefts[0], rights[-1]
    across, up = kx - qx, ky - qy
    met = 0
    for (x, y), (u, v), on_left, on_right in pieces:
        if (on_left | on_right) & wanted:
            if run * (y - ry) - rise * (x - rx) > _TOUCH and run * (v - ry) - rise * (u - rx) > _TOUCH:
                continue
            if across * (y - qy) - up * (x - qx) < -_TOUCH and across * (v - qy) - up * (u - qx) < -_TOUCH:
                continue
            met |= on_left | on_right
    return met


def members(bits: int) -> list[int]:
    """The numbers of the bits that are set, the lowest first."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
