"""One process at a time: a lock that the kernel drops when its holder dies, whatever kills it.

The lock is on an open file, not its existence, so there is no stale lock to guess about. The file holds the
process number and the command of its holder, for the message of those who wait.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from lumpyard.disk.folders import make_folders
from lumpyard.disk.paths import native
from lumpyard.disk.refusals import TAKEN, refused, refusing
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NOTE_LIMIT = 4096  # bytes of the holder's text
# Windows locks ranges of bytes against reading too; this one is past the text, which thus stays readable.
_WINDOWS_PLACE = 1 << 30

_held: set[int] = set()


@contextmanager
def project_lock(
    path: str, describe: str, *, wait: bool, on_wait: Callable[[str], None], process: int = 0
) -> Iterator[None]:
    """Hold the lock at `path`; `describe` is what we are ("doit ship"), for those who find it taken.

    `process` is the number of the process that people know us by, where it isn't this one.

    When it is taken, `on_wait` is told once by whom ("doit ship, process 4711") before waiting; without
    `wait` that is a DiskError at once. A process forked while it is held does not hold it.
    """
    fd = _acquire(path, wait, on_wait)
    _held.add(fd)
    try:
        with suppress(OSError):  # a full disk does not keep us from building: the text is for messages only
            os.ftruncate(fd, 0)
            os.write(
                fd, f"{process or os.getpid()} {describe}\n".encode("utf-8", "surrogateescape")[:_NOTE_LIMIT]
            )
        yield
    finally:
        if fd in _held:  # not in a forked process
            _held.discard(fd)
            with suppress(OSError):
                os.ftruncate(fd, 0)
            with suppress(OSError):
                os.close(fd)


def lock_holder(path: str) -> str:
    """Who holds the lock: "doit ship, process 4711", or "another process" where the file doesn't say."""
    try:
        fd = os.open(native(path), os.O_RDONLY)
        try:
            text = os.read(fd, _NOTE_LIMIT).decode("utf-8", "surrogateescape")
        finally:
            os.close(fd)
    except OSError:
        return "another process"
    number, space, command = text.rstrip("\n").partition(" ")
    return f"{command}, process {number}" if space and number.isdecimal() else "another process"


def _acquire(path: str, wait: bool, on_wait: Callable[[str], None]) -> int:
    """An open, locked file that is still the one at `path`."""
    told = False
    while True:
        fd = _open(path)
        try:
            if not _lock(path, fd, wait=False):
                _check_waiting(path, wait)
                if not told:
                    on_wait(lock_holder(path))
                told = True
                _lock(path, fd, wait=True)
            if _is_current(path, fd):
                return fd
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)  # someone removed or replaced the file while we waited for it


def _check_waiting(path: str, wait: bool) -> None:
    if not wait:
        raise DiskError(f"cannot lock {path}: it is held by {lock_holder(path)}")


def _open(path: str) -> int:
    with refusing("lock", path):
        make_folders(os.path.dirname(native(path)))
        return os.open(native(path), _OPEN, 0o666)


def _lock(path: str, fd: int, *, wait: bool) -> bool:
    """Take the lock; False when it is taken and we don't wait. A signal handler that raises ends the wait."""
    try:
        lock_file(fd, wait=wait)
    except OSError as error:
        if not wait and error.errno in TAKEN:
            return False
        raise refused("lock", path, error) from error
    return True


def lock_file(fd: int, *, wait: bool) -> None:
    """Lock an open file as this platform does; OSError as it comes."""
    try:
        import fcntl  # noqa: PLC0415 - one of the two is there
    except ImportError:
        _lock_on_windows(fd, wait=wait)
    else:
        fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _lock_on_windows(fd: int, *, wait: bool) -> None:
    import msvcrt  # noqa: PLC0415 - Windows only

    while True:
        os.lseek(fd, _WINDOWS_PLACE, os.SEEK_SET)
        try:
            # LK_LOCK gives up after ten seconds.
            msvcrt.locking(fd, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError as error:
            if not wait or error.errno not in TAKEN:
                raise
        else:
            os.lseek(fd, 0, os.SEEK_SET)
            return


def _is_current(path: str, fd: int) -> bool:
    """Whether the open file is the one at the path: a lock on a removed file keeps nobody out."""
    try:
        there = os.stat(native(path))
    except OSError:
        return False
    return os.path.samestat(there, os.fstat(fd))


def _forget() -> None:
    """In a forked process: close our copies, so that the lock goes when the process that took it goes."""
    while _held:
        os.close(_held.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
