"""What the file system asks of anything that is mounted.

Names are text with forward slashes, bytes that are not UTF-8 as surrogate escapes, and seen from the mount.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lumpyard.vfs.handle import View
    from lumpyard.vfs.lru import ByteCache
    from lumpyard.vfs.namerules import NameRule


def always(_: str) -> bool:
    """Yes."""
    return True


class Found(NamedTuple):
    """A file of a folder or a lump of an archive."""

    path: str  # as the mount spells it, or as it was asked for where the archive does not name it
    size: int  # bytes, decompressed
    entry: int | None = None  # directory index of a lump
    stored_size: int | None = None  # bytes in the archive


class Hidden(NamedTuple):
    """No file, but something that hides what lower mounts have there."""

    what: str  # "a folder", "a FIFO", "below the file 'maps'"
    is_folder: bool = False
    is_odd: bool = False  # it has the name and can't be read: an error, not an absence


FOLDER = Hidden("a folder", is_folder=True)


class Listing(NamedTuple):
    """What one folder holds; names without the folder, in no order."""

    files: frozenset[str]
    folders: frozenset[str]


class Layer(Protocol):
    """A mounted folder or archive. Its answers do not change while it is mounted; several threads may ask."""

    @property
    def label(self) -> str:
        """What messages call it: its path as given, `ARCHIVE!LUMP` for a nested archive."""
        ...

    @property
    def kind(self) -> str:
        """`folder`, or the format."""
        ...

    @property
    def rule(self) -> NameRule:
        """How it compares names."""
        ...

    def look(self, path: str) -> Found | Hidden | None:
        """What a path leads to; None is the one answer after which lower mounts are asked."""
        ...

    def list_folder(self, folder: str) -> Listing | None:
        """What a folder holds, exactly so spelled ("" is the top); None when there is none."""
        ...

    def paths(self, folder: str = "", may_descend: Callable[[str], bool] = always) -> Iterator[str]:
        """All paths below a folder that it can name and a tree can hold.

        Folders of which `may_descend` says no may be left out.
        """
        ...

    def names(self, found: Found) -> bool:
        """Whether it can name the file; an archive may hold lumps that only a hash of their name leads to."""
        ...

    def twins(self, found: Found) -> list[Found]:
        """Other lumps of the same name in the same archive and folder."""
        ...

    def source(self, path: str) -> str:
        """What a file is called in messages and manifests: its path on disk, or `ARCHIVE!LUMP`."""
        ...

    def view(self, found: Found, cache: ByteCache) -> View:
        """The bytes."""
        ...

    def read(self, found: Found, cache: ByteCache) -> bytes:
        """A copy of the bytes, where they are not a buffer of their own already."""
        ...

    def open(self, found: Found, cache: ByteCache) -> BinaryIO:
        """The bytes as a file to read and seek in."""
        ...

    def fresh(self) -> Layer:
        """The same mount with nothing remembered."""
        ...

    def close(self) -> None:
        """Let go of files; what was handed out stays good."""
        ...


def split_path(path: str) -> tuple[str, str]:
    """The folder of a path, and the name in it."""
    above, _, name = path.rpartition("/")
    return above, name


def joined(folder: str, name: str) -> str:
    """A name in a folder; "" is the top."""
    return f"{folder}/{name}" if folder else name


def path_bytes(path: str) -> bytes:
    """What paths are sorted by."""
    return path.encode("utf-8", "surrogateescape")
