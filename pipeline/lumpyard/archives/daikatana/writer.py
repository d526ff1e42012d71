"""Writing the PAK of Daikatana, and which lumps to compress."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.daikatana.encoder import encode
from lumpyard.archives.daikatana.records import ENTRY_SIZE, DaikatanaEntry
from lumpyard.archives.pathed import HEADER_SIZE
from lumpyard.archives.pathed_writing import LARGE_END, SAFE_END, encode_header, faults
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

    from lumpyard.archives.model import Finding
    from lumpyard.archives.writing import NewLump

# "When packing, only compress those": the game may read no other compressed file.
COMPRESSED_SUFFIXES = (b".tga", b".bmp", b".wal", b".pcx", b".bsp")
_ENGINES = {"the Quake 2 engine": 4096}


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


class DaikatanaWriter(NamedTuple):
    """A `Writer`; `last_byte` is the size that a file may have."""

    format: str = "DAIKATANA"
    header_size: int = HEADER_SIZE
    last_byte: int = SAFE_END

    def check(self, lumps: Sequence[NewLump]) -> list[Finding]:
        """All that the format cannot hold: names, duplicates, files that are folders too, sizes; and warnings."""
        return faults(lumps, ENTRY_SIZE, self.last_byte, _ENGINES)

    def header(self, lumps: int, directory_offset: int) -> bytes:
        """The header of an archive of so many lumps."""
        return encode_header(directory_offset, lumps * ENTRY_SIZE)

    def directory(self, lumps: Sequence[NewLump], offsets: Sequence[int]) -> bytes:
        """The directory of lumps that stand at these offsets from the start of the file."""
        pack = layout(DaikatanaEntry).pack
        return b"".join(
            pack(
                lump.name, offset, lump.raw_size, lump.stored_size if lump.compressed else 0, lump.compressed
            )
            for lump, offset in zip(lumps, offsets, strict=True)
        )


DAIKATANA = DaikatanaWriter()
LARGE_DAIKATANA = DaikatanaWriter(last_byte=LARGE_END)  # for those who ask; some programs cannot read it
