"""What sectors see, by the lines that go over rows of open edges (`maps.sight`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lumpyard.maps.sight_plan import SightPlan
    from lumpyard.maps.triangles import Edge, Point

    # An edge that is gone over, the corners that lines keep on their left and on their right, and sectors on the way.
    _Beam = tuple[Edge, tuple[Point, ...], tuple[Point, ...], int]

_SHARE = 3  # how much more of the steps that are left a sector may take than all others on average


class Looking:
    """What sectors see, one after the other; what one sees is known of all later ones."""

    def __init__(self, plan: SightPlan, reach: list[int], most: int) -> None:
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
            for sector in members(plan.sectors[plan.areas[edge]]):
                self.exits[sector].append(edge)
        for bits in plan.sectors:
            for sector in members(bits):
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
        for sector in members(open_):
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
        for sector in members(found):
            new = way & ~seen[sector]
            if new:
                seen[sector] |= new
                for other in members(new):
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


def members(bits: int) -> list[int]:
    """The numbers of the bits that are set, the lowest first."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
