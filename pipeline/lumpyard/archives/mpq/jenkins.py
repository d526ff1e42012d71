"""The hash of names in HET and BET tables: Bob Jenkins' lookup3, `hashlittle2`, seeds 2 and 1.

Names are hashed in lower case with backslashes; the hash is a u64, the second result in its high half.
"""

from __future__ import annotations

from struct import unpack_from

_MASK = 0xFFFFFFFF
_LOWER = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ/", b"abcdefghijklmnopqrstuvwxyz\\")


def jenkins_hash(name: bytes) -> int:
    """The 64-bit hash of a name, before a table cuts it to its own number of bits."""
    low, high = hashlittle2(name.translate(_LOWER), 2, 1)
    return high << 32 | low


def hashlittle2(data: bytes, first: int, second: int) -> tuple[int, int]:
    """The two u32 results for some bytes and two u32 seeds, the better mixed one first.

    Source: lookup3.c, Bob Jenkins, May 2006, public domain.
    """
    size = len(data)
    a = b = 0xDEADBEEF + size + first & _MASK
    c = a + second & _MASK
    if not size:
        return c, b
    last = (size - 1) // 12 * 12
    padded = data + bytes(12)
    for at in range(0, last, 12):
        x, y, z = unpack_from("<III", padded, at)
        a, b, c = _mix(a + x & _MASK, b + y & _MASK, c + z & _MASK)
    x, y, z = unpack_from("<III", padded, last)
    return _final(a + x & _MASK, b + y & _MASK, c + z & _MASK)


def _rotated(value: int, bits: int) -> int:
    return (value << bits & _MASK) | value >> 32 - bits


def _mix(a: int, b: int, c: int) -> tuple[int, int, int]:
    a, c = (a - c & _MASK) ^ _rotated(c, 4), c + b & _MASK
    b, a = (b - a & _MASK) ^ _rotated(a, 6), a + c & _MASK
    c, b = (c - b & _MASK) ^ _rotated(b, 8), b + a & _MASK
    a, c = (a - c & _MASK) ^ _rotated(c, 16), c + b & _MASK
    b, a = (b - a & _MASK) ^ _rotated(a, 19), a + c & _MASK
    c, b = (c - b & _MASK) ^ _rotated(b, 4), b + a & _MASK
    return a, b, c


def _final(a: int, b: int, c: int) -> tuple[int, int]:
    c = (c ^ b) - _rotated(b, 14) & _MASK
    a = (a ^ c) - _rotated(c, 11) & _MASK
    b = (b ^ a) - _rotated(a, 25) & _MASK
    c = (c ^ b) - _rotated(b, 16) & _MASK
    a = (a ^ c) - _rotated(c, 4) & _MASK
    b = (b ^ a) - _rotated(a, 14) & _MASK
    c = (c ^ b) - _rotated(b, 24) & _MASK
    return c, b
