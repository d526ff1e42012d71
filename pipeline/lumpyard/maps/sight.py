"""REJECT by a true line of sight: pairs of sectors between which no straight line in the plan meets only open lines.

A line with a sector on both sides is open, whatever its flags, and however high floors and ceilings stand, since they
move: a closed door is open. So no bit hides what an engine could show.

The plan is cut into triangles along its lines (`maps.triangles`). A sight line out of a sector leaves it over an open
edge, and goes on from triangle to triangle over edges that are no walls. Of all lines that do so over a row of edges,
the two that bend most to the left and to the right are known from the corners which they touch; an edge is reached if
it is not wholly beyond one of them. All of it is done in whole numbers. A line that just touches a corner of a wall
counts as seeing.

What is wrong with a map leaves bits clear: a line over another one, or one whose vertices or sides are not there, is no
wall, and its sectors see and are seen by all. Maps with fractions of units, and those with polyobjects, whose walls
move, have no more bits than islands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.limits import OverLimit, over
from lumpyard.maps.reject import MAX_SECTORS, encode, island_of
from lumpyard.maps.sight_beams import Looking
from lumpyard.maps.sight_plan import sight_plan

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap

MAX_STEPS = 20_000_000  # edges that sight lines of one map go over


class Sight(NamedTuple):
    """The lump, and how many sectors were not looked from because there were too many steps; their bits are clear."""

    lump: bytes
    undecided: int


def line_of_sight(level: DoomMap) -> bytes | OverLimit:
    """The lump that sets the pairs of sectors which no straight line joins that meets two-sided lines only."""
    made = look(level)
    return made.lump if isinstance(made, Sight) else made


def look(level: DoomMap, most: int = MAX_STEPS) -> Sight | OverLimit:
    """The same, with what there were no steps for: `most` is the number of edges that sight lines may go over."""
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
    if plan is None:
        return Sight(encode((everything ^ seen for seen in reach), sectors), sectors)
    seen, undecided = Looking(plan, reach, most).all()
    for sector in range(sectors):
        if plan.doubtful >> sector & 1:
            seen[sector] = everything
        else:
            seen[sector] |= plan.doubtful
    return Sight(encode((everything ^ each for each in seen), sectors), undecided)
