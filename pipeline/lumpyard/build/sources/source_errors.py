"""What may be wrong with a source while a build reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import CookError, Place, Problem

if TYPE_CHECKING:
    from lumpyard.errors import ArchiveError, DiskError

CODES = {
    "E0401": "a source vanished while it was being built",
    "E0402": "a source cannot be read",
    "E0403": "a source is a Git LFS pointer, not the file",
    "E0404": "a source keeps changing while it is being read",
    "E0405": "a lump of a source archive does not decode",
}

LFS_LIMIT = 1024  # bytes; a pointer of Git LFS has about 130
_LFS_POINTER = b"version https://git-lfs"


def may_be_pointer(data: bytes) -> bool:
    """Whether a source is what Git LFS leaves in place of a file that was not fetched."""
    return len(data) < LFS_LIMIT and data.startswith(_LFS_POINTER)


class SourceError(CookError):
    """A source cannot be had."""

    exit_status = 5


class UndecodableError(CookError):
    """A lump of a source archive does not decode; the exit status is that of what is wrong with it."""

    def __init__(self, path: str, error: ArchiveError) -> None:
        super().__init__(
            [Problem(Place(path), "E0405", f"{path} does not decode: {' '.join(str(error).split())}")]
        )
        self.exit_status = error.exit_status


def is_absence(error: DiskError) -> bool:
    """Whether nothing is there."""
    return isinstance(error.__cause__, FileNotFoundError | NotADirectoryError)


def vanished(path: str) -> SourceError:
    """The error for a source that was there at the scan."""
    return failure(path, "E0401", "vanished while it was being built", "run the build again")


def changed_meanwhile(path: str) -> SourceError:
    """The error for a source that is not any more what it was a moment ago."""
    return failure(path, "E0404", "changed while it was being read", "run the build again")


def failure(path: str, code: str, message: str, hint: str = "") -> SourceError:
    """The error for a source; `message` is what it does, or a sentence that names it."""
    return SourceError(
        [Problem(Place(path), code, message if path in message else f"{path} {message}", hint)]
    )
