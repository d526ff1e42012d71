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
from lumpyard.maps.checks.ignoring import Ignoring
from lumpyard.maps.checks.survey import Survey
from lumpyard.maps.model import DOOM64, PLAYSTATION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.maps.checks.context import CheckContext
    from lumpyard.maps.finding import MapPlace
    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.problems import MapFinding

SHOWN = 25  # findings of one id; a map without its SECTORS has as many as it has sides
_RANK = {id_: rank for rank, id_ in enumerate(IDS)}
_MODULES = (
    *(structure, references, geometry, touching, walls, things, specials, keys, teleports, exits),
    *(nodes, lumps, limits, recorded),
)


def check_map(
    level: DoomMap,
    context: CheckContext,
    more: Iterable[MapFinding] = (),
    ignoring: Ignoring | None = None,
    *,
    built: bool = False,
) -> list[MapFinding]:
    """What is wrong or odd in a map: in the order of the catalogue, then of the objects' numbers.

    Of one id at most `SHOWN` are told, and one more says how many there are beyond. `more` is what others found, and
    what the map's build had to tell, if it was `built`. What `context.ignores` names is left out; an ignore that fits
    nothing is a finding. Where several maps of a file are checked, all are given one `ignoring`, which in the end says
    what fitted in none of them.
    """
    findings = sorted([*all_findings(level, context), *more], key=_order)
    of_file = ignoring or Ignoring(context.ignores)
    kept = of_file.left(findings, level.name, built=built)
    return [*_at_most(kept), *(of_file.unused() if ignoring is None else ())]


def all_findings(level: DoomMap, context: CheckContext) -> list[MapFinding]:
    """The same without an end, and with what is to be ignored."""
    survey = Survey(level, context)
    modules = (structure,) if level.format in {PLAYSTATION, DOOM64} else _MODULES
    findings = (
        finding
        for module in modules
        for finding in module.check(survey)
        if context.target in BY_ID[finding.id].targets
    )
    return sorted(findings, key=_order)


def _order(finding: MapFinding) -> tuple[int, int]:
    return _RANK[finding.id], -1 if finding.number is None else finding.number


def check_names(places: Iterable[MapPlace | None]) -> list[list[MapFinding]]:
    """For each map of an archive what is wrong with its name: maps of one name are one to engines, which take the last.

    Of a map without a place in the archive itself, nothing.
    """
    seen: dict[str, int] = {}
    findings: list[list[MapFinding]] = []
    for place in places:
        findings.append([])
        if place is None:
            continue
        name = place.name.upper()
        if name in seen:
            message = (
                f"two maps have this name, in entries {seen[name]} and {place.marker}; engines take the last"
            )
            findings[-1].append(found("map-repeated", message))
        seen[name] = place.marker
    return findings


def _at_most(findings: Sequence[MapFinding]) -> Iterator[MapFinding]:
    told: dict[str, int] = {}
    for finding in findings:
        told[finding.id] = told.get(finding.id, 0) + 1
        if told[finding.id] <= SHOWN:
            yield finding
    for id_, many in told.items():
        if many > SHOWN:
            yield found(id_, f"{many - SHOWN} more of {id_} are not listed one by one")
