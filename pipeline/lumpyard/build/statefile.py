"""State that a build keeps for the next one: plain values, checksummed; whatever is wrong with a file, it is a miss.

A state file is the magic line, 32 bytes of BLAKE3 over the rest, then the value as marshal version 4 writes it. Losing
or damaging one costs time, never bytes: everything in it can be found out again from the sources.
"""

from __future__ import annotations

import marshal
from typing import Any

from lumpyard import disk
from lumpyard.errors import DiskError
from lumpyard.hashing import digest

_DIGEST_SIZE = 32


def load_state(path: str, magic: bytes, fields: int) -> Any:
    """The tuple kept at `path`, or None where there is none, or one that is damaged or of another version."""
    try:
        data = disk.read_if_there(path)
    except DiskError:
        return None
    if data is None:
        return None
    start = len(magic) + _DIGEST_SIZE
    body = memoryview(data)[start:]
    if data[: len(magic)] != magic or data[len(magic) : start] != digest(body):
        return None
    try:
        value = marshal.loads(body)  # noqa: S302 - checked just above, and made of plain values only
    except (EOFError, ValueError, TypeError):
        return None
    return value if isinstance(value, tuple) and len(value) == fields else None


def save_state(path: str, magic: bytes, value: Any) -> None:
    """Keep a value; whole or not at all, but not made durable: losing it is harmless."""
    body = marshal.dumps(value, 4)
    disk.write_file(path, b"".join((magic, digest(body), body)), durable=False)
