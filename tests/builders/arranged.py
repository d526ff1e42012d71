"""The tests' own writer and reader of every old format, in any arrangement: from the specifications alone.

Lumps may stand in any order with any bytes between them, share their bytes, and the directory may be in front.
Source: "WAD Format", sections Classic, WAD2 and WAD3; "Description of Daikatana .pak format".
"""

from __future__ import annotations

import struct
from typing import NamedTuple

FLAT = ("IWAD", "PWAD", "PACK", "WAD2", "WAD3")
PATHED = ("PAK", "DAIKATANA")
OLD = (*FLAT, *PATHED)
_FIELD = {"IWAD": 8, "PWAD": 8, "PACK": 8, "WAD2": 16, "WAD3": 16, "PAK": 56, "DAIKATANA": 56}
_ENTRY = {"IWAD": 16, "PWAD": 16, "PACK": 16, "WAD2": 32, "WAD3": 32, "PAK": 64, "DAIKATANA": 72}


class Entry(NamedTuple):
    """One entry: the whole name field without the zeros at its end, and the stored bytes."""

    name: bytes
    stored: bytes = b""
    kind: int = 0
    raw_size: int | None = None  # of a compressed lump of a DAIKATANA


def arranged(
    format_name: str,
    entries: list[Entry],
    *,
    gap: bytes = b"",
    tail: bytes = b"",
    directory_first: bool = False,
    order: list[int] | None = None,
    share: bool = False,
    empty_at: int | None = None,
) -> bytes:
    """An archive: `gap` stands before each lump and the directory, `order` is that of the lumps in the file.

    With `share` equal lumps stand once; empty lumps have the offset `empty_at`, where it is given.
    """
    size = _ENTRY[format_name] * len(entries)
    body = bytearray(12)
    directory_at = len(body)
    if directory_first:
        body += bytes(size)
    offsets: dict[int, int] = {}
    places: dict[bytes, int] = {}
    for index in order or range(len(entries)):
        stored = entries[index].stored
        if not stored and empty_at is not None:
            offsets[index] = empty_at
            continue
        if share and stored in places:
            offsets[index] = places[stored]
            continue
        body += gap
        offsets[index] = places[stored] = len(body)
        body += stored
    if not directory_first:
        body += gap
        directory_at = len(body)
        body += bytes(size)
    body += tail
    directory = b"".join(_entry(format_name, entry, offsets[index]) for index, entry in enumerate(entries))
    body[directory_at : directory_at + size] = directory
    if format_name in PATHED:
        body[:12] = struct.pack("<4sII", b"PACK", directory_at, size)
    else:
        body[:12] = struct.pack("<4sII", format_name.encode(), len(entries), directory_at)
    return bytes(body)


def _entry(format_name: str, entry: Entry, offset: int) -> bytes:
    size = len(entry.stored)
    field = entry.name.ljust(_FIELD[format_name], b"\0")
    if format_name in ("IWAD", "PWAD", "PACK"):
        return struct.pack("<II8s", offset, size, field)
    if format_name in ("WAD2", "WAD3"):
        return struct.pack("<IIIBBH16s", offset, size, size, entry.kind, 0, 0, field)
    if format_name == "PAK":
        return struct.pack("<56sII", field, offset, size)
    if entry.raw_size is None:
        return struct.pack("<56sIIII", field, offset, size, 0, 0)
    return struct.pack("<56sIIII", field, offset, entry.raw_size, size, 1)


def entries_of(format_name: str, data: bytes) -> list[Entry]:
    """All entries of an archive, compressed ones as they are stored."""
    signature, first, second = struct.unpack_from("<4sII", data)
    assert signature == (b"PACK" if format_name in PATHED else format_name.encode())
    size = _ENTRY[format_name]
    start, count = (first, second // size) if format_name in PATHED else (second, first)
    return [_read(format_name, data, start + number * size) for number in range(count)]


def _read(format_name: str, data: bytes, at: int) -> Entry:
    kind, raw_size = 0, None
    if format_name in ("IWAD", "PWAD", "PACK"):
        offset, size, field = struct.unpack_from("<II8s", data, at)
    elif format_name in ("WAD2", "WAD3"):
        offset, size, other, kind, packed, _, field = struct.unpack_from("<IIIBBH16s", data, at)
        assert (size, packed) == (other, 0)
    elif format_name == "PAK":
        field, offset, size = struct.unpack_from("<56sII", data, at)
    else:
        field, offset, size, packed_size, flag = struct.unpack_from("<56sIIII", data, at)
        if flag:
            size, raw_size = packed_size, size
    assert offset + size <= len(data)
    return Entry(field.rstrip(b"\0"), data[offset : offset + size], kind, raw_size)
