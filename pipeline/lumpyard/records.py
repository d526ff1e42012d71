"""Binary records, each declared once: a NamedTuple whose annotations carry the field codes of `struct`.

`layout` reads the codes for one record at a time. Directories of 200,000 entries are read and written by the
column instead, which is several times faster than a tuple per entry. All integers are little-endian, whatever
the machine.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import TYPE_CHECKING, Annotated, NamedTuple, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


U8 = Annotated[int, "B"]
U16 = Annotated[int, "H"]
U32 = Annotated[int, "I"]
U64 = Annotated[int, "Q"]
FourBytes = Annotated[bytes, "4s"]


@cache
def layout(record: type[NamedTuple]) -> struct.Struct:
    """The packing of a record: its fields in order, little-endian, without padding."""
    return struct.Struct("<" + "".join(_codes(record).values()))


def field_offset(record: type[NamedTuple], field: str) -> int:
    """Bytes of a record before one of its fields."""
    codes = _codes(record)
    return struct.calcsize("<" + "".join(list(codes.values())[: list(codes).index(field)]))


def column_bytes(record: type[NamedTuple], table: memoryview, field: str) -> bytes:
    """One field of every record of a table, back to back.

    The field must lie at a multiple of its size in the record, and the record's size must be such a multiple
    too.
    """
    place = _place(record, field)
    return _cast(table, place.code)[place.first :: place.step].tobytes()


def column(record: type[NamedTuple], table: memoryview, field: str) -> tuple[int, ...]:
    """One field of every record of a table, as numbers."""
    return numbers(_codes(record)[field], column_bytes(record, table, field))


def numbers(code: str, data: bytes) -> tuple[int, ...]:
    """The unsigned integers of one struct code that stand back to back in some bytes."""
    return struct.unpack(f"<{len(data) // struct.calcsize('<' + code)}{code}", data)


def table_of(record: type[NamedTuple], columns: Iterable[Sequence[int]], length: int) -> bytearray:
    """A table of `length` records from all its columns, in the order of the record's fields."""
    table = bytearray(layout(record).size * length)
    for (field, code), values in zip(_codes(record).items(), columns, strict=True):
        place = _place(record, field)
        packed = memoryview(struct.pack(f"<{length}{code}", *values))
        lane = _cast(memoryview(table), code)
        lane[place.first :: place.step] = _cast(packed, code)
    return table


def _cast(data: memoryview, code: str) -> memoryview:
    """The bytes as an array of items of one size, to be moved about, never read as numbers."""
    return data.cast(code)  # type: ignore[call-overload, no-any-return]  # codes are formats too


class _Place(NamedTuple):
    """Where a field stands in a table that is seen as an array of fields of its size."""

    code: str
    first: int
    step: int


@cache
def _place(record: type[NamedTuple], field: str) -> _Place:
    code = _codes(record)[field]
    size = struct.calcsize("<" + code)
    return _Place(code, field_offset(record, field) // size, layout(record).size // size)


@cache
def _codes(record: type[NamedTuple]) -> dict[str, str]:
    hints = get_type_hints(record, include_extras=True)
    return {field: hint.__metadata__[0] for field, hint in hints.items()}
