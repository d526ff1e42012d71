"""Two maps compared by what they mean: lines by their ends, sectors by their lines, things by place and type.

Numbers of records do not count, nor what no line uses, lines without length, and everything that a node builder makes:
a map is equal to what a node builder makes of it. A line that was turned round is the same line, with its sides
exchanged and `direction` changed. What moved is told from what went and what came: a line with the same contents that
keeps one end, or its direction and length; a thing with the same type and flags, of several the nearest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.wad.map_lumps import DOOM, GL, TEXT
from lumpyard.maps import contents
from lumpyard.maps.diff import FieldChange, KindDiff, LumpChange, MapDiff, RecordChange, SideChange
from lumpyard.maps.pairing import Pairing, pair_by_keys, pair_nearest
from lumpyard.maps.sector_pairs import pair_sectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.model import DoomMap, Extra

_WRITTEN = {"DIALOGUE", "BEHAVIOR", "SCRIPTS"}  # by people, and compared as bytes
_MADE = frozenset((*DOOM, *TEXT, *GL)) - _WRITTEN  # by node builders, or compared as records
_THING_FIELDS = ("angle", "type", "flags", "tid", "height", "special", "args")
_LINE_FIELDS = ("flags", "special", "tag", "args")
_SIDE_FIELDS = ("x_offset", "y_offset", "upper", "lower", "middle")
_SECTOR_FIELDS = ("floor_height", "ceiling_height", "floor", "ceiling", "light", "special", "tag")


def compare(old: DoomMap, new: DoomMap) -> MapDiff:
    """What differs between two maps; nothing where one is the other with nodes, REJECT and BLOCKMAP made anew."""
    lines, moved = _pair_lines(old, new)
    pairs = [*lines.pairs, *moved]
    sectors = pair_sectors(old, new, pairs)
    return MapDiff(
        tuple(_settings(old, new)),
        _things(old, new),
        KindDiff(
            tuple(sorted(lines.new)),
            tuple(sorted(lines.old)),
            tuple(_line_changes(old, new, moved)),
            tuple(_line_changes(old, new, lines.pairs)),
        ),
        tuple(_sides(old, new, sorted(pairs, key=lambda pair: pair[1]), dict(sectors.pairs))),
        KindDiff(tuple(sectors.new), tuple(sectors.old), (), tuple(_sector_changes(old, new, sectors.pairs))),
        tuple(_vertices(old, new)),
        tuple(_lumps(old, new)),
    )


def _pair_lines(old: DoomMap, new: DoomMap) -> tuple[Pairing, list[tuple[int, int]]]:
    """Lines of the same ends with those of one map only, and lines that moved."""
    ours, theirs = contents.line_keys(old), contents.line_keys(new)
    found = pair_by_keys(
        contents.counted_lines(old),
        contents.counted_lines(new),
        [
            (ours.exact, theirs.exact),
            (ours.whole, theirs.whole),
            (ours.ends, theirs.ends),
            (ours.ends_either_way, theirs.ends_either_way),
        ],
    )
    shifted = pair_by_keys(
        found.old,
        found.new,
        [(ours.from_start, theirs.from_start), (ours.to_end, theirs.to_end)],
    )
    carried = pair_nearest(
        shifted.old, shifted.new, (ours.length, theirs.length), (ours.middle, theirs.middle)
    )
    return Pairing(found.pairs, carried.old, carried.new), [*shifted.pairs, *carried.pairs]


def _line_changes(old: DoomMap, new: DoomMap, pairs: Sequence[tuple[int, int]]) -> Iterator[RecordChange]:
    """Lines that both have and that are not the same, by their new numbers."""
    for ours, theirs in sorted(pairs, key=lambda pair: pair[1]):
        line, other = old.lines[ours], new.lines[theirs]
        fields = []
        ends, other_ends = contents.ends(old, ours), contents.ends(new, theirs)
        if contents.is_turned(old, ours, new, theirs):
            fields.append(FieldChange("direction", ends, other_ends))
        else:
            named = zip(("start", "end"), ends, other_ends, strict=True)
            fields += [FieldChange(name, was, now) for name, was, now in named if was != now]
        fields += _fields(line, other, _LINE_FIELDS)
        fields += _extras(line.extra, other.extra)
        if fields:
            yield RecordChange(ours, theirs, tuple(fields))


def _sides(
    old: DoomMap, new: DoomMap, pairs: Sequence[tuple[int, int]], sectors: dict[int, int]
) -> Iterator[SideChange]:
    """Sides of the same lines; their sectors are compared by meaning, and told by number."""
    for ours, theirs in pairs:
        turned = contents.is_turned(old, ours, new, theirs)
        line, other = old.lines[ours], new.lines[theirs]
        sides = (line.back, line.front) if turned else (line.front, line.back)
        for name, was, now in zip(("front", "back"), sides, (other.front, other.back), strict=True):
            before, after = contents.side(old, was), contents.side(new, now)
            if before is None or after is None:
                if (before is None) != (after is None):
                    yield SideChange(ours, theirs, name, was, now, ())
                continue
            fields = [*_fields(before, after, _SIDE_FIELDS)]
            if not _same_sector(old, new, (before.sector, after.sector), sectors):
                fields.append(FieldChange("sector", before.sector, after.sector))
            fields += _extras(before.extra, after.extra)
            if fields:
                yield SideChange(ours, theirs, name, was, now, tuple(fields))


def _same_sector(old: DoomMap, new: DoomMap, numbers: tuple[int, int], pairs: dict[int, int]) -> bool:
    """Whether two sides face one sector; a number that leads nowhere is the same as any other such."""
    ours, theirs = numbers
    there = 0 <= ours < len(old.sectors), 0 <= theirs < len(new.sectors)
    return pairs.get(ours) == theirs if all(there) else not any(there)


def _things(old: DoomMap, new: DoomMap) -> KindDiff:
    """Things by place and type, then by place, then, as moved, by type and flags."""
    ours, theirs = contents.thing_keys(old), contents.thing_keys(new)
    found = pair_by_keys(
        range(len(old.things)),
        range(len(new.things)),
        [(ours.whole, theirs.whole), (ours.spot, theirs.spot), (ours.place, theirs.place)],
    )
    moved = pair_nearest(found.old, found.new, (ours.kind, theirs.kind), (ours.place, theirs.place))
    return KindDiff(
        tuple(moved.new),
        tuple(moved.old),
        tuple(_thing_changes(old, new, moved.pairs)),
        tuple(_thing_changes(old, new, found.pairs)),
    )


def _thing_changes(old: DoomMap, new: DoomMap, pairs: Sequence[tuple[int, int]]) -> Iterator[RecordChange]:
    for ours, theirs in sorted(pairs, key=lambda pair: pair[1]):
        thing, other = old.things[ours], new.things[theirs]
        place, now = (thing.x, thing.y), (other.x, other.y)
        fields = [FieldChange("place", place, now)] if place != now else []
        fields += _fields(thing, other, _THING_FIELDS)
        fields += _extras(thing.extra, other.extra)
        if fields:
            yield RecordChange(ours, theirs, tuple(fields))


def _sector_changes(old: DoomMap, new: DoomMap, pairs: Sequence[tuple[int, int]]) -> Iterator[RecordChange]:
    for ours, theirs in sorted(pairs, key=lambda pair: pair[1]):
        sector, other = old.sectors[ours], new.sectors[theirs]
        fields = (*_fields(sector, other, _SECTOR_FIELDS), *_extras(sector.extra, other.extra))
        if fields:
            yield RecordChange(ours, theirs, fields)


def _vertices(old: DoomMap, new: DoomMap) -> Iterator[RecordChange]:
    """UDMF's heights and such of vertices at the same place that lines of both maps use."""
    if not old.vertex_extra and not new.vertex_extra:
        return
    ours, theirs = contents.used_vertices(old), contents.used_vertices(new)
    for place, number in theirs.items():
        if place not in ours:
            continue
        before = old.vertex_extra.get(ours[place], {})
        fields = tuple(_extras(before, new.vertex_extra.get(number, {})))
        if fields:
            yield RecordChange(ours[place], number, fields)


def _settings(old: DoomMap, new: DoomMap) -> Iterator[FieldChange]:
    yield from _fields(old, new, ("format", "namespace"))
    yield from _extras(old.extra, new.extra)


def _lumps(old: DoomMap, new: DoomMap) -> Iterator[LumpChange]:
    for name in dict.fromkeys([*old.lumps, *new.lumps]):
        if name in _MADE or name.startswith("GL_"):
            continue
        before, after = old.lumps.get(name), new.lumps.get(name)
        if before != after:
            yield LumpChange(name, *(None if data is None else len(data) for data in (before, after)))


def _fields(old: object, new: object, names: Sequence[str]) -> Iterator[FieldChange]:
    for name in names:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield FieldChange(name, before, after)


def _extras(old: Extra, new: Extra) -> Iterator[FieldChange]:
    if old == new:
        return
    for name in sorted({*old, *new}):
        before, after = old.get(name), new.get(name)
        if before != after:
            yield FieldChange(name, before, after)
