"""Specials, sector types and tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.checks.knowing import not_known
from lumpyard.maps.checks.uses import is_special
from lumpyard.maps.tables.sector_types import is_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.problems import MapFinding

_BOSS_TAGS = frozenset({666, 667})  # moved by the death of bosses, where no line does


def check(survey: Survey) -> Iterator[MapFinding]:
    """Lines by number, then sectors."""
    yield from _unknown(survey)
    yield from _sector_types(survey)
    yield from _tags(survey)
    yield from _doors(survey)
    yield from _unused(survey)


def _unknown(survey: Survey) -> Iterator[MapFinding]:
    known = {use.line for use in survey.uses}
    for number, line in enumerate(survey.level.lines):
        if line.special and number not in known:
            message = f"line {number} has special {line.special}, {_who_knows(survey, line.special)}"
            yield found("special-unknown", message, "line", number, survey.line_place(number))


def _who_knows(survey: Survey, special: int) -> str:
    return not_known(survey, lambda target: is_special(special, survey.game, target, actions=survey.actions))


def _sector_types(survey: Survey) -> Iterator[MapFinding]:
    for number, sector in enumerate(survey.level.sectors):
        if not is_known(sector.special, survey.game, survey.target, actions=survey.actions):
            message = f"sector {number} is of type {sector.special}, {_who_has_type(survey, sector.special)}"
            yield found("sector-type-unknown", message, "sector", number, survey.sector_place(number))


def _who_has_type(survey: Survey, special: int) -> str:
    return not_known(survey, lambda target: is_known(special, survey.game, target, actions=survey.actions))


def _tags(survey: Survey) -> Iterator[MapFinding]:
    for use in survey.uses:
        place = survey.line_place(use.line)
        wrong = [tag for tag in use.sector_tags if tag and tag not in survey.tagged]
        if use.kind == "line-teleport" or use.line_tags:
            others = [
                tag for tag in use.line_tags if tag and survey.line_ids.get(tag, [use.line]) == [use.line]
            ]
            wrong += others
        for tag in wrong:
            what = "line" if tag in use.line_tags else "sector"
            message = f"line {use.line}, special {use.special}, acts on tag {tag}, which no {what} has"
            yield found("tag-without-sector", message, "line", use.line, place)
        if not survey.actions and 0 in (*use.sector_tags, *use.line_tags):
            message = f"line {use.line}, special {use.special}, needs a tag and has 0, which all untagged sectors have"
            yield found("tag-missing", message, "line", use.line, place)


def _doors(survey: Survey) -> Iterator[MapFinding]:
    for use in survey.uses:
        if use.pressed_door and survey.level.lines[use.line].back is None:
            message = (
                f"line {use.line}, special {use.special}, is a door, but has no sector behind it to move"
            )
            yield found("door-one-sided", message, "line", use.line, survey.line_place(use.line))


def _unused(survey: Survey) -> Iterator[MapFinding]:
    """Tags that nothing acts on; scripts might, and in UDMF ids of lines are for scripts alone."""
    if survey.scripted:
        return
    lines = survey.level.lines
    acted = {tag for use in (*survey.uses, *survey.thing_uses) for tag in use.sector_tags}
    if not survey.actions:
        acted |= {line.tag for line in lines if line.special} | _BOSS_TAGS
    for tag, sectors in survey.tagged.items():
        if tag not in acted:
            for number in sectors:
                message = f"sector {number} has tag {tag}, which no line acts on"
                yield found("sector-tag-unused", message, "sector", number, survey.sector_place(number))
    if survey.actions:
        return
    meant = {tag for use in survey.uses for tag in use.line_tags}
    for number, line in enumerate(lines):
        if line.tag and not line.special and line.tag not in meant:
            message = f"line {number} has tag {line.tag}, but no special"
            yield found("line-tag-unused", message, "line", number, survey.line_place(number))
