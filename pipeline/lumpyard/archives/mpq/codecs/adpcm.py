"""Sound samples as differences of variable step, as MPQ sectors of WAV files hold them.

    u8           unused, 0
    u8           shift: how much of the step a difference is at least
    i16 * n      the first sample of each channel
    u8 ...       codes, of the channels in turn

A code below 0x80 is a sample: bit 6 is the sign of the difference, which is the step shifted right by the header's
shift, plus for bit 0 the step, for bit 1 a half of it, and so on to bit 5. Bits 0 to 4 say how the step moves in the
table of steps, which is that of IMA ADPCM and starts at 0x2c. 0x80 repeats the sample and lowers the step by one
place. 0x81 raises it by eight places and yields no sample: the next code is of the same channel. Nothing writes
0x82 to 0xff, and readers differ on what they are. Samples are 16-bit, little-endian, the channels in turn; the output
is lossy.
"""

from __future__ import annotations

from array import array
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, TypeAlias

from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterator

# What each code does at one place in the table of steps: the difference, and the row of the next place.
_Row: TypeAlias = "list[tuple[int, _Row]]"

# fmt: off
_STEPS = (
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107,
    118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963,
    1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894,
    6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794,
    32767,
)
_MOVES = (  # by the low five bits of a code
    -1, 0, -1, 4, -1, 2, -1, 6, -1, 1, -1, 5, -1, 3, -1, 7, -1, 1, -1, 5, -1, 3, -1, 7, -1, 2, -1, 4, -1, 6, -1, 8,
)
# fmt: on
_FIRST_STEP = 0x2C
_LAST_STEP = len(_STEPS) - 1
_REPEAT = 0x80
_LOUDER = 0x81
_LOUDER_BY = 8
_SPLIT = bytes((_LOUDER,))
_CODES = bytes(range(_LOUDER + 1))
_MAX_SHIFT = 31  # of a 32-bit number; from 15 on nothing is left of any step
_EMPTY_SHIFT = 15
_HEADER_SIZE = 2
_SAMPLE = Struct("<h")
_BIG_ENDIAN = array("h", (1,)).tobytes()[0] == 0  # on such a machine arrays must be turned


def decode(data: memoryview, limit: int, channels: int) -> bytes:
    """The samples of one or two channels.

    MalformedError (code `adpcm`) when the header is cut, its shift is none, or there are more than `limit` bytes of
    samples; UnsupportedError (code `adpcm`) for codes from 0x82 on.
    """
    start = _HEADER_SIZE + _SAMPLE.size * channels
    if len(data) < start:
        raise MalformedError(f"{len(data)} bytes are too few for an ADPCM header of {start} bytes", "adpcm")
    shift, codes = data[1], bytes(data[start:])
    _check(shift, codes, limit, channels)
    rows = _rows(min(shift, _EMPTY_SHIFT))
    streams = [codes] if channels == 1 else _parted(codes)
    tracks = [
        _samples(stream, first, rows)
        for stream, (first,) in zip(streams, _SAMPLE.iter_unpack(data[_HEADER_SIZE:start]), strict=True)
    ]
    samples = tracks[0] if channels == 1 else _in_turn(*tracks)
    if _BIG_ENDIAN:
        samples.byteswap()
    return samples.tobytes()


def _check(shift: int, codes: bytes, limit: int, channels: int) -> None:
    if shift > _MAX_SHIFT:
        raise MalformedError(
            f"the ADPCM header shifts steps by {shift}; at most {_MAX_SHIFT} is possible", "adpcm"
        )
    if strange := codes.translate(None, _CODES):
        raise UnsupportedError(f"the ADPCM code 0x{strange[0]:02x} is not read; 0x81 is the last", "adpcm")
    size = _SAMPLE.size * (channels + len(codes) - codes.count(_LOUDER))
    if size > limit:
        raise MalformedError(f"the ADPCM samples take {size} bytes, but at most {limit} belong here", "adpcm")


def _parted(codes: bytes) -> tuple[bytes, bytes]:
    """The codes of each of two channels; 0x81 belongs to the channel whose turn it is, and does not end its turn."""
    left, right = bytearray(), bytearray()
    ours, others = left, right  # by whose turn it is
    for number, run in enumerate(_runs(codes)):
        if number:
            ours += _SPLIT
        ours += run[0::2]
        others += run[1::2]
        if len(run) % 2:
            ours, others = others, ours
    return bytes(left), bytes(right)


def _runs(codes: bytes) -> Iterator[bytes]:
    """The codes between those that are 0x81, one run after the other: a list of them may take eight times the space."""
    start = 0
    while (end := codes.find(_SPLIT, start)) >= 0:
        yield codes[start:end]
        start = end + 1
    yield codes[start:]


def _samples(codes: bytes, first: int, rows: list[_Row]) -> array[int]:
    """The samples of one channel, `first` in front."""
    sample, row = first, rows[_FIRST_STEP]
    samples = array("h", (sample,))
    append = samples.append
    for number, run in enumerate(_runs(codes)):
        if number:
            row = row[_LOUDER][1]
        for code in run:
            difference, row = row[code]
            sample += difference
            if sample > 32767:
                sample = 32767
            elif sample < -32768:
                sample = -32768
            append(sample)
    return samples


def _in_turn(left: array[int], right: array[int]) -> array[int]:
    """The samples of two channels, left first; the left one may have one more."""
    samples = array("h", bytes(2 * (len(left) + len(right))))
    samples[0::2], samples[1::2] = left, right
    return samples


@cache
def _rows(shift: int) -> list[_Row]:
    """The row of each place in the table of steps, for the shift of a header (about 10 ms, 1 MB)."""
    rows: list[_Row] = [[] for _ in _STEPS]
    for place, (row, step) in enumerate(zip(rows, _STEPS, strict=True)):
        for code in range(_REPEAT):
            difference = (step >> shift) + sum(step >> bit for bit in range(6) if code >> bit & 1)
            after = max(0, min(place + _MOVES[code & 0x1F], _LAST_STEP))
            row.append((-difference if code & 0x40 else difference, rows[after]))
        row.append((0, rows[max(0, place - 1)]))
        row.append((0, rows[min(place + _LOUDER_BY, _LAST_STEP)]))
    return rows
