"""Reading IWAD, PWAD and PACK: all metadata is checked, lump data is read on request only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.directory import DirectoryArchive, Entry, Format, last_of_each
from lumpyard.archives.flat import check_total, open_flat, ranges_hold
from lumpyard.archives.ranges import check_range
from lumpyard.archives.wad.namespaces import first_choices
from lumpyard.archives.wad.oddities import warnings_of
from lumpyard.archives.wad.records import WadEntry
from lumpyard.records import column, layout

if TYPE_CHECKING:
    from typing_extensions import Buffer


def view(data: Buffer, format: str, *, lenient: bool = False) -> DirectoryArchive:  # noqa: A002 - its name
    """An IWAD, PWAD or PACK over a buffer, as its first four bytes must say.

    MalformedError, in the specification's order: `signature`, `header`, `directory`, then the first entry's
    `range` or `offset`, then `cap`. UnsupportedError `limit` for more than `directory.MAX_LUMPS` lumps.
    """
    buffer = memoryview(data).toreadonly().cast("B")
    archive = open_flat(buffer, _FORMATS[format], lenient=lenient)
    total = 0
    for first, block in archive.blocks():
        offsets, sizes = column(WadEntry, block, "offset"), column(WadEntry, block, "size")
        if not ranges_hold(offsets, sizes, archive.size):
            for index in range(first, first + len(offsets)):
                check_range(archive, index, lenient=lenient)
        total += sum(sizes)
    check_total(total, archive.size)
    return archive


def _decode(fields: tuple[int | bytes, ...]) -> Entry:
    offset, size, field = fields
    return Entry(field, offset, size, size)  # type: ignore[arg-type]  # struct gives what the record says


def _choose(archive: DirectoryArchive) -> dict[bytes, int]:
    return first_choices(archive.lumps)


_FORMATS = {
    name: Format(name, layout(WadEntry), _decode, warnings_of, choose)
    for name, choose in {"IWAD": _choose, "PWAD": _choose, "PACK": last_of_each}.items()
}
