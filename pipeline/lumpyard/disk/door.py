"""The seam for what is tested without files: a Disk, the real one, and its twin in memory.

The twin logs what is read and written, so a test can say what must not be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lumpyard.disk import folders, reading, scan, stats, writing

if TYPE_CHECKING:
    from lumpyard.disk.scan import FolderScan
    from lumpyard.disk.stats import Stat


class Disk(Protocol):
    """Files by path, seen from one folder, with forward slashes; "" is that folder.

    `read` raises FileNotFoundError when no file is there. A write is whole or not at all, and makes the
    folders above. What else is refused (a folder where a file is expected, or the reverse) is a DiskError.
    """

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        ...

    def write(self, path: str, data: bytes) -> None:
        """Put a file there, in place of the one that may be there."""
        ...

    def exists(self, path: str) -> bool:
        """Whether anything is there."""
        ...

    def stat(self, path: str) -> Stat | None:
        """Stat of a file; None when none is there."""
        ...

    def list(self, folder: str) -> FolderScan | None:
        """What a folder holds; None when it is not there."""
        ...

    def remove(self, path: str) -> bool:
        """Remove a file; whether it was there."""
        ...

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it, where they are not there yet."""
        ...


class RealDisk:
    """The files below a folder; links that leave it are not followed when listed."""

    def __init__(self, root: str) -> None:
        self.root = root

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        data = reading.read_if_there(self._real(path))
        if data is None:
            raise FileNotFoundError(path)
        return data

    def write(self, path: str, data: bytes) -> None:
        """Put a file there, in place of the one that may be there."""
        writing.write_file(self._real(path), data, durable=False)

    def exists(self, path: str) -> bool:
        """Whether anything is there."""
        return stats.is_there(self._real(path))

    def stat(self, path: str) -> Stat | None:
        """Stat of a file; None when none is there."""
        return stats.stat_file(self._real(path))

    def list(self, folder: str) -> FolderScan | None:
        """What a folder holds; None when it is not there."""
        return scan.scan_folder(self._real(folder), self.root)

    def remove(self, path: str) -> bool:
        """Remove a file; whether it was there."""
        return folders.remove_file(self._real(path))

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it, where they are not there yet."""
        folders.make_folder(self._real(path))

    def _real(self, path: str) -> str:
        return f"{self.root}/{path}" if path else self.root
