"""What differs between two maps as marks for a picture of the new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps import contents
from lumpyard.maps.drawing.options import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.diff import MapDiff, Point
    from lumpyard.maps.model import DoomMap


def diff_marks(diff: MapDiff, old: DoomMap, new: DoomMap) -> list[Mark]:
    """Marks of sectors, then lines, then things; a line of which only a side changed is a changed line."""
    return [*_sectors(diff, old, new), *_lines(diff, old, new), *_things(diff, old, new)]


def _sectors(diff: MapDiff, old: DoomMap, new: DoomMap) -> Iterator[Mark]:
    kinds = (
        ("removed", old, diff.sectors.removed),
        ("added", new, diff.sectors.added),
        ("changed", new, tuple(each.new for each in diff.sectors.changed)),
    )
    for change, level, numbers in kinds:
        around = _around(level, frozenset(numbers))
        for number in numbers:
            if around[number]:
                yield Mark(change, "sector", tuple(around[number]))


def _around(level: DoomMap, sectors: frozenset[int]) -> dict[int, list[Point]]:
    """The ends of the lines around sectors, two and two, with the sector on the right; a line inside is none."""
    found: dict[int, list[Point]] = {number: [] for number in sectors}
    for number, line in enumerate(level.lines):
        faced = [contents.side(level, each) for each in (line.front, line.back)]
        start, end = contents.ends(level, number)
        if start is None or end is None:
            continue
        front, back = (side.sector if side else None for side in faced)
        if front == back:
            continue
        if front in sectors:
            found[front] += [start, end]
        if back in sectors:
            found[back] += [end, start]
    return found


def _lines(diff: MapDiff, old: DoomMap, new: DoomMap) -> Iterator[Mark]:
    touched = {side.new_line for side in diff.sides} | {each.new for each in diff.lines.changed}
    moved = sorted(diff.lines.moved, key=lambda each: each.new)
    kinds = (
        ("removed", old, diff.lines.removed),
        ("added", new, diff.lines.added),
        ("changed", new, tuple(sorted(touched - {each.new for each in moved}))),
    )
    for change, level, numbers in kinds:
        for number in numbers:
            start, end = contents.ends(level, number)
            if start is not None and end is not None:
                yield Mark(change, "line", (start, end))
    for each in moved:
        before, after = contents.ends(old, each.old), contents.ends(new, each.new)
        points = tuple(point for point in (*before, *after) if point is not None)
        if len(points) == 4:
            yield Mark("moved", "line", points)


def _things(diff: MapDiff, old: DoomMap, new: DoomMap) -> Iterator[Mark]:
    def place(level: DoomMap, number: int) -> Point:
        return level.things[number].x, level.things[number].y

    for number in diff.things.removed:
        yield Mark("removed", "thing", (place(old, number),))
    for number in diff.things.added:
        yield Mark("added", "thing", (place(new, number),))
    for each in diff.things.moved:
        yield Mark("moved", "thing", (place(old, each.old), place(new, each.new)))
    for each in diff.things.changed:
        yield Mark("changed", "thing", (place(new, each.new),))
