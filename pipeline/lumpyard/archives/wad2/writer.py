"""Writing WAD2 and WAD3 in the specification's layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.fitting import NameRule, faults
from lumpyard.archives.flat import HEADER_SIZE, FlatHeader
from lumpyard.archives.wad2.oddities import odd_name
from lumpyard.archives.wad2.records import FIELD_SIZE, NAME_SIZE, Wad2Entry
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.archives.model import Finding
    from lumpyard.archives.writing import NewLump


class Wad2Writer(NamedTuple):
    """The writer of one of the two; a `Writer`."""

    format: str
    header_size: int = HEADER_SIZE

    def check(self, lumps: Sequence[NewLump]) -> list[Finding]:
        """All that the format cannot hold: names that are empty or too long, sizes; and warnings."""
        return faults(self.format, lumps, _NAMES)

    def header(self, lumps: int, directory_offset: int) -> bytes:
        """The header of an archive of so many lumps."""
        return layout(FlatHeader).pack(self.format.encode("ascii"), lumps, directory_offset)

    def directory(self, lumps: Sequence[NewLump], offsets: Sequence[int]) -> bytes:
        """The directory of lumps that stand at these offsets from the start of the file."""
        pack = layout(Wad2Entry).pack
        return b"".join(
            pack(offset, lump.stored_size, lump.stored_size, lump.kind, 0, 0, lump.name)
            for lump, offset in zip(lumps, offsets, strict=True)
        )


_NAMES = NameRule(NAME_SIZE, FIELD_SIZE, odd_name)
WAD2, WAD3 = Wad2Writer("WAD2"), Wad2Writer("WAD3")
