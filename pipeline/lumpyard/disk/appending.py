"""Append-only files: one process at a time writes, any number read while it does.

A writer holds an exclusive `flock` on its file for as long as it may write. So others can tell a file in use from
one that was left behind, a killed process leaves nothing to clean up, and nobody guesses from process numbers.
"""

from __future__ import annotations

import errno
import os
import stat as modes
from contextlib import suppress
from typing import TYPE_CHECKING

from lumpyard.disk.flushing import begin_flush
from lumpyard.disk.folders import make_folders
from lumpyard.disk.locking import lock_file
from lumpyard.disk.paths import from_native, native
from lumpyard.disk.refusals import TAKEN, refused, refusing
from lumpyard.disk.seeking import PIECE
from lumpyard.disk.writing import sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Buffer

_EXTRA = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# A link is refused, and a FIFO does not hang.
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_NEW = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | _EXTRA
_OLD = os.O_WRONLY | os.O_APPEND | _EXTRA | _PLAIN
_STEP = 8 << 20  # bytes that are sent to the device at once
_MOST_PIECES = 512  # of one call; Linux and macOS take 1,024


class Appender:
    """A file that this process alone appends to. `size` is where the next byte goes. Methods raise DiskError."""

    def __init__(self, path: str, descriptor: int, size: int) -> None:
        self.path = path
        self.size = size
        self._descriptor = descriptor
        self._sent = size  # up to here the system has been asked to bring it to the device

    def append(self, pieces: Sequence[Buffer]) -> int:
        """Offset of the first byte. The kernel has it all on return: a killed process loses nothing of it.

        After an error the file may end in a part of the pieces; `cut` takes it back.
        """
        start = self.size
        try:
            for batch in _batches(pieces):
                self._write(batch)
        except OSError as error:
            raise refused("append to", self.path, error) from error
        if self.size - self._sent >= _STEP:
            self._send()
        return start

    def _send(self) -> None:
        """Have the system begin to bring what was appended to the device, so that `sync` has less to wait for."""
        begin_flush(self._descriptor, self._sent, self.size - self._sent)
        self._sent = self.size

    def _write(self, batch: list[bytes | memoryview]) -> None:
        while batch:
            written = _writev(self._descriptor, batch)
            if not written:  # POSIX leaves open what that means; waiting for better would never end
                raise OSError("the system writes no more and says no reason")
            self.size += written
            batch = _rest(batch, written) if written < sum(map(len, batch)) else []

    def cut(self, size: int) -> None:
        """Take back what stands at `size` and after."""
        with refusing("shorten", self.path):
            os.ftruncate(self._descriptor, size)
        self.size = size
        self._sent = min(self._sent, size)

    def sync(self) -> None:
        """Wait until all that was appended is on the device. After a failure a second try may lie: give it up."""
        with refusing("append to", self.path):
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Stop appending; others may go on with the file. In a forked process the parent's lock stays."""
        with suppress(OSError):  # even a close that fails closes; `sync` is what says whether data is safe
            os.close(self._descriptor)


def create_appender(path: str) -> Appender | None:
    """A new, empty file to append to; None when something of that name is, or was just now, there."""
    with refusing("make", path):
        try:
            descriptor = os.open(native(path), _NEW, 0o666)
        except FileExistsError:
            return None
        # Between the two calls another process may have taken it for a file that was left behind.
        return _opened(path, descriptor, lockless=True)


def reopen_appender(path: str) -> Appender | None:
    """A file that was left behind, to append to; None when it is in use, gone, or cannot be locked here."""
    try:
        return _opened(path, os.open(native(path), _OLD), lockless=False)
    except (OSError, ValueError):
        return None


def _opened(path: str, descriptor: int, *, lockless: bool) -> Appender | None:
    """An appender, if the file has a name and its lock is ours; with `lockless` also where there are no locks."""
    try:
        locked = _lock(descriptor)
        found = os.fstat(descriptor)  # after locking: it may have been unlinked, or have grown, before
        if (locked or (lockless and locked is None)) and found.st_nlink and modes.S_ISREG(found.st_mode):
            return Appender(path, descriptor, found.st_size)
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def file_sizes(folder: str) -> dict[str, int | None]:
    """Size of each file in a folder, by name; None for what is not a regular file. {} when there is no folder."""
    sizes: dict[str, int | None] = {}
    try:
        with os.scandir(native(folder)) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # unlinked since it was listed
                    regular = entry.is_file(follow_symlinks=False)
                    sizes[from_native(entry.name)] = entry.stat().st_size if regular else None
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOENT:
            return {}
        raise refused("list", folder, error) from error
    return sizes


def folder_stamp(folder: str) -> int:
    """A number that changes when a file in the folder is made, renamed or removed; 0 when there is no folder."""
    try:
        return os.stat(native(folder)).st_mtime_ns
    except (OSError, ValueError):
        return 0


def make_durable_folder(folder: str) -> None:
    """Make a folder and those that it lies in, where they are not there yet, and their names durable."""
    with refusing("make folder", folder):
        for made in make_folders(native(folder)):
            sync_folder(os.path.dirname(made))


def sync_names(folder: str) -> None:
    """Wait until the names in a folder are on the device."""
    with refusing("write to", folder):
        sync_folder(native(folder))


def process_id() -> int:
    """The number of this process, which a fork changes."""
    return os.getpid()


def random_mark() -> bytes:
    """Eight bytes that nobody else draws."""
    return os.urandom(8)


def _lock(descriptor: int) -> bool | None:
    """Whether the lock of an open file is ours now; None on file systems without locks."""
    try:
        lock_file(descriptor, wait=False)
    except OSError as error:
        return False if error.errno in TAKEN else None
    return True


def _writev(descriptor: int, batch: list[bytes | memoryview]) -> int:
    """One call; the number of bytes that were written."""
    if hasattr(os, "writev"):
        return os.writev(descriptor, batch)
    return os.write(descriptor, b"".join(batch))


def _rest(batch: list[bytes | memoryview], written: int) -> list[bytes | memoryview]:
    """What is left of a batch after so many bytes, which are not all."""
    for number, piece in enumerate(batch):
        if written < len(piece):
            return [memoryview(piece)[written:], *batch[number + 1 :]]
        written -= len(piece)
    return []


def _batches(pieces: Sequence[Buffer]) -> Iterator[list[bytes | memoryview]]:
    """All bytes of the pieces in order, in lists of at most 128 KiB, and as many pieces as a system takes."""
    batch: list[bytes | memoryview] = []
    room = PIECE
    for piece in pieces:
        view = piece if isinstance(piece, bytes) else memoryview(piece).cast("B")
        if len(batch) == _MOST_PIECES:
            yield batch
            batch, room = [], PIECE
        while len(view) > room:
            view = memoryview(view)
            yield [*batch, view[:room]]
            view, batch, room = view[room:], [], PIECE
        if view:
            batch.append(view)
            room -= len(view)
    if batch:
        yield batch
