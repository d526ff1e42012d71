"""Records declared once: rows and columns agree, little-endian."""

# No `from __future__ import annotations`: field codes are read from annotations.
import struct
from typing import Annotated, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from lumpyard import records
from lumpyard.archives.ewad.records import EwadEntry, EwadHeader
from lumpyard.records import U8, U16, U32, U64


class Sample(NamedTuple):
    """A record with a field of each size, at a multiple of its size."""

    big: U64
    middle: U32
    small: U16
    tiny: U8
    last: U8


ROWS = st.lists(
    st.builds(
        Sample,
        st.integers(0, 2**64 - 1),
        st.integers(0, 2**32 - 1),
        st.integers(0, 2**16 - 1),
        st.integers(0, 255),
        st.integers(0, 255),
    )
)


def test_layouts_are_little_endian_and_unpadded() -> None:
    assert records.layout(Sample).format == "<QIHBB"
    assert records.layout(EwadHeader).format == "<4sIIIQQQQQQ"
    assert records.layout(EwadEntry).format == "<QQQQQIIHHI"
    assert (records.layout(EwadHeader).size, records.layout(EwadEntry).size) == (64, 56)


@given(ROWS)
def test_columns_hold_what_rows_hold(rows: list[Sample]) -> None:
    table = b"".join(struct.pack("<QIHBB", *row) for row in rows)
    for field in Sample._fields:
        expected = tuple(getattr(row, field) for row in rows)
        assert records.column(Sample, memoryview(table), field) == expected
    columns = [[getattr(row, field) for row in rows] for field in Sample._fields]
    assert records.table_of(Sample, columns, len(rows)) == table


def test_a_code_may_be_any_of_structs() -> None:
    class Named(NamedTuple):
        """A record with text in it."""

        name: Annotated[bytes, "8s"]
        size: U32

    assert records.layout(Named).pack(b"MAP01", 7) == b"MAP01\0\0\0\x07\0\0\0"
