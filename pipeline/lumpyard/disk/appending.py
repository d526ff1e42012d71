"""Append-only files: one process at a time writes, any number read while it does.

A writer holds an exclusive `flock` on its file for as long as it may write, so that others can tell a file in use from
one that was left behind, and nobody has to guess from process numbers. Where the platform has no `flock`, every file
counts as in use by others, and only what this process made anew is written.

Functions here raise OSError as the system gives it: whether that matters is for the store to say.
"""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

from lumpyard.disk.paths import from_native, native
from lumpyard.disk.seeking import PIECE, pread

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Buffer

_EXTRA = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_SURPRISE = getattr(os, "O_NOFOLLOW", 0) | getattr(
    os, "O_NONBLOCK", 0
)  # a symlink is refused, a FIFO does not hang


class Appender:
    """A file that this process writes at its end, and nobody else does. `size` is where the next byte goes."""

    def __init__(self, path: str, descriptor: int) -> None:
        self.path = path
        self.size = os.fstat(descriptor).st_size
        self._descriptor = descriptor

    def append(self, pieces: Sequence[Buffer]) -> int:
        """Offset of the first byte. All is handed to the kernel on return, so a killed process loses nothing.

        After an OSError the file may end in a part of the pieces; `cut` takes it back.
        """
        offset = self.size
        for batch in _batches(pieces):
            self._write(batch)
        return offset

    def _write(self, batch: list[memoryview]) -> None:
        while batch:
            written = (
                os.writev(self._descriptor, batch)
                if hasattr(os, "writev")
                else os.write(self._descriptor, b"".join(batch))
            )
            self.size += written
            while batch and written >= len(batch[0]):
                written -= len(batch.pop(0))
            if written:
                batch[0] = batch[0][written:]

    def cut(self, size: int) -> None:
        """Take back what stands at `size` and after."""
        os.ftruncate(self._descriptor, size)
        self.size = size

    def sync(self) -> None:
        """Make all that was appended durable. After an OSError a second try may lie: give the file up instead."""
        os.fsync(self._descriptor)

    def close(self) -> None:
        """Stop writing; others may go on with the file."""
        os.close(self._descriptor)


class Reader:
    """A file that is read at offsets; it stays readable when it is unlinked meanwhile."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(native(path), os.O_RDONLY | _EXTRA | _NO_SURPRISE)
        if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            self.close()
            raise OSError(None, "is not a regular file", path)

    def size(self) -> int:
        """Bytes in the file now."""
        return os.fstat(self._descriptor).st_size

    def read(self, offset: int, size: int) -> bytes:
        """The bytes at an offset: `size` of them, or as many as there are."""
        data = pread(self._descriptor, size, offset)
        if len(data) in (0, size):
            return data
        parts = [data]  # the kernel gives at most 2 GiB at once
        while data and (missing := size - sum(map(len, parts))):
            data = pread(self._descriptor, missing, offset + size - missing)
            parts.append(data)
        return b"".join(parts)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._descriptor)


def create_appender(path: str) -> Appender:
    """A new, empty file to append to; FileExistsError when there is something of that name."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | _EXTRA
    descriptor = os.open(native(path), flags, 0o666)
    if fcntl is None or _own(descriptor):
        return Appender(path, descriptor)
    os.close(descriptor)
    raise FileExistsError(None, "was taken by another process", path)


def reopen_appender(path: str) -> Appender | None:
    """A file that another process has left, to go on appending to; None when it is in use, or is no longer there."""
    if fcntl is None:
        return None
    descriptor = os.open(native(path), os.O_WRONLY | os.O_APPEND | _EXTRA | _NO_SURPRISE)
    if stat.S_ISREG(os.fstat(descriptor).st_mode) and _own(descriptor):
        return Appender(path, descriptor)
    os.close(descriptor)
    return None


def _own(descriptor: int) -> bool:
    """Whether this open file is now locked by us, and still has a name: it may have been unlinked before the lock."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # held by another, or a file system without locks
        return False
    return os.fstat(descriptor).st_nlink > 0


@contextlib.contextmanager
def exclusive(path: str) -> Iterator[None]:
    """Hold a lock file, made if need be; waits for whoever has it. Nothing to clean up after a kill."""
    descriptor = os.open(native(path), os.O_RDWR | os.O_CREAT | _EXTRA | _NO_SURPRISE, 0o666)
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def regular_files(folder: str) -> dict[str, int]:
    """Size of each regular file of a folder, by name; symbolic links are not followed."""
    sizes = {}
    with os.scandir(native(folder)) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):  # unlinked since it was listed
                if entry.is_file(follow_symlinks=False):
                    sizes[from_native(entry.name)] = entry.stat(follow_symlinks=False).st_size
    return sizes


def folder_stamp(folder: str) -> int:
    """A number that differs after a file of the folder was made, renamed or removed; 0 when there is no folder."""
    try:
        return os.stat(native(folder)).st_mtime_ns
    except OSError:
        return 0


def make_folder(folder: str) -> None:
    """Make a folder and those above it, if they are not there."""
    os.makedirs(native(folder), exist_ok=True)


def sync_folder(folder: str) -> None:
    """Make the names in a folder durable, where the platform can."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(native(folder), os.O_RDONLY | os.O_DIRECTORY | _EXTRA)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def replace_file(path: str, data: Buffer, suffix: str) -> None:
    """Put a file that can be lost but must not be half there: written beside its place, then renamed, not synced."""
    beside = f"{path}.{suffix}"
    descriptor = os.open(native(beside), os.O_WRONLY | os.O_CREAT | os.O_EXCL | _EXTRA, 0o666)
    try:
        appender = Appender(beside, descriptor)
        try:
            appender.append([data])
        finally:
            appender.close()
        os.replace(native(beside), native(path))
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(native(beside))
        raise


def unlink(path: str) -> None:
    """Remove a file; one that is not there is no error."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(native(path))


def process_id() -> int:
    """The number of this process, which a fork changes."""
    return os.getpid()


def random_name() -> bytes:
    """Eight bytes that no other process draws."""
    return os.urandom(8)


def _batches(pieces: Sequence[Buffer]) -> Iterator[list[memoryview]]:
    """All bytes of the pieces in order, in lists of at most `PIECE` bytes."""
    batch: list[memoryview] = []
    room = PIECE
    for piece in pieces:
        view = memoryview(piece).cast("B")
        while view:
            batch.append(view[:room])
            view = view[room:]
            room -= len(batch[-1])
            if not room:
                yield batch
                batch, room = [], PIECE
    if batch:
        yield batch
