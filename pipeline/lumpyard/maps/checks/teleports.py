"""Teleports that lead nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.checks.modes import COOP, DEATHMATCH, SINGLE, lacking, told
from lumpyard.maps.checks.survey import UNSURE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.checks.uses import Use
    from lumpyard.maps.problems import MapFinding

_MODES = (SINGLE, COOP, DEATHMATCH)


def check(survey: Survey) -> Iterator[MapFinding]:
    """Each line that teleports things to a thing."""
    if survey.scripted:
        return
    spots = destinations(survey)
    for use in survey.uses:
        if use.kind != "teleport":
            continue
        things = landing(survey, use, spots)
        if things is None:
            continue
        missing = lacking(survey, things, _MODES)
        if missing:
            where = told(missing, _MODES)
            id_ = "teleport-on-some-skills" if where else "teleport-without-destination"
            message = f"line {use.line} teleports, but there is no destination{where}"
            yield found(id_, message, "line", use.line, survey.line_place(use.line))


def destinations(survey: Survey) -> Mapping[int, list[int]]:
    """The teleport destinations of each sector; those of UNSURE could be anywhere."""
    spots: dict[int, list[int]] = {}
    if not any(use.kind == "teleport" for use in survey.uses):
        return spots
    for number, (thing, place) in enumerate(zip(survey.level.things, survey.places, strict=True)):
        row = survey.things.get(thing.type)
        if row and row.kind == "teleport":
            spots.setdefault(place, []).append(number)
    return spots


def landing(survey: Survey, use: Use, spots: Mapping[int, list[int]]) -> list[int] | None:
    """The things that a teleport may lead to; None where that cannot be told."""
    if survey.actions:
        wanted = {one for one in use.thing_ids if one}
        tags = [tag for tag in use.sector_tags if tag]
        if wanted or not tags:
            there = [number for number, thing in enumerate(survey.level.things) if thing.tid in wanted]
            return there if wanted else None
    else:
        tags = list(use.sector_tags)
    sectors = [sector for tag in tags for sector in survey.tagged.get(tag, ())]
    if UNSURE in spots:
        return None
    return [number for sector in sectors for number in spots.get(sector, ())]
