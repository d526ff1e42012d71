"""The format of WAD2 and WAD3: its directory entry, 32 bytes.

Header and arrangement are those of `archives.flat`.

Source: "WAD Format", section WAD2 and WAD3.
"""

# No `from __future__ import annotations`: the record's field codes are read from its annotations.
from typing import Annotated, NamedTuple

from lumpyard.records import U8, U16, U32

NAME_SIZE = 15  # so that the terminator always fits
FIELD_SIZE = 16
ENTRY_SIZE = 32


class Wad2Entry(NamedTuple):
    """Directory entry, in any order."""

    offset: U32  # of the stored bytes, from the start of the file; free in an empty lump
    size: U32  # bytes in the file
    raw_size: U32  # bytes after decompression, which is not read here
    kind: U8  # lump type, a hint: conchars is typed miptex and is none
    compression: U8  # 0 for none
    padding: U16  # not read
    field: Annotated[bytes, "16s"]  # name, NUL, and whatever follows
