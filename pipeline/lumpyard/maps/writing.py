"""A map's records back to the bytes of lumps, in Doom's and Hexen's formats.

What a record does not say (what stands behind the NUL of a name; bytes at the end that are no whole record) is taken
from the lump that the records were read from, where there is one: of an unchanged record not a bit changes.

Source: "Doom map", THINGS to SECTORS, and "Hexen's format".
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.wad.map_lumps import BINARY
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.maps import records
from lumpyard.maps.model import DOOM, HEXEN
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.maps.model import DoomMap, Line, Sector, Side, Thing, Vertex

_NAME_SIZE = 8
_ARGS = 5  # of a special in Hexen's format


def encode_lumps(found: DoomMap) -> dict[str, bytes]:
    """All lumps of a map by name, in their order: those of records from the records, all others as they are.

    A lump of records that is not there yet is put where it belongs. UnsupportedError for a map of another format than
    Doom's and Hexen's; MalformedError (code `map-record`) for a record that does not fit its format, such as one with
    a fraction, a number beyond its field, or a name of more than eight bytes.
    """
    old = found.lumps
    made = {
        "THINGS": encode_things(found.things, found.format, old.get("THINGS", b"")),
        "LINEDEFS": encode_lines(found.lines, found.format, old.get("LINEDEFS", b"")),
        "SIDEDEFS": encode_sides(found.sides, old.get("SIDEDEFS", b"")),
        "VERTEXES": encode_vertices(found.vertices, old.get("VERTEXES", b"")),
        "SECTORS": encode_sectors(found.sectors, old.get("SECTORS", b"")),
    }
    lumps = dict(old) | {name: data for name, data in made.items() if data or name in old}
    if len(lumps) == len(old):
        return lumps
    return {name: lumps[name] for name in dict.fromkeys([*BINARY, *old]) if name in lumps}


def encode_things(things: Iterable[Thing], form: str, old: bytes = b"") -> bytes:
    """THINGS. `old` is the lump that they were read from, here and in all others."""
    if _is_hexen(form):
        hexen = (
            (thing.tid, *thing[:2], thing.height, *thing[2:5], thing.special, *_five(thing.args))
            for thing in things
        )
        return _table("THINGS", records.HexenThing, hexen, old)
    return _table("THINGS", records.Thing, (thing[:5] for thing in things), old)


def encode_lines(lines: Iterable[Line], form: str, old: bytes = b"") -> bytes:
    """LINEDEFS."""
    if _is_hexen(form):
        hexen = ((*line[:4], *_five(line.args), *map(_side_number, line[5:7])) for line in lines)
        return _table("LINEDEFS", records.HexenLine, hexen, old)
    return _table(
        "LINEDEFS", records.Line, ((*line[:5], *map(_side_number, line[5:7])) for line in lines), old
    )


def encode_sides(sides: Iterable[Side], old: bytes = b"") -> bytes:
    """SIDEDEFS."""
    return _table("SIDEDEFS", records.Side, (side[:6] for side in sides), old)


def encode_vertices(vertices: Iterable[Vertex], old: bytes = b"") -> bytes:
    """VERTEXES."""
    return _table("VERTEXES", records.Vertex, vertices, old)


def encode_sectors(sectors: Iterable[Sector], old: bytes = b"") -> bytes:
    """SECTORS."""
    return _table("SECTORS", records.Sector, (sector[:7] for sector in sectors), old)


def _is_hexen(form: str) -> bool:
    if form not in {DOOM, HEXEN}:
        raise UnsupportedError(f"records are of the formats {DOOM} and {HEXEN}, not {form}", "map-format")
    return form == HEXEN


def _five(args: Sequence[int]) -> tuple[int, ...]:
    return (*args, *([0] * (_ARGS - len(args))))


def _side_number(side: object) -> object:
    return records.NONE if side is None else side


def _table(lump: str, record: type[NamedTuple], rows: Iterable[Sequence[object]], old: bytes) -> bytes:
    form = layout(record)
    out = []
    for number, row in enumerate(rows):
        try:
            packed = _packed(form, row)
        except (struct.error, ValueError) as error:
            raise MalformedError(_reason(lump, record, number, row), "map-record") from error
        before = old[number * form.size : (number + 1) * form.size]
        same = packed == before or len(before) < form.size
        out.append(packed if same else _with_junk(form, row, before))
    left = len(old) % form.size
    if left and len(out) == len(old) // form.size:
        out.append(old[-left:])
    return b"".join(out)


def _packed(form: struct.Struct, row: Sequence[object]) -> bytes:
    for value in row:
        if type(value) is bytes and (len(value) > _NAME_SIZE or b"\0" in value):
            raise ValueError(value)
    return _packed_whole(form, row)


def _packed_whole(form: struct.Struct, row: Sequence[object]) -> bytes:
    try:
        return form.pack(*row)
    except struct.error:
        whole = [int(value) if type(value) is float and value.is_integer() else value for value in row]
        return form.pack(*whole)


def _with_junk(form: struct.Struct, row: Sequence[object], before: bytes) -> bytes:
    """A record, each name with what was behind its NUL in the record that it was read from."""
    kept = [
        stored if isinstance(stored, bytes) and records.cut(stored) == value else value
        for value, stored in zip(row, form.unpack(before), strict=True)
    ]
    return _packed_whole(form, kept)


def _reason(lump: str, record: type[NamedTuple], number: int, row: Sequence[object]) -> str:
    """Which field of a record does not fit."""
    fields = record._fields
    if len(row) != len(fields):
        return f"{lump}: record {number} has {len(row)} fields, not {len(fields)}"
    form = layout(record)
    blank = [b"" if isinstance(value, bytes) else 0 for value in row]
    for at, (name, value) in enumerate(zip(fields, row, strict=True)):
        try:
            _packed(form, [*blank[:at], value, *blank[at + 1 :]])
        except (struct.error, ValueError):
            return f"{lump}: {name} of record {number} is {value!r}, which does not fit its field"
    return f"{lump}: record {number} does not fit"
