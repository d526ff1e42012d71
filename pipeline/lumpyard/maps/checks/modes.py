"""Who is there: things by skill and mode, from their flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.model import DOOM
from lumpyard.maps.tables.games import BOOM, TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.maps.checks.survey import Survey

SKILLS = {1: "easy", 2: "normal", 4: "hard"}  # flags of things: skills 1 and 2, 3, 4 and 5
SINGLE, COOP, DEATHMATCH = "single player", "co-op", "deathmatch"
_HEXEN_MODES = {SINGLE: 256, COOP: 512, DEATHMATCH: 1024}
_MULTIPLAYER_ONLY = 16
_BOOM_NOT = {COOP: 64, DEATHMATCH: 32}
Where = tuple[int, str]  # a skill's flag and a mode


def is_present(survey: Survey, flags: int, where: Where) -> bool:
    """Whether a thing with these flags is there on a skill in a mode."""
    skill, mode = where
    if not flags & skill:
        return False
    if survey.level.format != DOOM:
        return bool(flags & _HEXEN_MODES[mode])
    if mode == SINGLE:
        return not flags & _MULTIPLAYER_ONLY
    ports = TARGETS.index(survey.target) >= TARGETS.index(BOOM)
    return not (ports and flags & _BOOM_NOT[mode])


def lacking(survey: Survey, things: Iterable[int], modes: Sequence[str]) -> list[Where]:
    """Skills and modes in which none of these things (their numbers in THINGS) is there."""
    flags = {survey.level.things[number].flags for number in things}
    return [
        (skill, mode)
        for mode in modes
        for skill in SKILLS
        if not any(is_present(survey, one, (skill, mode)) for one in flags)
    ]


def told(missing: Sequence[Where], modes: Sequence[str]) -> str:
    """Skills and modes in words; empty for all of them."""
    if len(missing) == len(modes) * len(SKILLS):
        return ""
    by_mode: dict[str, list[str]] = {}
    for skill, mode in missing:
        by_mode.setdefault(mode, []).append(SKILLS[skill])
    return " on " + "; ".join(f"{', '.join(skills)} in {mode}" for mode, skills in by_mode.items())
