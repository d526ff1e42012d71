"""The tests' own writers of the old formats, from the specifications alone: lumps back to back, directory behind.

They share nothing with the writers under test, and write what they are told: names that are too long are cut.
Source: "WAD Format", sections Classic and WAD2; "Description of Daikatana .pak format".
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Lumps = Sequence[tuple[bytes, bytes]]  # name and bytes


def wad(lumps: Lumps, signature: bytes = b"PWAD") -> bytes:
    """An IWAD or PWAD; PACK in the classic layout too."""
    data, places = _placed(raw for _, raw in lumps)
    directory = [struct.pack("<II8s", *place, name) for place, (name, _) in zip(places, lumps, strict=True)]
    return struct.pack("<4sII", signature, len(lumps), len(data)) + data[12:] + b"".join(directory)


def wad_with(
    entries: Sequence[tuple[bytes, int, int]], data: bytes = b"", signature: bytes = b"PWAD"
) -> bytes:
    """An IWAD or PWAD whose entries (name, offset, size) say what they are told; the data starts at 12."""
    directory = b"".join(struct.pack("<II8s", offset, size, name) for name, offset, size in entries)
    return struct.pack("<4sII", signature, len(entries), 12 + len(data)) + data + directory


def pak_with(entries: Sequence[tuple[bytes, int, int]], data: bytes = b"", *, more: bytes = b"") -> bytes:
    """A PAK whose entries (name, offset, size) say what they are told, with more bytes in its directory."""
    directory = b"".join(struct.pack("<56sII", name, offset, size) for name, offset, size in entries) + more
    return struct.pack("<4sII", b"PACK", 12 + len(data), len(directory)) + data + directory


def wad2(lumps: Lumps, signature: bytes = b"WAD2", kind: int = 0x44) -> bytes:
    """A WAD2 or WAD3, all lumps of one kind."""
    data, places = _placed(raw for _, raw in lumps)
    directory = [
        struct.pack("<IIIBBH16s", *place, place[1], kind, 0, 0, name)
        for place, (name, _) in zip(places, lumps, strict=True)
    ]
    return struct.pack("<4sII", signature, len(lumps), len(data)) + data[12:] + b"".join(directory)


def pak(lumps: Lumps) -> bytes:
    """A PAK as Quake has it."""
    data, places = _placed(raw for _, raw in lumps)
    directory = [struct.pack("<56sII", name, *place) for place, (name, _) in zip(places, lumps, strict=True)]
    return struct.pack("<4sII", b"PACK", len(data), 64 * len(lumps)) + data[12:] + b"".join(directory)


def daikatana(lumps: Sequence[tuple[bytes, bytes, int | None]]) -> bytes:
    """A PAK as Daikatana has it; of a compressed lump the stored bytes and the raw size, which is None else."""
    data, places = _placed(stored for _, stored, _ in lumps)
    directory = [
        struct.pack("<56sIIII", name, offset, size, 0, 0)
        if raw_size is None
        else struct.pack("<56sIIII", name, offset, raw_size, size, 1)
        for (offset, size), (name, _, raw_size) in zip(places, lumps, strict=True)
    ]
    return struct.pack("<4sII", b"PACK", len(data), 72 * len(lumps)) + data[12:] + b"".join(directory)


def _placed(all_raw: Iterable[bytes]) -> tuple[bytes, list[tuple[int, int]]]:
    """Twelve bytes for the header and all data; offset and size of each lump."""
    data, places = bytearray(12), []
    for raw in all_raw:
        places.append((len(data), len(raw)))
        data += raw
    return bytes(data), places
