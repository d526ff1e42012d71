"""New files, each whole under its final name or not there at all.

A file is written under a temporary name in the folder where it will be, made durable where that is asked for,
and renamed. What a killed process leaves is found by `sweep_temporaries`.
"""

from __future__ import annotations

import errno
import os
import stat as modes
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from lumpyard.disk.copying import copy_range
from lumpyard.disk.flushing import begin_flush
from lumpyard.disk.folders import make_folders
from lumpyard.disk.paths import native
from lumpyard.disk.reading import FileMap, read_if_there
from lumpyard.disk.refusals import refusing
from lumpyard.disk.seeking import pread, pwrite_pieces
from lumpyard.disk.stats import Stat, kind_of, to_stat
from lumpyard.disk.temporaries import temporary_name
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# What a file system says that has no notion of flushing a folder; nothing is lost that it could have kept.
_CANNOT_SYNC = frozenset({errno.EINVAL, errno.EACCES, errno.EBADF, errno.ENOTSUP, errno.EPERM, errno.EISDIR})


class NewFile:
    """A file in the making; a context manager that leaves nothing behind unless `commit` was called.

    Processes forked while it is open may write to it, each at its own places; only the one that made it
    commits or discards. A link at the path is replaced, not followed. Every method raises DiskError.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._creator = os.getpid()
        self._open = True
        with refusing("write", path):
            self._target = native(path)
            folder, name = os.path.split(self._target)
            _check_target(path, self._target)
            self._made = make_folders(folder)
            self._temporary = os.path.join(folder, temporary_name(name))
            self.fd = os.open(self._temporary, _NEW, 0o666)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()

    def write_at(self, offset: int, pieces: Sequence[Buffer]) -> None:
        """Write buffers one after the other from `offset` on."""
        with refusing("write", self.path):
            pwrite_pieces(self.fd, pieces, offset)

    def copy_from(self, source_fd: int, source_offset: int, offset: int, length: int) -> None:
        """Copy a range of another open file to `offset`, in the kernel where that is possible."""
        with refusing("write", self.path):
            copy_range(source_fd, source_offset, self.fd, offset, length)

    def write_behind(self, offset: int, length: int) -> None:
        """Have the system begin to bring a range that was written to the device; `sync` waits for the rest."""
        begin_flush(self.fd, offset, length)

    def read_at(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes of what was written, from `offset` on."""
        with refusing("read", self.path):
            return pread(self.fd, length, offset)

    def truncate(self, size: int) -> None:
        """Make the file this long; what was never written is zero and takes no room."""
        with refusing("write", self.path):
            os.ftruncate(self.fd, size)

    def map(self) -> FileMap:
        """A context manager that gives a Mapping of what was written, to verify it before it is committed."""
        return FileMap(self.path, self.fd)

    def sync(self) -> None:
        """Wait until what was written is on the device. After a failure the file must not be committed."""
        with refusing("write", self.path):
            os.fsync(self.fd)

    def commit(self, *, durable: bool) -> Stat:
        """Give the file its final name; its Stat under that name.

        `durable` waits until the file and its name would survive a power cut. When this fails the old file is
        still there; only where nothing but the last wait for the name fails, the new one is.
        """
        assert self._creator == os.getpid(), "only the process that made a file commits it"
        with refusing("write", self.path):
            if durable:
                os.fsync(self.fd)
            self._close()
            _replace(self._temporary, self._target)
            self._temporary = b""
            if durable:
                for made in (self._target, *self._made):
                    sync_folder(os.path.dirname(made))
            return to_stat(os.stat(self._target))

    def discard(self) -> None:
        """Remove the file unless it was committed; in a forked process only close it."""
        with suppress(OSError):
            self._close()
        if self._temporary and self._creator == os.getpid():
            with suppress(OSError):
                os.unlink(self._temporary)
            self._temporary = b""

    def _close(self) -> None:
        if self._open:
            self._open = False  # even a close that fails closes
            os.close(self.fd)


def write_file(path: str, data: Buffer, *, durable: bool = True) -> Stat:
    """Write a whole file; the old one or the new one is there at any time."""
    with NewFile(path) as new:
        new.write_at(0, [data])
        return new.commit(durable=durable)


def write_if_changed(path: str, data: Buffer, *, durable: bool = True) -> bool:
    """Write a whole file unless it already holds these bytes; whether it was written."""
    try:
        if read_if_there(path, limit=memoryview(data).nbytes) == data:
            return False
    except DiskError:
        pass  # unreadable or longer: written anew, or refused there with the better reason
    write_file(path, data, durable=durable)
    return True


def _check_target(path: str, target: bytes) -> None:
    """Refuse to replace what is not a file, and a name that is too long, before any work is done."""
    try:
        mode = os.lstat(target).st_mode
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR}:
            return
        raise
    if not (modes.S_ISREG(mode) or modes.S_ISLNK(mode)):
        raise DiskError(f"cannot write {path}: it is {kind_of(mode)}, not a file")


def _replace(temporary: bytes, target: bytes) -> None:
    """Rename over the target; one that a running game maps (Windows) is moved aside and removed later."""
    try:
        os.replace(temporary, target)
    except PermissionError:
        if os.name != "nt":
            raise
        folder, name = os.path.split(target)
        aside = os.path.join(folder, temporary_name(name))
        os.rename(target, aside)
        try:
            os.rename(temporary, target)
        except OSError:
            os.rename(aside, target)
            raise
        with suppress(OSError):  # still mapped: a later sweep removes it
            os.unlink(aside)


def sync_folder(folder: bytes) -> None:
    """Make the names in a folder durable, where the system has such a thing."""
    if os.name == "nt":
        return
    try:
        fd = os.open(folder or b".", os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
