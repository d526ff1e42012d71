"""What is wrong or odd in maps, for people, for CI and for programs.

```
MAP20: Doom format, 2,905 lines, 476 sectors, vanilla nodes: 1 error, 2 infos
  error: line 1647 crosses line 1595; lines may only meet at vertices, at (2872, -192) [lines-crossing]
```
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lumpyard.console.escape import escape_name
from lumpyard.console.sizes import count_text
from lumpyard.errors import Place, Problem
from lumpyard.maps.checks.catalogue import BY_ID
from lumpyard.maps.problems import ERROR, INFO, LEVELS, WARNING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.problems import MapFinding

STYLES = {ERROR: "red", WARNING: "yellow", INFO: "dim"}
_FORMATS = {
    "doom": "Doom",
    "hexen": "Hexen",
    "udmf": "UDMF",
    "playstation": "PlayStation",
    "doom64": "Doom 64",
}
_TEXT_LINE = re.compile(r"TEXTMAP line ([0-9]+): ")


class FindingProblem(Problem):
    """A finding of a map's check as a problem of the file: its code is the check's id, which has a level of its own."""

    @property
    def is_error(self) -> bool:
        """Whether engines may not run the map."""
        return self.level == ERROR

    @property
    def level(self) -> str:
        """That of the check."""
        return BY_ID[self.code].level


def at_least(level: str, findings: Iterable[MapFinding]) -> list[MapFinding]:
    """The findings of a level and of those above it."""
    wanted = LEVELS[: LEVELS.index(level) + 1]
    return [finding for finding in findings if finding.level in wanted]


def finding_text(finding: MapFinding) -> str:
    """A finding with its place and id, as one line; names in it are not escaped yet."""
    place = "" if finding.x is None or finding.y is None else f", at ({finding.x:g}, {finding.y:g})"
    return f"{finding.message}{place} [{finding.id}]"


def finding_problem(path: str, level: DoomMap, finding: MapFinding, *, text: bool = False) -> FindingProblem:
    """A finding as a problem of the file at a path; `text` where that is the map's own TEXTMAP."""
    found = _TEXT_LINE.match(finding.message) if text else None
    place = Place(path, int(found[1]) if found and len(found[1]) < 10 else 0)
    where = "" if finding.x is None or finding.y is None else f", at ({finding.x:g}, {finding.y:g})"
    return FindingProblem(place, finding.id, f"{level.name}: {finding.message}{where}")


def finding_data(finding: MapFinding) -> dict[str, Any]:
    """A finding as plain data."""
    return finding._asdict()


def map_heading(level: DoomMap, findings: Sequence[MapFinding]) -> str:
    """What a map is, and how much was found in it."""
    nodes = "no nodes" if level.nodes == "none" else f"{level.nodes} nodes"
    gl = "" if level.gl_nodes == "none" else f", GL nodes {level.gl_nodes}"
    return (
        f"{escape_name(level.name)}: {_FORMATS[level.format]} format, {count_text(len(level.lines), 'line')}, "
        f"{count_text(len(level.sectors), 'sector')}, {nodes}{gl}: {count_levels(findings)}"
    )


def count_levels(findings: Iterable[MapFinding]) -> str:
    """How many there are of each level: "1 error, 2 infos"; "nothing found" of none."""
    levels = [finding.level for finding in findings]
    words = [count_text(many, level) for level in LEVELS if (many := levels.count(level))]
    return ", ".join(words) or "nothing found"


def map_data(path: str, level: DoomMap, findings: Sequence[MapFinding], fingerprint: str) -> dict[str, Any]:
    """A map and its findings as plain data for JSON; `path` is where it is in an archive of another kind than a WAD."""
    return {
        "map": level.name,
        **({"path": path} if path else {}),
        "format": level.format,
        **({"namespace": level.namespace} if level.format == "udmf" else {}),
        "nodes": level.nodes,
        "gl_nodes": level.gl_nodes,
        "fingerprint": fingerprint,
        "findings": list(map(finding_data, findings)),
    }


def finding_lines(findings: Iterable[MapFinding]) -> Iterator[tuple[str, str]]:
    """Level and line of each finding, safe to print."""
    for finding in findings:
        yield finding.level, f"  {finding.level}: {escape_name(finding_text(finding))}"
