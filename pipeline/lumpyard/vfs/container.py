"""An open archive with the file that its bytes are in.

A map of a file that is cut short kills the process which looks past its new end. Nothing can rule that out, so each
read first asks the system for the file's size and time, which costs a microsecond, and refuses where they are not what
they were at the mount. A file that is replaced by rename, as Lumpyard and most tools write, stays as it was.
"""

from __future__ import annotations

from contextlib import ExitStack
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.disk import FileMap, OpenFile
from lumpyard.errors import DiskError, naming

if TYPE_CHECKING:
    from lumpyard.archives.model import Archive


class MappedFile:
    """A file that is mapped and kept open."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = Lock()
        with ExitStack() as stack:
            self._file = stack.enter_context(OpenFile(path))
            self.data = stack.enter_context(FileMap(path, self._file.fd)).data
            self._stack: ExitStack | None = stack.pop_all()

    def check(self) -> None:
        """DiskError where the file has another size or time than when it was mapped."""
        with self._lock:
            if (
                self._stack is None
            ):  # unmounted while another thread reads; the map stays as long as that takes
                return
            found, opened = self._file.stat(), self._file.opened
        if (found.size, found.mtime_ns) != (opened.size, opened.mtime_ns):
            raise DiskError(f"cannot read {self.path}: it has changed since it was mounted; mount it again")

    def close(self) -> None:
        """Let go of the file; views of the map keep that alive."""
        with self._lock:
            stack, self._stack = self._stack, None
        if stack is not None:
            stack.close()


class Container(NamedTuple):
    """An open archive."""

    label: str  # its path as given, `ARCHIVE!LUMP` for a nested one
    archive: Archive
    file: MappedFile | None  # that its bytes are in, or came from; None for an archive in memory

    def read(self, index: int) -> memoryview | bytes:
        """The bytes of a lump; errors name the archive and the entry."""
        self.check()
        with naming(self.label):
            return self.archive.read(index)

    def check(self) -> None:
        """DiskError where the archive's file has changed."""
        if self.file is not None:
            self.file.check()

    def close(self) -> None:
        """Let go of the file."""
        if self.file is not None:
            self.file.close()
