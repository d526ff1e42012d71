"""What is odd but legal in a WAD: all findings have the verdict `ok` and name their entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.findings import limited
from lumpyard.archives.flat import name_warnings
from lumpyard.archives.model import Finding
from lumpyard.archives.ranges import range_warnings
from lumpyard.archives.wad.lzss import MAX_RAW_SIZE, MAX_WORK, decodes, is_flagged
from lumpyard.archives.wad.namespaces import namespaces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.archives.directory import DirectoryArchive


def warnings_of(archive: DirectoryArchive) -> list[Finding]:
    """All warnings about the entries of a WAD, in directory order.

    Codes: `empty-offset`, `overlap`, `name-empty`, `lzss`, and those of `namespaces`.
    """
    return limited(_all(archive))


def _all(archive: DirectoryArchive) -> Iterator[Finding]:
    yield from range_warnings(archive)
    yield from name_warnings(archive)
    yield from _compressed(archive)
    if archive.format != "PACK":
        yield from namespaces(archive.lumps).findings


def _compressed(archive: DirectoryArchive) -> Iterator[Finding]:
    """Lumps that say that they are compressed, and are."""
    work = 0
    for index, lump in enumerate(archive.lumps):
        if lump.name and is_flagged(lump.name) and 0 < lump.raw_size <= MAX_RAW_SIZE and work < MAX_WORK:
            work += lump.raw_size
            if decodes(archive.data[lump.offset :], lump.raw_size):
                found = "it is compressed as on the Jaguar (LZSS), and its bytes are left as they are"
                yield Finding("lzss", f"{archive.label(index)}: {found}", index, "ok")
