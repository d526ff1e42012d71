"""REJECT and BLOCKMAP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.blockmap_check import check_blockmap
from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.checks.survey import FAR
from lumpyard.maps.model import UDMF
from lumpyard.maps.reject_check import hidden_neighbours

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.problems import MapFinding


def check(survey: Survey) -> Iterator[MapFinding]:
    """The length of REJECT, then all of BLOCKMAP; UDMF has neither."""
    if survey.level.format == UDMF:
        return
    yield from _reject(survey)
    if all(-FAR < point.x < FAR and -FAR < point.y < FAR for point in survey.level.vertices):
        for finding in check_blockmap(survey.level):
            place = None if finding.x is None or finding.y is None else (finding.x, finding.y)
            yield found(finding.id, finding.message, finding.kind, finding.number, place)


def _reject(survey: Survey) -> Iterator[MapFinding]:
    level = survey.level
    if level.nodes == "none" and "REJECT" not in level.lumps:
        return  # a map that was never built
    sectors = len(level.sectors)
    need, have = (sectors * sectors + 7) // 8, len(level.lumps.get("REJECT", b""))
    if have < need:
        message = (
            f"REJECT has {have} bytes, {sectors} sectors need {need}; ports fill up with zeros, the first "
            "engines read what lies behind it in memory, or crash"
        )
        yield found("reject-size", message, "lump")
    elif have > need:
        yield found("reject-long", f"REJECT has {have} bytes, {sectors} sectors need {need}", "lump")
    if have >= need:
        yield from _hiding(survey)


def _hiding(survey: Survey) -> Iterator[MapFinding]:
    level = survey.level
    hidden = hidden_neighbours(level)
    if not hidden.pairs:
        return
    one, other, line = hidden.one, hidden.other, hidden.line
    whom = f"sector {one} from itself" if one == other else f"sectors {one} and {other} from each other"
    message = (
        f"REJECT hides {whom}, though line {line} is open{hidden.more}; "
        "either it was made for another map, or monsters are to be blind there"
    )
    ends = survey.ends[line]
    yield found("reject-hides", message, "line", line, ends[:2] if ends else None)
