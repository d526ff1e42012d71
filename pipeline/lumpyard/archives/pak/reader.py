"""Reading the PAK of Quake: all metadata is checked, lump data is read on request only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.directory import Entry, Format, first_of_each
from lumpyard.archives.pak.records import PakEntry
from lumpyard.archives.pathed import view_pathed
from lumpyard.archives.pathed_oddities import warnings_of
from lumpyard.records import layout

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from lumpyard.archives.directory import DirectoryArchive


def view(data: Buffer, *, lenient: bool = False) -> DirectoryArchive:
    """A Quake PAK over a buffer; errors and leniencies are those of `view_pathed`."""
    return view_pathed(memoryview(data).toreadonly().cast("B"), _FORMAT, lenient=lenient)


def _decode(fields: tuple[int | bytes, ...]) -> Entry:
    field, offset, size = PakEntry._make(fields)
    return Entry(field, offset, size, size)


_FORMAT = Format("PAK", layout(PakEntry), _decode, warnings_of, first_of_each)
