"""Reading the PAK of Daikatana: all metadata is checked, lump data is read and decoded on request only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.daikatana.decoder import decode
from lumpyard.archives.daikatana.records import DaikatanaEntry
from lumpyard.archives.pathed import Kind, PathedEntry, view_pathed
from lumpyard.records import layout

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from lumpyard.archives.pathed import PathedArchive


def view(data: Buffer, *, lenient: bool = False) -> PathedArchive:
    """A Daikatana PAK over a buffer; errors and leniencies are those of `view_pathed` and of `decode`."""
    return view_pathed(memoryview(data).toreadonly().cast("B"), _KIND, lenient=lenient)


def _decode_entry(fields: tuple[int | bytes, ...]) -> PathedEntry:
    field, offset, raw_size, compressed_size, flag = DaikatanaEntry._make(fields)
    return PathedEntry(field, offset, raw_size, compressed_size if flag else raw_size, flag)


_KIND = Kind("DAIKATANA", layout(DaikatanaEntry), _decode_entry, decode, any_slash=True)
