"""Numbers of vertices, sides and sectors that lead nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found

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
        for vertex in (line.v1, line.v2):
            if not 0 <= vertex < vertices:
                message = f"line {number} is of vertex {vertex}; there are {vertices}"
                yield found("line-vertex", message, "line", number, survey.line_place(number))
        for name, side in (("front", line.front), ("back", line.back)):
            if side is not None and not 0 <= side < sides:
                message = f"the {name} side of line {number} is side {side}; there are {sides}"
                yield found("line-side", message, "line", number, survey.line_place(number))
        if line.front is None:
            id_, text = (
                ("line-no-sides", "no sides") if line.back is None else ("line-no-front", "no front side")
            )
            message = f"line {number} has {text}; every line needs one in front"
            yield found(id_, message, "line", number, survey.line_place(number))


def _sides(survey: Survey) -> Iterator[MapFinding]:
    sectors = len(survey.level.sectors)
    bad = [number for number, side in enumerate(survey.level.sides) if not 0 <= side.sector < sectors]
    if not bad:
        return
    lines = {side: at for at, line in enumerate(survey.level.lines) for side in (line.front, line.back)}
    for number in bad:
        line = lines.get(number)
        of = "no line" if line is None else f"line {line}"
        message = (
            f"side {number}, of {of}, faces sector {survey.level.sides[number].sector}; there are {sectors}"
        )
        place = None if line is None else survey.line_place(line)
        yield found("side-sector", message, "side", number, place)


def _shared(survey: Survey) -> Iterator[MapFinding]:
    """One finding for the whole map: some builders pack sides on purpose."""
    users: dict[int, int] = {}
    for line in survey.level.lines:
        for side in (line.front, line.back):
            if side is not None:
                users[side] = users.get(side, 0) + 1
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
