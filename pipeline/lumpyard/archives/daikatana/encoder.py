"""Compressing as Daikatana does, into as few bytes as its codes allow.

Texts are taken apart into blocks, so that memory does not depend on their size. References reach into the block before;
a code that would go on into the next one is cut, which costs a byte or two a block.
No code 254 is written, and no reference that overlaps what it writes (see `codes`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard.archives.daikatana.codes import (
    DISTANCE_MORE,
    END,
    MAX_DISTANCE,
    MAX_LITERALS,
    REFERENCE_LESS,
    RUN_LESS,
    ZEROS_LESS,
)
from lumpyard.archives.daikatana.copies import longest_copies
from lumpyard.archives.daikatana.parse import cheapest_steps

if TYPE_CHECKING:
    from typing_extensions import Buffer

VERSION = 1  # raised whenever other bytes are made of any text: builds keep what was made under it
BLOCK = 1 << 16  # bytes
_LITERALS = re.compile(rb"\0+")


def encode(raw: Buffer) -> bytes:
    """The stream of codes for some bytes, with an end code."""
    data = memoryview(raw).cast("B")
    stream = bytearray()
    for start in range(0, len(data), BLOCK):
        before = max(start - MAX_DISTANCE, 0)
        text = bytes(data[before : start + BLOCK])
        steps = cheapest_steps(text, longest_copies(text, start - before), start - before)
        _write(stream, text, steps, start - before)
    stream.append(END)
    return bytes(stream)


def _write(stream: bytearray, text: bytes, steps: bytearray, first: int) -> None:
    """Adds the codes for a text from `first` on to a stream."""
    place, size = first, len(text)
    while place < size:
        step = steps[place - first]
        if not step:
            literals = _LITERALS.match(steps, place - first)
            assert literals is not None, "a step of 0 is there"
            end = literals.end() + first
            for start in range(place, end, MAX_LITERALS):
                piece = text[start : min(start + MAX_LITERALS, end)]
                stream.append(len(piece) - 1)
                stream += piece
            place = end
            continue
        piece = text[place : place + step]
        byte = piece[0]
        if byte == piece[-1] and piece.count(byte) == step:
            stream += bytes((RUN_LESS + step, byte)) if byte else bytes((ZEROS_LESS + step,))
        else:
            low = place - MAX_DISTANCE
            found = text.rfind(piece, low if low > 0 else 0, place)  # noqa: FURB136 - `max` takes as long as the search
            stream += bytes((REFERENCE_LESS + step, place - found - DISTANCE_MORE))
        place += step
