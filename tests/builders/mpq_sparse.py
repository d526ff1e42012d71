"""A plain writer of sparse streams."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def stream(pieces: Iterable[bytes | int], size: int) -> bytes:
    """The size, then runs: 1 to 128 bytes as they are, or a number of zeros from 3 to 130."""
    out = size.to_bytes(4, "big")
    for piece in pieces:
        out += bytes((piece - 3,)) if isinstance(piece, int) else bytes((0x7F + len(piece),)) + piece
    return out


def sparse(raw: bytes) -> bytes:
    """Zeros as runs where there are three or more."""
    pieces: list[bytes | int] = []
    plain = b""
    for is_zero, group in itertools.groupby(raw, key=lambda value: value == 0):
        run = bytes(group)
        if is_zero and len(run) >= 3:
            pieces += [plain[at : at + 128] for at in range(0, len(plain), 128)]
            plain = b""
            while len(run) >= 3:
                pieces.append(min(len(run), 130))
                run = run[130:]
        plain += run
    pieces += [plain[at : at + 128] for at in range(0, len(plain), 128)]
    return stream(pieces, len(raw))
