"""Findings of a map's check as problems of the source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard.maps.problems import INFO, LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.maps.problems import MapFinding
    from lumpyard.rule import Source

_TEXT_LINE = re.compile(r"TEXTMAP line ([0-9]{1,9}): ")
_RECORD = "what is meant to be so is recorded by `lumpyard map FILE --record`"
_HINTS = {
    "reject-stale": _RECORD,
    "reject-doubtful": _RECORD,
    "reject-in-part": "the map is too open, or has polyobjects or fractions; `reject: islands` is quicker",
}


def report(
    source: Source, name: str, findings: Iterable[MapFinding], fail: str, *, text: bool = False
) -> None:
    """Report findings of the map of a name, or of the file where that is "".

    `text` where the source is the map's TEXTMAP, whose lines are then told as places.
    """
    for finding in findings:
        _report(source, finding, name, fail, text=text)


def _report(source: Source, finding: MapFinding, name: str, fail: str, *, text: bool = False) -> None:
    """Report one finding as error or warning; of infos only those that fail the build."""
    fails = fail != "never" and LEVELS.index(finding.level) <= LEVELS.index(fail)
    if finding.level == INFO and not fails:
        return
    place = "" if finding.x is None or finding.y is None else f", at ({finding.x:g}, {finding.y:g})"
    found = _TEXT_LINE.match(finding.message) if text else None
    whole = f"{name}: " if name else ""
    source.problem(
        f"{whole}{finding.message}{place} [{finding.id}]",
        line=int(found[1]) if found else 0,
        hint=_HINTS.get(finding.id, ""),
        warning=not fails,
    )
