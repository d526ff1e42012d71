"""The index file: where each record is, as one table that is searched as it lies. Pure: bytes in, values out.

Opening it costs a read and a checksum (100,000 records: a few milliseconds), a look-up about a microsecond, and forked
workers share it. It can be lost at any time: then segments are scanned. Integers are little-endian.

    header, 64 bytes
      8  magic     "LYINDEX\\n"
      4  version   1
      4  bits      of the key that choose a bucket
      8  rows
      4  segments
      4  zero
      32 digest    BLAKE3 of the 32 bytes above and of all that follows
    segments, 20 bytes each, oldest first
      4  sequence, 8 mark (the file name), 8 end: the records before this offset are in the table
    buckets, 4 bytes each, 2^bits + 1: row at which the bucket starts
    ids, 33 bytes each, sorted: key, then the kind in one byte
    places, 20 bytes each, in the order of the ids; of equal ids the oldest first
      4  segment, 8 offset of the record header, 8 size of the payload
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.hashing import digest
from lumpyard.store.digests import DIGEST_SIZE
from lumpyard.store.segment import segment_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAGIC = b"LYINDEX\n"
VERSION = 1
ID_SIZE = DIGEST_SIZE + 1
ROWS_A_BUCKET = 16

_HEADER = struct.Struct("<8sIIQII")
_SEGMENT = struct.Struct("<I8sQ")
_PAIR = struct.Struct("<II")
_PLACE = struct.Struct("<IQQ")
_HEADER_SIZE = _HEADER.size + DIGEST_SIZE


class Row(NamedTuple):
    """One record: what it is found by, and where it is."""

    id: bytes  # see `record_id`
    segment: int  # position in the table's segments
    offset: int  # of the record header
    size: int  # of the payload


class Stamp(NamedTuple):
    """A segment as far as the table knows it."""

    sequence: int
    mark: bytes
    end: int  # of the last record

    @property
    def name(self) -> str:
        """The segment's file name."""
        return segment_name(self.sequence, self.mark)


def record_id(kind: int, key: bytes) -> bytes:
    """What a record is found by; the key comes first, since it spreads evenly."""
    return key + bytes((kind,))


class Table:
    """The decoded index; all in one buffer."""

    def __init__(self, data: bytes, bits: int, rows: int, segments: int) -> None:
        self._data = data
        self._bits = bits
        self.rows = rows
        self.segments = [
            Stamp(*_SEGMENT.unpack_from(data, _HEADER_SIZE + row * _SEGMENT.size)) for row in range(segments)
        ]
        self._buckets = _HEADER_SIZE + segments * _SEGMENT.size
        self._ids = self._buckets + 4 * ((1 << bits) + 1)
        self._places = self._ids + rows * ID_SIZE

    def find(self, wanted: bytes) -> Iterator[tuple[int, int, int]]:
        """Segment, offset and size of each record of an id, newest first."""
        bucket = int.from_bytes(wanted[:4], "big") >> (32 - self._bits)
        low, high = _PAIR.unpack_from(self._data, self._buckets + 4 * bucket)
        start, end = self._ids + low * ID_SIZE, self._ids + high * ID_SIZE
        at = self._data.rfind(wanted, start, end)
        while at >= 0:
            row, skew = divmod(at - self._ids, ID_SIZE)
            if not skew and row < self.rows:
                yield _PLACE.unpack_from(self._data, self._places + row * _PLACE.size)
            at = self._data.rfind(wanted, start, at + (0 if not skew else ID_SIZE - 1))

    def __iter__(self) -> Iterator[Row]:
        ids = struct.iter_unpack(f"{ID_SIZE}s", self._data[self._ids : self._places])
        for (row_id,), place in zip(ids, _PLACE.iter_unpack(self._data[self._places :]), strict=True):
            yield Row(row_id, *place)


def encode_table(stamps: Sequence[Stamp], rows: Iterable[Row]) -> bytes:
    """The index file; segments must be in order of age."""
    ordered = sorted(rows)
    bits = max(len(ordered) // ROWS_A_BUCKET, 1).bit_length() - 1
    buckets = [0] * ((1 << bits) + 1)
    for row in ordered:
        buckets[(int.from_bytes(row.id[:4], "big") >> (32 - bits)) + 1] += 1
    for bucket in range(1, len(buckets)):
        buckets[bucket] += buckets[bucket - 1]
    body = b"".join(
        (
            *(_SEGMENT.pack(*stamp) for stamp in stamps),
            struct.pack(f"<{len(buckets)}I", *buckets),
            *(row.id for row in ordered),
            *(_PLACE.pack(row.segment, row.offset, row.size) for row in ordered),
        )
    )
    header = _HEADER.pack(MAGIC, VERSION, bits, len(ordered), len(stamps), 0)
    return header + digest(header + body) + body


def decode_table(data: bytes) -> Table | None:
    """The table in an index file; None when it is not one, or not sound."""
    if len(data) < _HEADER_SIZE:
        return None
    magic, version, bits, rows, segments, _ = _HEADER.unpack_from(data)
    header, found, body = data[: _HEADER.size], data[_HEADER.size : _HEADER_SIZE], data[_HEADER_SIZE:]
    if magic != MAGIC or version != VERSION or digest(header + body) != found:
        return None
    size = (
        segments * _SEGMENT.size + 4 * ((1 << bits) + 1) + rows * (ID_SIZE + _PLACE.size)
        if bits <= 32
        else -1
    )
    if len(body) != size:
        return None
    return Table(data, bits, rows, segments)


EMPTY = Table(bytes(_HEADER_SIZE + 8), 0, 0, 0)
