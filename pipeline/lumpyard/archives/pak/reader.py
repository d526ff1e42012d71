"""Reading the PAK of Quake: all metadata is checked, lump data is read on request only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.pak.records import PakEntry
from lumpyard.archives.pathed import Kind, PathedEntry, view_pathed
from lumpyard.records import layout

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from lumpyard.archives.pathed import PathedArchive


def view(data: Buffer, *, lenient: bool = False) -> PathedArchive:
    """A Quake PAK over a buffer; errors and leniencies are those of `view_pathed`."""
    return view_pathed(memoryview(data).toreadonly().cast("B"), _KIND, lenient=lenient)


def _decode(fields: tuple[int | bytes, ...]) -> PathedEntry:
    field, offset, size = PakEntry._make(fields)
    return PathedEntry(field, offset, size, size)


_KIND = Kind("PAK", layout(PakEntry), _decode)
