"""Writing the formats that keep a header in front and a directory behind: all but EWAD, which has its own writer.

A writer makes the header and the directory; whoever writes the file places the lumps, in whole files in memory
(`encode_archive`) or in pieces. Lumps stand where `place_lumps` says: back to back from the end of the header, in the
order in which they are given, and the directory after the last.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.archives.model import Finding

MAX_SHARED = 16  # entries that one placed range serves, so that the readers' 16-fold cap always holds


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
    def entry_size(self) -> int:
        """Bytes of an entry of the directory."""
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


class Placed(NamedTuple):
    """Where a writer's lumps stand, in bytes from the start of the file."""

    offsets: list[int]
    directory_offset: int  # also where the data ends


def place_lumps(writer: Writer, lumps: Sequence[NewLump], digests: Sequence[bytes] | None = None) -> Placed:
    """Lumps back to back in the order given, the directory behind them.

    With the digests of their stored bytes, equal lumps share one place, at most `MAX_SHARED` of them; order
    and number of the entries stay.
    """
    offsets = []
    end = writer.header_size
    places: dict[tuple[bytes, int], tuple[int, int]] = {}  # -> where it is, entries that use it
    for index, lump in enumerate(lumps):
        offset, users = end, 0
        if digests is not None:
            same = (digests[index], lump.stored_size)
            offset, users = places.get(same, (end, 0))
            if users == MAX_SHARED:
                offset, users = end, 0
            places[same] = (offset, users + 1)
        offsets.append(offset)
        if not users:
            end += lump.stored_size
    return Placed(offsets, end)


def encode_archive(
    writer: Writer, lumps: Sequence[NewLump], stored: Sequence[bytes | memoryview], *, dedupe: bool = False
) -> bytes:
    """A whole archive in memory, of lumps that `Writer.check` lets pass and their stored bytes."""
    digests = [digest(data) for data in stored] if dedupe else None
    placed = place_lumps(writer, lumps, digests)
    parts: list[bytes | memoryview] = [writer.header(len(lumps), placed.directory_offset)]
    end = writer.header_size
    for offset, data in zip(placed.offsets, stored, strict=True):
        if offset == end:
            parts.append(data)
            end += len(data)
    return b"".join((*parts, writer.directory(lumps, placed.offsets)))


class _Writers(Mapping[str, Writer]):
    """Writers by format name; a format's module is imported when its writer is first asked for."""

    _places: Mapping[str, str] = {  # module and value in it
        "IWAD": "wad.writer:IWAD",
        "PWAD": "wad.writer:PWAD",
        "PACK": "wad.writer:PACK",
        "WAD2": "wad2.writer:WAD2",
        "WAD3": "wad2.writer:WAD3",
        "PAK": "pak.writer:PAK",
        "DAIKATANA": "daikatana.writer:DAIKATANA",
    }

    def __getitem__(self, name: str) -> Writer:
        module, _, value = self._places[name].partition(":")
        found: Writer = getattr(import_module(f"lumpyard.archives.{module}"), value)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


WRITERS: Mapping[str, Writer] = _Writers()
