"""Locks without their keys, on each skill, alone and together; in deathmatch all have all keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.checks.modes import COOP, SINGLE, lacking, told
from lumpyard.maps.tables.games import HEXEN
from lumpyard.maps.tables.locks import keys_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.problems import MapFinding

_MODES = (SINGLE, COOP)


def check(survey: Survey) -> Iterator[MapFinding]:
    """One finding for each lock, at its first line.

    Keys of Hexen come from other maps too, and scripts may hand out keys: nothing is said of those.
    """
    if survey.game == HEXEN or survey.scripted:
        return
    locks: dict[str, list[int]] = {}
    for use in survey.uses:
        if use.lock:
            locks.setdefault(use.lock, []).append(use.line)
    for lock, lines in locks.items():
        for group in keys_of(lock, survey.game):
            keys = [number for number, thing in enumerate(survey.level.things) if thing.type in group]
            missing = lacking(survey, keys, _MODES)
            if missing:
                names = " or ".join(survey.things[key].name for key in group if key in survey.things)
                who = f"{lines[0]} needs" if len(lines) == 1 else f"{lines[0]} and {len(lines) - 1} more need"
                message = f"line {who} the {names}, which is not there{told(missing, _MODES)}"
                yield found("key-missing", message, "line", lines[0], survey.line_place(lines[0]))
