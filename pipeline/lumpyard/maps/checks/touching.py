"""Lines that cross, lie on each other, or end on one another.

Only lines in the same square of the grid are compared, and whole numbers exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.checks.catalogue import found

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.checks.survey import Survey
    from lumpyard.maps.grid import Ends
    from lumpyard.maps.model import Number
    from lumpyard.maps.problems import MapFinding

MAX_PAIRS = 1_000_000  # of lines that are compared; the largest map of Freedoom has 140,000
CROSSING, OVERLAPPING, FIRST_ON_SECOND, SECOND_ON_FIRST = range(4)


# a line's number, its ends, and the box round it: left, right, low, high
_Boxed = tuple[int, "Number", "Number", "Number", "Number", "Number", "Number", "Number", "Number"]


def check(survey: Survey) -> Iterator[MapFinding]:
    """Each pair of lines that touch in another way than by sharing an end."""
    told: set[tuple[int, int]] = set()
    pairs = 0
    boxed = _boxed(survey.long_ends)
    for squares in survey.grid.rows.values():
        for numbers in squares.values():
            pairs += len(numbers) * (len(numbers) - 1) // 2
            if pairs > MAX_PAIRS:
                message = f"lines are too crowded: after {MAX_PAIRS} pairs no more are looked at for lines that cross"
                yield found("map-crowded", message)
                return
            if len(numbers) > 1:
                for first, second, contact in _contacts([boxed[number] for number in numbers]):
                    if (first, second) not in told:
                        told.add((first, second))
                        yield _finding(survey, first, second, contact)


def _boxed(lines: Sequence[Ends | None]) -> list[_Boxed]:
    """Every line with its box; those without ends are in no square."""
    boxed: list[_Boxed] = []
    for number, ends in enumerate(lines):
        x1, y1, x2, y2 = ends or (0, 0, 0, 0)
        if x1 < x2:
            box = (
                (number, x1, y1, x2, y2, x1, x2, y1, y2)
                if y1 < y2
                else (number, x1, y1, x2, y2, x1, x2, y2, y1)
            )
        else:
            box = (
                (number, x1, y1, x2, y2, x2, x1, y1, y2)
                if y1 < y2
                else (number, x1, y1, x2, y2, x2, x1, y2, y1)
            )
        boxed.append(box)
    return boxed


def _contacts(lines: Sequence[_Boxed]) -> Iterator[tuple[int, int, int]]:
    """Pairs of lines of one square with their contact; the lower number first."""
    for at, (number, x1, y1, x2, y2, left, right, low, high) in enumerate(lines):
        dx, dy = x2 - x1, y2 - y1
        for first, fx1, fy1, fx2, fy2, fleft, fright, flow, fhigh in lines[:at]:
            if fleft > right or left > fright or flow > high or low > fhigh:
                continue
            side1 = dx * (fy1 - y1) - dy * (fx1 - x1)
            side2 = dx * (fy2 - y1) - dy * (fx2 - x1)
            if (side1 > 0 and side2 > 0) or (side1 < 0 and side2 < 0):
                continue
            # most pairs share an end and go different ways
            if side1 == 0 != side2 and ((fx1 == x1 and fy1 == y1) or (fx1 == x2 and fy1 == y2)):
                continue
            if side2 == 0 != side1 and ((fx2 == x1 and fy2 == y1) or (fx2 == x2 and fy2 == y2)):
                continue
            contact = contact_of(fx1, fy1, fx2, fy2, x1, y1, x2, y2)
            if contact is not None:
                yield first, number, contact


def contact_of(
    ax1: Number, ay1: Number, ax2: Number, ay2: Number, bx1: Number, by1: Number, bx2: Number, by2: Number
) -> int | None:
    """How two lines touch whose boxes do; None when they don't, or only share ends."""
    dx, dy = ax2 - ax1, ay2 - ay1
    side1 = dx * (by1 - ay1) - dy * (bx1 - ax1)
    side2 = dx * (by2 - ay1) - dy * (bx2 - ax1)
    if (side1 > 0 and side2 > 0) or (side1 < 0 and side2 < 0):
        return None
    if side1 == 0 and side2 == 0:
        return _along(ax1, ay1, ax2, ay2, bx1, by1, bx2, by2)
    ex, ey = bx2 - bx1, by2 - by1
    side3 = ex * (ay1 - by1) - ey * (ax1 - bx1)
    side4 = ex * (ay2 - by1) - ey * (ax2 - bx1)
    if (side3 > 0 and side4 > 0) or (side3 < 0 and side4 < 0):
        return None
    on_first = side1 == 0 or side2 == 0  # an end of the second is on the first
    on_second = side3 == 0 or side4 == 0
    if on_first and on_second:
        return None  # a shared end
    if on_first:
        return SECOND_ON_FIRST
    return FIRST_ON_SECOND if on_second else CROSSING


def _along(
    ax1: Number, ay1: Number, ax2: Number, ay2: Number, bx1: Number, by1: Number, bx2: Number, by2: Number
) -> int | None:
    """Of two lines in one direction: whether they have more than a point in common."""
    if ax1 == ax2:
        ax1, ax2, bx1, bx2 = ay1, ay2, by1, by2
    low = max(min(ax1, ax2), min(bx1, bx2))
    high = min(max(ax1, ax2), max(bx1, bx2))
    return OVERLAPPING if low < high else None


def _finding(survey: Survey, first: int, second: int, contact: int) -> MapFinding:
    if contact == CROSSING:
        message = f"line {second} crosses line {first}; lines may only meet at vertices"
        return found("lines-crossing", message, "line", second, survey.line_place(second))
    if contact == OVERLAPPING:
        message = f"line {second} lies on line {first}, in whole or in part"
        return found("lines-overlapping", message, "line", second, survey.line_place(second))
    ending, other = (first, second) if contact == FIRST_ON_SECOND else (second, first)
    message = f"line {ending} ends on line {other}, which has no vertex there"
    return found("vertex-on-line", message, "line", ending, survey.line_place(ending))
