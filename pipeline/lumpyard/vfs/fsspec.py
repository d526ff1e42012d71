"""Lumps for every tool that reads through fsspec: `lump://` for archives of any format, `ewad://` for EWADs.

    fsspec.open("ewad://textures/a.png::file://build/base.ewad")   # chained, as zip:// is
    fsspec.open("ewad://build/base.ewad!/textures/a.png")          # in one
    fsspec.filesystem("lump", fo="vendor/freedoom2.wad").find("")

An archive on this machine is mapped; one that another file system gives (`::https://...`) is read whole into memory.
Names follow the rules of the mount (docs/vfs.md); globs are fsspec's own. Nothing can be written.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, NoReturn

import fsspec
import fsspec.spec

from lumpyard.disk import from_system, is_there, stat_file
from lumpyard.errors import ArchiveError, DiskError, NotFoundError, UsageError
from lumpyard.vfs.layer import joined
from lumpyard.vfs.opening import Reading, split_spelling
from lumpyard.vfs.system import Vfs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FileSystem: Any = fsspec.spec.AbstractFileSystem  # which has no types
_LOCAL = frozenset({"file", "local"})


class LumpFileSystem(_FileSystem):  # type: ignore[misc]
    """The lumps of one archive, read-only.

    `fo` is the archive: a path, `ARCHIVE!LUMP` for a nested one, a URL, or an open binary file. `format` and `lenient`
    are those of `open_archive`. Errors are Python's: FileNotFoundError, IsADirectoryError, and OSError for an archive
    or lump that can't be decoded.
    """

    protocol: ClassVar[str] = "lump"
    root_marker = ""
    cachable = False  # an archive may have been built anew since
    default_format = "auto"

    def __init__(
        self,
        fo: Any = "",
        *,
        target_protocol: str | None = None,
        target_options: Mapping[str, Any] | None = None,
        format: str | None = None,  # noqa: A002 - as everywhere in Lumpyard
        lenient: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        reading = Reading(format or self.default_format, lenient=lenient)
        self.vfs = Vfs()
        path = _local_path(fo, target_protocol)
        with _python_errors(path or str(fo)):
            if path is not None:
                _check_file(split_spelling(path)[0])
                self.vfs.mount(path, reading=reading)
            else:
                self.vfs.mount_bytes(_fetch(fo, target_protocol, target_options), _label(fo), reading=reading)

    @classmethod
    def _strip_protocol(cls, path: Any) -> Any:
        """The lump's path; of a URL `lump://ARCHIVE!/LUMP`, what stands behind the last `!/`."""
        if isinstance(path, list):
            return [cls._strip_protocol(one) for one in path]
        text = os.fspath(path)
        stripped: str = super()._strip_protocol(text)
        if stripped != text.rstrip("/") and "!/" in f"{text}/":
            stripped = f"{text}/".rpartition("!/")[2]
        return stripped.strip("/")

    @staticmethod
    def _get_kwargs_from_urls(path: str) -> dict[str, str]:
        """The archive that a URL `lump://ARCHIVE!/LUMP` names."""
        protocol, scheme, rest = path.partition("://")
        archive = rest.rpartition("!/")[0] if "!/" in rest else rest.removesuffix("!")
        return {"fo": archive} if scheme and protocol and archive != rest else {}

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """Name, size and type, and for a lump where it is."""
        path = self._strip_protocol(path)
        if self.vfs.is_folder(path) and not self.vfs.exists(path):
            return _folder_info(path)
        with _python_errors(path):
            stat = self.vfs.stat(path)
        return {
            "name": path,
            "size": stat.size,
            "type": "file",
            "source": stat.source,
            "stored_size": stat.stored_size,
            "entry": stat.entry,
        }

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:
        """What a folder holds, sorted by name; a file is listed alone."""
        path = self._strip_protocol(path)
        if self.vfs.is_folder(path):
            with _python_errors(path):
                listing = self.vfs.list_folder(path)
            found = [self.info(joined(path, name)) for name in listing.files]
            found += [_folder_info(joined(path, name)) for name in listing.folders]
        else:
            found = [self.info(path)]
        found.sort(key=lambda info: str(info["name"]))
        return found if detail else [info["name"] for info in found]

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **_: Any) -> bytes:
        """The bytes of a lump, or of a range of it."""
        with self._open(self._strip_protocol(path)) as file:
            size = file.seek(0, os.SEEK_END)
            first, last, _step = slice(start, end).indices(size)
            file.seek(first)
            return file.read(max(last - first, 0))

    def _open(self, path: str, mode: str = "rb", **_: Any) -> BinaryIO:
        if mode != "rb":
            _refuse(path)
        if self.vfs.is_folder(path) and not self.vfs.exists(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        with _python_errors(path):
            return self.vfs.open(path)

    def close(self) -> None:
        """Let go of the archive."""
        self.vfs.close()

    # What fsspec would pass over in silence, or say by another error.

    def mkdir(self, path: str, create_parents: bool = True, **_: Any) -> None:  # noqa: ARG002
        """Refused."""
        _refuse(path)

    def makedirs(self, path: str, exist_ok: bool = False) -> None:  # noqa: ARG002
        """Refused."""
        _refuse(path)

    def rm_file(self, path: str) -> None:
        """Refused."""
        _refuse(path)

    def rmdir(self, path: str) -> None:
        """Refused."""
        _refuse(path)

    def cp_file(self, path1: str, path2: str, **_: Any) -> None:  # noqa: ARG002
        """Refused."""
        _refuse(path2)


class EwadFileSystem(LumpFileSystem):
    """The lumps of an EWAD; another archive is refused."""

    protocol: ClassVar[str] = "ewad"
    default_format = "EWAD"


def _local_path(fo: Any, target_protocol: str | None) -> str | None:
    """The path of an archive on this machine; None where another file system has it."""
    if not isinstance(fo, (str, os.PathLike)):
        return None
    text = str(os.fspath(fo))
    protocol, scheme, rest = text.partition("://")
    if scheme and protocol in _LOCAL:
        return from_system(rest)
    if scheme or (target_protocol or "file") not in _LOCAL:
        return None
    return from_system(text)


def _check_file(path: str) -> None:
    """The errors that Python has for a path that can't be an archive; a folder is nothing to mount here."""
    if not path:
        raise ValueError("no archive is named; say fo=, or lump://LUMP::ARCHIVE, or lump://ARCHIVE!/LUMP")
    if stat_file(path) is None:
        number = errno.EISDIR if is_there(path) else errno.ENOENT
        raise OSError(number, os.strerror(number), path)  # which becomes FileNotFoundError and so on


def _fetch(fo: Any, target_protocol: str | None, target_options: Mapping[str, Any] | None) -> bytes:
    """The whole archive out of another file system, or out of an open file."""
    if isinstance(fo, (str, os.PathLike)):
        fo = fsspec.open(fo, mode="rb", protocol=target_protocol, **(target_options or {}))
    if isinstance(fo, fsspec.core.OpenFile):
        with fo as file:
            return bytes(file.read())
    return bytes(fo.read())


def _label(fo: Any) -> str:
    """What messages call an archive that is in memory."""
    name = (
        fo if isinstance(fo, (str, os.PathLike)) else getattr(fo, "path", None) or getattr(fo, "name", None)
    )
    return str(name or "the archive")


def _folder_info(path: str) -> dict[str, Any]:
    return {"name": path, "size": 0, "type": "directory"}


def _refuse(path: str) -> NoReturn:
    raise OSError(errno.EROFS, "archives are mounted read-only", path)


@contextmanager
def _python_errors(path: str) -> Iterator[None]:
    """Errors of Lumpyard leave as those that users of any file system expect."""
    try:
        yield
    except NotFoundError as error:
        raise FileNotFoundError(errno.ENOENT, str(error), path) from error
    except DiskError as error:
        cause = error.__cause__
        number = cause.errno if isinstance(cause, OSError) and cause.errno else errno.EIO
        raise OSError(number, str(error), path) from error
    except ArchiveError as error:
        raise OSError(errno.EIO, str(error), path) from error
    except UsageError as error:
        raise ValueError(str(error)) from error
