"""What changed in a map, for people: lines of text, Markdown for pull requests, and plain data for programs.

```
MAP01: 1 thing added, 1 line changed
+ thing 12 at (64, -32): imp (3001)
! line 9 from (0, 0) to (64, 0): special 0 -> 11; flags 0x1 -> 0x5 (+two-sided)
```

Numbers are those of the new map, and of the old one where a record is gone. Names come from archives: they are escaped
here, so that each line is one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.console.escape import escape_name
from lumpyard.console.map_words import flag_words, line_flags, thing_flags
from lumpyard.console.sizes import count_text
from lumpyard.maps import contents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lumpyard.maps.diff import FieldChange, KindDiff, MapDiff, Point, RecordChange, Value
    from lumpyard.maps.model import DoomMap

MOST_SHOWN = 200  # changes of one map; of more the counts say how many
_KINDS = ("things", "lines", "sectors")


class _View(NamedTuple):
    """One of the two maps, and what its records are called."""

    level: DoomMap
    sectors: Mapping[int, Point]  # places
    thing_name: Callable[[int], str]


def _view(level: DoomMap, thing_name: Callable[[int], str] = str) -> _View:
    return _View(level, contents.sector_places(level), thing_name)


def map_diff_text(
    diff: MapDiff, old: DoomMap, new: DoomMap, thing_name: Callable[[int], str] = str, most: int = MOST_SHOWN
) -> Iterator[str]:
    """Lines of text, safe to print: what changed in all, then each change behind `+`, `-` or `!`."""
    yield f"{escape_name(new.name)}: {counts_text(diff)}"
    changes = list(_changes(diff, _view(old, thing_name), _view(new, thing_name)))
    yield from map(escape_name, changes[:most])
    if len(changes) > most:
        yield f"  and {count_text(len(changes) - most, 'change')} more"


def map_diff_markdown(
    diff: MapDiff, old: DoomMap, new: DoomMap, thing_name: Callable[[int], str] = str, most: int = MOST_SHOWN
) -> Iterator[str]:
    """Lines of Markdown: a heading, and the text in a `diff` block, where nothing in a name means anything."""
    lines = list(map_diff_text(diff, old, new, thing_name, most))[1:]
    name = escape_name(new.name).replace("`", "'")
    yield f"### `{name}`"
    yield ""
    yield f"{counts_text(diff)}."
    if lines:
        yield from ("", "```diff", *lines, "```")


def counts_text(diff: MapDiff) -> str:
    """How much changed: "2 things added, 1 line moved"."""
    words = [
        f"{count_text(many, kind[:-1])} {what}"
        for kind in _KINDS
        for what in ("added", "removed", "moved", "changed")
        if (many := len(getattr(getattr(diff, kind), what)))
    ]
    others = (
        (len(diff.sides), "side"),
        (len(diff.vertices), "vertex height"),
        (len(diff.settings), "setting"),
        (len(diff.lumps), "lump"),
    )
    words += [f"{count_text(many, word)} changed" for many, word in others if many]
    return ", ".join(words) or "nothing changed"


def map_diff_data(diff: MapDiff, old: DoomMap, new: DoomMap) -> dict[str, Any]:
    """The changes as plain data for JSON; names of textures are text, bytes that are not UTF-8 surrogate escapes."""
    views = _view(old), _view(new)
    kinds = {kind: _kind_data(kind, getattr(diff, kind), *views) for kind in _KINDS}
    return {
        "map": new.name,
        "settings": list(map(_field_data, diff.settings)),
        **kinds,
        "sides": [
            {
                "line": side.new_line,
                "old_line": side.old_line,
                "side": side.side,
                "old": side.old,
                "new": side.new,
                "fields": list(map(_field_data, side.fields)),
            }
            for side in diff.sides
        ],
        "vertices": [
            {"old": each.old, "new": each.new, "fields": list(map(_field_data, each.fields))}
            for each in diff.vertices
        ],
        "lumps": [each._asdict() for each in diff.lumps],
    }


def _kind_data(kind: str, found: KindDiff, old: _View, new: _View) -> dict[str, Any]:
    def alone(level: _View, numbers: Iterable[int]) -> list[dict[str, Any]]:
        return [{"number": number, **_place_data(kind, level, number)} for number in numbers]

    def kept(changes: Iterable[RecordChange]) -> list[dict[str, Any]]:
        return [
            {
                "old": each.old,
                "new": each.new,
                **_place_data(kind, new, each.new),
                "fields": list(map(_field_data, each.fields)),
            }
            for each in changes
        ]

    return {
        "added": alone(new, found.added),
        "removed": alone(old, found.removed),
        "moved": kept(found.moved),
        "changed": kept(found.changed),
    }


def _place_data(kind: str, view: _View, number: int) -> dict[str, Any]:
    if kind == "things":
        thing = view.level.things[number]
        return {"x": thing.x, "y": thing.y, "type": thing.type}
    if kind == "lines":
        start, end = contents.ends(view.level, number)
        return {"start": start and list(start), "end": end and list(end)}
    place = view.sectors.get(number)
    return {} if place is None else {"x": place[0], "y": place[1]}


def _field_data(change: FieldChange) -> dict[str, Any]:
    return {"field": change.field, "old": _plain(change.old), "new": _plain(change.new)}


def _plain(value: Value) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _changes(diff: MapDiff, old: _View, new: _View) -> Iterator[str]:
    form = new.level.format
    for change in diff.settings:
        yield f"! {_field(change, form)}"
    for kind in _KINDS:
        found: KindDiff = getattr(diff, kind)
        for number in found.removed:
            yield f"- {_record(kind, old, number)}"
        for number in found.added:
            yield f"+ {_record(kind, new, number)}"
        for word, changes in (("moved: ", found.moved), ("", found.changed)):
            for each in changes:
                fields = "; ".join(_field(field, form, kind, new.thing_name) for field in each.fields)
                yield f"! {_record(kind, new, each.new)}, {word}{fields}"
        if kind == "lines":
            yield from _sides(diff, new)
    for each in diff.vertices:
        place = _point(contents.point(new.level, each.new))
        yield f"! vertex {each.new} at {place}, " + "; ".join(_field(field, form) for field in each.fields)
    for lump in diff.lumps:
        if lump.old_size is None or lump.new_size is None:
            size = lump.new_size if lump.old_size is None else lump.old_size
            yield f"{'+' if lump.old_size is None else '-'} lump {lump.name}: {size:,} bytes"
        else:
            yield f"! lump {lump.name}: {lump.old_size:,} -> {lump.new_size:,} bytes"


def _sides(diff: MapDiff, new: _View) -> Iterator[str]:
    for side in diff.sides:
        where = f"{side.side} of {_record('lines', new, side.new_line)}"
        if side.old is None or side.new is None:
            yield f"{'+' if side.old is None else '-'} {where}"
        else:
            yield f"! {where}, " + "; ".join(_field(field, new.level.format) for field in side.fields)


def _record(kind: str, view: _View, number: int) -> str:
    """A record with its place."""
    if kind == "things":
        thing = view.level.things[number]
        return f"thing {number} at {_point((thing.x, thing.y))}: {view.thing_name(thing.type)}"
    if kind == "lines":
        start, end = contents.ends(view.level, number)
        return f"line {number} from {_point(start)} to {_point(end)}"
    place = view.sectors.get(number)
    return f"sector {number}" + (f" at {_point(place)}" if place else "")


def _field(
    change: FieldChange, form: str, kind: str = "", thing_name: Callable[[int], str] | None = None
) -> str:
    name = change.field.replace("_", " ")
    before, after = change.old, change.new
    if change.field == "direction":
        return "turned round"
    if change.field == "flags" and isinstance(before, int) and isinstance(after, int):
        words = thing_flags(form) if kind == "things" else line_flags(form)
        return f"flags {before:#x} -> {after:#x}{flag_words(before, after, words)}"
    if change.field == "type" and thing_name is not None and kind == "things":
        return f"type {thing_name(int(str(before)))} -> {thing_name(int(str(after)))}"
    return f"{name} {_value(before)} -> {_value(after)}"


def _value(value: Value) -> str:
    if value is None:
        return "none"
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape") or '""'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_value, value)) + ")"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _point(place: Value) -> str:
    return "nowhere" if place is None else _value(place)
