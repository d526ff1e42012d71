"""A plain model of the MPQ's ADPCM: one step at a time, as the format says, and an encoder that tries every code."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# The table of IMA ADPCM, 89 steps.
# fmt: off
STEPS = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88,
    97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658,
    724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660,
    4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818,
    18500, 20350, 22385, 24623, 27086, 29794, 32767,
]
# fmt: on
# Only the codes whose lowest bit is 1 raise the step, by this much in the order of the codes 1, 3, 5 … 31; 1 is the
# one exception that leaves it.
RISES = (0, 4, 2, 6, 1, 5, 3, 7, 1, 5, 3, 7, 2, 4, 6, 8)
REPEAT, LOUDER = 0x80, 0x81


@dataclass
class Channel:
    sample: int
    step: int = 44  # place in the table

    def play(self, code: int, shift: int) -> int:
        """The next sample."""
        if code == REPEAT:
            self.step = max(self.step - 1, 0)
            return self.sample
        size = STEPS[self.step]
        difference = size >> shift
        for bit in range(6):
            if code & 1 << bit:
                difference += size >> bit
        wanted = self.sample - difference if code & 0x40 else self.sample + difference
        self.sample = max(-32768, min(wanted, 32767))
        move = RISES[(code & 0x1F) >> 1] if code & 1 else -1
        self.step = max(0, min(self.step + move, len(STEPS) - 1))
        return self.sample


def played(codes: bytes, firsts: Sequence[int], shift: int) -> bytes:
    """The samples that codes mean."""
    channels = [Channel(first) for first in firsts]
    samples, turn = list(firsts), 0
    for code in codes:
        channel = channels[turn % len(channels)]
        if code == LOUDER:
            channel.step = min(channel.step + 8, len(STEPS) - 1)
            continue
        samples.append(channel.play(code, shift))
        turn += 1
    return struct.pack(f"<{len(samples)}h", *samples)


def stream(codes: bytes, firsts: Sequence[int], shift: int) -> bytes:
    return bytes((0, shift)) + struct.pack(f"<{len(firsts)}h", *firsts) + codes


def best_code(channel: Channel, wanted: int, shift: int) -> int:
    """The code that comes nearest to a sample, the lowest of those that do."""

    def distance(code: int) -> int:
        return abs(Channel(channel.sample, channel.step).play(code, shift) - wanted)

    codes: list[int] = [*range(0x80), REPEAT]
    return min(codes, key=distance)


def encode(samples: Sequence[int], channels: int, shift: int) -> tuple[bytes, bytes]:
    """The stream for some samples of channels in turn, and what it means."""
    firsts = samples[:channels]
    state = [Channel(first) for first in firsts]
    codes = bytearray()
    for number, wanted in enumerate(samples[channels:]):
        channel = state[number % channels]
        if abs(wanted - channel.sample) > 4 * STEPS[channel.step] and channel.step < 80:
            codes.append(LOUDER)
            channel.step += 8
        code = best_code(channel, wanted, shift)
        codes.append(code)
        channel.play(code, shift)
    return stream(bytes(codes), firsts, shift), played(bytes(codes), firsts, shift)
