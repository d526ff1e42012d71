"""Daikatana's compression (placeholder of the first part: literals only)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.daikatana.codes import END, MAX_LITERALS

if TYPE_CHECKING:
    from typing_extensions import Buffer


def encode(raw: Buffer) -> bytes:
    """The stream for some bytes."""
    data = bytes(raw)
    pieces = [data[start : start + MAX_LITERALS] for start in range(0, len(data), MAX_LITERALS)]
    return b"".join(bytes([len(piece) - 1]) + piece for piece in pieces) + bytes([END])
