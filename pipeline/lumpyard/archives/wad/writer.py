"""Writing IWAD, PWAD and PACK in the specification's layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.fitting import NameRule, faults
from lumpyard.archives.flat import HEADER_SIZE, FlatHeader
from lumpyard.archives.wad.records import NAME_SIZE, WadEntry
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.archives.model import Finding
    from lumpyard.archives.writing import NewLump


class WadWriter(NamedTuple):
    """The writer of one of the three; a `Writer`."""

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
        pack = layout(WadEntry).pack
        return b"".join(
            pack(offset, lump.stored_size, lump.name) for lump, offset in zip(lumps, offsets, strict=True)
        )


def _odd(name: bytes) -> str:
    if name[0] >= 0x80:
        return "the highest bit of its name's first byte is set; some readers take the lump for compressed"
    if not (name.isascii() and name.decode("ascii").isprintable()) or b" " in name:
        return "its name has characters that few tools take; A to Z, 0 to 9 and [ ] - _ \\ ^ are safe"
    if name != name.upper():
        return "its name has lower-case letters, which some tools do not find"
    return ""


_NAMES = NameRule(NAME_SIZE, NAME_SIZE, _odd)
IWAD, PWAD, PACK = WadWriter("IWAD"), WadWriter("PWAD"), WadWriter("PACK")
