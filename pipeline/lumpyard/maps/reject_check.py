"""Whether a REJECT is of this map: what it hides must not be what anyone sees.

A REJECT names sectors by their numbers, so it is wrong as soon as an editor has numbered them anew, or has opened a
wall. What it does not hide is never wrong. It is of another map

- where it hides two sectors from each other that share an open line, or a sector from itself: no builder does, and none
  of Freedoom's hundred maps has such a pair;
- where it hides much of what straight lines through the plan meet (`maps.rays`): one pair of two hundred. Four of
  Freedoom's maps hide a little of that, up to one pair of 260, which is a fault of their builder.

Someone may want such a thing, so that monsters are blind somewhere: `maps.recording` says that it is meant.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.rays import rays
from lumpyard.maps.reject import table_size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.maps.model import DoomMap

STALE_ONE_OF = 200  # pairs of sectors that are seen; one hidden of so many, and the table is another map's


class Hidden(NamedTuple):
    """What a REJECT hides though it is seen; nothing, where `pairs` is 0."""

    pairs: int = 0  # of sectors, each counted once
    one: int = 0  # the first pair
    other: int = 0
    line: int = 0  # over which they see each other
    of_seen: int = 0  # pairs that were seen in all; 0 where the two share the line

    @property
    def more(self) -> str:
        """How many pairs there are beside the first, in words."""
        return {0: "", 1: "", 2: " and 1 pair more"}.get(self.pairs, f" and {self.pairs - 1} pairs more")

    @property
    def is_stale(self) -> bool:
        """Whether the table is another map's."""
        return self.pairs * STALE_ONE_OF > self.of_seen


def hidden_neighbours(level: DoomMap) -> Hidden:
    """The sectors that REJECT hides from each other though they share an open line; quick."""
    rows = _rows(level)
    if not rows:
        return Hidden()
    found: dict[tuple[int, int], int] = {}
    for number, (one, other) in _joined(level):
        if (rows[one] >> other | rows[other] >> one | rows[one] >> one | rows[other] >> other) & 1:
            for pair in ((one, other), (one, one), (other, other)):
                if rows[pair[0]] >> pair[1] & 1 or rows[pair[1]] >> pair[0] & 1:
                    found.setdefault((min(pair), max(pair)), number)
    if found:
        found = _sure(level, found)
    if not found:
        return Hidden()
    (one, other), line_number = next(iter(found.items()))
    return Hidden(len(found), one, other, line_number)


def hidden_in_sight(level: DoomMap) -> Hidden:
    """The same, and else the sectors that it hides though a ray goes through both; a tenth of a second to a half."""
    near = hidden_neighbours(level)
    rows = _rows(level)
    if near.pairs or not any(rows):
        return near
    seen = [1 << sector for sector in range(len(rows))]
    first: tuple[int, int, int] | None = None
    for ray in rays(level):
        left = ray.sectors
        while left:
            low = left & -left
            left ^= low
            sector = low.bit_length() - 1
            seen[sector] |= ray.sectors
            wrong = rows[sector] & ray.sectors
            if wrong and first is None:
                first = (sector, (wrong & -wrong).bit_length() - 1, ray.line)
    if first is None:
        return Hidden()
    pairs = sum((row & met).bit_count() for row, met in zip(rows, seen, strict=True))
    met_pairs = sum(met.bit_count() for met in seen) - len(rows)
    return Hidden((pairs + 1) // 2, *first, (met_pairs + 1) // 2)


def _rows(level: DoomMap) -> Sequence[int]:
    """For each sector those that it does not see, as bits; nothing where the table is too short."""
    sectors = len(level.sectors)
    data = level.lumps.get("REJECT", b"")
    if len(data) < table_size(sectors):
        return ()
    everything = (1 << sectors) - 1
    rows = []
    for sector in range(sectors):
        first = sector * sectors
        part = int.from_bytes(data[first // 8 : (first + sectors + 7) // 8], "little")
        rows.append(part >> first % 8 & everything)
    return rows


def _joined(level: DoomMap) -> Iterator[tuple[int, tuple[int, int]]]:
    """Each line between two sectors that are there, with these."""
    sectors = len(level.sectors)
    facing = [side.sector for side in level.sides]
    sides = len(facing)
    for number, (_, _, _, _, _, front, back, *_) in enumerate(level.lines):
        if front is not None and back is not None and 0 <= front < sides and 0 <= back < sides:
            one, other = facing[front], facing[back]
            if one != other and 0 <= one < sectors and 0 <= other < sectors:
                yield number, (one, other)


def _sure(level: DoomMap, found: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Those whose line has a length, and no other line in its place."""
    ends = [frozenset((line.v1, line.v2)) for line in level.lines]
    places = Counter(ends)
    return {
        pair: number
        for pair, number in found.items()
        if places[ends[number]] == 1
        and min(ends[number]) >= 0
        and max(ends[number]) < len(level.vertices)
        and len({level.vertices[vertex][:2] for vertex in ends[number]}) == 2
    }
