"""REJECT by a true line of sight: pairs of sectors between which no straight line in the plan meets only open lines.

A line with a sector on both sides is open, whatever its flags, and however high floors and ceilings stand, since they
move: a closed door is open. So no bit hides what an engine could show.

The plan between its walls is cut into triangles (`maps.sight_cells`). A line of sight leaves a sector over an open line
and goes on from triangle to triangle over edges that are no walls: all that do so over the same edges are a beam
(`maps.sight_beams`), and beams flow on as far as they get (`maps.sight_floods`). Where many come to one edge by ways on
either side of pillars, some are joined to one that may see more than they do. What is hidden is hidden, to a hair's
breadth; of a hundred pairs that could be hidden one is not, and in small maps hardly any. A line that just touches a
corner of a wall counts as seeing.

A pair is decided from the sector that begins farther in the west, by lines that never go west of it. In maps that take
few steps it is decided once more from the other one, since what either does not see is hidden.

What is wrong with a map leaves bits clear: a line over another one, or one whose vertices or sides are not there, is no
wall, and its sectors see and are seen by all. Maps with fractions of units, and those with polyobjects, whose walls
move, have no more bits than islands, and so have those that are too large for exact products.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.limits import OverLimit, over
from lumpyard.maps.reject import MAX_SECTORS, encode, island_of
from lumpyard.maps.sight_cells import sight_cells
from lumpyard.maps.sight_floods import EAST, WEST, Floods, Look, members
from lumpyard.maps.sight_plan import sight_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.sight_cells import Cells
    from lumpyard.maps.sight_plan import SightPlan

MAX_STEPS = 2_000_000  # beams that go over edges; the largest of Freedoom's maps needs 0.8 million
MAX_SECOND_STEPS = 200_000  # of the second look, and of the first one where there is to be another
FIRST, SECOND = Look(EAST, most_beams=4), Look(WEST, most_beams=16)
_SHARE = 3  # how much more of the steps that are left a sector may take than all others on average


class Sight(NamedTuple):
    """The lump, and of how many sectors not all is known, since there were too few steps; the rest is clear."""

    lump: bytes
    undecided: int


def line_of_sight(level: DoomMap) -> bytes | OverLimit:
    """The lump that sets the pairs of sectors which no straight line joins that meets two-sided lines only."""
    made = look(level)
    return made.lump if isinstance(made, Sight) else made


def look(level: DoomMap, most: int = MAX_STEPS) -> Sight | OverLimit:
    """The same, with what there were no steps for: `most` is how many times beams may go over an edge."""
    sectors = len(level.sectors)
    if sectors > MAX_SECTORS:
        return over("reject-too-many-sectors", "sectors in a REJECT", sectors, MAX_SECTORS)
    everything = (1 << sectors) - 1
    plan = sight_plan(level)
    joined: dict[int, int] = {}
    roots = [0] * sectors if plan is not None and plan.broken else island_of(level)
    for sector, root in enumerate(roots):
        joined[root] = joined.get(root, 0) | 1 << sector
    reach = [joined[root] for root in roots]
    cells = None if plan is None else sight_cells(plan)
    if plan is None or cells is None:
        return Sight(encode((everything ^ seen for seen in reach), sectors), sectors)
    looking = _Looking(plan, cells, reach)
    undecided, left = looking.look(FIRST, most)
    if not undecided and most - left <= MAX_SECOND_STEPS:
        looking.look(SECOND, min(left, MAX_SECOND_STEPS))
    seen = looking.seen
    for sector in range(sectors):
        if plan.doubtful >> sector & 1:
            seen[sector] = everything
        else:
            seen[sector] |= plan.doubtful
    return Sight(encode((everything ^ each for each in seen), sectors), undecided)


class _Looking:
    """What sectors see as far as it is known: at first all that they reach, then ever less."""

    def __init__(self, plan: SightPlan, cells: Cells, reach: Sequence[int]) -> None:
        self.floods = Floods(cells, len(reach))
        self.always = [1 << sector for sector in range(len(reach))]
        for bits in plan.sectors:
            for sector in members(bits):
                self.always[sector] |= bits
        self.seen = [known | sure for known, sure in zip(reach, self.always, strict=True)]

    def look(self, how: Look, most: int) -> tuple[int, int]:
        """Look from each sector at those that begin farther that way; of how many not all is known, and steps left."""
        floods = self.floods
        begins = [floods.begins(sector, how.way) for sector in range(len(self.seen))]
        later = 0
        ahead = [0] * len(self.seen)  # the sectors that a sector is to look at, as bits
        for sector in sorted(range(len(ahead)), key=lambda sector: -begins[sector]):
            ahead[sector] = later
            later |= 1 << sector
        order = sorted(range(len(ahead)), key=lambda sector: len(floods.leaving[sector]))
        undecided = 0
        for done, sector in enumerate(order):
            wanted = self.seen[sector] & ahead[sector] & ~self.always[sector]
            if not wanted:
                continue
            # Sectors with few open lines come first, and leave more to those with many than their share.
            share = min(most, _SHARE * most // (len(order) - done))
            hidden, left = floods.unseen_from(sector, wanted, how, share)
            most -= share - left
            if left < 0:
                undecided += 1
                continue
            self.seen[sector] &= ~hidden
            for other in members(hidden):
                self.seen[other] &= ~(1 << sector)
        return undecided, most
