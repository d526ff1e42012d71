"""What PKWARE's Data Compression Library made with "implode": literals and matches in fixed prefix codes.

    u8     0: literals are eight plain bits; 1: they have the prefix codes of `_LITERALS`
    u8     4, 5, 6: the dictionary is 1024, 2048, 4096 bytes; a distance has so many low bits
    bits   from the lowest of each byte on

A bit 0 is followed by a literal; a bit 1 by a length (a prefix code and extra bits) and a distance less one (a prefix
code for the high six bits, then the low ones: two where the length is 2). The length 519 is the end. The prefix
codes are canonical; they stand from their highest bit on, each bit inverted.
"""

from __future__ import annotations

from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING

from lumpyard.errors import MalformedError

if TYPE_CHECKING:
    from collections.abc import Iterator

# Bits of each code, a hexadecimal digit a symbol: bytes 0 to 255, lengths 0 to 15, distances 0 to 63.
_LITERALS = (
    "bcccccccc87cc7ccccccccccccdccccc4a8caca87789767876777787788cb79bc676657886b967667b66679899b8b9c8"
    "c566656665b756556a55558788abbccc"
    "ddddddddddddddddddddddddddddddddddddddddddddddddcccccccccccccccc"
    "ccccccccccccccccccccccccccccccccdcdddcdddcddddcdddcccddddddddddd"
)
_LENGTHS = "2333444555566677"
_DISTANCES = "2445555666666666666666777777777777777777777777778888888888888888"
_LENGTH_BASES = (3, 2, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 40, 72, 136, 264)
_LENGTH_EXTRA_BITS = (0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8)
_END = 519
_DICTIONARY_BITS = (4, 5, 6)
_HEADER_SIZE = 2

_LENGTH_FROM = 256  # in a table of tokens a match of length n is 256 + n, below 256 are literals
_TOKEN_BITS = 14  # of the longest literal; more would make a table that no cache holds
_LONG_EXTRA_BITS = {136: 7, 264: 8}  # of lengths whose extra bits do not fit: in the table they have none
_LONG = min(_LONG_EXTRA_BITS)
_DISTANCE_CODE_BITS = 8
_SHORT_LOW_BITS = 2
_LONGEST = 1 + 7 + 8 + _DISTANCE_CODE_BITS + max(_DICTIONARY_BITS)  # bits of a literal or match
_REFILL = 32  # bytes; the shifts of longer integers cost more than is saved by rarer refills

# By the next bits of the stream: how many of them belong to the thing, and the thing.
_Table = list[tuple[int, int]]


def explode(data: memoryview, limit: int) -> bytes:
    """The raw bytes, up to the end code; what stands behind it is ignored.

    MalformedError (code `pkware`) when the header is none, a distance reaches back before the first byte, the stream
    ends before the end code, or there are more than `limit` bytes.
    """
    stored = bytes(data)
    if len(stored) < _HEADER_SIZE or stored[0] > 1 or stored[1] not in _DICTIONARY_BITS:
        raise MalformedError(
            f"an imploded stream starts with 0 or 1, then 4, 5 or 6, not with {stored[:_HEADER_SIZE].hex(' ')!r}",
            "pkware",
        )
    return _explode(stored, limit, _tokens(stored[0]), stored[1])


def _explode(stored: bytes, limit: int, tokens: _Table, low_bits: int) -> bytes:
    raw = bytearray()
    append = raw.append
    distances, distance_mask = _distances(low_bits), (1 << _DISTANCE_CODE_BITS + low_bits) - 1
    shorts, short_mask = _distances(_SHORT_LOW_BITS), (1 << _DISTANCE_CODE_BITS + _SHORT_LOW_BITS) - 1
    token_mask = (1 << _TOKEN_BITS) - 1
    at = _HEADER_SIZE
    bits = 1  # what is not yet used, below a 1 that marks its end
    while True:
        left = bits.bit_length() - 1
        _check(8 * (len(stored) - at) + left, len(raw), limit)
        piece = stored[at : at + _REFILL].ljust(_REFILL, b"\0")
        bits = (int.from_bytes(piece, "little") | 1 << 8 * _REFILL) << left | bits ^ 1 << left
        at += _REFILL
        for _ in repeat(None, (left + 8 * _REFILL) // _LONGEST):
            used, token = tokens[bits & token_mask]
            bits >>= used
            if token < _LENGTH_FROM:
                append(token)
                continue
            length = token - _LENGTH_FROM
            if length >= _LONG:
                extra = _LONG_EXTRA_BITS[length]
                length += bits & (1 << extra) - 1
                bits >>= extra
                if length == _END:
                    _check(8 * (len(stored) - at) + bits.bit_length() - 1, len(raw), limit)
                    return bytes(raw)
            if length != 2:
                used, distance = distances[bits & distance_mask]
            else:
                used, distance = shorts[bits & short_mask]
            bits >>= used
            start = len(raw) - distance
            if start < 0:
                raise MalformedError(
                    f"the imploded stream copies from {distance} bytes back, but has only {len(raw)}",
                    "pkware",
                )
            if length <= distance:
                raw += raw[start : start + length]
            else:
                raw += (raw[start:] * (length // distance + 1))[:length]


def _check(bits_left: int, size: int, limit: int) -> None:
    """That no bits from behind the end of the stream were used, and not too much came of those before."""
    if size > limit:
        raise MalformedError(
            f"the imploded stream holds more than the {limit} raw bytes that belong here", "pkware"
        )
    if bits_left < 0:
        raise MalformedError("the imploded stream ends before its end code", "pkware")


@cache
def _tokens(coded_literals: int) -> _Table:
    """What the next bits are: a literal, or a length with its extra bits (but see `_LONG_EXTRA_BITS`)."""
    table: _Table = [(0, 0)] * (1 << _TOKEN_BITS)
    if coded_literals:
        for literal, (code, used) in enumerate(_codes(_LITERALS)):
            _put(table, code << 1, used + 1, literal)
    else:
        for literal in range(256):
            _put(table, literal << 1, 9, literal)
    for (code, used), base, extra in zip(_codes(_LENGTHS), _LENGTH_BASES, _LENGTH_EXTRA_BITS, strict=True):
        whole = 0 if base in _LONG_EXTRA_BITS else extra
        for more in range(1 << whole):
            bits = more << used + 1 | code << 1 | 1
            _put(table, bits, used + 1 + whole, _LENGTH_FROM + base + more)
    return table


@cache
def _distances(low_bits: int) -> _Table:
    """What the next bits are: a distance."""
    table: _Table = [(0, 0)] * (1 << _DISTANCE_CODE_BITS + low_bits)
    for high, (code, used) in enumerate(_codes(_DISTANCES)):
        for low in range(1 << low_bits):
            _put(table, low << used | code, used + low_bits, (high << low_bits | low) + 1)
    return table


def _put(table: _Table, bits: int, used: int, value: int) -> None:
    """Give a value to all places of the table that end in these bits."""
    table[bits :: 1 << used] = [(used, value)] * (len(table) >> used)


def _codes(lengths: str) -> Iterator[tuple[int, int]]:
    """The prefix code of each symbol as it stands in the stream, lowest bit first, and its length."""
    codes = [0] * len(lengths)
    code = 0
    sizes = [int(digit, 16) for digit in lengths]
    for size in range(1, max(sizes) + 1):
        code <<= 1
        for symbol, its_size in enumerate(sizes):
            if its_size == size:
                codes[symbol] = code
                code += 1
    for code, size in zip(codes, sizes, strict=True):
        inverted = code ^ (1 << size) - 1
        yield int(f"{inverted:0{size}b}"[::-1], 2), size
