"""Writing IWAD, PWAD and PACK in the specification's layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.flat_writing import FlatWriter, NameRule
from lumpyard.archives.wad.records import ENTRY_SIZE, NAME_SIZE, WadEntry
from lumpyard.records import layout

if TYPE_CHECKING:
    from lumpyard.archives.writing import NewLump


def _pack(lump: NewLump, offset: int) -> bytes:
    return layout(WadEntry).pack(offset, lump.stored_size, lump.name)


def _odd(name: bytes) -> str:
    if name[0] >= 0x80:
        return "the highest bit of its name's first byte is set; some readers take the lump for compressed"
    if not (name.isascii() and name.decode("ascii").isprintable()) or b" " in name:
        return "its name has characters that few tools take; A to Z, 0 to 9 and [ ] - _ \\ ^ are safe"
    if name != name.upper():
        return "its name has lower-case letters, which some tools do not find"
    return ""


_NAMES = NameRule(NAME_SIZE, NAME_SIZE, _odd)
IWAD, PWAD, PACK = (FlatWriter(name, _NAMES, ENTRY_SIZE, _pack) for name in ("IWAD", "PWAD", "PACK"))
