"""Whether the level can end, and where a walk from the starts leads.

A walk goes through every two-sided line, whatever the heights, and through teleports: what it does not reach, nobody
does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.checks.modes import COOP, SINGLE, lacking, told
from lumpyard.maps.checks.teleports import all_landings, landing_of
from lumpyard.maps.tables.games import DOOM, DOOM2
from lumpyard.maps.tables.sector_types import ends_level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.checks.teleports import Landings
    from lumpyard.maps.checks.uses import Use
    from lumpyard.maps.problems import MapFinding

_MODES = (SINGLE, COOP)
_ICON = 88  # its death ends the level, whatever the map's name
# whose death ends a level, or opens the way to what does
_BOSSES = {"E1M8": (3003,), "E2M8": (16,), "E3M8": (7,), "E4M6": (16,), "E4M8": (7,)}
_EXITS = frozenset({"exit", "secret"})


def check(survey: Survey) -> Iterator[MapFinding]:
    """Exits that are not there, then what no way leads to."""
    exits = [use for use in survey.uses if use.kind in _EXITS]
    begins = any(thing.type == 1 for thing in survey.level.things)  # a map for deathmatch alone need not end
    if begins and not exits and not survey.scripted:
        yield from _bosses(survey)
    yield from _unconnected(survey, exits)


def _bosses(survey: Survey) -> Iterator[MapFinding]:
    if any(use.kind in _EXITS for use in survey.thing_uses):
        return
    if not survey.actions and any(
        ends_level(sector.special, survey.target) for sector in survey.level.sectors
    ):
        return
    types: tuple[int, ...] = ()
    if survey.game in {DOOM, DOOM2}:
        types = (_ICON, *_BOSSES.get(survey.level.name.upper(), ()))
    there = [number for number, thing in enumerate(survey.level.things) if thing.type in types]
    missing = lacking(survey, there, _MODES)
    if missing:
        text = f"nothing ends the level{told(missing, _MODES)}: no exit line, no boss, no sector type 11"
        yield found("exit-missing", text)


def _unconnected(survey: Survey, exits: list[Use]) -> Iterator[MapFinding]:
    if survey.scripted:
        return
    starts: set[int] = set()
    player = (
        -1
    )  # of several starts of player 1 the last is the player's; the others are there to be pushed on lines
    for thing, place in zip(survey.level.things, survey.places, strict=True):
        row = survey.things.get(thing.type)
        if row and place >= 0 and row.kind in {"start", "deathmatch"}:
            starts.add(place)
            if thing.type == 1:
                player = place
    ways = _ways(survey) if starts else {}
    if starts:
        reached = _reached(ways, starts)
        for use in exits:
            sides = {survey.fronts[use.line], survey.backs[use.line]} - {None}
            if sides and not sides & reached:
                message = f"line {use.line} is an exit, but no way leads to it from any start"
                yield found("exit-unconnected", message, "line", use.line, survey.line_place(use.line))
    if player >= 0:
        for sector in sorted(set(survey.edges) - _reached(ways, {player})):
            message = f"no way leads to sector {sector} from player 1's start"
            yield found("sector-unconnected", message, "sector", sector, survey.sector_place(sector))


def _ways(survey: Survey) -> Mapping[int, Sequence[int]]:
    """The sectors that one step leads to, from each."""
    ways: dict[int, list[int]] = {}
    for front, back in set(zip(survey.fronts, survey.backs, strict=True)):
        if front is not None and back is not None and front != back:
            ways.setdefault(front, []).append(back)
            ways.setdefault(back, []).append(front)
    _add_jumps(survey, ways)
    return ways


def _reached(ways: Mapping[int, Sequence[int]], starts: set[int]) -> set[int | None]:
    """All sectors that a walk reaches."""
    reached: set[int | None] = set(starts)
    left = list(starts)
    while left:
        for sector in ways.get(left.pop(), ()):
            if sector not in reached:
                reached.add(sector)
                left.append(sector)
    return reached


def _add_jumps(survey: Survey, ways: dict[int, list[int]]) -> None:
    """Where teleports lead: from their lines to a node that is no sector, one for all that have the same end."""
    landings = all_landings(survey)
    nodes: dict[tuple[object, ...], int] = {}
    for use in survey.uses:
        if use.kind not in {"teleport", "line-teleport"}:
            continue
        key = (use.kind, landing_of(use), tuple(use.line_tags))
        if key not in nodes:
            nodes[key] = node = -1 - len(nodes)
            ways[node] = sorted(_ends(survey, use, landings))
        for start in {survey.fronts[use.line], survey.backs[use.line]}:
            if start is not None:
                ways.setdefault(start, []).append(nodes[key])


def _ends(survey: Survey, use: Use, landings: Mapping[Landings, Sequence[int] | None]) -> set[int]:
    if use.kind == "teleport":
        things = landings[landing_of(use)] or ()
        return {survey.places[thing] for thing in things if survey.places[thing] >= 0}
    lines = [line for tag in use.line_tags for line in survey.line_ids.get(tag, ())]
    sectors = {sector for line in lines for sector in (survey.fronts[line], survey.backs[line])}
    return {sector for sector in sectors if sector is not None}
