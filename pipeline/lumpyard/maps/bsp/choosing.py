"""Which line is to cut a region: the one that splits few segs and leaves two halves of about one size.

The numbers below were measured on the 100 maps of Freedoom. A split costs 24 segs of imbalance: with 8, as most
builders have it, there are 3 % more segs and 6 % more subsectors; with 64, 0.3 % fewer in trees half as deep again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.bsp.cutting import NEAR
from lumpyard.maps.bsp.pieces import BOTH, FRONT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lumpyard.maps.bsp.cutting import Region
    from lumpyard.maps.bsp.pieces import Cut, Piece

SPLIT = 24  # cost of a seg that is split; one more seg on one side than on the other costs 1
SLANTED = 2  # cost of a cut that is not along an axis
FEW = 16  # pieces of a region up to which all its lines are tried on all of them
SAMPLES = 12  # slanted lines that are tried in a larger region; of the upright and level ones all are
MAX_WORK = 250_000_000  # pieces looked at: some 30 seconds; the largest map of Freedoom takes 4 million


class Tally(NamedTuple):
    """Segs that would be on the two sides of a cut, those that it splits among them on both."""

    right: int
    left: int
    splits: int


class Chooser:
    """Finds the cuts of one plan, and stops finding any when that has been too much work."""

    def __init__(self, cuts: Sequence[Cut]) -> None:
        self._cuts = cuts
        self.work = 0  # pieces looked at so far

    def choose(self, region: Region) -> int | None:
        """The line to cut a region along; None where no line of it has pieces on both sides, so it is convex.

        Lines that are found to have all on one side are moved to the region's spent.
        """
        pieces = region.fresh + region.spent
        if len(pieces) <= FEW:
            return self._of_all(region, pieces, FEW)
        line = self._of_many(region, pieces)
        return self._of_all(region, pieces, 1) if line is None else line

    def _of_all(self, region: Region, pieces: Sequence[Piece], enough: int) -> int | None:
        """The best of the first lines that are of use; so many are enough."""
        best, least = None, inf
        useless = set()
        for line in dict.fromkeys(piece.line for piece in region.fresh):
            found = self._try(pieces, line, least)
            if found is None:
                continue
            if not found.right or not found.left:
                useless.add(line)
                continue
            cost = self._cost(found, line)
            if cost < least:
                best, least = line, cost
            enough -= 1
            if not enough:
                break
        if useless:
            region.spend(useless)
        return best

    def _of_many(self, region: Region, pieces: Sequence[Piece]) -> int | None:
        upright, level, slanted = self._by_direction(region.fresh)
        segs = [*pieces, *(piece for piece in pieces if piece.sides == BOTH)]
        best, least = None, inf
        for lines, ends in ((upright, (0, 2)), (level, (1, 3))):
            if lines:
                for line, cost in _along_axis(segs, lines, *ends):
                    if cost < least:
                        best, least = line, cost
                self.work += len(segs)
        for line in _sample(slanted):
            found = self._try(pieces, line, least)
            if found is not None and found.right and found.left:
                cost = self._cost(found, line)
                if cost < least:
                    best, least = line, cost
        return best

    def _by_direction(self, fresh: Iterable[Piece]) -> tuple[dict[int, int], dict[int, int], list[int]]:
        """One line for each x that an upright one has, one for each y of a level one, and all others."""
        upright: dict[int, int] = {}
        level: dict[int, int] = {}
        slanted: dict[int, None] = {}
        for piece in fresh:
            cut = self._cuts[piece.line]
            if cut.dx == 0:
                upright.setdefault(cut.x, piece.line)
            elif cut.dy == 0:
                level.setdefault(cut.y, piece.line)
            else:
                slanted[piece.line] = None
        return upright, level, list(slanted)

    def _try(self, pieces: Sequence[Piece], line: int, least: float) -> Tally | None:
        """What a cut does; None where its splits alone cost more than the least so far, or no work is left."""
        if self.work > MAX_WORK:
            return None
        self.work += len(pieces)
        return tally(pieces, self._cuts[line], line, least / SPLIT)

    def _cost(self, found: Tally, line: int) -> float:
        cut = self._cuts[line]
        return SPLIT * found.splits + abs(found.right - found.left) + SLANTED * bool(cut.dx and cut.dy)


def tally(pieces: Iterable[Piece], cut: Cut, own: int, most: float) -> Tally | None:
    """What a cut along a line does to pieces; None where it splits more segs than `most`."""
    cx, cy, dx, dy, length = cut
    near = NEAR * length
    start = dx * cy - dy * cx
    right = left = splits = 0
    for x1, y1, x2, y2, line, sides, _, _ in pieces:  # as in `cutting`, which has the words for it
        a = dx * y1 - dy * x1 - start
        b = dx * y2 - dy * x2 - start
        if ((a > near and b < -near) or (a < -near and b > near)) and line != own:
            splits += 1 + (sides == BOTH)
            if splits > most:
                return None
        elif line == own or (-near <= a <= near and -near <= b <= near):
            if sides == BOTH:
                right += 1
                left += 1
            elif (dx * (x2 - x1) + dy * (y2 - y1) > 0) == (sides == FRONT):
                right += 1
            else:
                left += 1
        elif a > near or b > near:
            left += 1 + (sides == BOTH)
        else:
            right += 1 + (sides == BOTH)
    return Tally(right + splits, left + splits, splits)


def _along_axis(
    segs: Sequence[Piece], lines: Mapping[int, int], one: int, other: int
) -> Iterator[tuple[int, float]]:
    """Each line along one axis, by where it crosses the other, that has segs on both sides; and its cost.

    One sorting gives the costs of all of them: what ends in front of a line is on its one side, what starts behind it
    on the other.
    """
    lows = sorted([min(piece[other], piece[one]) for piece in segs])
    highs = sorted([max(piece[one], piece[other]) for piece in segs])
    along: dict[float, int] = {}
    parted = set()  # where a piece with two sides lies, which always has one for either half
    for piece in segs:
        if piece[one] == piece[other]:
            at = piece[one]
            along[at] = along.get(at, 0) + 1
            if piece.sides == BOTH:
                parted.add(at)
    for at, line in lines.items():
        low = bisect_right(highs, at + NEAR)
        high = len(segs) - bisect_left(lows, at - NEAR)
        on = along.get(at, 0)
        splits = max(len(segs) - low - high + on, 0)
        if at in parted or min(low, high) - on + splits > 0:
            yield line, SPLIT * splits + abs(low - high)


def _sample(lines: Sequence[int]) -> Sequence[int]:
    """So many of the lines, from all over them."""
    if len(lines) <= SAMPLES:
        return lines
    return [lines[place * len(lines) // SAMPLES] for place in range(SAMPLES)]
