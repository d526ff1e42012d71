"""Writing the PAK of Quake."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import Finding
from lumpyard.archives.pak.records import ENTRY_SIZE, PakEntry
from lumpyard.archives.path_names import entry_label, name_of
from lumpyard.archives.pathed import HEADER_SIZE
from lumpyard.archives.pathed_writing import LARGE_END, SAFE_END, encode_header, faults
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.archives.writing import NewLump

_ENGINES = {"Quake": 2048, "Quake 2": 4096}


class PakWriter(NamedTuple):
    """A `Writer`; `last_byte` is the size that a file may have."""

    format: str = "PAK"
    header_size: int = HEADER_SIZE
    last_byte: int = SAFE_END

    def check(self, lumps: Sequence[NewLump]) -> list[Finding]:
        """All that the format cannot hold: names, duplicates, files that are folders too, sizes; and warnings."""
        packed = [
            Finding(
                "compressed", f"{entry_label(index, name_of(lump.name))}: a PAK has no compression", index
            )
            for index, lump in enumerate(lumps)
            if lump.compressed or lump.stored_size != lump.raw_size
        ]
        return packed + faults(lumps, ENTRY_SIZE, self.last_byte, _ENGINES)

    def header(self, lumps: int, directory_offset: int) -> bytes:
        """The header of an archive of so many lumps."""
        return encode_header(directory_offset, lumps * ENTRY_SIZE)

    def directory(self, lumps: Sequence[NewLump], offsets: Sequence[int]) -> bytes:
        """The directory of lumps that stand at these offsets from the start of the file."""
        pack = layout(PakEntry).pack
        return b"".join(
            pack(lump.name, offset, lump.stored_size) for lump, offset in zip(lumps, offsets, strict=True)
        )


PAK = PakWriter()
LARGE_PAK = PakWriter(last_byte=LARGE_END)  # for those who ask: up to 4 GiB, which some programs cannot read
