"""The tests' own writers of the old formats, from the specifications alone: lumps back to back, directory behind.

They share nothing with the writers under test. Source: "WAD Format", section Classic; "Quake PAK".
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Lumps = Sequence[tuple[bytes, bytes]]  # name and bytes


def wad(lumps: Lumps, signature: bytes = b"PWAD") -> bytes:
    """An IWAD or PWAD; PACK has the same layout."""
    return _built(lumps, signature, "<II8s", name_last=True, count_entries=True)


def pak(lumps: Lumps) -> bytes:
    """A PAK as Quake has it."""
    return _built(lumps, b"PACK", "<56sII", name_last=False, count_entries=False)


def _built(lumps: Lumps, signature: bytes, entry: str, *, name_last: bool, count_entries: bool) -> bytes:
    data, directory = bytearray(12), bytearray()
    for name, raw in lumps:
        place = (len(data), len(raw))
        directory += struct.pack(entry, *place, name) if name_last else struct.pack(entry, name, *place)
        data += raw
    if count_entries:
        struct.pack_into("<4sII", data, 0, signature, len(lumps), len(data))
    else:
        struct.pack_into("<4sII", data, 0, signature, len(data), len(directory))
    return bytes(data + directory)
