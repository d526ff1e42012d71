"""Where lumps may stand in a file: behind its header, before its end, and not too often in the same place.

Source: "WAD Format", section Validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.directory import HEADER_SIZE
from lumpyard.archives.model import Finding
from lumpyard.errors import MalformedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.archives.directory import DirectoryArchive, Entry

LENIENT = "a lenient reading lets it pass"


def check_range(archive: DirectoryArchive, index: int, *, lenient: bool) -> None:
    """MalformedError when one lump is not in the file (code `range`) or lies in the header (code `offset`).

    A lenient reading lets an empty lump have any offset: all engines do.
    """
    entry = archive.entry(index)
    size = entry.stored_size
    if entry.offset + size > archive.size and (size or not lenient):
        found = f"{size} bytes at {entry.offset} in a file of {archive.size} bytes"
        hint = "" if size else f"; it is empty, and {LENIENT}"
        message = f"{archive.label(index)}: it reaches past the end of the file ({found}{hint})"
        raise MalformedError(message, "range", index)
    if size and entry.offset < HEADER_SIZE:
        found = f"its {size} bytes at {entry.offset} lie in the header"
        raise MalformedError(f"{archive.label(index)}: {found}", "offset", index)


def range_oddities(entry: Entry, file_size: int, directory: range) -> Iterator[tuple[str, str]]:
    """Code and text of what is odd but legal about an entry's place; the directory's is given in bytes of the file."""
    offset, size = entry.offset, entry.stored_size
    if not size and offset > file_size:
        yield "empty-offset", f"it is empty, and its offset {offset} is outside the file of {file_size} bytes"
    if size and offset < directory.stop and offset + size > directory.start:
        yield "overlap", f"its {size} bytes at {offset} overlap the directory at {directory.start}"


def range_warnings(archive: DirectoryArchive) -> Iterator[Finding]:
    """Empty lumps with an offset outside the file, and lumps that share bytes with the directory."""
    size, directory = archive.size, archive.directory_range
    start, end = directory.start, directory.stop
    for index, entry in enumerate(archive.entries()):
        offset, stored_size = entry.offset, entry.stored_size
        if (offset >= end or offset + stored_size <= start) if stored_size else offset <= size:
            continue  # nearly all
        for code, text in range_oddities(entry, size, directory):
            yield Finding(code, f"{archive.label(index)}: {text}", index, "ok")
