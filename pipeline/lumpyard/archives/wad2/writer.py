"""Writing WAD2 and WAD3 in the specification's layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.flat_writing import FlatWriter, NameRule
from lumpyard.archives.wad2.oddities import odd_name
from lumpyard.archives.wad2.records import ENTRY_SIZE, FIELD_SIZE, NAME_SIZE, Wad2Entry
from lumpyard.records import layout

if TYPE_CHECKING:
    from lumpyard.archives.writing import NewLump


def _pack(lump: NewLump, offset: int) -> bytes:
    return layout(Wad2Entry).pack(offset, lump.stored_size, lump.stored_size, lump.kind, 0, 0, lump.name)


_NAMES = NameRule(NAME_SIZE, FIELD_SIZE, odd_name)
WAD2, WAD3 = (FlatWriter(name, _NAMES, ENTRY_SIZE, _pack) for name in ("WAD2", "WAD3"))
