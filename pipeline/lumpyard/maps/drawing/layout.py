"""A map as a picture: plan, title, legend and notes, each in its place."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.drawing.font import text_width
from lumpyard.maps.drawing.kinds import is_secret
from lumpyard.maps.drawing.layers import content_of, draw_content
from lumpyard.maps.drawing.legend import LINE_HEIGHT, draw_entry, entries_of, entry_width
from lumpyard.maps.drawing.placing import EDGE, places_of
from lumpyard.maps.drawing.plan import counted, plan_of
from lumpyard.maps.drawing.shapes import Label, Picture, View
from lumpyard.maps.drawing.sizes import sizes_at
from lumpyard.maps.drawing.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.drawing.legend import Entry
    from lumpyard.maps.drawing.options import DrawOptions
    from lumpyard.maps.drawing.placing import Places
    from lumpyard.maps.drawing.plan import Plan
    from lumpyard.maps.drawing.shapes import Shape
    from lumpyard.maps.drawing.sizes import Sizes
    from lumpyard.maps.model import DoomMap

_FORMATS = {"doom": "Doom format", "hexen": "Hexen format", "udmf": "UDMF"}
_DOT = " \u00b7 "
_TITLE = 1.7  # size of the title, in sizes of text
_BOLD = 1.12  # how much wider bold letters are, with other programs' fonts, too


class _Frame(NamedTuple):
    """What is written around a plan."""

    title: Sequence[str]  # name and description; empty without a title
    entries: Sequence[Entry]
    notes: Sequence[str]


def picture_of(level: DoomMap, options: DrawOptions) -> Picture:
    """A map as a picture, whoever draws it."""
    plan = plan_of(level, (point for mark in options.marks for point in mark.points))
    content = content_of(level, plan, options)
    text = sizes_at(1, options.size).text
    room = options.size - 2 * EDGE * text
    name = shown(options.title if options.title is not None else level.name) or "map"
    facts = _facts(level, plan, sum(is_secret(sector, content.rules) for sector in level.sectors))
    title = (
        (_cut(name, room / text / _TITLE / _BOLD), _joined(facts, room / text))
        if "title" in options.layers
        else ()
    )
    entries = entries_of(level, content, options) if "legend" in options.layers else []
    if any(entry_width(entry, text) > room for entry in entries):
        entries = []  # a picture as small as that is for the plan
    frame = _Frame(title, entries, content.notes if entries else ())
    places = places_of(plan.box, options.size, entries, len(frame.notes), _title_width(title, text))
    left, top = places.plan
    view = View(places.scale, left - plan.box.west * places.scale, top + plan.box.north * places.scale)
    return Picture(
        min(ceil(places.width), options.size),
        min(ceil(places.height), options.size),
        name,
        _DOT.join(facts),
        view,
        draw_content(plan, content, options, places.scale),
        list(_drawn(frame, places, sizes_at(places.scale, options.size))),
    )


def _facts(level: DoomMap, plan: Plan, secrets: int) -> list[str]:
    """What there is to say of a map, most important first."""
    facts = [_FORMATS.get(level.format) or shown(level.format), counted(len(level.lines), "line")]
    facts += [counted(len(level.sectors), "sector"), counted(len(level.things), "thing")]
    if secrets:
        facts.append(counted(secrets, "secret"))
    if plan.lines:
        # of the lines, since the picture's box is never flat, and holds what was removed too
        xs = [x for line in plan.lines for x in (line.x1, line.x2)]
        ys = [y for line in plan.lines for y in (line.y1, line.y2)]
        facts.append(f"{max(xs) - min(xs):,.0f} by {max(ys) - min(ys):,.0f} units")
    return facts


def _joined(facts: Sequence[str], room: float) -> str:
    """As many facts as fit; room in sizes of text."""
    kept = list(facts)
    while len(kept) > 1 and text_width(_DOT.join(kept), 1) > room:
        kept.pop()
    return _DOT.join(kept)


def _cut(name: str, room: float) -> str:
    """As much of a name as fits."""
    if text_width(name, 1) <= room:
        return name
    while name and text_width(f"{name}...", 1) > room:
        name = name[:-1]
    return f"{name}..."


def _title_width(title: Sequence[str], text: float) -> float:
    return max(text_width(title[0], text * _TITLE) * _BOLD, text_width(title[1], text)) if title else 0


def _drawn(frame: _Frame, places: Places, sizes: Sizes) -> Iterator[Shape]:
    text = sizes.text
    if frame.title:
        name, description = frame.title
        yield Label("title", "text", text * EDGE, text * 2.5, text * _TITLE, name, bold=True)
        yield Label("title", "quiet", text * EDGE, text * 4.4, text, description)
    for number, entry in enumerate(frame.entries):
        column, row = divmod(number, places.rows)
        x = places.legend[0] + column * places.column
        yield from draw_entry(
            entry, x, places.legend[1] + (row + 0.5) * LINE_HEIGHT * text, places.scale, sizes
        )
    for number, note in enumerate(reversed(frame.notes)):
        y = places.height - text * (1.0 + number * LINE_HEIGHT)
        yield Label("legend", "quiet", text * EDGE, y, text, note)
