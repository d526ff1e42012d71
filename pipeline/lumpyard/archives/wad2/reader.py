"""Reading WAD2 and WAD3: all metadata is checked, lump data is read on request only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.directory import DirectoryArchive, Entry, Format, last_of_each
from lumpyard.archives.flat import check_total, open_flat, ranges_hold
from lumpyard.archives.ranges import LENIENT, check_range
from lumpyard.archives.wad2.oddities import warnings_of
from lumpyard.archives.wad2.records import FIELD_SIZE, Wad2Entry
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.records import column, column_bytes, layout

if TYPE_CHECKING:
    from typing_extensions import Buffer

_ENTRY = layout(Wad2Entry)


def view(data: Buffer, format: str, *, lenient: bool = False) -> DirectoryArchive:  # noqa: A002 - its name
    """A WAD2 or WAD3 over a buffer, as its first four bytes must say.

    MalformedError, in the specification's order: `signature`, `header`, `directory`; then the first entry
    that is UnsupportedError `compressed`, or malformed `range`, `offset` or `name`; then `cap`.
    UnsupportedError `limit` for more than `directory.MAX_LUMPS` lumps.
    """
    buffer = memoryview(data).toreadonly().cast("B")
    archive = open_flat(buffer, _FORMATS[format], lenient=lenient)
    total = 0
    for first, block in archive.blocks():
        sizes = column(Wad2Entry, block, "size")
        if not _block_holds(block, sizes, archive.size):
            for index in range(first, first + len(sizes)):
                _check_entry(archive, index, lenient=lenient)
        total += sum(sizes)
    check_total(total, archive.size)
    return archive


def _decode(fields: tuple[int | bytes, ...]) -> Entry:
    offset, size, _, kind, _, _, field = fields
    return Entry(field, offset, size, size, kind)  # type: ignore[arg-type]  # struct gives what the record says


_FORMATS = {name: Format(name, _ENTRY, _decode, warnings_of, last_of_each) for name in ("WAD2", "WAD3")}


def _block_holds(block: memoryview, sizes: tuple[int, ...], file_size: int) -> bool:
    """Whether all entries of a block are sound, for the quick and common case."""
    return (
        column_bytes(Wad2Entry, block, "size") == column_bytes(Wad2Entry, block, "raw_size")
        and not any(column_bytes(Wad2Entry, block, "compression"))
        and ranges_hold(column(Wad2Entry, block, "offset"), sizes, file_size)
        and not any(block[_ENTRY.size - 1 :: _ENTRY.size])  # the names' last bytes
    )


def _check_entry(archive: DirectoryArchive, index: int, *, lenient: bool) -> None:
    entry = Wad2Entry._make(_ENTRY.unpack_from(archive.directory, index * _ENTRY.size))
    if entry.compression or entry.size != entry.raw_size:
        found = f"compression {entry.compression}, size on disk {entry.size}, uncompressed {entry.raw_size}"
        raise UnsupportedError(
            f"{archive.label(index)}: compressed lumps are not read ({found})", "compressed", index
        )
    check_range(archive, index, lenient=lenient)
    if b"\0" not in entry.field and not lenient:
        found = f"its name fills all {FIELD_SIZE} bytes, without a NUL; {LENIENT}"
        raise MalformedError(f"{archive.label(index)}: {found}", "name", index)
