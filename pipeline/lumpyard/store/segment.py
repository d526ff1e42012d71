"""Segments, decoded and encoded (store/records.py has the format). Pure: bytes in, values out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from lumpyard.errors import UnsupportedError
from lumpyard.hashing import digest
from lumpyard.records import field_offset, layout
from lumpyard.store.records import (
    RECORD_HEADER_SIZE,
    SEGMENT_HEADER_SIZE,
    SEGMENT_MAGIC,
    SEGMENT_VERSION,
    Bound,
    RecordHeader,
    SegmentHeader,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from lumpyard.store.records import Kind

    Read: TypeAlias = Callable[[int, int], bytes]  # (offset, size) -> so many bytes, or as many as there are

# Bytes read at once by a scan: some records of 4 KiB, and cheap where each record is large.
WINDOW = 64 * 1024

_NAME = re.compile(r"([0-9]{8})-([0-9a-f]{16})\.seg")
_RECORD = layout(RecordHeader)
_BOUND = layout(Bound)
_MARK_SIZE = 8
_CHECK_AT = field_offset(RecordHeader, "check")
_CHECKED = SEGMENT_HEADER_SIZE - 8  # bytes of a segment header that its check covers


class Found(NamedTuple):
    """A record that a scan came upon; its payload is not checked."""

    kind: int
    key: bytes
    offset: int  # of the record header
    size: int  # of the payload
    bound: bytes

    @property
    def payload(self) -> int:
        """Offset of the payload."""
        return self.offset + RECORD_HEADER_SIZE

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
    """The sequence number in a segment's file name; None when it is not one."""
    match = _NAME.fullmatch(name)
    return None if match is None else int(match[1])


def encode_segment_header(mark: bytes) -> bytes:
    """The 32 bytes that a segment starts with."""
    start = layout(SegmentHeader).pack(SEGMENT_MAGIC, SEGMENT_VERSION, 0, mark, b"")[:_CHECKED]
    return start + digest(start)[:8]


def decode_segment_header(data: bytes, path: str) -> bytes:
    """The segment's mark; empty when this is no segment or damaged. UnsupportedError for another version."""
    if len(data) != SEGMENT_HEADER_SIZE:
        return b""
    header = SegmentHeader._make(layout(SegmentHeader).unpack(data))
    if header.magic != SEGMENT_MAGIC or header.check != digest(data[:_CHECKED])[:8]:
        return b""
    if header.version != SEGMENT_VERSION:
        raise UnsupportedError(
            f"{path}: this store has version {header.version}, and only version {SEGMENT_VERSION} is known here; "
            "upgrade lumpyard, or set LUMPYARD_STORE to another folder",
            "store-version",
        )
    return header.mark


def bound_digest(kind: int, size: int, key: bytes, payload_digest: bytes) -> bytes:
    """What binds a payload to its kind and key."""
    return digest(_BOUND.pack(kind, size, key, payload_digest))


def encode_record_header(mark: bytes, kind: Kind, key: bytes, size: int, payload_digest: bytes) -> bytes:
    """The 88 bytes before a payload of this digest."""
    return _pack(mark, kind, size, key, bound_digest(kind, size, key, payload_digest))


def rebind_record_header(mark: bytes, found: Found) -> bytes:
    """The header of a record that moves to the segment of another mark."""
    return _pack(mark, found.kind, found.size, found.key, found.bound)


def _pack(mark: bytes, kind: int, size: int, key: bytes, bound: bytes) -> bytes:
    unchecked = _RECORD.pack(mark, kind, 0, size, key, bound)
    return unchecked[:_CHECK_AT] + crc32(unchecked).to_bytes(4, "little") + unchecked[_CHECK_AT + 4 :]


def decode_record_header(data: bytes, offset: int, mark: bytes) -> Found | None:
    """The record whose header, at an offset of its segment, this is; None when it is damaged."""
    if len(data) != RECORD_HEADER_SIZE:
        return None
    found_mark, kind, check, size, key, bound = _RECORD.unpack(data)
    if found_mark != mark or check != crc32(_RECORD.pack(mark, kind, 0, size, key, bound)):
        return None
    return Found(kind, key, offset, size, bound)


def scan(read: Read, mark: bytes, start: int, end: int) -> Iterator[Found | Gap]:
    """Each record between two offsets, and what is between records where that is not nothing."""
    offset, window, base = start, b"", start
    while offset < end:
        at = offset - base
        if at + RECORD_HEADER_SIZE > len(window):
            window, base, at = read(offset, WINDOW), offset, 0
        found = decode_record_header(window[at : at + RECORD_HEADER_SIZE], offset, mark)
        if found is not None and found.end <= end:
            yield found
            offset = found.end
            continue
        torn = found is not None or end - offset < RECORD_HEADER_SIZE
        gap = Gap(offset, end if torn else _find_record(read, mark, offset + 1, end), torn)
        yield gap
        offset = gap.end


def _find_record(read: Read, mark: bytes, start: int, end: int) -> int:
    """Offset of the first sound record header between two offsets, or the second of them."""
    offset = start
    while offset + RECORD_HEADER_SIZE <= end and len(window := read(offset, WINDOW)) >= _MARK_SIZE:
        at = window.find(mark)
        while at >= 0:
            if decode_record_header(read(offset + at, RECORD_HEADER_SIZE), offset + at, mark) is not None:
                return offset + at
            at = window.find(mark, at + 1)
        offset += len(window) - _MARK_SIZE + 1
    return end
