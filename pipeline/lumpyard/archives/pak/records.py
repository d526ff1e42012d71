"""The PAK of Quake: its directory entry, 64 bytes.

Header and arrangement are those of `archives.pathed`.

Source: "Description of Daikatana .pak format", which names where Daikatana's differs from it.
"""

# No `from __future__ import annotations`: the record's field codes are read from its annotations.
from typing import NamedTuple

from lumpyard.archives.pathed import NameField
from lumpyard.records import U32

ENTRY_SIZE = 64


class PakEntry(NamedTuple):
    """Directory entry, in any order."""

    field: NameField  # name, padded with zeros
    offset: U32  # of the bytes, from the start of the file
    size: U32  # bytes
