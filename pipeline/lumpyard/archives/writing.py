"""Writing the formats that keep a header in front and a directory behind: all but EWAD, which has its own writer.

A writer makes the header and the directory; whoever writes the file places the lumps, in whole files in memory
(`encode_archive`) or in pieces. Lumps stand where `place_lumps` says: back to back from the end of the header, in the
order in which they are given, and the directory after the last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.archives.model import Finding


class NewLump(NamedTuple):
    """What a directory is to say of a lump; its stored bytes come apart."""

    name: bytes  # as it will be stored, without padding; bytes after a NUL are kept where the field has room
    stored_size: int  # bytes in the file
    raw_size: int  # bytes after decompression
    compressed: bool = False  # by the format's own codec (DAIKATANA)
    kind: int = 0  # lump type byte of WAD2 and WAD3


class Writer(Protocol):
    """How one format is written."""

    @property
    def format(self) -> str:
        """Its name in `FORMATS`; also the signature that is written, but for PAK and DAIKATANA."""
        ...

    @property
    def header_size(self) -> int:
        """Bytes of the header, which is also where the first lump starts."""
        ...

    def check(self, lumps: Sequence[NewLump]) -> list[Finding]:
        """All that the format cannot hold, of all lumps: names, duplicates, sizes; and warnings (verdict `ok`)."""
        ...

    def header(self, lumps: int, directory_offset: int) -> bytes:
        """The header of an archive of so many lumps."""
        ...

    def directory(self, lumps: Sequence[NewLump], offsets: Sequence[int]) -> bytes:
        """The directory of lumps that stand at these offsets from the start of the file."""
        ...


WRITERS: Mapping[str, Writer] = {}
