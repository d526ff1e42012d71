"""Things that the game has not, that are in a wall or outside, and starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.checks.geometry import BLOCKING
from lumpyard.maps.checks.knowing import not_known
from lumpyard.maps.checks.survey import FAR, OUTSIDE
from lumpyard.maps.grid import MAX_STEPS, lines_near
from lumpyard.maps.tables.things import things

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.grid import Ends
    from lumpyard.maps.model import Number
    from lumpyard.maps.problems import MapFinding

ALLOWANCE = 8  # map units that a monster may be in a wall: at 1 there are false alarms, at 6 to 8 none
_BLOCK_MONSTERS = 2
MAX_DEATHMATCH_STARTS = 10
_ALIVE = frozenset({"monster", "start", "deathmatch"})
_ANYWHERE = frozenset({"effect", "spot"})  # things of ports and editors that need no room


def check(survey: Survey) -> Iterator[MapFinding]:
    """Each thing, then the starts."""
    yield from _unknown(survey)
    yield from _outside(survey)
    yield from _stuck(survey)
    yield from _starts(survey)


def _unknown(survey: Survey) -> Iterator[MapFinding]:
    for number, thing in enumerate(survey.level.things):
        if thing.type not in survey.things and thing.type not in survey.context.things:
            message = f"thing {number} is of type {thing.type}, {_who_knows(survey, thing.type)}"
            yield found("thing-unknown", message, "thing", number, (thing.x, thing.y))


def _who_knows(survey: Survey, kind: int) -> str:
    return not_known(survey, lambda target: kind in things(survey.game, target))


def _outside(survey: Survey) -> Iterator[MapFinding]:
    for number, (thing, place) in enumerate(zip(survey.level.things, survey.places, strict=True)):
        row = survey.things.get(thing.type)
        if place == OUTSIDE and row and row.kind not in _ANYWHERE:
            message = f"thing {number}, {row.name}, is outside the map"
            yield found("thing-outside", message, "thing", number, (thing.x, thing.y))


def _stuck(survey: Survey) -> Iterator[MapFinding]:
    left = MAX_STEPS
    for number, (thing, place) in enumerate(zip(survey.level.things, survey.places, strict=True)):
        row = survey.things.get(thing.type)
        if row is None or row.kind not in _ALIVE or place == OUTSIDE or not -FAR < thing.x < FAR:
            continue
        if not -FAR < thing.y < FAR:
            continue
        reach = row.radius - ALLOWANCE
        stops = BLOCKING | (_BLOCK_MONSTERS if row.kind == "monster" else 0)
        for near in lines_near(survey.grid, thing.x, thing.y, reach):
            left -= 1
            ends, line = survey.long_ends[near], survey.level.lines[near]
            solid = line.back is None or line.flags & stops
            if solid and ends and is_in_box(ends, thing.x, thing.y, reach):
                message = (
                    f"thing {number}, {row.name}, is more than {ALLOWANCE} map units "
                    f"inside line {near}, which stops it"
                )
                yield found("thing-stuck", message, "thing", number, (thing.x, thing.y))
                break
        if left < 0:
            return


def is_in_box(ends: Ends, x: Number, y: Number, reach: Number) -> bool:
    """Whether a line has a point less than `reach` from a point, both ways."""
    x1, y1, x2, y2 = ends
    if max(x1, x2) <= x - reach or min(x1, x2) >= x + reach:
        return False
    if max(y1, y2) <= y - reach or min(y1, y2) >= y + reach:
        return False
    dx, dy = x2 - x1, y2 - y1
    middle = dx * (y - y1) - dy * (x - x1)
    spread = reach * (abs(dx) + abs(dy))  # how far the corners are from the middle, as seen along the line
    return -spread < middle < spread


def _starts(survey: Survey) -> Iterator[MapFinding]:
    types = [thing.type for thing in survey.level.things]
    if 1 not in types:
        yield found("start-missing", "there is no start of player 1 (thing type 1); the map does not begin")
    many = types.count(11)
    if many > MAX_DEATHMATCH_STARTS:
        numbers = [number for number, type_ in enumerate(types) if type_ == 11]
        extra = numbers[MAX_DEATHMATCH_STARTS]
        message = f"there are {many} deathmatch starts; the first {MAX_DEATHMATCH_STARTS} are used, not thing {extra}"
        yield found("deathmatch-starts", message, "thing", extra, survey.thing_place(extra))
