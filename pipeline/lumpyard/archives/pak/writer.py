"""Writing the PAK of Quake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.pak.records import ENTRY_SIZE, PakEntry
from lumpyard.archives.pathed_writing import LARGE_END, PathedWriter
from lumpyard.records import layout

if TYPE_CHECKING:
    from lumpyard.archives.writing import NewLump


def _pack(lump: NewLump, offset: int) -> bytes:
    return layout(PakEntry).pack(lump.name, offset, lump.stored_size)


PAK = PathedWriter("PAK", ENTRY_SIZE, _pack, {"Quake": 2048, "Quake 2": 4096}, compresses=False)
LARGE_PAK = PAK._replace(
    last_byte=LARGE_END
)  # for those who ask: up to 4 GiB, which some programs cannot read
