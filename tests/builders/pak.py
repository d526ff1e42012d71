"""The tests' own writer of Quake's and Daikatana's PAK: every field can be said, nothing is checked.

Source: "Description of Daikatana .pak format".
"""

from __future__ import annotations

import struct
from typing import NamedTuple


class Packed(NamedTuple):
    """A lump as it is to stand in the file."""

    name: bytes  # what the name's 56 bytes start with
    data: bytes = b""  # the stored bytes
    raw_size: int | None = None  # Daikatana: said where it is compressed
    flag: int | None = None  # Daikatana: 1 where a raw size is said
    offset: int | None = None  # where the entry says that it is, unless it is where it is
    size: int | None = None  # what the entry says of the stored bytes
    field: bytes | None = None  # Daikatana: four bytes for the compressed length


def quake(lumps: list[Packed], *, front: bool = False, length: int | None = None) -> bytes:
    """A Quake PAK; `front` puts the directory before the data, `length` is said of it."""
    return _archive(lumps, 64, front=front, length=length)


def daikatana(lumps: list[Packed], *, front: bool = False, length: int | None = None) -> bytes:
    """A Daikatana PAK; the same."""
    return _archive(lumps, 72, front=front, length=length)


def plain(*names: bytes) -> list[Packed]:
    """Small lumps of these names, each with other bytes."""
    return [Packed(name, b"%d:" % number + name[:9]) for number, name in enumerate(names)]


def _archive(lumps: list[Packed], entry_size: int, *, front: bool, length: int | None) -> bytes:
    directory_size = entry_size * len(lumps)
    end = 12 + (directory_size if front else 0)
    data = directory = b""
    for lump in lumps:
        directory += _entry(lump, end + len(data), entry_size)
        data += lump.data
    start = 12 if front else 12 + len(data)
    said = directory_size if length is None else length
    return struct.pack("<4sII", b"PACK", start, said) + (directory + data if front else data + directory)


def _entry(lump: Packed, place: int, entry_size: int) -> bytes:
    offset = place if lump.offset is None else lump.offset
    size = len(lump.data) if lump.size is None else lump.size
    if entry_size == 64:
        return struct.pack("<56sII", lump.name, offset, size)
    compressed = lump.raw_size is not None
    flag = int(compressed) if lump.flag is None else lump.flag
    raw_size = size if lump.raw_size is None else lump.raw_size
    field = struct.pack("<I", size if flag else 0) if lump.field is None else lump.field
    return struct.pack("<56sII4sI", lump.name, offset, raw_size, field, flag)
