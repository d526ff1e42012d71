"""A set of pieces, cut in two along a line."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.bsp.pieces import BACK, FRONT, GRAIN, Piece

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from lumpyard.maps.bsp.pieces import Cut

NEAR = 1 / 8  # map units: an end that is no farther from the cut lies on it


class Region(NamedTuple):
    """The pieces on one side of all cuts so far."""

    fresh: list[Piece]  # the lines of these may cut it
    spent: list[Piece]  # those of these have all of the region on one side

    @property
    def pieces(self) -> int:
        """How many it has."""
        return len(self.fresh) + len(self.spent)

    def spend(self, lines: Collection[int]) -> None:
        """Count the pieces of such lines among the spent."""
        self.spent.extend(piece for piece in self.fresh if piece.line in lines)
        self.fresh[:] = [piece for piece in self.fresh if piece.line not in lines]


class Vertices:
    """The numbers of places: of the map's vertices, and of new ones as lines are cut."""

    def __init__(self, places: list[tuple[float, float]]) -> None:
        self.places = places
        self._numbers: dict[tuple[float, float], int] = {}
        for number, place in enumerate(places):
            self._numbers.setdefault(place, number)

    def number(self, place: tuple[float, float]) -> int:
        """The number of a place, a new one where none has it."""
        found = self._numbers.get(place)
        if found is None:
            found = self._numbers[place] = len(self.places)
            self.places.append(place)
        return found


def cut_in_two(region: Region, cuts: Sequence[Cut], line: int, vertices: Vertices) -> tuple[Region, Region]:
    """What is on the right and on the left of the cut along a line, which is one of all lines' cuts.

    Pieces of that line, and all others that lie on the cut, have their sides parted. They are spent where their lines
    are parallel to it. Other lines have only short pieces on it and lead away, so they may have to cut what is there.
    """
    right, left = Region([], []), Region([], [])
    _part(region.fresh, cuts, line, vertices, right.fresh, left.fresh, right.spent, left.spent)
    _part(region.spent, cuts, line, vertices, right.spent, left.spent, right.spent, left.spent)
    return right, left


def _part(
    pieces: Iterable[Piece],
    cuts: Sequence[Cut],
    own: int,
    vertices: Vertices,
    right: list[Piece],
    left: list[Piece],
    along_right: list[Piece],
    along_left: list[Piece],
) -> None:
    cx, cy, dx, dy, length = cuts[own]
    near = NEAR * length
    start = dx * cy - dy * cx
    for piece in pieces:
        x1, y1, x2, y2, line, sides, _, _ = piece
        a = dx * y1 - dy * x1 - start  # above 0: on the left
        b = dx * y2 - dy * x2 - start
        if line == own or (-near <= a <= near and -near <= b <= near):
            same = dx * (x2 - x1) + dy * (y2 - y1) > 0
            other = cuts[line]  # not the piece itself, whose ends may be rounded
            askew = dx * other.dy != dy * other.dx
            if sides & (FRONT if same else BACK):
                (right if askew else along_right).append(piece._replace(sides=FRONT if same else BACK))
            if sides & (BACK if same else FRONT):
                (left if askew else along_left).append(piece._replace(sides=BACK if same else FRONT))
        elif a <= near and b <= near:
            right.append(piece)
        elif a >= -near and b >= -near:
            left.append(piece)
        else:
            _split(piece, a, b, vertices, right, left)


def _split(
    piece: Piece, a: float, b: float, vertices: Vertices, right: list[Piece], left: list[Piece]
) -> None:
    """A piece with an end on either side becomes two, joined where the cut is, to 1/64 of a map unit."""
    x1, y1, x2, y2, line, sides, v1, v2 = piece
    part = a / (a - b)
    x = floor((x1 + part * (x2 - x1)) * GRAIN + 0.5) / GRAIN
    y = floor((y1 + part * (y2 - y1)) * GRAIN + 0.5) / GRAIN
    middle = vertices.number((x, y))
    first, second = Piece(x1, y1, x, y, line, sides, v1, middle), Piece(x, y, x2, y2, line, sides, middle, v2)
    if a > 0:
        first, second = second, first
    right.append(first)
    left.append(second)
