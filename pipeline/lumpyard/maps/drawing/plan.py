"""A map's lines with their ends and sectors looked up, as far as they are there; what cannot be drawn is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.maps.model import DoomMap, Line
    from lumpyard.maps.model import Thing as MapThing

FAR = 1 << 20  # map units; no engine has a map beyond a thirtieth of that
MAX_INK = 500  # longer sides of the picture in lines: the fullest of 100 maps has 74, and 500 take some 8 s
MAX_THINGS = 20_000  # the fullest of 100 maps has 1,194


class PlanLine(NamedTuple):
    """A line that can be drawn."""

    number: int
    x1: float
    y1: float
    x2: float
    y2: float
    line: Line
    front: int | None  # sectors; None where there is no side, or it or its sector isn't there
    back: int | None


class Plan(NamedTuple):
    """What of a map can be drawn, and where."""

    lines: Sequence[PlanLine]
    things: Sequence[MapThing]
    box: Box
    lost: Sequence[str]  # what cannot: "3 lines have no place"


class Box(NamedTuple):
    """A rectangle of map units."""

    west: float
    south: float
    east: float
    north: float


def plan_of(level: DoomMap, more: Iterable[tuple[float, float]] = ()) -> Plan:
    """The lines and things of a map that have a place, and the box around them and `more` points."""
    lines, budget = [], float(MAX_INK)
    placed = list(_placed(level))
    corners = [(x, y) for line in placed for x, y in ((line.x1, line.y1), (line.x2, line.y2))]
    corners += [(x, y) for x, y in more if is_near(x) and is_near(y)]
    box = _around(
        corners or [(thing.x, thing.y) for thing in level.things if is_near(thing.x) and is_near(thing.y)]
    )
    side = max(box.east - box.west, box.north - box.south)
    for line in placed:
        budget -= (abs(line.x1 - line.x2) + abs(line.y1 - line.y2)) / side
        if budget < 0:
            break
        lines.append(line)
    inside = [thing for thing in level.things if _inside(thing, box)]
    things = inside[:MAX_THINGS]
    lost = [
        _lost(len(level.lines) - len(placed), "line", "without a place"),
        _lost(len(placed) - len(lines), "line", "too many to draw"),
        _lost(len(level.things) - len(inside), "thing", "outside of the picture"),
        _lost(len(inside) - len(things), "thing", "too many to draw"),
    ]
    return Plan(lines, things, box, [text for text in lost if text])


def counted(number: int, what: str) -> str:
    """`1 line`, `1,069 lines`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _placed(level: DoomMap) -> Iterable[PlanLine]:
    vertices, known = level.vertices, len(level.vertices)
    sector_of = [side.sector if 0 <= side.sector < len(level.sectors) else None for side in level.sides]
    sides = len(sector_of)
    for number, line in enumerate(level.lines):
        if not (0 <= line.v1 < known and 0 <= line.v2 < known):
            continue
        x1, y1 = vertices[line.v1]
        x2, y2 = vertices[line.v2]
        if is_near(x1) and is_near(y1) and is_near(x2) and is_near(y2):
            front = sector_of[line.front] if line.front is not None and 0 <= line.front < sides else None
            back = sector_of[line.back] if line.back is not None and 0 <= line.back < sides else None
            yield PlanLine(number, x1, y1, x2, y2, line, front, back)


def is_near(place: float) -> bool:
    """Whether a coordinate is one that can be drawn."""
    return -FAR <= place <= FAR  # false of what is no number, too


def _around(points: Sequence[tuple[float, float]]) -> Box:
    """The box around points; never flat, so that a single line has a picture."""
    if not points:
        return Box(-64, -64, 64, 64)
    west, east = min(x for x, _ in points), max(x for x, _ in points)
    south, north = min(y for _, y in points), max(y for _, y in points)
    least = max(east - west, north - south, 64) / 4
    wide, high = max(0, least - (east - west)) / 2, max(0, least - (north - south)) / 2
    return Box(west - wide, south - high, east + wide, north + high)


def margin(box: Box) -> float:
    """How far outside of the box things are still drawn, in map units."""
    return (box.east - box.west + box.north - box.south) / 128


def _inside(thing: MapThing, box: Box) -> bool:
    more = margin(box)
    return box.west - more <= thing.x <= box.east + more and box.south - more <= thing.y <= box.north + more


def _lost(number: int, what: str, why: str) -> str:
    return f"{counted(number, what)} {why}" if number else ""
