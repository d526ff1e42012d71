"""The tests' own EWAD writer, from the specification alone, and what breaks its archives.

It shares nothing with the writer under test, is as plain as can be, and writes any arrangement, sound or
broken. Numbers are little-endian; `<Q` and so on are `struct`'s.
"""

from __future__ import annotations

import struct
from operator import itemgetter
from typing import NamedTuple

from xxhash import xxh64_intdigest

HEADER = {  # offset and type
    "signature": (0, "<4s"),
    "version": (4, "<I"),
    "lumps": (8, "<I"),
    "alignment": (12, "<I"),
    "seed": (16, "<Q"),
    "directory_offset": (24, "<Q"),
    "table_offset": (32, "<Q"),
    "table_size": (40, "<Q"),
    "header_hash": (48, "<Q"),
    "reserved": (56, "<Q"),
}
ENTRY = {
    "key": (0, "<Q"),
    "offset": (8, "<Q"),
    "stored_size": (16, "<Q"),
    "raw_size": (24, "<Q"),
    "content_hash": (32, "<Q"),
    "fourcc": (40, "<I"),
    "name_offset": (44, "<I"),
    "schema": (48, "<H"),
    "flags": (50, "<H"),
    "reserved": (52, "<I"),
}
NO_NAME = 0xFFFFFFFF


class Written(NamedTuple):
    """A lump to write; `raw_size` None means that it is not compressed, `alignment` may ask for more."""

    name: bytes
    stored: bytes = b""
    raw_size: int | None = None
    fourcc: int = 0
    schema: int = 0
    alignment: int = 1


def build(
    lumps: list[Written],
    *,
    alignment: int = 16,
    seed: int = 0,
    named: bool = True,
    arrangement: str = "dsl",
    table_order: list[int] | None = None,
    junk: bytes = b"",
    dedupe: bool = False,
) -> bytes:
    """An archive. `arrangement` orders directory, strings, lumps; `junk` stands before each and each name.

    Under `dedupe`, equal stored bytes share one place, which serves 16 entries at most.
    """
    keyed = sorted(((xxh64_intdigest(lump.name, seed), lump) for lump in lumps), key=itemgetter(0))
    table, name_offsets = _table([lump.name for _, lump in keyed], table_order, junk) if named else (b"", {})
    sizes = {"d": 56 * len(keyed), "s": len(table)}
    starts: dict[str, int] = {}
    offsets: list[int] = []
    end = 64
    for area in arrangement:
        end += len(junk)
        starts[area] = end
        if area != "l":
            end += sizes[area]
            continue
        places: dict[bytes, tuple[int, int]] = {}  # stored bytes -> where they are, entries that use it
        for _, lump in keyed:
            wanted = max(alignment, lump.alignment)
            place, users = places.get(lump.stored, (0, 16))
            if dedupe and lump.stored and place % wanted == 0 and users < 16:
                places[lump.stored] = (place, users + 1)
                offsets.append(place)
                continue
            end += -end % wanted
            places[lump.stored] = (end, 1)
            offsets.append(end)
            end += len(lump.stored)
    data = bytearray(end)
    at = starts["d"]
    for (key, lump), offset in zip(keyed, offsets, strict=True):
        data[offset : offset + len(lump.stored)] = lump.stored
        raw_size = len(lump.stored) if lump.raw_size is None else lump.raw_size
        data[at : at + 56] = struct.pack(
            "<QQQQQIIHHI",
            key,
            offset,
            len(lump.stored),
            raw_size,
            xxh64_intdigest(lump.stored),
            lump.fourcc,
            name_offsets[lump.name] if named else NO_NAME,
            lump.schema,
            0 if lump.raw_size is None else 1,
            0,
        )
        at += 56
    data[starts["s"] : starts["s"] + len(table)] = table
    data[:64] = struct.pack(
        "<4sIIIQQQQQQ", b"EWAD", 2, len(keyed), alignment, seed, starts["d"], starts["s"], len(table), 0, 0
    )
    return rehashed(data)


def _table(names: list[bytes], order: list[int] | None, junk: bytes) -> tuple[bytes, dict[bytes, int]]:
    table = bytearray()
    offsets = {}
    for index in order or range(len(names)):
        table += junk
        offsets[names[index]] = len(table)
        table += names[index] + b"\0"
    return bytes(table), offsets


def rehashed(data: bytes | bytearray) -> bytes:
    """The archive with the header hash that fits its metadata; unchanged where ranges do not fit."""
    start, table, table_size = (
        header(data, key) for key in ("directory_offset", "table_offset", "table_size")
    )
    directory_end = start + 56 * header(data, "lumps")
    if max(directory_end, table + table_size) > len(data):
        return bytes(data)
    covered = (
        data[:48] + bytes(8) + data[56:64] + data[start:directory_end] + data[table : table + table_size]
    )
    return bytes(data[:48] + struct.pack("<Q", xxh64_intdigest(bytes(covered))) + data[56:])


def header(data: bytes | bytearray, field: str) -> int:
    """A number in the header."""
    at, code = HEADER[field]
    return int(struct.unpack_from(code, data, at)[0])


def entry(data: bytes | bytearray, index: int, field: str) -> int:
    """A number in a directory entry."""
    at, code = ENTRY[field]
    return int(struct.unpack_from(code, data, header(data, "directory_offset") + 56 * index + at)[0])


def with_header(data: bytes, *, rehash: bool = True, **fields: int | bytes) -> bytes:
    """The archive with other header fields, and (mostly) a header hash that fits."""
    changed = bytearray(data)
    for field, value in fields.items():
        at, code = HEADER[field]
        struct.pack_into(code, changed, at, value)
    return rehashed(changed) if rehash else bytes(changed)


def with_entry(data: bytes, index: int, *, rehash: bool = True, **fields: int) -> bytes:
    """The archive with other fields in one entry, and (mostly) a header hash that fits."""
    changed = bytearray(data)
    for field, value in fields.items():
        at, code = ENTRY[field]
        struct.pack_into(code, changed, header(data, "directory_offset") + 56 * index + at, value)
    return rehashed(changed) if rehash else bytes(changed)


def flipped(data: bytes, bit: int) -> bytes:
    """The archive with one bit turned over."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def field_of(data: bytes, byte: int) -> str:
    """Which field, or what else, a byte belongs to; `entry.` is in front of an entry's fields."""
    if byte < 64:
        return _field(HEADER, byte)
    place = byte - header(data, "directory_offset")
    if 0 <= place < 56 * header(data, "lumps"):
        return "entry." + _field(ENTRY, place % 56)
    if 0 <= byte - header(data, "table_offset") < header(data, "table_size"):
        return "table"
    for index in range(header(data, "lumps")):
        if 0 <= byte - entry(data, index, "offset") < entry(data, index, "stored_size"):
            return "data"
    return "padding"


def _field(record: dict[str, tuple[int, str]], byte: int) -> str:
    return next(name for name, (at, code) in record.items() if at <= byte < at + struct.calcsize(code))
