"""Segment files: the store's records, one after the other. Pure: bytes in, values out.

A segment is only ever appended to, and by one process at a time. Its name is `SEQUENCE-MARK.seg`: eight decimal digits
that order segments by age, and the mark in 16 hex digits, which no other segment has. Integers are little-endian.

    segment header, 32 bytes, the same in every version
      8  magic    "LYSTORE\\n"
      4  version  1
      4  zero
      8  mark     random, and at the start of each record: bytes of a payload are never taken for a record
      8  check    first bytes of the BLAKE3 of the 24 bytes above
    record header, 88 bytes, then the payload
      8  mark     of the segment
      4  kind     1 COOKED, 2 RAW, 3 BLOCK, 4 SIZE
      4  check    CRC-32 of the other 84 bytes: a scan reads headers only
      8  size     of the payload, bytes
      32 key      what the record is found by
      32 digest   BLAKE3 of kind (4 bytes), size (8), key and BLAKE3(payload): a record holds for its own key only

A record whose payload reaches past the end of the file is torn (the writer was killed, or is still writing): it and
what follows do not exist yet. After a damaged record header the scan goes on at the next mark whose check holds.
"""

from __future__ import annotations

import re
import struct
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from lumpyard.errors import UnsupportedError
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    Read: TypeAlias = Callable[[int, int], bytes]  # (offset, size) -> as many bytes as there are

MAGIC = b"LYSTORE\n"
VERSION = 1
MARK_SIZE = 8
WINDOW = (
    64 * 1024
)  # bytes that a scan reads at once: sixteen records of 4 KiB, and cheap where records are large

_SEGMENT = struct.Struct("<8sII8s8s")
_RECORD = struct.Struct("<8sIIQ32s32s")
_BOUND = struct.Struct("<IQ32s32s")
_NAME = re.compile(r"([0-9]{8})-([0-9a-f]{16})\.seg")

SEGMENT_HEADER_SIZE = _SEGMENT.size
RECORD_HEADER_SIZE = _RECORD.size


class Kind(IntEnum):
    """What a record holds, and what its key is."""

    COOKED = 1  # answers and products of a cook; digest of the cook request
    RAW = 2  # a lump's raw bytes; their digest
    BLOCK = 3  # an LZ4 block; encode digest
    SIZE = 4  # u64, the size of a block that did not earn its keep; encode digest


class Found(NamedTuple):
    """A record that a scan came upon; its payload is not checked."""

    kind: int
    key: bytes
    offset: int  # of the record header
    size: int  # of the payload
    digest: bytes

    @property
    def end(self) -> int:
        """Offset of what follows."""
        return self.offset + RECORD_HEADER_SIZE + self.size


class Gap(NamedTuple):
    """A range that holds no record."""

    offset: int
    end: int
    torn: bool  # an incomplete record at the end of the file; else damage


def segment_name(sequence: int, mark: bytes) -> str:
    """File name of a segment."""
    return f"{sequence:08}-{mark.hex()}.seg"


def sequence_of(name: str) -> int | None:
    """Sequence number in a segment's file name; None when it is not one."""
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else None


def encode_segment_header(mark: bytes) -> bytes:
    """The 32 bytes that a segment starts with."""
    start = _SEGMENT.pack(MAGIC, VERSION, 0, mark, bytes(8))[:-8]
    return start + digest(start)[:8]


def decode_segment_header(header: bytes, path: str) -> bytes | None:
    """The mark; None when this is no segment, or a damaged one. UnsupportedError for a newer version."""
    if len(header) < SEGMENT_HEADER_SIZE or header[:8] != MAGIC or digest(header[:24])[:8] != header[24:32]:
        return None
    _, version, _, mark, _ = _SEGMENT.unpack_from(header)
    if version != VERSION:
        raise UnsupportedError(
            f"{path}: the store has format version {version}, this lumpyard reads version {VERSION}; "
            "upgrade lumpyard, or set LUMPYARD_STORE to another folder",
            "store-version",
        )
    return bytes(mark)


def record_digest(kind: int, key: bytes, size: int, payload_digest: bytes) -> bytes:
    """What binds a payload to its kind and key."""
    return digest(_BOUND.pack(kind, size, key, payload_digest))


def encode_record_header(mark: bytes, kind: Kind, key: bytes, size: int, payload_digest: bytes) -> bytes:
    """The 88 bytes that stand before a payload."""
    return _pack(mark, kind, size, key, record_digest(kind, key, size, payload_digest))


def rebind_record_header(mark: bytes, found: Found) -> bytes:
    """The header of a record that is copied to the segment of another mark."""
    return _pack(mark, found.kind, found.size, found.key, found.digest)


def _pack(mark: bytes, kind: int, size: int, key: bytes, bound: bytes) -> bytes:
    check = crc32(_RECORD.pack(mark, kind, 0, size, key, bound))
    return _RECORD.pack(mark, kind, check, size, key, bound)


def decode_record_header(header: bytes, offset: int, mark: bytes) -> Found | None:
    """The record that a header at an offset of the file announces; None when it is damaged."""
    found_mark, kind, check, size, key, bound = _RECORD.unpack(header)
    if found_mark != mark or check != crc32(header[16:], crc32(b"\0\0\0\0", crc32(header[:12]))):
        return None
    return Found(kind, key, offset, size, bound)


def scan(read: Read, mark: bytes, start: int, end: int) -> Iterator[Found | Gap]:
    """Each record from an offset on, and what lies between them where that is not nothing."""
    offset = start
    window, base = b"", start
    while offset < end:
        at = offset - base
        if at + RECORD_HEADER_SIZE > len(window):
            window, base, at = read(offset, WINDOW), offset, 0
        header = window[at : at + RECORD_HEADER_SIZE]
        found = decode_record_header(header, offset, mark) if len(header) == RECORD_HEADER_SIZE else None
        if found is not None and found.end <= end:
            yield found
            offset = found.end
            continue
        torn = found is not None or end - offset < RECORD_HEADER_SIZE
        after = None if torn else _next_record(read, mark, offset + 1, end)
        yield Gap(offset, end if after is None else after, torn)
        offset = end if after is None else after


def _next_record(read: Read, mark: bytes, start: int, end: int) -> int | None:
    """Offset of the first sound record header from an offset on."""
    offset = start
    while offset + RECORD_HEADER_SIZE <= end:
        window = read(offset, WINDOW)
        at = window.find(mark)
        while at >= 0:
            header = read(offset + at, RECORD_HEADER_SIZE)
            if len(header) == RECORD_HEADER_SIZE and decode_record_header(header, offset + at, mark):
                return offset + at
            at = window.find(mark, at + 1)
        if len(window) < MARK_SIZE:
            break
        offset += len(window) - MARK_SIZE + 1
    return None
