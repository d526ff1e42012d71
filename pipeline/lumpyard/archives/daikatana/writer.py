"""Writing the PAK of Daikatana, and which lumps to compress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.daikatana.encoder import encode
from lumpyard.archives.daikatana.records import ENTRY_SIZE, DaikatanaEntry
from lumpyard.archives.pathed_writing import LARGE_END, PathedWriter
from lumpyard.records import layout

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from lumpyard.archives.writing import NewLump

# "When packing, only compress those": the game may read no other compressed file.
COMPRESSED_SUFFIXES = (b".tga", b".bmp", b".wal", b".pcx", b".bsp")


def is_compressible(name: bytes) -> bool:
    """Whether a lump of that name is compressed by default; the case of its suffix does not matter."""
    return name.lower().endswith(COMPRESSED_SUFFIXES)


def pack_lump(name: bytes, raw: Buffer) -> tuple[bytes | memoryview, bool]:
    """The bytes to store of a lump, and whether they are compressed.

    They are where the name says so and it makes them fewer.
    """
    data = memoryview(raw).cast("B")
    if not is_compressible(name) or not data:
        return data, False
    stored = encode(data)
    return (stored, True) if len(stored) < len(data) else (data, False)


def _pack(lump: NewLump, offset: int) -> bytes:
    compressed_size = lump.stored_size if lump.compressed else 0
    return layout(DaikatanaEntry).pack(lump.name, offset, lump.raw_size, compressed_size, lump.compressed)


DAIKATANA = PathedWriter("DAIKATANA", ENTRY_SIZE, _pack, {"the Quake 2 engine": 4096}, compresses=True)
LARGE_DAIKATANA = DAIKATANA._replace(last_byte=LARGE_END)  # for those who ask; some programs cannot read it
