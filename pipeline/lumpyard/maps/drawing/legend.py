"""The legend: what the colours and symbols of a picture mean, how many there are of each, and a scale bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.drawing.areas import height_range, heights_of
from lumpyard.maps.drawing.font import text_width
from lumpyard.maps.drawing.kinds import is_secret
from lumpyard.maps.drawing.layers import WIDTHS, symbol_of
from lumpyard.maps.drawing.options import CHANGES
from lumpyard.maps.drawing.palette import HEIGHTS, STEPS
from lumpyard.maps.drawing.shapes import Area, Label, Strokes, Symbols

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.drawing.layers import Content
    from lumpyard.maps.drawing.options import DrawOptions
    from lumpyard.maps.drawing.shapes import Shape
    from lumpyard.maps.drawing.sizes import Sizes
    from lumpyard.maps.model import DoomMap

_SEEN = {
    "reject-from": "sector {sector}",
    "reject-seen": "may be seen from it",
    "reject-hidden": "hidden by REJECT",
}
_LINES = {  # of one, of several
    "wall": ("wall", "walls"),
    "floor": ("floor step", "floor steps"),
    "ceiling": ("ceiling step", "ceiling steps"),
    "flat": ("without a step", "without a step"),
    "door": ("closed door", "closed doors"),
    "special": ("special", "specials"),
    "teleport": ("teleport", "teleports"),
    "exit": ("exit", "exits"),
    "exit-secret": ("secret exit", "secret exits"),
    "broken": ("without a side", "without a side"),
    "lock-any": ("lock", "locks"),
    **{
        f"lock-{colour}": (f"{colour} lock", f"{colour} locks")
        for colour in ("blue", "red", "yellow", "green")
    },
}
_THINGS = {
    "monster": ("monster", "monsters"),
    "start": ("other start", "other starts"),
    "deathmatch": ("deathmatch start", "deathmatch starts"),
    "weapon": ("weapon", "weapons"),
    "ammo": ("ammunition", "ammunition"),
    "health": ("health or armor", "health or armor"),
    "powerup": ("power-up", "power-ups"),
    "decoration": ("decoration", "decorations"),
    "unknown": ("unknown thing", "unknown things"),
    "teleport": ("teleport goal", "teleport goals"),
    "player": ("player 1 start", "player 1 starts"),
    "key lock-any": ("key", "keys"),
    **{
        f"key lock-{colour}": (f"{colour} key", f"{colour} keys")
        for colour in ("blue", "red", "yellow", "green")
    },
}
LINE_HEIGHT = 1.6  # in sizes of the text
_SWATCH = 2.0
_RAMP = 5.2


class Entry(NamedTuple):
    """One line of the legend."""

    kind: str  # bar, ramp, area, line, symbol
    role: str
    label: str
    steps: int = 0  # of a ramp


def entries_of(level: DoomMap, content: Content, options: DrawOptions) -> list[Entry]:
    """The legend of what a picture shows; the scale bar is the first."""
    entries = [Entry("bar", "text", "")]
    entries += _fills(level, content, options)
    for role, (_, lines) in content.lines.items():
        entries.append(Entry("line", role, _counted(len(lines), _LINES[role])))
    for role, things in content.things.items():
        entries.append(Entry("symbol", role, _counted(len(things), _THINGS[role])))
    if content.blocks:
        entries.append(Entry("area", "block", "cells of BLOCKMAP"))
    if content.cuts:
        entries.append(Entry("line", "node", "cuts of NODES"))
    if content.links.tags:
        entries.append(Entry("line", "tag", "tags"))
    if "diff" in options.layers:
        for change in CHANGES:
            found = sum(mark.change == change for mark in options.marks)
            if found:
                entries.append(Entry("line", change, f"{found:,} {change}"))
    return entries


def _fills(level: DoomMap, content: Content, options: DrawOptions) -> Iterator[Entry]:
    roles = {area.role for area in content.areas}
    kinds = {role.rpartition("-")[0] for role in roles}
    if "light" in kinds:
        yield Entry("ramp", "light", "light 0 to 255", STEPS)
    if "height" in kinds:
        low, high = height_range(heights_of(level.sectors, options.fill))
        yield Entry("ramp", "height", f"{options.fill}s {low:,} to {high:,}", HEIGHTS)
    if "hue" in kinds:
        yield Entry("area", "hue-0", "a colour each tag")
    if "secret" in roles:
        secrets = sum(is_secret(sector, content.rules) for sector in level.sectors)
        yield Entry("area", "secret", _counted(secrets, ("secret sector", "secret sectors")))
    for role, label in _SEEN.items():
        if role in roles:
            yield Entry("area", role, label.format(sector=options.reject_from))


def _counted(number: int, names: tuple[str, str]) -> str:
    return f"{number:,} {names[number != 1]}"


def entry_width(entry: Entry, size: float) -> float:
    """Pixels that an entry needs at a size of text."""
    return text_width(entry.label or "16,384 units", size) + (_swatch(entry) + 0.8) * size


def _swatch(entry: Entry) -> float:
    return {"bar": 7.0, "ramp": _RAMP}.get(entry.kind, _SWATCH)


def draw_entry(entry: Entry, x: float, y: float, scale: float, sizes: Sizes) -> Iterator[Shape]:
    """An entry with its left edge at x and the middle of its text at y."""
    size = sizes.text
    if entry.kind == "bar":
        yield from _bar(x, y, scale, size)
        return
    wide = _swatch(entry) * size
    if entry.kind == "ramp":
        step = wide / entry.steps
        for place in range(entry.steps):
            yield Area("legend", f"{entry.role}-{place}", [_box(x + place * step, y, step, size * 0.7)])
    elif entry.kind == "area":
        yield Area("legend", entry.role, [_box(x, y, wide, size * 0.8)])
    elif entry.kind == "line":
        width = WIDTHS.get(entry.role, 1.2 if entry.role in {"node", "tag"} else 3.0) * sizes.line
        yield Strokes("legend", entry.role, round(width, 2), [(x + 2, y, x + wide - 2, y)])
    else:
        symbol, part = symbol_of(entry.role)
        radius = round(part * min(max(sizes.symbol, size * 0.3), size * 0.4), 2)
        yield Symbols("legend", entry.role.removeprefix("key "), symbol, radius, [(x + wide / 2, y, 0)])
    yield Label("legend", "text", x + wide + 0.6 * size, y + size * 0.36, size, entry.label)


def _box(x: float, middle: float, width: float, height: float) -> list[tuple[float, float]]:
    top, bottom = middle - height / 2, middle + height / 2
    return [(x, top), (x + width, top), (x + width, bottom), (x, bottom)]


def _bar(x: float, y: float, scale: float, size: float) -> Iterator[Shape]:
    """As many map units, a power of two, as fit."""
    units = 1.0
    while units * scale > 6.8 * size:
        units /= 2
    while units * 2 * scale <= 6.8 * size:
        units *= 2
    end, tick = x + units * scale, size * 0.3
    lines = [(x, y, end, y), (x, y - tick, x, y + tick), (end, y - tick, end, y + tick)]
    yield Strokes("legend", "text", round(max(size / 10, 1.2), 2), lines)
    yield Label(
        "legend",
        "text",
        end + 0.6 * size,
        y + size * 0.36,
        size,
        f"{units:,.0f} units" if units >= 1 else f"{units:g} units",
    )
