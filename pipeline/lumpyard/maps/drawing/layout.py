"""Where plan, title, legend and notes are in a picture, so that the plan is as large as can be."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.drawing.font import text_width
from lumpyard.maps.drawing.kinds import is_secret
from lumpyard.maps.drawing.layers import content_of, draw_content, sizes_at
from lumpyard.maps.drawing.legend import LINE_HEIGHT, draw_entry, entries_of, entry_width
from lumpyard.maps.drawing.plan import counted, plan_of
from lumpyard.maps.drawing.shapes import Label, Picture, View
from lumpyard.maps.drawing.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.drawing.kinds import Rules
    from lumpyard.maps.drawing.legend import Entry
    from lumpyard.maps.drawing.options import DrawOptions
    from lumpyard.maps.drawing.plan import Box
    from lumpyard.maps.drawing.shapes import Shape
    from lumpyard.maps.model import DoomMap

_FORMATS = {"doom": "Doom format", "hexen": "Hexen format", "udmf": "UDMF"}
_TITLE = 1.7  # size of the title, in sizes of text


class _Places(NamedTuple):
    """A layout: pixels from the top left."""

    scale: float
    width: float
    height: float
    plan: tuple[float, float]  # its top left corner
    legend: tuple[float, float]
    column: float  # width of a column of the legend
    rows: int


def picture_of(level: DoomMap, options: DrawOptions) -> Picture:
    """A map as a picture, whoever draws it."""
    plan = plan_of(level, (point for mark in options.marks for point in mark.points))
    content = content_of(level, plan, options)
    name = shown(options.title if options.title is not None else level.name) or "map"
    description = _description(level, content.rules, plan.box)
    entries = entries_of(level, content, options) if "legend" in options.layers else []
    notes = content.notes if "legend" in options.layers else ()
    title = "title" in options.layers
    places = _places(
        plan.box,
        options.size,
        entries,
        len(notes),
        _title_width(name, description, options.size) if title else 0,
    )
    sizes = sizes_at(places.scale, options.size)
    frame: list[Shape] = []
    if title:
        frame += _title(name, description, places.width, sizes.text)
    for number, entry in enumerate(entries):
        column, row = divmod(number, places.rows)
        x = places.legend[0] + column * places.column
        y = places.legend[1] + (row + 0.5) * LINE_HEIGHT * sizes.text
        frame += draw_entry(entry, x, y, places.scale, sizes)
    for number, note in enumerate(reversed(notes)):
        y = places.height - sizes.text * (1.0 + number * LINE_HEIGHT)
        frame.append(Label("legend", "quiet", sizes.text * 1.4, y, sizes.text, note))
    left, top = places.plan
    view = View(places.scale, left - plan.box.west * places.scale, top + plan.box.north * places.scale)
    shapes = draw_content(level, plan, content, options, places.scale)
    return Picture(ceil(places.width), ceil(places.height), name, description, view, shapes, frame)


def _description(level: DoomMap, rules: Rules, box: Box) -> str:
    secrets = sum(is_secret(sector, rules) for sector in level.sectors)
    return " \u00b7 ".join(
        (
            _FORMATS.get(level.format, level.format),
            counted(len(level.lines), "line"),
            counted(len(level.sectors), "sector"),
            counted(len(level.things), "thing"),
            counted(secrets, "secret"),
            f"{box.east - box.west:,.0f} by {box.north - box.south:,.0f} units",
        )
    )


def _title_width(name: str, description: str, size: int) -> float:
    text = sizes_at(1, size).text
    return max(text_width(name, text * _TITLE) * 1.1, text_width(description, text))


def _title(name: str, description: str, width: float, text: float) -> Iterator[Shape]:
    yield Label("title", "text", text * 1.4, text * 2.5, text * _TITLE, name, bold=True)
    yield Label("title", "quiet", text * 1.4, text * 4.4, text, description)


def _places(box: Box, size: int, entries: Sequence[Entry], notes: int, title: float) -> _Places:
    """The legend on the right or below, whichever leaves more room to the plan."""
    text = sizes_at(1, size).text
    edge = 1.4 * text
    top = 5.4 * text if title else edge
    below = edge + notes * LINE_HEIGHT * text
    wide, high = box.east - box.west, box.north - box.south
    if not entries:
        scale = max(min((size - 2 * edge) / wide, (size - top - below) / high), 1e-9)
        width = min(max(wide * scale, title) + 2 * edge, size)
        return _Places(
            scale, width, top + high * scale + below, ((width - wide * scale) / 2, top), (0, 0), 1, 1
        )
    row = LINE_HEIGHT * text
    column = max(entry_width(entry, text) for entry in entries) + 1.6 * text

    columns = ceil(len(entries) * row / max(size - top - below, row))
    beside = columns * column
    scale_beside = min((size - 2 * edge - beside) / wide, (size - top - below) / high)

    across = max(int((size - 2 * edge + 1.6 * text) // column), 1)
    rows = ceil(len(entries) / across)
    scale_under = min((size - 2 * edge) / wide, (size - top - below - edge - rows * row) / high)

    if scale_beside >= scale_under:
        scale = max(scale_beside, 8 / max(wide, high))
        rows = ceil(len(entries) / columns)
        width = min(max(2 * edge + wide * scale + beside, 2 * edge + title), size)
        height = top + max(high * scale, rows * row) + below
        return _Places(scale, width, height, (edge, top), (width - beside + 0.2 * text, top), column, rows)
    scale = max(scale_under, 8 / max(wide, high))
    height = top + high * scale + edge + rows * row + below
    return _Places(
        scale, size, height, ((size - wide * scale) / 2, top), (edge, top + high * scale + edge), column, rows
    )
