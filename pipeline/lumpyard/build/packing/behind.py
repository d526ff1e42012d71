"""Bringing an archive to the device while the rest of it is still being made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lumpyard.disk import NewFile

_STEP = 16 << 20  # bytes that are sent at once; in steps of 1 MiB it took twice the time (measured)


class WriteBehind:
    """Sends what was written of a file, from `start` on, a step at a time."""

    def __init__(self, file: NewFile, start: int) -> None:
        self._file = file
        self._start = start
        self._sent = start  # up to here

    def reach(self, end: int) -> None:
        """All up to here was written."""
        if end - self._sent >= _STEP:
            self._send(end)

    def finish(self, end: int) -> None:
        """Send what is left, up to here; of what is smaller than a step nothing was sent."""
        if self._sent > self._start:
            self._send(end)

    def _send(self, end: int) -> None:
        self._file.write_behind(self._sent, end - self._sent)
        self._sent = end


class ChunksBehind:
    """The same for chunks that are written in any order: those from the front on without a gap."""

    def __init__(self, file: NewFile, start: int) -> None:
        self._behind = WriteBehind(file, start)
        self._next = 0  # number of the first chunk that is not written
        self._waiting: dict[
            int, bytes
        ] = {}  # chunks behind a gap -> offset of their last lump, packed as u64

    def written(self, number: int, offsets: bytes) -> None:
        """A chunk was written; `offsets` of its lumps, packed as u64."""
        last = self._waiting[number] = offsets[-8:]
        if number != self._next:
            return
        while self._next in self._waiting:
            last = self._waiting.pop(self._next)
            self._next += 1
        self._behind.reach(int.from_bytes(last, "little"))

    def finish(self, end: int) -> None:
        """All chunks were written, up to here."""
        self._behind.finish(end)
