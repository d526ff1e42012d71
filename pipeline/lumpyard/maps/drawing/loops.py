"""The outlines of sectors, as closed rings, from their lines; no nodes are needed for it.

Every edge goes the way that has its sector on the right, so an outer ring and the rings of holes go opposite ways, and
two sectors that are painted alike need no border between them. Ends are joined by place, not by vertex number.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lumpyard.maps.drawing.plan import PlanLine

    Point = tuple[float, float]
    Edge = tuple[Point, Point]


def edges_of(lines: Iterable[PlanLine]) -> dict[int, list[Edge]]:
    """The edges of each sector, in the order of the lines.

    Two lines in one place make one edge; a line with the same sector on both sides makes none.
    """
    edges: dict[int, dict[Edge, None]] = {}
    for line in lines:
        start, end = (line.x1, line.y1), (line.x2, line.y2)
        if line.front == line.back or start == end:
            continue
        if line.front is not None:
            edges.setdefault(line.front, {})[start, end] = None
        if line.back is not None:
            edges.setdefault(line.back, {})[end, start] = None
    return {sector: list(found) for sector, found in edges.items()}


def rings_by_role(
    edges: Mapping[int, Sequence[Edge]], roles: Mapping[int, str]
) -> dict[str, list[list[Point]]]:
    """The rings to fill in each role's colour, by role; roles in order of their names."""
    alike: dict[str, Counter[Edge]] = {}
    rings: dict[str, list[list[Point]]] = {role: [] for role in sorted(set(roles.values()))}
    for sector, found in edges.items():
        role = roles.get(sector)
        if role is None:
            continue
        if is_closed(found):
            alike.setdefault(role, Counter()).update(found)
        else:  # an open sector must not run into its neighbours
            rings[role] += join(found)
    for role, counts in alike.items():
        rings[role] += join(_outer(counts))
    return {role: found for role, found in rings.items() if found}


def is_closed(edges: Iterable[Edge]) -> bool:
    """Whether as many edges come to every point as go from it."""
    balance: Counter[Point] = Counter()
    for start, end in edges:
        balance[start] += 1
        balance[end] -= 1
    return not any(balance.values())


def join(edges: Iterable[Edge]) -> list[list[Point]]:
    """Rings that use every edge once; where edges are missing, a ring is closed by a straight line."""
    after: dict[Point, list[Point]] = {}
    balance: Counter[Point] = Counter()
    for start, end in edges:
        after.setdefault(start, []).append(end)
        balance[start] += 1
        balance[end] -= 1
    open_ends = [point for point in after if balance[point] > 0]
    rings = []
    for start in (*open_ends, *after):
        while after[start]:
            rings.append(_walk(start, after))
    return rings


def _walk(start: Point, after: Mapping[Point, list[Point]]) -> list[Point]:
    ring, at = [start], after[start].pop()
    while at != start:
        ring.append(at)
        ways = after.get(at)
        if not ways:
            break
        at = ways.pop()
    return ring


def _outer(counts: Counter[Edge]) -> list[Edge]:
    """The edges that none goes against."""
    left: list[Edge] = []
    for (start, end), number in counts.items():
        left += [(start, end)] * (number - counts.get((end, start), 0))
    return left
