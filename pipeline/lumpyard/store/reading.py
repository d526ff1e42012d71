"""Reading one record, and whether it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import DiskError
from lumpyard.hashing import digest
from lumpyard.store.records import RECORD_HEADER_SIZE, Kind
from lumpyard.store.segment import bound_digest, decode_record_header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.store.catalog import Catalog, Spot
    from lumpyard.store.segment import Found, Read

# Bytes up to which a payload is read along with its header: cutting a larger one off costs more than a second read.
ONE_READ = 64 * 1024
SIZE_OF_SIZE = 8  # bytes of the payload of a SIZE record
PIECE = 1024 * 1024  # bytes at a time where a payload is only passed on


def read_payload(catalog: Catalog, spot: Spot, kind: Kind, key: bytes) -> bytes | None:
    """The payload of a record; None when it is not what was put. DiskError when the segment cannot be opened."""
    read = catalog.open(spot.segment).read_at
    try:
        if kind == Kind.RAW:  # the key says all
            payload = read(spot.payload, spot.size)
            return payload if digest(payload) == key else None
        if spot.size <= ONE_READ:
            both = read(spot.offset, RECORD_HEADER_SIZE + spot.size)
            header, payload = both[:RECORD_HEADER_SIZE], both[RECORD_HEADER_SIZE:]
        else:
            header, payload = read(spot.offset, RECORD_HEADER_SIZE), read(spot.payload, spot.size)
    except DiskError:
        return None
    found = decode_record_header(header, spot.offset, catalog.segments[spot.segment].mark)
    if found is None or (found.kind, found.key, found.size) != (kind, key, len(payload)):
        return None
    return payload if holds(found, digest(payload)) else None


def holds(found: Found, payload_digest: bytes) -> bool:
    """Whether the payload of this digest is the one that the record's header was written for."""
    if found.kind == Kind.RAW and payload_digest != found.key:
        return False
    if found.kind == Kind.SIZE and found.size != SIZE_OF_SIZE:
        return False
    return bound_digest(found.kind, found.size, found.key, payload_digest) == found.bound


def iter_payload(read: Read, found: Found) -> Iterator[bytes]:
    """A payload in pieces of 1 MiB."""
    offset = found.payload
    while offset < found.end and (piece := read(offset, min(PIECE, found.end - offset))):
        yield piece
        offset += len(piece)
