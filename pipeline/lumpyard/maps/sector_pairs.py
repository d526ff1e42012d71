"""Sectors of two maps paired up by the lines around them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lumpyard.maps import contents
from lumpyard.maps.pairing import Pairing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.model import DoomMap


def pair_sectors(old: DoomMap, new: DoomMap, lines: Sequence[tuple[int, int]]) -> Pairing:
    """The sectors that face the same lines, those with most of them in common first; without those no line faces."""
    votes = Counter(_votes(old, new, lines))

    def rank(pair: tuple[int, int]) -> tuple[int, bool, tuple[int, int]]:
        differ = contents.sector_key(old, pair[0]) != contents.sector_key(new, pair[1])
        return -votes[pair], differ, pair

    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for ours, theirs in sorted(votes, key=rank):
        if ours not in pairs and theirs not in taken:
            pairs[ours] = theirs
            taken.add(theirs)
    return Pairing(
        list(pairs.items()),
        [number for number in contents.counted_sectors(old) if number not in pairs],
        [number for number in contents.counted_sectors(new) if number not in taken],
    )


def _votes(old: DoomMap, new: DoomMap, lines: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """A pair of sectors for every side of a line that they are on in the two maps."""
    for ours, theirs in lines:
        line, other = old.lines[ours], new.lines[theirs]
        sides = (line.front, line.back)
        if contents.is_turned(old, ours, new, theirs):
            sides = (line.back, line.front)
        for was, now in zip(sides, (other.front, other.back), strict=True):
            before, after = contents.side(old, was), contents.side(new, now)
            if before is None or after is None:
                continue
            if 0 <= before.sector < len(old.sectors) and 0 <= after.sector < len(new.sectors):
                yield before.sector, after.sector
