"""A Disk in memory, which logs what is read and written."""

from __future__ import annotations

from lumpyard.disk.scan import STAT, FolderScan
from lumpyard.disk.stats import Stat
from lumpyard.errors import DiskError


class MemoryDisk:
    """Files in a dict; `reads` and `writes` are the paths asked for, in order.

    Its clock counts writes, so two writes never have one time.
    """

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        self.reads: list[str] = []
        self.writes: list[str] = []
        self._files: dict[str, tuple[bytes, Stat]] = {}
        self._folders = {""}
        self._clock = 0
        for path, data in (files or {}).items():
            self.write(path, data)
        self.writes.clear()

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        self.reads.append(path)
        if path in self._folders:
            raise DiskError(f"cannot read {path}: it is a folder, not a file")
        if path not in self._files:
            raise FileNotFoundError(path)
        return self._files[path][0]

    def write(self, path: str, data: bytes) -> None:
        """Put a file there, in place of the one that may be there."""
        if path in self._folders:
            raise DiskError(f"cannot write {path}: it is a folder, not a file")
        self._make(path.rpartition("/")[0], "write", path)
        self._clock += 1
        self._files[path] = (bytes(data), Stat(len(data), self._clock, self._clock, self._clock))
        self.writes.append(path)

    def exists(self, path: str) -> bool:
        """Whether anything is there."""
        return path in self._files or path in self._folders

    def stat(self, path: str) -> Stat | None:
        """Stat of a file; None when none is there."""
        return self._files[path][1] if path in self._files else None

    def list(self, folder: str) -> FolderScan | None:
        """What a folder holds; None when it is not there."""
        if folder in self._files:
            raise DiskError(f"cannot list {folder}: it is a file, not a folder")
        if folder not in self._folders:
            return None
        names = _names_in(folder, self._files)
        below = f"{folder}/" if folder else ""
        stats = b"".join(STAT.pack(*self._files[below + name][1]) for name in names)
        return FolderScan(names, stats, _names_in(folder, self._folders), ())

    def remove(self, path: str) -> bool:
        """Remove a file; whether it was there."""
        if path in self._folders:
            raise DiskError(f"cannot remove {path}: Is a directory")
        return self._files.pop(path, None) is not None

    def make_folder(self, path: str) -> None:
        """Make a folder and those above it, where they are not there yet."""
        self._make(path, "make folder", path)

    def _make(self, folder: str, verb: str, path: str) -> None:
        parts = folder.split("/") if folder else []
        above = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
        if any(part in self._files for part in above):
            raise DiskError(f"cannot {verb} {path}: Not a directory")
        self._folders.update(above)


def _names_in(folder: str, paths: set[str] | dict[str, tuple[bytes, Stat]]) -> tuple[str, ...]:
    """Last parts of the paths that lie directly in a folder, sorted by bytes."""
    names = (path.rpartition("/") for path in paths if path)
    return tuple(
        sorted(
            (name for above, _, name in names if above == folder),
            key=lambda name: name.encode("utf-8", "surrogateescape"),
        )
    )
