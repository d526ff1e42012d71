"""Runs of zeros and of other bytes, as MPQ sectors hold them.

u32, big-endian    raw size
0x80 + n, bytes    n + 1 bytes as they are (1 to 128)
n, below 0x80      n + 3 zeros (3 to 130)
"""

from __future__ import annotations

from lumpyard.errors import MalformedError

_HEADER_SIZE = 4
_PLAIN = 0x80
_ZEROS = [bytes(length + 3) for length in range(_PLAIN)]


def expand(data: memoryview, limit: int) -> bytes:
    """The raw bytes, exactly as many as the header says.

    MalformedError (code `sparse`) when that is more than `limit`, or the runs are cut or add up to another size.
    """
    stored = bytes(data)
    size = int.from_bytes(stored[:_HEADER_SIZE], "big")
    if len(stored) < _HEADER_SIZE:
        raise MalformedError(f"{len(stored)} bytes are too few for a sparse stream's size", "sparse")
    if size > limit:
        raise MalformedError(
            f"the sparse stream says {size} raw bytes, but at most {limit} belong here", "sparse"
        )
    raw = bytearray()
    at = _HEADER_SIZE
    while len(raw) < size:
        if at >= len(stored):
            raise MalformedError(
                f"the sparse stream ends early, after {len(raw)} of {size} raw bytes", "sparse"
            )
        code = stored[at]
        at += 1
        if code < _PLAIN:
            raw += _ZEROS[code]
        else:
            end = at + code - _PLAIN + 1
            raw += stored[at:end]
            at = end
    if len(raw) != size or at > len(stored):
        raise MalformedError(f"the runs of the sparse stream do not end at its {size} raw bytes", "sparse")
    return bytes(raw)
