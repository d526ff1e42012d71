"""Reading and writing at a place in a file, where the system can do it in one call and where it cannot."""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

PIECE = 128 << 10  # bytes in one call; bigger calls take cold pages and are up to ten times slower (measured)
IOV_MAX = 1024  # buffers in one call, what Linux and macOS allow

_LOCK = Lock()  # the position of a file is shared by threads; processes share none where there is no pread


def pread(fd: int, length: int, offset: int) -> bytes:
    """Up to `length` bytes from `offset` on, in one call."""
    if hasattr(os, "pread"):
        return os.pread(fd, length, offset)
    with _LOCK:
        os.lseek(fd, offset, os.SEEK_SET)
        return os.read(fd, length)


def pwrite_pieces(fd: int, pieces: Sequence[Buffer], offset: int) -> None:
    """Write buffers one after the other from `offset` on, at most 128 KiB a call; OSError as it comes."""
    batch: list[Buffer] = []
    size = 0
    for piece in pieces:
        length = len(piece) if isinstance(piece, bytes) else memoryview(piece).nbytes
        if batch and (size + length > PIECE or len(batch) == IOV_MAX):
            _write(fd, batch, size, offset)
            offset += size
            batch, size = [], 0
        if length <= PIECE:
            batch.append(piece)
            size += length
            continue
        view = memoryview(piece).cast("B")
        for start in range(0, length, PIECE):
            part = view[start : start + PIECE]
            _write(fd, [part], len(part), offset + start)
        offset += length
    if size:
        _write(fd, batch, size, offset)


def _write(fd: int, pieces: list[Buffer], size: int, offset: int) -> None:
    """Write some buffers of `size` bytes in all, however few the system takes at a time."""
    done = _pwritev(fd, pieces, offset)
    while done < size:
        rest = memoryview(b"".join(pieces))[done:]
        more = _pwritev(fd, [rest], offset + done)
        if not more:  # POSIX leaves open what that means; waiting for better would never end
            raise OSError("the system writes no more and says no reason")
        done += more


def _pwritev(fd: int, pieces: list[Buffer], offset: int) -> int:
    """One call; the number of bytes that were written."""
    if hasattr(os, "pwritev"):
        return os.pwritev(fd, pieces, offset)
    data = b"".join(pieces) if len(pieces) > 1 else pieces[0]
    if hasattr(os, "pwrite"):
        return os.pwrite(fd, data, offset)
    with _LOCK:
        os.lseek(fd, offset, os.SEEK_SET)
        return os.write(fd, data)
