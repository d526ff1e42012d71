"""Raw bytes to stored bytes by a lump set's policy (design.md, sections 5 and 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import lz4
from lumpyard.build.lumps.codecs import compress

if TYPE_CHECKING:
    from lumpyard.plan.model import Encoding

NOT_TRIED = -1
RAW = ""  # what `codec_label` says of bytes that no codec is asked for


class Encoded(NamedTuple):
    """Stored bytes, and what was found out on the way."""

    stored: bytes
    compressed: bool
    codec_size: int  # bytes that the codec made of it, kept or not; NOT_TRIED where it was not asked


def codec_label(encoding: Encoding, raw_size: int) -> str:
    """The codec and level that a lump of this size is tried with ("lz4hc 9"), or RAW where none is.

    Size limits are applied here, the saving afterwards (`is_worth_it`), so neither is part of an encode digest.
    """
    if encoding.codec == "none" or not 0 < raw_size <= size_limit(encoding):
        return RAW
    return f"{encoding.codec} {encoding.level}"


def size_limit(encoding: Encoding) -> int:
    """Raw bytes above which a lump is not compressed."""
    return min(encoding.limit or lz4.MAX_INPUT, lz4.MAX_INPUT)


def is_beyond(encoding: Encoding, raw_size: int) -> bool:
    """Whether a codec is asked for, without a limit, that can make no block of so much."""
    return encoding.codec != "none" and not encoding.limit and raw_size > lz4.MAX_INPUT


def is_worth_it(encoding: Encoding, raw_size: int, codec_size: int) -> bool:
    """Whether compressed bytes are stored: smaller, and by at least the policy's saving."""
    return codec_size < raw_size and codec_size * 100 <= raw_size * (100 - encoding.min_saving)


def encode(raw: bytes, encoding: Encoding) -> Encoded:
    """Stored bytes of a lump."""
    if codec_label(encoding, len(raw)) == RAW:
        return Encoded(raw, compressed=False, codec_size=NOT_TRIED)
    block = compress(raw, encoding.codec, encoding.level)
    if is_worth_it(encoding, len(raw), len(block)):
        return Encoded(block, compressed=True, codec_size=len(block))
    return Encoded(raw, compressed=False, codec_size=len(block))
