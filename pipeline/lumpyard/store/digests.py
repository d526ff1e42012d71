"""The encode digest: what decides an LZ4 block, and nothing else (docs/design.md, section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Callable

DIGEST_SIZE = 32  # bytes


def encode_digest(raw_digest: bytes, codec: str, level: int, encoder_id: str) -> bytes:
    """The key of an LZ4 block: digest of the raw bytes, codec, level, and the library that makes the block.

    `min_saving` and size limits are not in it: they are applied to the compressed size afterwards.
    """
    return encode_digests(codec, level, encoder_id)(raw_digest)


def encode_digests(codec: str, level: int, encoder_id: str) -> Callable[[bytes], bytes]:
    """The same for many raw digests."""
    start = _sized(b"lumpyard encode 1") + DIGEST_SIZE.to_bytes(4, "little")
    end = b"".join(map(_sized, (codec.encode(), str(level).encode(), encoder_id.encode())))
    return lambda raw_digest: digest(start + raw_digest + end)


def _sized(part: bytes) -> bytes:
    return len(part).to_bytes(4, "little") + part
