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
from lumpyard.maps.model import DOOM
from lumpyard.maps.reject import MAX_SECTORS, encode, island_of
from lumpyard.maps.triangles import Mesh

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.triangles import Edge, Point

    # An edge that is gone over, the corners that lines keep on their left and on their right, and sectors on the way.
    _Beam = tuple[Edge, tuple[Point, ...], tuple[Point, ...], int]

_POLYOBJECTS = frozenset((1, 5))  # specials of lines, in all formats but Doom's
MAX_STEPS = 20_000_000  # edges that sight lines of one map go over
_SHARE = 3  # how much more of the steps that are left a sector may take than all others on average


class Sight(NamedTuple):
    """The lump, and how many sectors were not looked from because there were too many steps; their bits are clear."""

    lump: bytes
    undecided: int


class _Plan(NamedTuple):
    mesh: Mesh
    walls: set[Edge]  # both directions
    areas: dict[Edge, int]  # of the triangle left of each edge
    sectors: list[int]  # of each area, as bits
    doubtful: int  # sectors that are not surely where their lines are, as bits
    broken: bool  # lines are not what they should be, so that islands may be joined


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
    plan = _plan(level)
    joined: dict[int, int] = {}
    roots = [0] * sectors if plan is not None and plan.broken else island_of(level)
    for sector, root in enumerate(roots):
        joined[root] = joined.get(root, 0) | 1 << sector
    reach = [joined[root] for root in roots]
    if plan is None:
        return Sight(encode((everything ^ seen for seen in reach), sectors), sectors)
    seen, undecided = _Looking(plan, reach, most).all()
    for sector in range(sectors):
        if plan.doubtful >> sector & 1:
            seen[sector] = everything
        else:
            seen[sector] |= plan.doubtful
    return Sight(encode((everything ^ each for each in seen), sectors), undecided)


