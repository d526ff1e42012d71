"""The longest copy at each place of a text, up to some bytes: for all places at once, a distance at a time.

In pictures most bytes begin some copy of two to five bytes, so what counts is the cost of a byte, and a search for each
took 1.4 µs. Here a text of n bytes is a few integers of n bits, the planes: bit p of plane b is bit b of the code of
byte p. For each distance some shifts, XORs and ORs of them tell where the text differs from itself that far back, and
where two bytes and more do: 0.15 µs a byte for all 256 distances.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.daikatana.codes import MAX_DISTANCE

if TYPE_CHECKING:
    from collections.abc import Sequence

# Up to which length copies are told, by the number of planes: among few different bytes copies are longer, and the
# planes cost less.
_LONGEST = {1: 14, 2: 14, 3: 10}
_LONGEST_OF_MANY = 6
_BITS = bytes.maketrans(b"01", b"\0\1")


def short_copies(text: bytes) -> tuple[bytes, int]:
    """For each place of a text the length of the longest copy or run that starts there, 0 for none; and a limit.

    A copy has the same bytes as some 2 to `MAX_DISTANCE` bytes before, and does not overlap them; a run is one byte
    again and again. Lengths above the limit, 6 or more, are the limit.
    """
    planes = _planes(text)
    longest = _LONGEST.get(len(planes), _LONGEST_OF_MANY)
    missing = [(1 << len(text)) - 1] * (longest + 1)  # by length, bits of places where no copy so long starts
    halves = [(1 << (size - 1).bit_length() >> 1) for size in range(longest + 1)]
    for distance in range(1, min(MAX_DISTANCE, len(text)) + 1):
        differs = 0
        for plane in planes:
            differs |= plane ^ plane << distance
        spans = [0, differs]  # by size: places from where one of so many bytes differs
        for size in range(2, longest + 1):
            half = halves[size]
            spans.append(spans[half] | spans[half] >> size - half)
        if distance == 1:  # where n bytes are as those before them, a run of n + 1 starts one byte before
            spans = [0, *(span >> 1 for span in spans[:-1])]
            last = longest
        else:
            last = min(longest, distance)
        for size in range(2, last + 1):
            missing[size] &= spans[size]
    return _lengths(missing[2:], len(text)), longest


def _planes(text: bytes) -> list[int]:
    """The bits of the text's bytes, recoded from 1 on: what is before and behind the text is 0 and differs."""
    alphabet = sorted(set(text))
    backwards = text[::-1]  # `int` takes the highest bit first
    planes = []
    for bit in range(len(alphabet).bit_length()):
        digits = bytearray(256)
        for code, byte in enumerate(alphabet, 1):
            digits[byte] = ord("1") if code >> bit & 1 else ord("0")
        planes.append(int(backwards.translate(digits), 2))
    return planes


def _lengths(missing: Sequence[int], size: int) -> bytes:
    """One byte a place from one bit a place and length: how many lengths are missing there, then the longest."""
    total = 0
    for bits in missing:
        digits = format(bits | 1 << size, "b").encode("ascii")  # one digit more, so that all have as many
        total += int.from_bytes(digits.translate(_BITS), "little")
    sums = total.to_bytes(size + 1, "little")[:0:-1]
    lengths = bytearray(256)
    for absent in range(len(missing)):
        lengths[absent] = len(missing) + 1 - absent
    return sums.translate(lengths)
