"""Reading one record, and whether it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.hashing import digest
from lumpyard.store.segment import RECORD_HEADER_SIZE, Kind, decode_record_header, record_digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.store.catalog import Catalog, Spot
    from lumpyard.store.segment import Found, Read

ONE_READ = (
    64 * 1024
)  # bytes of a payload up to which it is read along with its header; cutting more apart costs more
PIECE = 1024 * 1024  # bytes at a time where a payload is only passed on


def read_payload(catalog: Catalog, spot: Spot, kind: Kind, key: bytes) -> bytes | None:
    """The payload of a record; None when it is not what was put. FileNotFoundError when the segment is gone."""
    read = catalog.reader(spot.segment).read
    try:
        if kind == Kind.RAW:  # the key says it all
            payload = read(spot.payload, spot.size)
            return payload if digest(payload) == key else None
        if spot.size <= ONE_READ:
            both = read(spot.offset, RECORD_HEADER_SIZE + spot.size)
            header, payload = both[:RECORD_HEADER_SIZE], both[RECORD_HEADER_SIZE:]
        else:
            header, payload = read(spot.offset, RECORD_HEADER_SIZE), read(spot.payload, spot.size)
    except OSError:
        return None
    mark = catalog.segments[spot.segment].mark
    found = (
        decode_record_header(header, spot.offset, mark or b"") if len(header) == RECORD_HEADER_SIZE else None
    )
    if found is None or (found.kind, found.key, found.size) != (kind, key, len(payload)):
        return None
    return payload if holds(found, digest(payload)) else None


def holds(found: Found, payload_digest: bytes) -> bool:
    """Whether a payload of this digest is the one that the record's header was written for."""
    if found.kind == Kind.RAW and payload_digest != found.key:
        return False
    if found.kind == Kind.SIZE and found.size != 8:
        return False
    return record_digest(found.kind, found.key, found.size, payload_digest) == found.digest


def iter_payload(read: Read, found: Found) -> Iterator[bytes]:
    """A payload in pieces."""
    offset = found.offset + RECORD_HEADER_SIZE
    while offset < found.end and (piece := read(offset, min(PIECE, found.end - offset))):
        yield piece
        offset += len(piece)
