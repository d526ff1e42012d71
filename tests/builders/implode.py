"""A plain writer of PKWARE DCL streams: bit by bit, codes made from the published lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Match = tuple[int, int]  # length, distance
Token = int | Match  # a byte, or a match

# (code length, how many symbols in a row have it)
LITERAL_RUNS = (
    "b1 c8 81 71 c2 71 cc d1 c5 41 a1 81 c1 a1 c1 a1 81 72 81 91 71 61 71 81 71 61 74 81 72 82 c1 b1 71 91 b1 c1 61"
    " 71 62 51 71 82 61 b1 91 61 71 62 71 b1 63 71 91 81 92 b1 81 b1 91 c1 81 c1 51 63 51 63 51 b1 71 51 61 52 61 a1"
    " 54 81 71 82 a1 b2 c3 dg dg dg cg cg cg d1 c1 d3 c1 d3 c1 d4 c1 d3 c3 db"
)
LENGTH_RUNS = "21 33 43 54 63 72"
DISTANCE_RUNS = "21 42 54 6f 7g 7a 8g"
# For each length symbol the first length and how many extra bits follow.
LENGTHS = (
    *(
        (3, 0),
        (2, 0),
        (4, 0),
        (5, 0),
        (6, 0),
        (7, 0),
        (8, 0),
        (9, 0),
        (10, 1),
        (12, 2),
        (16, 3),
        (24, 4),
        (40, 5),
    ),
    *((72, 6), (136, 7), (264, 8)),
)
END = 519


def prefix_codes(runs: str) -> list[str]:
    """The bits of each symbol in the order of the stream: canonical codes from the top bit on, inverted."""
    sizes = [int(run[0], 36) for run in runs.split() for _ in range(int(run[1], 36))]
    codes = [""] * len(sizes)
    following = 0
    for size, symbol in sorted((size, symbol) for symbol, size in enumerate(sizes)):
        code = following >> 16 - size
        following += 1 << 16 - size
        codes[symbol] = "".join("10"[int(bit)] for bit in f"{code:0{size}b}")
    assert following == 1 << 16, "the lengths make a whole code"
    return codes


LITERAL_CODES = prefix_codes(LITERAL_RUNS)
LENGTH_CODES = prefix_codes(LENGTH_RUNS)
DISTANCE_CODES = prefix_codes(DISTANCE_RUNS)


def low_first(number: int, bits: int) -> str:
    return f"{number:0{bits}b}"[::-1] if bits else ""


def pack_bits(bits: str) -> bytes:
    """Bits in the order of the stream as bytes, each filled from its lowest bit on."""
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[at : at + 8][::-1], 2) for at in range(0, len(bits), 8))


def length_bits(length: int) -> str:
    for symbol, (first, extra) in enumerate(LENGTHS):
        if first <= length < first + (1 << extra):
            return LENGTH_CODES[symbol] + low_first(length - first, extra)
    raise AssertionError(length)


def token_bits(token: Token, coded: bool, low_bits: int) -> str:
    if isinstance(token, int):
        return "0" + (LITERAL_CODES[token] if coded else low_first(token, 8))
    length, distance = token
    low_bits = 2 if length == 2 else low_bits
    high, low = divmod(distance - 1, 1 << low_bits)
    return "1" + length_bits(length) + DISTANCE_CODES[high] + low_first(low, low_bits)


def stream(tokens: Iterable[Token], *, coded: bool = False, low_bits: int = 6, end: bool = True) -> bytes:
    bits = "".join(token_bits(token, coded, low_bits) for token in tokens)
    return bytes((coded, low_bits)) + pack_bits(bits + ("1" + length_bits(END) if end else ""))


def played(tokens: Iterable[Token]) -> bytes:
    """What the tokens mean, byte by byte."""
    raw = bytearray()
    for token in tokens:
        if isinstance(token, int):
            raw.append(token)
        else:
            for _ in range(token[0]):
                raw.append(raw[-token[1]])
    return bytes(raw)


def tokens_of(raw: bytes, low_bits: int = 6) -> Iterator[Token]:
    """Literals and matches for some bytes: at each place the longest match that the last 3 bytes' place gives."""
    window = 64 << low_bits
    places: dict[bytes, int] = {}
    at = 0
    while at < len(raw):
        start = places.get(raw[at : at + 3], -1)
        length = 0
        if start >= 0 and at - start <= window:
            while length < 518 and at + length < len(raw) and raw[start + length] == raw[at + length]:
                length += 1
        step: Token = (length, at - start) if length >= 3 else raw[at]
        yield step
        end = at + (length if length >= 3 else 1)
        for place in range(at, end):
            places[raw[place : place + 3]] = place
        at = end


def implode(raw: bytes, *, coded: bool = False, low_bits: int = 6) -> bytes:
    return stream(tokens_of(raw, low_bits), coded=coded, low_bits=low_bits)
