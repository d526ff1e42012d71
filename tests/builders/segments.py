"""Segments of the store, written from the format's table alone: what the store writes is compared with these."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from blake3 import blake3

if TYPE_CHECKING:
    from collections.abc import Iterable

COOKED, RAW, BLOCK, SIZE = 1, 2, 3, 4
MARK = bytes.fromhex("0123456789abcdef")
NAME = "00000007-0123456789abcdef.seg"


def sha(data: bytes) -> bytes:
    """The digest that keys are made of here: BLAKE3."""
    return blake3(data).digest()


def segment_header(mark: bytes = MARK, version: int = 1) -> bytes:
    start = b"LYSTORE\n" + struct.pack("<II", version, 0) + mark
    return start + sha(start)[:8]


def record(kind: int, key: bytes, payload: bytes, mark: bytes = MARK) -> bytes:
    bound = sha(struct.pack("<IQ", kind, len(payload)) + key + sha(payload))
    before, after = mark + struct.pack("<I", kind), struct.pack("<Q", len(payload)) + key + bound
    check = zlib.crc32(before + bytes(4) + after)
    return before + struct.pack("<I", check) + after + payload


def raw_record(payload: bytes, mark: bytes = MARK) -> bytes:
    return record(RAW, sha(payload), payload, mark)


def segment(records: Iterable[tuple[int, bytes, bytes]], mark: bytes = MARK) -> bytes:
    return segment_header(mark) + b"".join(record(*one, mark) for one in records)
