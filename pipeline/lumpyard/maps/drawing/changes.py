"""Differences to another map, laid over a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.drawing.loops import join
from lumpyard.maps.drawing.options import CHANGES
from lumpyard.maps.drawing.plan import is_near, margin
from lumpyard.maps.drawing.shapes import Area, Strokes, Symbols

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.drawing.options import Mark
    from lumpyard.maps.drawing.plan import Plan
    from lumpyard.maps.drawing.shapes import Shape
    from lumpyard.maps.drawing.sizes import Sizes


def mark_shapes(plan: Plan, marks: Sequence[Mark], sizes: Sizes) -> Iterator[Shape]:
    """Differences, over a veil that makes the rest pale: sectors, then lines, then things."""
    box, more = plan.box, margin(plan.box) * 2  # things may be drawn as far out, and lines have a width
    west, south, east, north = box.west - more, box.south - more, box.east + more, box.north + more
    veil = [(west, south), (west, north), (east, north), (east, south)]
    yield Area("diff", "veil", [veil], 55)
    width = 2.6 * sizes.line
    for change, found in _by_change(marks, "sector"):
        edges = [
            (mark.points[at], mark.points[at + 1])
            for mark in found
            for at in range(0, len(mark.points) - 1, 2)
        ]
        yield Area("diff", change, join(edges), 30)
        yield Strokes("diff", change, round(width / 2, 2), [(*start, *end) for start, end in edges])
    for change, found in _by_change(marks, "line"):
        before = [(*mark.points[0], *mark.points[1]) for mark in found if len(mark.points) > 2]
        if before:  # where lines were that moved
            yield Strokes("diff", change, round(width / 2, 2), before)
        ends = [(*mark.points[-2], *mark.points[-1]) for mark in found if len(mark.points) > 1]
        yield Strokes("diff", change, round(width * 3, 2), ends, 30)
        yield Strokes("diff", change, round(width, 2), ends)
    for change, found in _by_change(marks, "thing"):
        ways = [(*mark.points[0], *mark.points[-1]) for mark in found if len(mark.points) > 1]
        if ways:
            yield Strokes("diff", change, round(width / 2, 2), ways)
            yield Symbols("diff", change, "ring", round(sizes.symbol, 2), [(x, y, 0) for x, y, _, _ in ways])
        places = [(*mark.points[-1], 0) for mark in found]
        yield Symbols("diff", change, "target", round(sizes.symbol * 1.5, 2), places)


def _by_change(marks: Sequence[Mark], shape: str) -> Iterator[tuple[str, list[Mark]]]:
    for change in CHANGES:
        found = [mark for mark in marks if mark.change == change and mark.shape == shape and _is_near(mark)]
        if found:
            yield change, found


def _is_near(mark: Mark) -> bool:
    return bool(mark.points) and all(is_near(x) and is_near(y) for x, y in mark.points)