def _plan(level: DoomMap) -> _Plan | None:
    """The triangles of a map; None where coordinates are not whole, or walls move."""
    if level.format != DOOM and any(line.special in _POLYOBJECTS for line in level.lines):
        return None
    numbers: dict[Point, int] = {}
    doubtful = 0
    broken = False
    placed: list[tuple[int, int, int | None, int | None, bool]] = []
    for line in level.lines:
        sides = [level.sides[side].sector if side is not None and side < len(level.sides) else None
                 for side in (line.front, line.back)]  # fmt: skip
        front, back = (s if s is not None and 0 <= s < len(level.sectors) else None for s in sides)
        sound = max(line.v1, line.v2) < len(level.vertices)
        if sound:
            ends = [level.vertices[line.v1], level.vertices[line.v2]]
            if any(number != number // 1 for end in ends for number in end):
                return None
            v1, v2 = (numbers.setdefault((int(x), int(y)), len(numbers)) for x, y in ends)
            if v1 != v2:
                placed.append((v1, v2, front, back, front is not None and line.back is None))
        if not sound or front is None or (line.back is not None and back is None):
            doubtful |= _bits((front, back))
            broken = True
        broken = broken or front == back  # what is inside such lines is a trick of nodes
    mesh = Mesh(list(numbers))
    walls: set[Edge] = set()
    opened: set[Edge] = set()
    labels: dict[Edge, int] = {}
    for v1, v2, front, back, wall in placed:
        parts = mesh.add_line(v1, v2)
        if not parts:
            doubtful |= _bits((front, back))
            broken = True
        for a, b in parts:
            (walls if wall else opened).update(((a, b), (b, a)))
            labels[b, a] = labels.get((b, a), 0) | _bits((front,))
            labels[a, b] = labels.get((a, b), 0) | _bits((back,))
    areas, sectors = _areas(mesh, labels)
    return _Plan(mesh, walls - opened, areas, sectors, doubtful, broken)


def _bits(sectors: Iterable[int | None]) -> int:
    bits = 0
    for sector in sectors:
        if sector is not None:
            bits |= 1 << sector
    return bits


def _areas(mesh: Mesh, labels: dict[Edge, int]) -> tuple[dict[Edge, int], list[int]]:
    """Triangles that no line parts, as one number for the edges of each, and the sectors that lines say they are."""
    areas: dict[Edge, int] = {}
    sectors: list[int] = []
    for start in mesh.apex:
        if start in areas:
            continue
        bits, ahead = 0, [start]
        while ahead:
            u, v = ahead.pop()
            if (u, v) in areas:
                continue
            w = mesh.apex[u, v]
            for a, b in ((u, v), (v, w), (w, u)):
                areas[a, b] = len(sectors)
                bits |= labels.get((a, b), 0)
                if (a, b) not in mesh.fixed and (b, a) in mesh.apex:
                    ahead.append((b, a))
        sectors.append(bits)
    return areas, sectors


class _Looking:
    """What sectors see, one after the other; what one sees is known of all later ones."""

    def __init__(self, plan: _Plan, reach: list[int], most: int) -> None:
        self.plan = plan
        self.left = most
        self.reach = reach
        self.seen = [1 << sector for sector in range(len(reach))]
        mesh = plan.mesh
        self.beyond: dict[Edge, int] = {}  # the most that is seen over an open line, from the edge's left
        self.exits: list[list[Edge]] = [[] for _ in reach]
        for edge in sorted(mesh.fixed - plan.walls):
            if edge not in plan.areas or edge[::-1] not in plan.areas:
                continue
            for sector in _members(plan.sectors[plan.areas[edge]]):
                self.exits[sector].append(edge)
        for bits in plan.sectors:
            for sector in _members(bits):
                self.seen[sector] |= bits

    def all(self) -> tuple[list[int], int]:
        """What each sector sees, as bits; and of how many it is not known, but for islands."""
        order = sorted(range(len(self.reach)), key=lambda sector: (len(self.exits[sector]), sector))
        open_ = (1 << len(order)) - 1
        for done, sector in enumerate(order):
            # Sectors with few edges come first, and leave more to those with many than their share.
            left = min(self.left, _SHARE * self.left // (len(order) - done))
            self.left -= left
            for edge in self.exits[sector]:
                left = self.over(edge, sector, open_ & self.reach[sector], left)
                if left < 0:
                    break
            else:
                open_ &= ~(1 << sector)
            self.left += max(left, 0)
        for sector in _members(open_):
            self.seen[sector] |= open_ & self.reach[sector]
        return self.seen, open_.bit_count()

    def over(self, source: Edge, sector: int, wanted: int, steps: int) -> int:
        """Find the sectors seen over an edge of the triangle to its left, as far as they are wanted; steps left.

        Below 0 there were too few of them, and sectors may be missing.
        """
        plan = self.plan
        apex, points, walls, fixed = plan.mesh.apex, plan.mesh.points, plan.walls, plan.mesh.fixed
        areas, sectors, beyond = plan.areas, plan.sectors, self.beyond
        start = plan.sectors[areas[source]]
        got = skipped = 0
        wanted &= ~self.seen[sector]
        # Looking over u to v from its left, v is to the left and u to the right.
        stack: list[_Beam] = [(source, (points[source[1]],), (points[source[0]],), start)]
        while stack:
            (u, v), lefts, rights, way = stack.pop()
            steps -= 1
            if (u, v) in fixed:
                most = beyond.get((u, v), -1)
                if not most & wanted:
                    skipped |= most
                    continue
                found = sectors[areas[v, u]]
                if found & ~way:
                    self._meet(found, way)
                    way |= found
                got |= found
                wanted &= ~found
            w = apex.get((v, u))
            if w is None:
                continue
            if steps < 0:
                return steps
            x, y = point = points[w]
            (ax, ay), (bx, by) = rights[0], lefts[-1]  # the line that bends most to the left
            inner = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            (ax, ay), (bx, by) = lefts[0], rights[-1]
            outer = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if inner <= 0 and (w, v) not in walls:  # w is the right end of the next edge
                edge = (w, v)
                if outer > 0:
                    stack.append((edge, _after(lefts, point, 1), _hull(rights, point, 1), way))
                else:
                    stack.append((edge, lefts, rights, way))
            if outer >= 0 and (u, w) not in walls:
                edge = (u, w)
                if inner < 0:
                    stack.append((edge, _hull(lefts, point, -1), _after(rights, point, -1), way))
                else:
                    stack.append((edge, lefts, rights, way))
        self.beyond[source] = beyond.get(source, -1) & (got | skipped)
        return steps

    def _meet(self, found: int, way: int) -> None:
        """Note that a line goes through some sectors and then through others."""
        seen = self.seen
        for sector in _members(found):
            new = way & ~seen[sector]
            if new:
                seen[sector] |= new
                for other in _members(new):
                    seen[other] |= found


def _hull(chain: tuple[Point, ...], point: Point, side: int) -> tuple[Point, ...]:
    """A taut chain of corners of one side with one more at its end."""
    x, y = point
    last = len(chain)
    while last > 1:
        (ax, ay), (bx, by) = chain[last - 2], chain[last - 1]
        if side * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 0:
            break
        last -= 1
    return (*chain[:last], point)


def _after(chain: tuple[Point, ...], point: Point, side: int) -> tuple[Point, ...]:
    """A chain from the corner on that the outermost line to a point of the other side touches."""
    x, y = point
    first = 0
    while first + 1 < len(chain):
        (ax, ay), (bx, by) = chain[first], chain[first + 1]
        if side * ((x - ax) * (by - ay) - (y - ay) * (bx - ax)) >= 0:
            break
        first += 1
    return chain[first:]


def _members(bits: int) -> list[int]:
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
