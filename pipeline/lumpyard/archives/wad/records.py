"""The classic format of IWAD, PWAD and PACK: its directory entry, 16 bytes.

Header and arrangement are those of `archives.flat`. PACK in this layout is not the PAK of Quake, which has the same
signature (`archives.detect` tells them apart).

Source: "WAD Format", section Classic.
"""

# No `from __future__ import annotations`: the record's field codes are read from its annotations.
from typing import Annotated, NamedTuple

from lumpyard.records import U32

NAME_SIZE = 8
ENTRY_SIZE = 16


class WadEntry(NamedTuple):
    """Directory entry, in any order."""

    offset: U32  # of the stored bytes, from the start of the file; free in an empty lump
    size: U32  # bytes
    field: Annotated[bytes, "8s"]  # name, padded with zeros; no NUL when all 8 bytes are used
