"""All checks, one after the other; what is to be ignored is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks import (
    exits,
    geometry,
    keys,
    limits,
    lumps,
    nodes,
    recorded,
    references,
    specials,
    structure,
    teleports,
    things,
    touching,
    walls,
)
from lumpyard.maps.checks.catalogue import BY_ID, IDS, found
from lumpyard.maps.checks.survey import Survey
from lumpyard.maps.model import DOOM64, PLAYSTATION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.checks.context import CheckContext, Ignore
    from lumpyard.maps.finding import MapPlace
    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.problems import MapFinding

SHOWN = 25  # findings of one id; a map without its SECTORS has as many as it has sides
_RANK = {id_: rank for rank, id_ in enumerate(IDS)}
_MODULES = (
    *(structure, references, geometry, touching, walls, things, specials, keys, teleports, exits),
    *(nodes, lumps, limits, recorded),
)


def check_map(level: DoomMap, context: CheckContext) -> list[MapFinding]:
    """What is wrong or odd in a map: in the order of the catalogue, then of the objects' numbers.

    Of one id at most `SHOWN` are told, and one more says how many there are beyond. What `context.ignores` names is
    left out; an ignore for this map that fits nothing is a finding.
    """
    findings = all_findings(level, context)
    kept, unused = _without_ignored(findings, [one for one in context.ignores if one.map in {"", level.name}])
    return [*_at_most(kept), *unused]


def all_findings(level: DoomMap, context: CheckContext) -> list[MapFinding]:
    """The same without an end, and with what is to be ignored."""
    survey = Survey(level, context)
    modules = (structure,) if level.format in {PLAYSTATION, DOOM64} else _MODULES
    findings = [
        finding
        for module in modules
        for finding in module.check(survey)
        if context.target in BY_ID[finding.id].targets
    ]
    findings.sort(key=lambda finding: (_RANK[finding.id], -1 if finding.number is None else finding.number))
    return findings


def check_names(places: Sequence[MapPlace]) -> list[MapFinding]:
    """Maps of one archive that have one name: engines take the last."""
    seen: dict[str, int] = {}
    findings: list[MapFinding] = []
    for place in places:
        name = place.name.upper()
        if name in seen:
            message = (
                f"{name} is there twice, in entries {seen[name]} and {place.marker}; engines take the last"
            )
            findings.append(found("map-repeated", message))
        seen[name] = place.marker
    return findings


def _without_ignored(
    findings: Sequence[MapFinding], ignores: Sequence[Ignore]
) -> tuple[list[MapFinding], list[MapFinding]]:
    used = [False] * len(ignores)
    kept: list[MapFinding] = []
    for finding in findings:
        wanted = True
        for at, ignore in enumerate(ignores):
            if finding.id == ignore.id and _is_there(finding, ignore):
                used[at], wanted = True, False
        if wanted:
            kept.append(finding)
    unused = [_unused(ignore) for ignore, was in zip(ignores, used, strict=True) if not was]
    return kept, unused


def _is_there(finding: MapFinding, ignore: Ignore) -> bool:
    if ignore.x is None and ignore.y is None:
        return True
    return (finding.x, finding.y) == (ignore.x, ignore.y)


def _unused(ignore: Ignore) -> MapFinding:
    place = "" if ignore.x is None and ignore.y is None else f" at ({ignore.x}, {ignore.y})"
    known = "" if ignore.id in BY_ID else "; there is no check of that name"
    message = f"nothing to ignore: no {ignore.id} is found{place} ({ignore.why}){known}"
    x, y = ignore.x, ignore.y
    return found("ignore-unused", message, place=None if x is None or y is None else (x, y))


def _at_most(findings: Sequence[MapFinding]) -> Iterator[MapFinding]:
    told: dict[str, int] = {}
    for finding in findings:
        told[finding.id] = told.get(finding.id, 0) + 1
        if told[finding.id] <= SHOWN:
            yield finding
    for id_, many in told.items():
        if many > SHOWN:
            yield found(id_, f"{many - SHOWN} more of {id_} are not listed one by one")
