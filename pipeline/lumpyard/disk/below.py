"""New files strictly below a folder, whatever links others have planted there or plant meanwhile.

Each part of a path is opened by itself, from the folder above it, and never through a link. Where the system
cannot open from an open folder (Windows), each part is looked at before it is used; a race can get past that.
"""

from __future__ import annotations

import errno
import os
import stat as modes
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Self

from lumpyard.disk.folders import make_folders
from lumpyard.disk.paths import native
from lumpyard.disk.refusals import refusing
from lumpyard.disk.seeking import pwrite_pieces
from lumpyard.disk.stats import kind_of
from lumpyard.disk.temporaries import temporary_name
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from typing_extensions import Buffer

FROM_OPEN_FOLDERS = {os.open, os.mkdir, os.stat, os.link, os.unlink, os.rename} <= os.supports_dir_fd
_FOLDER = (
    os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# No hard links on this file system (FAT), or not for us.
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EINVAL})


class _Folder(NamedTuple):
    """A folder that was reached without a link."""

    path: bytes  # as far as messages and the other way need it
    fd: int | None  # None where the system has no opening from open folders

    def at(self, name: bytes) -> bytes:
        """What names an entry to a call that is also given `fd`."""
        return os.path.join(self.path, name) if self.fd is None else name


class FolderBelow:
    """Writes whole new files below a folder; a context manager. Every method raises DiskError.

    Paths are seen from the folder. It may be a link itself, and is made when the first file is written.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder or "."
        self._reached: list[
            tuple[bytes, _Folder]
        ] = []  # the folder, and the ones on the way to the last file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._leave(0)

    def check(self, path: str, *, overwrite: bool) -> None:
        """Raise what `write` would raise for what is in its way now; nothing is changed."""
        with refusing("write", self._shown(path)):
            *above, name = native(path).split(b"/")
            folder = self._reach(above, path, make=False)
            if folder is not None:
                self._check_free(folder, name, path, overwrite=overwrite)

    def write(self, path: str, data: Buffer, *, overwrite: bool) -> None:
        """Write a whole file. Without `overwrite` nothing may be there; else a file or link is replaced."""
        with refusing("write", self._shown(path)):
            *above, name = native(path).split(b"/")
            folder = self._reach(above, path, make=True)
            assert folder is not None, "it was made"
            self._check_free(folder, name, path, overwrite=overwrite)
            temporary = folder.at(temporary_name(b""))
            fd = os.open(temporary, _NEW, 0o666, dir_fd=folder.fd)
            try:
                try:
                    pwrite_pieces(fd, [data], 0)
                finally:
                    os.close(fd)
                _place(folder, temporary, folder.at(name), overwrite=overwrite)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=folder.fd)
                raise

    def _check_free(self, folder: _Folder, name: bytes, path: str, *, overwrite: bool) -> None:
        try:
            mode = os.stat(folder.at(name), dir_fd=folder.fd, follow_symlinks=False).st_mode
        except FileNotFoundError:
            return
        if not (modes.S_ISREG(mode) or modes.S_ISLNK(mode)):
            raise DiskError(f"cannot write {self._shown(path)}: {kind_of(mode)} is in its place")
        if not overwrite:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))

    def _reach(self, parts: list[bytes], path: str, *, make: bool) -> _Folder | None:
        """The folder that these parts lead to; None when it is not there and not to be made."""
        if not self._reached:
            top = native(self.folder)
            if make:
                make_folders(top)
            elif not os.path.lexists(top):
                return None
            self._reached.append((b"", _open(top)))
        at = 1
        while at <= len(parts) and at < len(self._reached) and self._reached[at][0] == parts[at - 1]:
            at += 1
        self._leave(at)
        for part in parts[at - 1 :]:
            below = self._enter(self._reached[-1][1], part, path, make=make)
            if below is None:
                return None
            self._reached.append((part, below))
        return self._reached[-1][1]

    def _enter(self, folder: _Folder, part: bytes, path: str, *, make: bool) -> _Folder | None:
        """The folder of this name in another; None when it is not there and not to be made."""
        assert part not in {b"", b".", b".."}, "paths were made safe before"
        if make:
            with suppress(FileExistsError):
                os.mkdir(folder.at(part), dir_fd=folder.fd)
        try:
            found = os.stat(folder.at(part), dir_fd=folder.fd, follow_symlinks=False)
            if modes.S_ISDIR(found.st_mode) and not getattr(found, "st_reparse_tag", 0):
                return _open(folder.at(part), folder)
        except FileNotFoundError:
            if make:
                raise
            return None
        raise DiskError(
            f"cannot write {self._shown(path)}: {kind_of(found.st_mode)} is where a folder must be"
        )

    def _leave(self, kept: int) -> None:
        """Close the folders that are no longer on the way."""
        while len(self._reached) > kept:
            _, folder = self._reached.pop()
            if folder.fd is not None:
                with suppress(OSError):  # nothing was written through it
                    os.close(folder.fd)

    def _shown(self, path: str) -> str:
        return f"{self.folder}/{path}"


def _open(name: bytes, above: _Folder | None = None) -> _Folder:
    """The folder of this name; only the top one may be a link."""
    path = name if above is None else os.path.join(above.path, os.path.basename(name))
    if not FROM_OPEN_FOLDERS:
        return _Folder(path, None)
    if above is None:
        return _Folder(path, os.open(name, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0)))
    return _Folder(path, os.open(name, _FOLDER, dir_fd=above.fd))


def _place(folder: _Folder, temporary: bytes, name: bytes, *, overwrite: bool) -> None:
    """Give a written file its name: in place of another, or only if the name is free."""
    if not overwrite:
        try:
            os.link(temporary, name, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            os.close(os.open(name, _NEW, 0o666, dir_fd=folder.fd))  # only who makes the name may replace it
        else:
            os.unlink(temporary, dir_fd=folder.fd)
            return
    os.replace(temporary, name, src_dir_fd=folder.fd, dst_dir_fd=folder.fd)
