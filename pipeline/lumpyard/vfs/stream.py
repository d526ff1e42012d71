"""Files and lumps as Python's files: read-only, seekable."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer


class _Pieces(io.RawIOBase):
    """A raw file over a function that reads at a place."""

    def __init__(
        self, name: str, size: int, read_at: Callable[[int, int], bytes], release: Callable[[], object]
    ) -> None:
        self.name = name
        self._size = size
        self._at = 0
        self._read_at = read_at
        self._release = release

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._check_open()
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}.get(whence)
        if start is None:
            raise ValueError(f"whence is {whence}; it can be 0, 1 or 2")
        if start + offset < 0:
            raise ValueError(f"cannot seek to {start + offset}, ahead of the file")
        self._at = start + offset
        return self._at

    def tell(self) -> int:
        self._check_open()
        return self._at

    def readinto(self, buffer: Buffer, /) -> int:
        self._check_open()
        target = memoryview(buffer).cast("B")
        length = min(len(target), max(self._size - self._at, 0))
        data = self._read_at(self._at, length) if length else b""
        target[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._release()

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError(f"'{self.name}' is closed")


def open_pieces(
    name: str, size: int, read_at: Callable[[int, int], bytes], release: Callable[[], object]
) -> BinaryIO:
    """A buffered file of `size` bytes; `read_at(offset, length)` gives them, `release` is called at the end."""
    return cast("BinaryIO", io.BufferedReader(_Pieces(name, size, read_at, release)))
