"""The index: finds what a dict finds, and is taken whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.segments import sha

from lumpyard.store.records import Stamp
from lumpyard.store.table import EMPTY, Row, decode_table, encode_table, record_id

if TYPE_CHECKING:
    from collections.abc import Iterable

STAMPS = [Stamp(1, b"a" * 8, 100), Stamp(2, b"b" * 8, 2**40)]
keys = st.one_of(
    st.binary(min_size=32, max_size=32),
    st.sampled_from([bytes(32), b"\xff" * 32, bytes(31) + b"\1", b"ab" * 16]),
)
rows = st.builds(
    Row,
    st.builds(record_id, st.integers(0, 4), keys),
    st.integers(0, 1),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**64 - 1),
)


def as_dict(listed: Iterable[Row]) -> dict[bytes, list[tuple[int, int, int]]]:
    found: dict[bytes, list[tuple[int, int, int]]] = {}
    for row in sorted(listed, key=lambda row: row[1:], reverse=True):
        found.setdefault(row.id, []).append(row[1:])
    return found


@settings(deadline=None)
@given(st.lists(rows, max_size=80))
def test_it_finds_what_a_dict_finds_newest_first(listed: list[Row]) -> None:
    table = decode_table(encode_table(STAMPS, listed))
    assert table is not None
    for row_id, places in as_dict(listed).items():
        assert list(table.find(row_id)) == places
    assert sorted(table) == sorted(listed)
    assert list(table.segments) == STAMPS


@settings(deadline=None)
@given(st.lists(rows, max_size=20), keys)
def test_what_is_not_there_is_not_found(listed: list[Row], key: bytes) -> None:
    table = decode_table(encode_table(STAMPS, listed))
    assert table is not None
    assert list(table.find(record_id(9, key))) == []
    assert list(EMPTY.find(record_id(9, key))) == []


def test_thousands_of_rows_are_spread_over_buckets() -> None:
    listed = [
        Row(record_id(2, sha(number.to_bytes(4, "little"))), number % 2, number, 5) for number in range(3000)
    ]
    table = decode_table(encode_table(STAMPS, listed))
    assert table is not None
    assert all(list(table.find(row.id)) == [row[1:]] for row in listed)


def test_every_truncation_and_every_flipped_byte_is_no_index() -> None:
    data = encode_table(STAMPS, [Row(record_id(2, sha(bytes([n]))), 0, n, n) for n in range(40)])
    for size in range(len(data)):
        assert decode_table(data[:size]) is None
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 0x40
        assert decode_table(bytes(damaged)) is None
    assert decode_table(data + b"x") is None
    assert decode_table(bytes(100)) is None


def test_the_same_rows_in_any_order_are_the_same_bytes() -> None:
    listed = [Row(record_id(2, sha(bytes([n]))), 0, n, n) for n in range(40)]
    assert encode_table(STAMPS, listed) == encode_table(STAMPS, reversed(listed))
