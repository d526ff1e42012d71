"""Reading the PAK of Daikatana: all metadata is checked, lump data is read and decoded on request only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.daikatana.decoder import decode
from lumpyard.archives.daikatana.records import DaikatanaEntry
from lumpyard.archives.directory import Entry, Format, first_of_each
from lumpyard.archives.path_names import normal
from lumpyard.archives.pathed import view_pathed
from lumpyard.archives.pathed_oddities import warnings_of
from lumpyard.records import layout

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from lumpyard.archives.directory import DirectoryArchive


def view(data: Buffer, *, lenient: bool = False) -> DirectoryArchive:
    """A Daikatana PAK over a buffer; errors and leniencies are those of `view_pathed` and of `decode`."""
    return view_pathed(memoryview(data).toreadonly().cast("B"), _FORMAT, lenient=lenient)


def _decode_entry(fields: tuple[int | bytes, ...]) -> Entry:
    field, offset, raw_size, compressed_size, flag = DaikatanaEntry._make(fields)
    return Entry(field, offset, compressed_size if flag else raw_size, raw_size, flag=flag)


_FORMAT = Format(
    "DAIKATANA",
    layout(DaikatanaEntry),
    _decode_entry,
    warnings_of,
    first_of_each,
    compared=normal,
    unpack=decode,
)
