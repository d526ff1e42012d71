"""Findings that are known and wanted are left out, and what no longer finds any is told.

An ignore with a map's name is that map's. One with a place and no name is of some map of the file, so it is told once,
where no map has it. One by id alone is for all maps of a project, of which a file has some: nothing is said of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import BY_ID, OF_BUILDS, found

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.maps.checks.context import Ignore
    from lumpyard.maps.problems import MapFinding


class Ignoring:
    """The ignores of a file, and which of them were of use to the maps so far."""

    def __init__(self, ignores: Sequence[Ignore]) -> None:
        self._ignores = ignores
        self._used: set[int] = set()
        self._built = False

    def left(self, findings: Iterable[MapFinding], name: str, *, built: bool) -> list[MapFinding]:
        """What is left of a map's findings, and one for each ignore of its name that fits nothing.

        `built`: whether what only builds find is among them.
        """
        self._built |= built
        own = [at for at, one in enumerate(self._ignores) if one.map.upper() in {"", name.upper()}]
        used: set[int] = set()
        kept: list[MapFinding] = []
        for finding in findings:
            fit = [at for at in own if _fits(self._ignores[at], finding)]
            used.update(fit)
            if not fit:
                kept.append(finding)
        self._used |= used
        named = [self._ignores[at] for at in own if at not in used and self._ignores[at].map]
        return [*kept, *(_unused(one) for one in named if built or one.id not in OF_BUILDS)]

    def unused(self) -> list[MapFinding]:
        """A finding for each ignore of a place in any map that fitted nothing in all of them, or of no check at all."""
        return [
            _unused(one)
            for at, one in enumerate(self._ignores)
            if at not in self._used
            and not one.map
            and (one.x is not None or one.id not in BY_ID)
            and (self._built or one.id not in OF_BUILDS)
        ]


def _fits(ignore: Ignore, finding: MapFinding) -> bool:
    if finding.id != ignore.id:
        return False
    return (ignore.x is None and ignore.y is None) or (finding.x, finding.y) == (ignore.x, ignore.y)


def _unused(ignore: Ignore) -> MapFinding:
    known = "" if ignore.id in BY_ID else "; there is no check of that name"
    there = "" if ignore.x is None else " there"
    message = f"nothing to ignore: no {ignore.id} is found{there} ({ignore.why}){known}"
    x, y = ignore.x, ignore.y
    return found("ignore-unused", message, place=None if x is None or y is None else (x, y))
