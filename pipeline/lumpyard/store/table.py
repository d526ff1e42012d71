"""The index file, as one table that is searched as it lies (store/records.py has the format). Pure.

Opening it costs a read and a checksum (100,000 records: 5 ms), a look-up about 2 µs, and forked workers share it.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.hashing import digest_parts
from lumpyard.records import layout
from lumpyard.store.digests import DIGEST_SIZE
from lumpyard.store.records import (
    ID_SIZE,
    INDEX_HEADER_SIZE,
    INDEX_MAGIC,
    INDEX_VERSION,
    IndexHeader,
    RowPlace,
    Stamp,
)
from lumpyard.store.segment import segment_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ROWS_A_BUCKET = 16
MAX_BITS = 32

_PAIR = struct.Struct("<II")
_STAMP = layout(Stamp)
_PLACE = layout(RowPlace)


class Row(NamedTuple):
    """One record: what it is found by, and where it is."""

    id: bytes  # see `record_id`
    segment: int
    offset: int
    size: int


def record_id(kind: int, key: bytes) -> bytes:
    """What a record is found by; the key comes first, since it spreads evenly over the buckets."""
    return key + bytes((kind & 0xFF,))


class Table:
    """A decoded index: one buffer, and where its parts begin."""

    def __init__(self, data: bytes, header: IndexHeader) -> None:
        buckets = INDEX_HEADER_SIZE + header.segments * _STAMP.size
        self.segments = tuple(map(Stamp._make, _STAMP.iter_unpack(data[INDEX_HEADER_SIZE:buckets])))
        self.names = [segment_name(stamp.sequence, stamp.mark) for stamp in self.segments]
        self.rows = header.rows
        self._data = data
        self._shift = MAX_BITS - header.bits
        self._buckets = buckets
        self._ids = buckets + 4 * ((1 << header.bits) + 1)
        self._places = self._ids + header.rows * ID_SIZE

    def find(self, wanted: bytes) -> Iterator[tuple[int, int, int]]:
        """Segment, offset and size of each record of an id, newest first."""
        bucket = int.from_bytes(wanted[:4], "big") >> self._shift
        low, high = _PAIR.unpack_from(self._data, self._buckets + 4 * bucket)
        start = self._ids + low * ID_SIZE
        at = self._data.rfind(wanted, start, self._ids + high * ID_SIZE)
        while at >= 0:
            row, skew = divmod(at - self._ids, ID_SIZE)
            if not skew and row < self.rows:
                yield _PLACE.unpack_from(self._data, self._places + row * _PLACE.size)
            at = self._data.rfind(wanted, start, at + ID_SIZE - 1)

    def __iter__(self) -> Iterator[Row]:
        ids = struct.iter_unpack(f"{ID_SIZE}s", self._data[self._ids : self._places])
        for (row_id,), place in zip(ids, _PLACE.iter_unpack(self._data[self._places :]), strict=True):
            yield Row(row_id, *place)


def encode_table(stamps: Sequence[Stamp], rows: Iterable[Row]) -> bytes:
    """The index file; segments must stand in order of age."""
    ordered = sorted(rows)
    bits = max(len(ordered) // ROWS_A_BUCKET, 1).bit_length() - 1
    body = b"".join(
        (
            *(_STAMP.pack(*stamp) for stamp in stamps),
            _buckets(bits, ordered),
            *(row.id for row in ordered),
            *(_PLACE.pack(row.segment, row.offset, row.size) for row in ordered),
        )
    )
    header = layout(IndexHeader).pack(INDEX_MAGIC, INDEX_VERSION, bits, len(ordered), len(stamps), 0, b"")
    start = header[:-DIGEST_SIZE]
    return b"".join((start, digest_parts((start, body)), body))


def _buckets(bits: int, ordered: Iterable[Row]) -> bytes:
    """The first row of each bucket, and the number of rows."""
    starts = [0] * ((1 << bits) + 1)
    for row in ordered:
        starts[(int.from_bytes(row.id[:4], "big") >> (MAX_BITS - bits)) + 1] += 1
    for bucket in range(1, len(starts)):
        starts[bucket] += starts[bucket - 1]
    return struct.pack(f"<{len(starts)}I", *starts)


def decode_table(data: bytes) -> Table | None:
    """The table in an index file; None when it is not one, or not sound."""
    if len(data) < INDEX_HEADER_SIZE:
        return None
    header = IndexHeader._make(layout(IndexHeader).unpack_from(data))
    if (header.magic, header.version) != (INDEX_MAGIC, INDEX_VERSION):
        return None
    if header.bits > MAX_BITS or len(data) != _size(header):
        return None
    parts = (data[: INDEX_HEADER_SIZE - DIGEST_SIZE], memoryview(data)[INDEX_HEADER_SIZE:])
    return Table(data, header) if digest_parts(parts) == header.check else None


def _size(header: IndexHeader) -> int:
    """Bytes of the file that a header announces."""
    buckets = (1 << header.bits) + 1
    return (
        INDEX_HEADER_SIZE
        + header.segments * _STAMP.size
        + 4 * buckets
        + header.rows * (ID_SIZE + _PLACE.size)
    )


def _empty() -> Table:
    table = decode_table(encode_table((), ()))
    assert table is not None
    return table


EMPTY = _empty()
