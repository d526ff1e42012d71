"""Lines of sight by brute force: places in maps, the sectors that they are in, and the walls between two of them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.builders import doom_maps

from lumpyard.maps.sight import line_of_sight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.model import DoomMap, Line


def hidden(level: DoomMap) -> list[list[int]]:
    lump = line_of_sight(level)
    assert isinstance(lump, bytes)
    n = len(level.sectors)
    assert len(lump) == (n * n + 7) // 8
    bits = [lump[bit // 8] >> bit % 8 & 1 for bit in range(len(lump) * 8)]
    assert not any(bits[n * n :])
    return [bits[a * n : (a + 1) * n] for a in range(n)]


def turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def ends(level: DoomMap, line: Line) -> tuple[tuple[float, float], tuple[float, float]]:
    one, other = level.vertices[line.v1], level.vertices[line.v2]
    return (float(one.x), float(one.y)), (float(other.x), float(other.y))


def sector_at(level: DoomMap, x: float, y: float) -> int | None:
    """The sector that a line straight up from a point comes to first; None where there is none."""
    best: tuple[float, int | None] | None = None
    for line in level.lines:
        (ax, ay), (bx, by) = ends(level, line)
        if (ax <= x) == (bx <= x):
            continue
        height = ay + (by - ay) * (x - ax) / (bx - ax)
        if height > y and (best is None or height < best[0]):
            side = line.front if bx > ax else line.back  # right of a line that goes east is south of it
            best = height, None if side is None else level.sides[side].sector
    return None if best is None else best[1]


def blocked(level: DoomMap, start: tuple[float, float], end: tuple[float, float]) -> bool:
    for line in level.lines:
        if line.back is None:
            a, b = ends(level, line)
            if turn(start, end, a) * turn(start, end, b) < 0 and turn(a, b, start) * turn(a, b, end) < 0:
                return True
    return False


def samples(level: DoomMap, count: int, seed: int) -> Iterator[tuple[tuple[float, float], int]]:
    """Places in the map, near its lines, and their sectors."""
    pick = random.Random(seed)
    while count:
        (ax, ay), (bx, by) = ends(level, pick.choice(level.lines))
        along, spread = pick.random(), pick.choice((3, 40, 300))
        x = ax + (bx - ax) * along + pick.uniform(-spread, spread)
        y = ay + (by - ay) * along + pick.uniform(-spread, spread)
        sector = sector_at(level, x, y)
        if sector is not None:
            count -= 1
            yield (x, y), sector


def crooked_rooms(across: int, up: int, seed: int) -> DoomMap:
    """A grid of rooms with crooked corners, some of them solid, and with walls between some others."""
    pick = random.Random(seed)
    points = [
        (x * 128 + pick.randint(-40, 40), y * 128 + pick.randint(-40, 40))
        for y in range(up + 1)
        for x in range(across + 1)
    ]
    places = [(x, y) for y in range(up) for x in range(across) if pick.random() > 0.2]
    sectors = {place: number for number, place in enumerate(places)}
    lines: list[tuple[int, int, int, int | None]] = []
    for y in range(up + 1):
        for x in range(across + 1):
            at = y * (across + 1) + x
            for end, right, left in (
                (at + 1, sectors.get((x, y - 1)), sectors.get((x, y))),
                (at + across + 1, sectors.get((x, y)), sectors.get((x - 1, y))),
            ):
                if right is not None and left is not None and pick.random() > 0.3:
                    lines.append((at, end, right, left))
                    continue
                if right is not None:
                    lines.append((at, end, right, None))
                if left is not None:
                    lines.append((end, at, left, None))
    return doom_maps.plan(points, lines)
