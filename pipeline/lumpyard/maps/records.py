"""The fixed-size records of Doom's and Hexen's map lumps, one line a field, and the lumps that hold them.

    THINGS     Thing (Hexen's: HexenThing)      SEGS      Seg
    LINEDEFS   Line (Hexen's: HexenLine)        SSECTORS  Subsector
    SIDEDEFS   Side                             NODES     Node
    VERTEXES   Vertex                           SECTORS   Sector

Source: "Doom map", THINGS to SECTORS and "Hexen's format". Numbers of other records and flags are read unsigned, which
is what maps beyond the first engines' limits need; the specification has them signed.
"""

# No `from __future__ import annotations`: the records' field codes are read from their annotations.
from typing import Annotated, NamedTuple

from lumpyard.maps.model import MapDamage
from lumpyard.records import U8, U16

I16 = Annotated[int, "h"]
Name = Annotated[bytes, "8s"]  # up to the first NUL; what follows it means nothing, and is often not zero

NONE = 0xFFFF  # as a side's number: there is no side


class Thing(NamedTuple):
    """THINGS in Doom's format, 10 bytes."""

    x: I16
    y: I16
    angle: I16  # degrees: 0 east, 90 north
    type: I16
    flags: U16


class HexenThing(NamedTuple):
    """THINGS in Hexen's format, 20 bytes."""

    tid: I16
    x: I16
    y: I16
    height: I16  # above the floor
    angle: I16
    type: I16
    flags: U16
    special: U8
    arg0: U8
    arg1: U8
    arg2: U8
    arg3: U8
    arg4: U8


class Line(NamedTuple):
    """LINEDEFS in Doom's format, 14 bytes."""

    v1: U16
    v2: U16
    flags: U16
    special: U16
    tag: I16
    front: U16
    back: U16  # NONE for a one-sided line


class HexenLine(NamedTuple):
    """LINEDEFS in Hexen's format, 16 bytes."""

    v1: U16
    v2: U16
    flags: U16
    special: U8
    arg0: U8
    arg1: U8
    arg2: U8
    arg3: U8
    arg4: U8
    front: U16
    back: U16


class Side(NamedTuple):
    """SIDEDEFS, 30 bytes."""

    x_offset: I16
    y_offset: I16
    upper: Name
    lower: Name
    middle: Name
    sector: U16


class Vertex(NamedTuple):
    """VERTEXES, 4 bytes."""

    x: I16
    y: I16


class Seg(NamedTuple):
    """SEGS, 12 bytes."""

    v1: U16
    v2: U16
    angle: U16  # 65536 is a turn
    line: U16
    side: U16
    offset: U16


class Subsector(NamedTuple):
    """SSECTORS, 4 bytes."""

    segs: U16
    first: U16


class Node(NamedTuple):
    """NODES, 28 bytes."""

    x: I16
    y: I16
    dx: I16
    dy: I16
    right_top: I16
    right_bottom: I16
    right_left: I16
    right_right: I16
    left_top: I16
    left_bottom: I16
    left_left: I16
    left_right: I16
    right: U16  # bit 15: a subsector
    left: U16


class Sector(NamedTuple):
    """SECTORS, 26 bytes."""

    floor_height: I16
    ceiling_height: I16
    floor: Name
    ceiling: Name
    light: I16
    special: U16
    tag: I16


class Whole(NamedTuple):
    """As many whole records as a lump has."""

    data: bytes
    damage: tuple[MapDamage, ...]


def whole(lump: str, data: bytes, size: int, start: int = 0) -> Whole:
    """The records of a lump from an offset on, without the bytes at its end that are no whole record."""
    left = max(len(data) - start, 0) % size
    if not left:
        return Whole(data[start:] if start else data, ())
    end = len(data) - left
    where = f" behind the first {start}" if start else ""
    message = f"it has {len(data) - start} bytes{where}, no multiple of {size}, a record's size; "
    message += f"the last {left} are left out"
    return Whole(data[start:end], (MapDamage(lump, message, end, "size"),))


def cut(name: bytes) -> bytes:
    """A name of a record up to its first NUL."""
    return name.partition(b"\0")[0]
