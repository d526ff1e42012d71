"""REJECT: pairs of sectors that cannot see each other, so that the engine need not look.

Bit `a * sectors + b`, from the lowest bit of each byte first, is set when a monster in sector a never sees a player in
sector b; the lump is `(sectors * sectors + 7) // 8` bytes, and bits beyond the last pair are 0.

The table that is built here sets a bit for sectors on two islands: between them there is no line with a sector on both
sides to look through. That is true of every map, cheap, and far from all that could be said (4 % of the pairs of
Freedoom's maps, where their own tables set 77 %), so a table that came with an unchanged map is the better one.

Source: "Doom map", REJECT.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from lumpyard.maps.limits import OverLimit, over

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.maps.model import DoomMap

MAX_SECTORS = 0x7FFF  # of vanilla engines; the table has 128 MiB then


def islands(level: DoomMap) -> bytes | OverLimit:
    """The lump that sets all pairs of sectors which no chain of two-sided lines joins."""
    sectors = len(level.sectors)
    if sectors > MAX_SECTORS:
        return over("reject-too-many-sectors", "sectors in a REJECT", sectors, MAX_SECTORS)
    return encode(_hidden(island_of(level)), sectors)


def table_size(sectors: int) -> int:
    """Bytes of a REJECT for so many sectors."""
    return (sectors * sectors + 7) // 8


def island_of(level: DoomMap) -> list[int]:
    """For every sector the lowest number of a sector that it is joined to, which may be its own."""
    roots = list(range(len(level.sectors)))

    def root(sector: int) -> int:
        while roots[sector] != sector:
            roots[sector] = roots[roots[sector]]
            sector = roots[sector]
        return sector

    for one, other in _joined(level):
        first, second = root(one), root(other)
        roots[max(first, second)] = min(first, second)
    return [root(sector) for sector in range(len(roots))]


def _joined(level: DoomMap) -> list[tuple[int, int]]:
    """The sectors on both sides of each line that has two."""
    sides, sectors = level.sides, len(level.sectors)
    pairs = []
    for line in level.lines:
        if line.front is None or line.back is None or max(line.front, line.back) >= len(sides):
            continue
        pair = sides[line.front].sector, sides[line.back].sector
        if max(pair) < sectors:
            pairs.append(pair)
    return pairs


def _hidden(islands: Sequence[int]) -> Iterator[int]:
    """For each sector the sectors that it cannot see, as a number with a bit for each."""
    everything = (1 << len(islands)) - 1
    members: dict[int, int] = {}
    for sector, island in enumerate(islands):
        members[island] = members.get(island, 0) | 1 << sector
    return (everything ^ members[island] for island in islands)


def encode(rows: Iterable[int], sectors: int) -> bytes:
    """The lump from one number a sector: bit b of row a is their pair's."""
    parts = []
    left = iter(rows)
    while eight := list(islice(left, 8)):  # eight rows end at a byte
        block = 0
        for place, row in enumerate(eight):
            block |= row << place * sectors
        parts.append(block.to_bytes(sectors, "little"))
    return b"".join(parts)[: table_size(sectors)]
