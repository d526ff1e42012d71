"""The PAK of Daikatana: its directory entry, 72 bytes.

Header and arrangement are those of `archives.pathed`.

Source: "Description of Daikatana .pak format".
"""

# No `from __future__ import annotations`: the record's field codes are read from its annotations.
from typing import NamedTuple

from lumpyard.archives.pathed import NameField
from lumpyard.records import U32

ENTRY_SIZE = 72


class DaikatanaEntry(NamedTuple):
    """Directory entry, in any order."""

    field: NameField  # name, padded with zeros
    offset: U32  # of the stored bytes, from the start of the file
    raw_size: U32  # bytes after decompression
    compressed_size: U32  # bytes in the file of a compressed lump; means nothing for others
    flag: U32  # 0: not compressed, else compressed
