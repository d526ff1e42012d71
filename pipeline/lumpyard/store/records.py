r"""The two kinds of files in a store's folder: segments, which hold the records, and the index, which can be lost.

A segment is only ever appended to, and by one process at a time. Its name is `SEQUENCE-MARK.seg`: eight decimal
digits that order segments by age, and the mark in 16 hex digits, which no other segment has.

    offset  bytes  what
    0       32     segment header
    32      88     record header     \  for each record
            size   payload           /

A record whose payload reaches past the end of the file is torn (its writer was killed, or is still at it): it does
not exist yet. After a damaged record header reading goes on at the next mark whose check holds.

The index, `index-1`, says where each record is, and is searched as it lies:

    offset  bytes            what
    0       64               index header
    64      20 each          segments, oldest first
            4 * (2^bits + 1) buckets: the first row of each, u32
            33 each          ids, sorted: key, then the kind in one byte
            20 each          places, in the order of the ids; of equal ids the oldest first

All integers are little-endian. Digests are BLAKE3.
"""

# No `from __future__ import annotations`: the records' field codes are read from their annotations.
from enum import IntEnum
from typing import Annotated, NamedTuple

from lumpyard.records import U32, U64

SEGMENT_MAGIC = b"LYSTORE\n"
SEGMENT_VERSION = 1
SEGMENT_HEADER_SIZE = 32
RECORD_HEADER_SIZE = 88
INDEX_MAGIC = b"LYINDEX\n"
INDEX_VERSION = 1
INDEX_HEADER_SIZE = 64
ID_SIZE = 33

EightBytes = Annotated[bytes, "8s"]
Digest = Annotated[bytes, "32s"]


class Kind(IntEnum):
    """What a record holds, and what its key is."""

    COOKED = 1  # answers and products of a cook; digest of the cook request
    RAW = 2  # a lump's raw bytes; their digest
    BLOCK = 3  # an LZ4 block; encode digest
    SIZE = 4  # u64, size of an LZ4 block that is not kept; encode digest


class SegmentHeader(NamedTuple):
    """The same in every version, so that every version can say which one it has met."""

    magic: EightBytes
    version: U32  # 1
    reserved: U32  # zero
    mark: EightBytes  # random; each record starts with it: what a payload holds is never taken for a record
    check: EightBytes  # the first bytes of the digest of the 24 bytes above


class RecordHeader(NamedTuple):
    """Before each payload."""

    mark: EightBytes  # of the segment
    kind: U32
    check: U32  # CRC-32 of this header with the check as zero: a search for records reads headers only
    size: U64  # of the payload, bytes
    key: Digest
    bound: Digest  # digest of kind, size, key and the payload's digest: a payload holds for its own key only


class Bound(NamedTuple):
    """What `RecordHeader.bound` is the digest of."""

    kind: U32
    size: U64
    key: Digest
    payload_digest: Digest


class IndexHeader(NamedTuple):
    """Of the index file."""

    magic: EightBytes
    version: U32  # 1
    bits: U32  # first bits of a key that choose its bucket, 0 to 32
    rows: U64
    segments: U32
    reserved: U32  # zero
    check: Digest  # of the 32 bytes above and all that follows


class Stamp(NamedTuple):
    """A segment in the index: which one, and how far the index knows it."""

    sequence: U32
    mark: EightBytes
    end: U64  # records before this offset are in the index


class RowPlace(NamedTuple):
    """Where a record is."""

    segment: U32  # row in the index's segments
    offset: U64  # of the record header, from the start of the segment
    size: U64  # of the payload, bytes
