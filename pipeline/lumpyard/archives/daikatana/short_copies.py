"""The longest copy at each place of a text, up to six bytes: for all places at once, a distance at a time.

In pictures most bytes begin some copy of two to five bytes, so what counts is the cost of a byte, and a search for each
took 1.4 µs. Here a text of n bytes is a few integers of n bits, the planes: bit p of plane b is bit b of the code of
byte p. For each distance some shifts, XORs and ORs of them tell where the text differs from itself that far back, and
where two to six bytes do: 0.2 µs a byte for all 256 distances.
"""

from __future__ import annotations

from lumpyard.archives.daikatana.codes import MAX_DISTANCE

LONGEST = 6  # lengths are told up to here
_LEVELS = LONGEST - 1  # lengths 2 to LONGEST


def short_copies(text: bytes) -> bytes:
    """For each place of a text the length of the longest copy or run that starts there, 0 for none.

    A copy has the same bytes as some 2 to `MAX_DISTANCE` bytes before, and does not overlap them; a run is one byte
    again and again. Above `LONGEST` is `LONGEST`.
    """
    if len(text) < 2:
        return bytes(len(text))
    planes = _planes(text)
    # Bits of places where no copy of 2, 3, 4, 5, 6 bytes starts.
    two = three = four = five = six = (1 << len(text)) - 1
    for distance in range(1, min(MAX_DISTANCE, len(text)) + 1):
        differs = 0
        for plane in planes:
            differs |= plane ^ plane << distance
        differs2 = differs | differs >> 1  # in one of two bytes from there on
        differs3 = differs2 | differs2 >> 1
        if distance > 5:
            two &= differs2
            three &= differs3
            four &= differs2 | differs2 >> 2
            five &= differs3 | differs3 >> 2
            six &= differs3 | differs3 >> 3
        elif distance > 1:
            two &= differs2
            if distance > 2:
                three &= differs3
            if distance > 3:
                four &= differs2 | differs2 >> 2
            if distance > 4:
                five &= differs3 | differs3 >> 2
        else:  # where n bytes are as those before them, a run of n + 1 starts one byte before
            two &= differs >> 1
            three &= differs2 >> 1
            four &= differs3 >> 1
            five &= (differs2 | differs2 >> 2) >> 1
            six &= (differs3 | differs3 >> 2) >> 1
    return _lengths((two, three, four, five, six), len(text))


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


def _lengths(missing: tuple[int, ...], size: int) -> bytes:
    """One byte a place from one bit a place and length: the digits of all lengths, added up."""
    total = 0
    for bits in missing:
        digits = format(bits | 1 << size, "b").encode("ascii")  # one digit more, so that all have as many
        total += int.from_bytes(digits, "little")
    sums = total.to_bytes(size + 2, "little")[size:0:-1]
    lengths = bytearray(256)
    for absent in range(_LEVELS):
        lengths[(_LEVELS * ord("0") + absent) & 0xFF] = LONGEST - absent
    return sums.translate(lengths)
