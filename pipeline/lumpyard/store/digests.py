"""The encode digest: what decides an LZ4 block, and nothing else (docs/design.md, section 7)."""

from __future__ import annotations

from lumpyard.hashing import digest

DIGEST_SIZE = 32  # bytes


def encode_digest(raw_digest: bytes, codec: str, level: int, encoder_id: str) -> bytes:
    """The key of an LZ4 block: digest of the raw bytes, codec, level, and the library that makes the block.

    `min_saving` and size limits are not in it: they are applied to the compressed size afterwards.
    """
    parts = (b"lumpyard encode 1", raw_digest, codec.encode(), str(level).encode(), encoder_id.encode())
    return digest(b"".join(len(part).to_bytes(4, "little") + part for part in parts))
