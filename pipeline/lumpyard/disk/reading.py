"""Reading whole files, pieces of files, and maps of files.

A file is opened without waiting and only read when it is a regular one: a FIFO never hangs a build, and a
device is never drained.
"""

from __future__ import annotations

import errno
import os
import stat as modes
from contextlib import suppress
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, Self

from lumpyard.disk.paths import native
from lumpyard.disk.refusals import ABSENT, refused
from lumpyard.disk.seeking import PIECE, pread
from lumpyard.disk.stats import Stat, kind_of, to_stat
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from mmap import mmap

# O_NONBLOCK: opening a FIFO must not wait for its writer. O_BINARY: Windows would change line ends.
_STAT = Struct("<4q")  # as in scan.py: size, mtime_ns, ctime_ns, inode
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def read_file(path: str, limit: int | None = None) -> bytes:
    """The bytes of a file; DiskError when it is not there, or larger than `limit` bytes."""
    data = read_if_there(path, limit)
    if data is None:
        raise DiskError(f"cannot read {path}: {os.strerror(errno.ENOENT)}")
    return data


def read_if_there(path: str, limit: int | None = None) -> bytes | None:
    """The bytes of a file, or None when it is not there; DiskError when it is larger than `limit` bytes."""
    try:
        fd = os.open(native(path), _READ)
        try:
            size = _regular(path, os.fstat(fd)).st_size
            if limit is not None and size > limit:
                raise DiskError(f"cannot read {path}: it has {size} bytes, and at most {limit} are allowed")
            return _read_all(fd, size)
        finally:
            os.close(fd)
    except OSError as error:
        if error.errno in ABSENT:
            return None
        raise _explained(path, error) from error
    except ValueError as error:
        raise refused("read", path, error) from error


def read_with_stat(path: str, size_hint: int) -> tuple[bytes, Stat]:
    """The bytes of a file and its Stat after the read; quickest when the file has `size_hint` bytes.

    A stat that differs from one taken before the read means that the file changed meanwhile.
    """
    try:
        fd = os.open(native(path), _READ)
        try:
            data = os.read(fd, size_hint + 1)
            found = os.fstat(fd)
            # A read that gives less than was asked for is the end of a regular file.
            if len(data) != size_hint or not modes.S_ISREG(found.st_mode):
                data += _read_all(fd, _regular(path, found).st_size - len(data))
                found = os.fstat(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise _explained(path, error) from error
    except ValueError as error:
        raise refused("read", path, error) from error
    return data, to_stat(found)


def read_if_steady(path: bytes, block: bytes) -> bytes | None:
    """The bytes of a file that is as its STAT block says, before and after the read; None for any other.

    The path is as the system names it (`native`). This is the loop of every cold build; who gets None takes
    `read_with_stat`, which says what is wrong.
    """
    size, mtime_ns, ctime_ns, inode = _STAT.unpack(block)
    try:
        fd = os.open(path, _READ)
        try:
            data = os.read(fd, size + 1)
            found = os.fstat(fd)
        finally:
            os.close(fd)
    except OSError:
        return None
    if (
        len(data) != size
        or found.st_mtime_ns != mtime_ns
        or found.st_ctime_ns != ctime_ns
        or found.st_ino != inode
        or not modes.S_ISREG(found.st_mode)
    ):
        return None
    return data


class OpenFile:
    """A file open for reading in pieces, at any place; a context manager.

    It may be read by several threads, and by processes forked while it is open.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self.fd = os.open(native(path), _READ)
            try:
                self.opened = to_stat(_regular(path, os.fstat(self.fd)))  # what it was when it was opened
            except BaseException:
                os.close(self.fd)
                raise
        except OSError as error:
            raise _explained(path, error) from error
        except ValueError as error:
            raise refused("read", path, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # nothing was written
            os.close(self.fd)

    def stat(self) -> Stat:
        """What the file is now."""
        return to_stat(os.fstat(self.fd))

    def read_at(self, offset: int, length: int) -> bytes:
        """`length` bytes from `offset` on; fewer only where the file ends."""
        try:
            data = pread(self.fd, length, offset)
            while 0 < len(data) < length and (more := pread(self.fd, length - len(data), offset + len(data))):
                data += more
        except OSError as error:
            raise refused("read", self.path, error) from error
        return data

    def iter_pieces(self, offset: int = 0, length: int | None = None) -> Iterator[bytes]:
        """The bytes from `offset` on in pieces of 128 KiB; to the end, or so many."""
        left = self.opened.size - offset if length is None else length
        while left > 0 and (piece := self.read_at(offset, min(PIECE, left))):
            yield piece
            offset += len(piece)
            left -= len(piece)


class Mapping(NamedTuple):
    """A file in memory, as pages that the system reads when they are looked at."""

    data: memoryview | bytes  # bytes for an empty file, which cannot be mapped
    stat: Stat


class FileMap:
    """A context manager of a Mapping; views still in use when it ends keep the map until they go."""

    def __init__(self, path: str, fd: int | None = None) -> None:
        self._path = path
        self._fd = fd
        self._view: memoryview | None = None
        self._map: mmap | None = None

    def __enter__(self) -> Mapping:
        if self._fd is not None:
            return self._open(self._fd)
        with OpenFile(self._path) as file:
            return self._open(file.fd)

    def __exit__(self, *_: object) -> None:
        try:
            if self._view is not None:
                self._view.release()
            if self._map is not None:
                self._map.close()
        except BufferError:
            pass  # a slice of it is still held somewhere

    def _open(self, fd: int) -> Mapping:
        from mmap import ACCESS_READ, mmap  # noqa: PLC0415 - a no-op maps nothing

        try:
            found = os.fstat(fd)
            if not found.st_size:
                return Mapping(b"", to_stat(found))
            self._map = mmap(fd, found.st_size, access=ACCESS_READ)
        except (OSError, ValueError) as error:  # ValueError: it shrank just now
            raise refused("map", self._path, error) from error
        self._view = memoryview(self._map)
        return Mapping(self._view, to_stat(found))


def open_map(path: str) -> FileMap:
    """A context manager that gives a Mapping; if the file shrinks meanwhile, a read past its end kills us."""
    return FileMap(path)


def _read_all(fd: int, size: int) -> bytes:
    """Everything from the file's position on; `size` is what is expected."""
    data = os.read(fd, max(size, 0) + 1)
    if len(data) <= size and (not data or len(data) == size):
        return data
    pieces = [data]
    while piece := os.read(fd, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def _regular(path: str, found: os.stat_result) -> os.stat_result:
    """The same stat, once it is known to be that of a regular file."""
    if not modes.S_ISREG(found.st_mode):
        raise DiskError(f"cannot read {path}: it is {kind_of(found.st_mode)}, not a file")
    return found


def _explained(path: str, error: OSError) -> DiskError:
    """The error for a file that could not be read: by what it is, where the system's words say little."""
    if error.errno in {errno.ENXIO, errno.EISDIR, errno.EAGAIN}:  # a socket, a folder, a FIFO
        try:
            _regular(path, os.stat(native(path)))
        except DiskError as better:
            return better
        except OSError:
            pass
    return refused("read", path, error)
