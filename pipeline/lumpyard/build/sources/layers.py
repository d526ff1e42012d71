"""What lies over each other in the source tree: the project, and the folders and archives that its manifest mounts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import disk
from lumpyard.disk import STAT
from lumpyard.errors import DiskError
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from lumpyard.build.sources.archived import SourceArchive


class Mounted(NamedTuple):
    """A folder or an archive that is to be seen in the tree."""

    at: str  # path in the tree, "" for the top
    real: str  # path on disk
    path: str = ""  # as messages call it
    format: str = "auto"  # of an archive
    lenient: bool = False


class Layer(NamedTuple):
    """A folder on disk, or an archive, that is seen at a path of the tree."""

    at: str  # "" is the top
    folder: str  # of an archive its path
    archive: SourceArchive | None = None
    path: str = ""  # as messages call it

    def holds(self, path: str) -> bool:
        """Whether a path of the tree lies in it, if it is there."""
        return not self.at or path == self.at or path.startswith(self.at + "/")

    def real(self, path: str) -> str:
        """Where a path of the tree lies in it."""
        below = self.below(path)
        return f"{self.folder}/{below}" if below and self.folder else below or self.folder

    def shown(self, path: str) -> str:
        """A path of the tree as messages call it where it is."""
        below = self.below(path)
        if self.archive is not None:
            return f"{self.archive.path}!{below}"
        return f"{self.path}/{below}" if self.path else below

    def below(self, path: str) -> str:
        """A path of the tree as seen from its top."""
        return path[len(self.at) :].lstrip("/") if self.at else path


def layer_of(mount: Mounted) -> Layer:
    """The layer of a mount, which is an archive where there is a file; nothing is read."""
    path = mount.path or mount.real
    try:
        stat = disk.stat_file(mount.real)
    except DiskError:  # which is told with the place of the mount
        return Layer(mount.at, mount.real, None, path)
    if stat is None and ("!" not in mount.real or disk.is_there(mount.real)):
        return Layer(mount.at, mount.real, None, path)
    from lumpyard.build.sources.archived import SourceArchive, find_nested  # noqa: PLC0415 - most projects mount none

    if stat is None:
        archive = find_nested(path, mount.real, mount.format, lenient=mount.lenient)
        return Layer(mount.at, mount.real, archive, path)
    return Layer(mount.at, mount.real, SourceArchive(path, mount.real, stat, mount.format, mount.lenient))


def mount_digest(layer: Layer) -> bytes:
    """What tells one state of a mount from another: of a folder only that it is one."""
    if layer.archive is not None:
        return digest(STAT.pack(*layer.archive.stat))
    return disk.what_is(layer.folder).encode() or b"not there"
