"""Bringing an archive to the device while the rest of it is still being made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lumpyard.disk import NewFile

_STEP = 16 << 20  # bytes that are sent at once; in steps of 1 MiB it took twice the time (measured)


class WriteBehind:
    """Sends the chunks from the front on that are written without a gap."""

    def __init__(self, file: NewFile, start: int) -> None:
        self._file = file
        self._sent = start  # up to here
        self._next = 0  # number of the first chunk that is not written
        self._waiting: dict[int, bytes] = {}  # chunks behind a gap -> offsets of their lumps

    def written(self, number: int, offsets: bytes) -> None:
        """A chunk was written; `offsets` of its lumps, packed as u64."""
        self._waiting[number] = offsets[-8:]
        if number != self._next:
            return
        last = offsets[-8:]
        while self._next in self._waiting:
            last = self._waiting.pop(self._next)
            self._next += 1
        end = int.from_bytes(last, "little")
        if end - self._sent >= _STEP:
            self.send(end)

    def send(self, end: int) -> None:
        """Send what is left up to here."""
        self._file.write_behind(self._sent, end - self._sent)
        self._sent = end
