"""A map's plan as triangles between its lines, with the sectors that they are in, for lines of sight (`maps.sight`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.model import DOOM
from lumpyard.maps.triangles import Mesh

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.triangles import Edge, Point

MAX_COORDINATE = 0x10000  # products of differences are exact in floats then; no engine takes more
_POLYOBJECTS = frozenset((1, 5))  # specials of lines, in all formats but Doom's


class SightPlan(NamedTuple):
    """Triangles, which of their edges are walls, and which sectors lie in them."""

    mesh: Mesh
    walls: set[Edge]  # both directions
    areas: dict[Edge, int]  # of the triangle left of each edge
    sectors: list[int]  # of each area, as bits
    doubtful: int  # sectors that are not surely where their lines are, as bits
    broken: bool  # lines are not what they should be, so that islands may be joined


def sight_plan(level: DoomMap) -> SightPlan | None:
    """The triangles of a map; None where coordinates are not whole or too large, or walls move."""
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
            if any(number != number // 1 or abs(number) > MAX_COORDINATE for end in ends for number in end):
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
    broken = broken or any(bits & (bits - 1) for bits in sectors)  # two sectors in one place
    return SightPlan(mesh, walls - opened, areas, sectors, doubtful, broken)


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
