"""Reading IWAD, PWAD and PACK: all metadata is checked, lump data is read on request only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.flat import (
    FlatArchive,
    FlatEntry,
    check_range,
    check_total,
    decode_header,
    ranges_hold,
)
from lumpyard.archives.wad.namespaces import first_choices
from lumpyard.archives.wad.oddities import warnings_of
from lumpyard.archives.wad.records import ENTRY_SIZE, WadEntry
from lumpyard.records import column, layout

if TYPE_CHECKING:
    from typing_extensions import Buffer


def view(data: Buffer, format: str, *, lenient: bool = False) -> FlatArchive:  # noqa: A002 - its name
    """An IWAD, PWAD or PACK over a buffer, as its first four bytes must say.

    MalformedError, in the specification's order: `signature`, `header`, `directory`, then the first entry's
    `range` or `offset`, then `cap`. UnsupportedError `limit` for more than `flat.MAX_LUMPS` lumps.
    """
    buffer = memoryview(data).toreadonly().cast("B")
    header = decode_header(buffer, format.encode("ascii"), ENTRY_SIZE)
    find = None if format == "PACK" else first_choices
    archive = FlatArchive(buffer, header, layout(WadEntry), _decode, warnings_of, find)
    total = 0
    for first, block in archive.blocks():
        offsets, sizes = column(WadEntry, block, "offset"), column(WadEntry, block, "size")
        if not ranges_hold(offsets, sizes, archive.size):
            for index in range(first, first + len(offsets)):
                check_range(archive, index, lenient=lenient)
        total += sum(sizes)
    check_total(total, archive.size)
    return archive


def _decode(fields: tuple[int | bytes, ...]) -> FlatEntry:
    offset, size, field = fields
    return FlatEntry(offset, size, field)  # type: ignore[arg-type]  # struct gives what the record says
