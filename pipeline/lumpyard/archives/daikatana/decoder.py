"""Decoding Daikatana's compression: exactly the stated size, or an error.

The codes are those of `codes`. What is refused and what is odd: docs/pak.md, section Daikatana's compression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.daikatana.codes import (
    DISTANCE_MORE,
    END,
    MAX_RUN,
    REFERENCE,
    REFERENCE_LESS,
    RUN,
    RUN_LESS,
    UNDEFINED,
    ZEROS,
    ZEROS_LESS,
)
from lumpyard.errors import MalformedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

_CODE = "codec"  # of all errors
_ZERO_RUNS = tuple(bytes(max(code - ZEROS_LESS, 0)) for code in range(RUN))


def decode(stored: Buffer, raw_size: int, lenient: bool) -> tuple[bytes, list[tuple[str, str]]]:
    """The raw bytes of a compressed lump, exactly `raw_size` of them, and what is odd in it: code and text.

    MalformedError (code `codec`) for fewer or more bytes, a code that is cut off, a reference to before the start,
    and code 254, which a lenient reading skips. A stream without an end code, bytes behind it, references that overlap
    what they write, and skipped codes are odd.
    """
    data = bytes(stored)
    size = len(data)
    if raw_size > MAX_RUN * size:  # refused before any work is done for it
        raise MalformedError(f"{size} compressed bytes cannot hold the stated {raw_size} raw bytes", _CODE)
    data += bytes([END])  # so that a stream without an end code ends too
    raw = bytearray()
    overlapping = skipped = position = filled = 0
    try:
        while filled <= raw_size:  # so no more than the stated size, and what one code makes, is ever held
            code = data[position]
            if code < ZEROS:
                end = position + code + 2
                raw += data[position + 1 : end]
                position = end
                filled += code + 1
            elif REFERENCE <= code < UNDEFINED:
                length = code - REFERENCE_LESS
                distance = data[position + 1] + DISTANCE_MORE
                position += 2
                start = filled - distance
                if start < 0 and position <= size:
                    found = f"goes {distance} bytes back, after {filled} raw bytes"
                    raise MalformedError(f"the reference at compressed byte {position - 2} {found}", _CODE)
                if length > distance:
                    overlapping += 1
                    raw += (raw[start:] * (length // distance + 1))[:length]
                else:
                    raw += raw[start : start + length]
                filled += length
            elif code < RUN:
                raw += _ZERO_RUNS[code]
                position += 1
                filled += code - ZEROS_LESS
            elif code < REFERENCE:
                raw += data[position + 1 : position + 2] * (code - RUN_LESS)
                position += 2
                filled += code - RUN_LESS
            elif code == END:
                position += 1
                break
            elif lenient:
                position += 1
                skipped += 1
            else:
                raise MalformedError(f"compressed byte {position} is code 254, which means nothing", _CODE)
        else:
            found = f"make more than the stated {raw_size} raw bytes"
            raise MalformedError(f"the {size} compressed bytes {found}", _CODE)
    except IndexError:  # the end code put there was taken for a part of the last code
        raise MalformedError(f"the {size} compressed bytes end within a code", _CODE) from None
    if len(raw) < raw_size:
        found = f"make {len(raw)} raw bytes, not the stated {raw_size}"
        raise MalformedError(f"the {size} compressed bytes {found}", _CODE)
    return bytes(raw), list(_notes(size - position, overlapping, skipped))


def _notes(left: int, overlapping: int, skipped: int) -> Iterator[tuple[str, str]]:
    """Code and text of what is odd; `left` are the bytes behind the end code, -1 where there is none."""
    if left < 0:
        yield "no-end", "its compressed bytes have no end code"
    if left > 0:
        yield "after-end", f"{left} bytes behind its end code are ignored"
    if overlapping:
        yield (
            "reference",
            f"references that overlap what they write, which programs read differently: {overlapping}",
        )
    if skipped:
        yield "code-254", f"codes 254, which mean nothing and are skipped: {skipped}"
