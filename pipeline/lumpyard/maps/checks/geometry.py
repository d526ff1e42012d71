"""Lines, vertices and sectors that are no plan of a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.model import Number, Vertex
    from lumpyard.maps.problems import MapFinding

BLOCKING, TWO_SIDED = 1, 4  # flags of lines, the same in all formats


def check(survey: Survey) -> Iterator[MapFinding]:
    """Lines alone, then vertices, then sectors."""
    yield from _lines(survey)
    yield from _vertices(survey)
    yield from _unclosed(survey)
    yield from _ceilings(survey)


def _lines(survey: Survey) -> Iterator[MapFinding]:
    not_blocking: list[int] = []
    for number, line in enumerate(survey.level.lines):
        ends = survey.ends[number]
        if ends and survey.long_ends[number] is None:
            message = f"line {number} starts and ends in one point; it has no length"
            yield found("line-zero-length", message, "line", number, (ends.x1, ends.y1))
        if line.back is None:
            if line.flags & TWO_SIDED:
                message = f"line {number} is flagged as two-sided, but has no back side"
                yield found("line-two-sided-flag", message, "line", number, survey.line_place(number))
            if line.front is not None and not line.flags & BLOCKING:
                not_blocking.append(number)
    if not_blocking:
        first = not_blocking[0]
        message = (
            f"{len(not_blocking)} one-sided lines are not flagged as blocking, first line {first}; "
            "they block all the same, but not in all editors"
        )
        yield found("line-not-blocking", message, "line", first, survey.line_place(first))


def _vertices(survey: Survey) -> Iterator[MapFinding]:
    level = survey.level
    used = {line.v1 for line in level.lines} | {line.v2 for line in level.lines}
    there = [number for number in used if 0 <= number < len(level.vertices)]
    if len({level.vertices[number] for number in there}) < len(there):
        yield from _duplicates(survey, sorted(there))
    if len(used) < len(level.vertices):
        # node builders put the vertices where they cut lines behind the map's own
        used.update([seg.v1 for seg in survey.tree.segs], [seg.v2 for seg in survey.tree.segs])
        for number, point in enumerate(level.vertices):
            if number not in used:
                message = f"vertex {number} is of no line"
                yield found("vertex-unused", message, "vertex", number, (point.x, point.y))


def _duplicates(survey: Survey, numbers: Sequence[int]) -> Iterator[MapFinding]:
    at: dict[Vertex, int] = {}
    for number in numbers:
        point = survey.level.vertices[number]
        first = at.setdefault(point, number)
        if first != number:
            message = f"vertex {number} is where vertex {first} is"
            yield found("vertex-duplicate", message, "vertex", number, (point.x, point.y))


def _unclosed(survey: Survey) -> Iterator[MapFinding]:
    """Sectors with a point where not as many edges end as start, seen with the sector on their right.

    Every point has a weight, so the starts of a closed sector's edges weigh what their ends do. Points are counted only
    in sectors where they don't; that the weights of a gap's ends are the same is as likely as a hash's collision.
    """
    at: dict[tuple[Number, Number], int] = {}
    weights = [at.setdefault(point, _weight(len(at))) for point in survey.level.vertices]
    sums = [0] * len(survey.level.sectors)
    for line, front, back, ends in zip(
        survey.level.lines, survey.fronts, survey.backs, survey.ends, strict=True
    ):
        if front == back or ends is None:
            continue
        turn = weights[line.v1] - weights[line.v2]
        if front is not None:
            sums[front] += turn
        if back is not None:
            sums[back] -= turn
    for sector, total in enumerate(sums):
        open_at = _gaps(survey, sector) if total else ()
        if open_at:
            (x, y), more = open_at[0], len(open_at) - 1
            others = f" (and {more} more)" if more else ""
            message = f"sector {sector} is not closed: its lines leave a gap{others}"
            yield found("sector-unclosed", message, "sector", sector, (x, y))


def _weight(number: int) -> int:
    """A 61-bit number that looks like a random one."""
    mixed = (number + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    return (mixed ^ mixed >> 29) * 0x1D8E4E27C47D124F % ((1 << 61) - 1)


def _gaps(survey: Survey, sector: int) -> list[tuple[Number, Number]]:
    balance: dict[tuple[Number, Number], int] = {}
    for number in survey.edges.get(sector, ()):
        ends, front, back = survey.ends[number], survey.fronts[number], survey.backs[number]
        if ends is not None and front != back:
            turn = 1 if front == sector else -1
            balance[ends[:2]] = balance.get(ends[:2], 0) + turn
            balance[ends[2:]] = balance.get(ends[2:], 0) - turn
    return sorted(point for point, turn in balance.items() if turn)


def _ceilings(survey: Survey) -> Iterator[MapFinding]:
    for number, sector in enumerate(survey.level.sectors):
        if sector.ceiling_height < sector.floor_height:
            message = (
                f"the ceiling of sector {number} is at {sector.ceiling_height}, "
                f"under its floor at {sector.floor_height}"
            )
            yield found("sector-ceiling-low", message, "sector", number, survey.sector_place(number))
