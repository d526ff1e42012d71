"""A file that stays mapped for long, and can say whether it is still the one that was mapped.

A map of a file that is cut short kills the process which looks past its new end. Nothing can rule that out, but to ask
the system for the file's size and time before each look costs a microsecond, and leaves only a cut at that very moment.
A file that is replaced by rename, as Lumpyard and most tools write, stays as it was.
"""

from __future__ import annotations

from contextlib import ExitStack
from threading import Lock
from typing import TYPE_CHECKING

from lumpyard.disk.reading import FileMap, OpenFile

if TYPE_CHECKING:
    from typing import Self


class MappedFile:
    """A file that is mapped and kept open; a context manager. Several threads may ask."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = Lock()
        with ExitStack() as stack:
            self._file = stack.enter_context(OpenFile(path))
            self.data = stack.enter_context(FileMap(path, self._file.fd)).data
            self._stack: ExitStack | None = stack.pop_all()

    def has_changed(self) -> bool:
        """Whether the file has another size or time than when it was mapped; of one that is closed nobody asks that."""
        with self._lock:
            if self._stack is None:  # closed while another thread reads; the map stays as long as that takes
                return False
            found, opened = self._file.stat(), self._file.opened
        return (found.size, found.mtime_ns) != (opened.size, opened.mtime_ns)

    def close(self) -> None:
        """Let go of the file; views of the map keep that alive."""
        with self._lock:
            stack, self._stack = self._stack, None
        if stack is not None:
            stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
