"""Numbers of vertices, sides and sectors that lead nowhere."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found
from lumpyard.maps.udmf import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.problems import MapFinding


def check(survey: Survey) -> Iterator[MapFinding]:
    """Lines, then sides."""
    yield from _lines(survey)
    yield from _sides(survey)
    yield from _shared(survey)


def _lines(survey: Survey) -> Iterator[MapFinding]:
    vertices, sides = len(survey.level.vertices), len(survey.level.sides)
    for number, line in enumerate(survey.level.lines):
        v1, v2, front, back = line.v1, line.v2, line.front, line.back
        sound = 0 <= v1 < vertices and 0 <= v2 < vertices and front is not None and 0 <= front < sides
        if not sound or (back is not None and not 0 <= back < sides):
            yield from _line(survey, number)


def _line(survey: Survey, number: int) -> Iterator[MapFinding]:
    """What is wrong with a line with which something is."""
    vertices, sides = len(survey.level.vertices), len(survey.level.sides)
    line, place = survey.level.lines[number], survey.line_place(number)
    for end, vertex in (("starts", line.v1), ("ends", line.v2)):
        if not 0 <= vertex < vertices:
            which = "no vertex" if vertex == NOWHERE else f"vertex {vertex}"
            message = f"line {number} {end} at {which}; {_there(vertices, 'vertices')}"
            yield found("line-vertex", message, "line", number, place)
    for name, side in (("front", line.front), ("back", line.back)):
        if side is not None and not 0 <= side < sides:
            message = f"the {name} side of line {number} is side {side}; {_there(sides, 'sides')}"
            yield found("line-side", message, "line", number, place)
    if line.front is None:
        none, text = (
            ("line-no-sides", "no sides") if line.back is None else ("line-no-front", "no front side")
        )
        yield found(none, f"line {number} has {text}; every line needs one in front", "line", number, place)


def _sides(survey: Survey) -> Iterator[MapFinding]:
    sectors = len(survey.level.sectors)
    bad = [number for number, side in enumerate(survey.level.sides) if not 0 <= side.sector < sectors]
    if not bad:
        return
    lines = {side: at for at, line in enumerate(survey.level.lines) for side in (line.front, line.back)}
    for number in bad:
        line = lines.get(number)
        of = "no line" if line is None else f"line {line}"
        sector = survey.level.sides[number].sector
        which = "no sector" if sector == NOWHERE else f"sector {sector}"
        message = f"side {number}, of {of}, faces {which}; {_there(sectors, 'sectors')}"
        place = None if line is None else survey.line_place(line)
        yield found("side-sector", message, "side", number, place)


def _there(many: int, what: str) -> str:
    """Which numbers there are."""
    return f"{what} are 0 to {many - 1}" if many else f"there are no {what}"


def _shared(survey: Survey) -> Iterator[MapFinding]:
    """One finding for the whole map: some builders pack sides on purpose."""
    lines = survey.level.lines
    faces = [line.front for line in lines if line.front is not None]
    faces += [line.back for line in lines if line.back is not None]
    if len(set(faces)) == len(faces):
        return
    users = Counter(faces)
    shared = sorted(side for side, many in users.items() if many > 1 and survey.side(side))
    if shared:
        first = shared[0]
        line_number = next(
            at for at, line in enumerate(survey.level.lines) if first in (line.front, line.back)
        )
        message = (
            f"{len(shared)} of {len(survey.level.sides)} sides are used more than once, "
            f"first side {first} {users[first]} times; to edit one edits the others"
        )
        yield found("side-shared", message, "side", first, survey.line_place(line_number))
