"""What is odd but legal in a PAK or a DAIKATANA, and what a lenient reading lets pass: warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.findings import limited
from lumpyard.archives.model import Finding
from lumpyard.archives.path_names import FIELD_SIZE, clashes
from lumpyard.archives.ranges import range_oddities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.archives.directory import DirectoryArchive, Entry


def warnings_of(archive: DirectoryArchive) -> list[Finding]:
    """All warnings that the directory gives, those about the archive as a whole first; of each kind the first."""
    return limited(_oddities(archive))


def clashes_in(archive: DirectoryArchive) -> Iterator[Finding]:
    """Entries whose path is that of a file and of a folder."""
    for index in clashes([archive.path(entry) for entry in archive.entries()]):
        message = f"{archive.label(index)}: its path is that of a file and of a folder"
        yield Finding("clash", message, index, "ok")


def _oddities(archive: DirectoryArchive) -> Iterator[Finding]:
    if archive.trailing:
        message = f"the last {archive.trailing} bytes of the directory are no whole entry, and are ignored"
        yield Finding("directory", message, None, "ok")
    size, directory = archive.size, archive.directory_range
    start, end = directory.start, directory.stop
    firsts: dict[bytes, int] = {}
    for index, entry in enumerate(archive.entries()):
        field, offset, stored_size, _, _, flag = entry
        path = archive.path(entry)
        first = firsts.setdefault(path, index)
        placed = (offset >= end or offset + stored_size <= start) if stored_size else offset <= size
        if first == index and placed and path and not field[-1] and not (flag and flag > 1):
            continue  # nearly all
        first = first if path else index
        for code, text in _oddities_of(entry, size, directory, first, index):
            yield Finding(code, f"{archive.label(index)}: {text}", index, "ok")
    if archive.lenient:
        yield from clashes_in(archive)


def _oddities_of(
    entry: Entry, file_size: int, directory: range, first: int, index: int
) -> Iterator[tuple[str, str]]:
    """Code and text of what is odd in one entry."""
    yield from range_oddities(entry, file_size, directory)
    if b"\0" not in entry.field:
        yield "name", f"its name fills all {FIELD_SIZE} bytes, and some programs cut it by one"
    if entry.field.startswith(b"\0"):
        yield "name", "its name is empty, so look-ups do not find it"
    if first != index:
        yield "duplicate", f"entry {first} has the same name, and look-ups find that one"
    if entry.flag is not None and entry.flag > 1:
        yield "flag", f"its compression flag is {entry.flag}; anything but 0 is taken for 1"
