"""Teleports that lead nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.checks.modes import COOP, DEATHMATCH, SINGLE, lacking, told
from lumpyard.maps.checks.survey import UNSURE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.maps.checks.modes import Where
    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.checks.uses import Use
    from lumpyard.maps.problems import MapFinding

_MODES = (SINGLE, COOP, DEATHMATCH)
Landings = tuple[tuple[int, ...], tuple[int, ...]]  # tags of sectors, ids of things


def check(survey: Survey) -> Iterator[MapFinding]:
    """Each line that teleports things to a thing."""
    if survey.scripted:
        return
    missing: dict[Landings, list[Where]] = {}
    landings = all_landings(survey)
    for use in survey.uses:
        if use.kind != "teleport":
            continue
        key = landing_of(use)
        things = landings[key]
        if things is None:
            continue
        if key not in missing:
            missing[key] = lacking(survey, things, _MODES)
        if missing[key]:
            where = told(missing[key], _MODES)
            id_ = "teleport-on-some-skills" if where else "teleport-without-destination"
            message = f"line {use.line} teleports, but there is no destination{where}"
            yield found(id_, message, "line", use.line, survey.line_place(use.line))


def landing_of(use: Use) -> Landings:
    """Where a teleport leads, by tags and ids."""
    return tuple(use.sector_tags), tuple(use.thing_ids)


def all_landings(survey: Survey) -> Mapping[Landings, Sequence[int] | None]:
    """The things that each kind of teleport of the map may lead to; None where that cannot be told."""
    keys = {landing_of(use) for use in survey.uses if use.kind == "teleport"}
    if not keys:
        return {}
    spots: dict[int, list[int]] = {}  # destinations by sector
    ids: dict[int, list[int]] = {}
    for number, (thing, place) in enumerate(zip(survey.level.things, survey.places, strict=True)):
        row = survey.things.get(thing.type)
        if row and row.kind == "teleport":
            spots.setdefault(place, []).append(number)
        if thing.tid:
            ids.setdefault(thing.tid, []).append(number)
    return {key: _landing(survey, key, spots, ids) for key in keys}


def _landing(
    survey: Survey, key: Landings, spots: Mapping[int, list[int]], ids: Mapping[int, list[int]]
) -> Sequence[int] | None:
    tags, wanted = key
    if any(wanted):  # the tag only chooses among them
        return [number for one in wanted if one for number in ids.get(one, ())]
    if UNSURE in spots or (survey.actions and not any(tags)):
        return None
    return [
        number for tag in tags for sector in survey.tagged.get(tag, ()) for number in spots.get(sector, ())
    ]
