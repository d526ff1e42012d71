"""Where plan, legend and notes are in a picture, so that the plan is as large as can be."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.drawing.legend import LINE_HEIGHT, entry_width
from lumpyard.maps.drawing.sizes import sizes_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.maps.drawing.legend import Entry
    from lumpyard.maps.drawing.plan import Box

EDGE = 1.4  # around everything, in sizes of text
_TITLE_ROOM = 5.4
_MAX_SCALE = 4.0  # pixels a map unit; larger, a closet would look like a hall
_LEAST_ROOM = 32  # pixels for the plan, even if the legend leaves none


class Places(NamedTuple):
    """A layout: pixels from the top left."""

    scale: float
    width: float
    height: float
    plan: tuple[float, float]  # its top left corner
    legend: tuple[float, float]
    column: float  # width of a column of the legend
    rows: int


def places_of(box: Box, size: int, entries: Sequence[Entry], notes: int, title: float) -> Places:
    """The legend on the right or below, whichever leaves more room to the plan."""
    text = sizes_at(1, size).text
    edge, row = EDGE * text, LINE_HEIGHT * text
    wide, high = box.east - box.west, box.north - box.south
    top, below = _TITLE_ROOM * text if title else edge, edge + notes * row
    room = size - 2 * edge, size - top - below
    if not entries:
        scale = _fitting(room, wide, high)
        width = min(max(wide * scale, title) + 2 * edge, size)
        return Places(
            scale, width, top + high * scale + below, ((width - wide * scale) / 2, top), (0, 0), 1, 1
        )
    column = max(entry_width(entry, text) for entry in entries) + 1.6 * text

    columns = ceil(len(entries) * row / max(room[1], row))
    beside = columns * column
    scale_beside = _fitting((room[0] - beside, room[1]), wide, high)
    across = max(int((room[0] + 1.6 * text) // column), 1)
    rows = ceil(len(entries) / across)
    scale_under = _fitting((room[0], room[1] - edge - rows * row), wide, high)

    if scale_beside >= scale_under:
        rows = ceil(len(entries) / columns)
        width = min(2 * edge + max(wide * scale_beside + beside, title), size)
        height = top + max(high * scale_beside, rows * row) + below
        legend = (edge + wide * scale_beside + 1.6 * text, top)
        return Places(scale_beside, width, height, (edge, top), legend, column, rows)
    height = top + high * scale_under + edge + rows * row + below
    left = (size - wide * scale_under) / 2
    return Places(scale_under, size, height, (left, top), (edge, height - below - rows * row), column, rows)


def _fitting(room: tuple[float, float], wide: float, high: float) -> float:
    """The scale at which a plan fits into some room, where there is any."""
    return min(max(room[0], _LEAST_ROOM) / wide, max(room[1], _LEAST_ROOM) / high, _MAX_SCALE)
