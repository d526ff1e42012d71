"""What scans of folders say: of each file its size and times, of each folder whether it is as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.disk import STAT, FolderScan
from lumpyard.hashing import digest
from lumpyard.manifest.paths import NEVER_ENTERED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_OWN_FILES = frozenset({"archives.lock"})
LUMPS_OF = "\0"  # ends what stands for a folder where an expanded archive's lumps are: no path has a NUL


class FileStats:
    """The STAT block of each file, by its path; folders are scanned when they are asked for."""

    def __init__(self, scan: Callable[[str], FolderScan | None]) -> None:
        self._scan = scan
        self._blocks: dict[str, bytes] = {}
        self._added: set[str] = set()  # folders whose files are there

    def find(self, path: str) -> bytes | None:
        """The block of one file; None where there is none."""
        if path not in self._blocks:
            folder = path[: max(path.rfind("/"), 0)]
            if folder not in self._added:
                self.add(folder)
        return self._blocks.get(path)

    def blocks(self, folders: Iterable[str]) -> Mapping[str, bytes]:
        """The blocks of all files of these folders, and of others."""
        for folder in [folder for folder in folders if folder not in self._added]:
            self.add(folder)
        return self._blocks

    def add(self, folder: str) -> None:
        """Take the files of a folder in."""
        self._added.add(folder)
        found = self._scan(folder)
        if found is not None:
            prefix, stats = file_prefix(folder), found.stats
            blocks = [stats[at : at + STAT.size] for at in range(0, len(stats), STAT.size)]
            self._blocks.update(zip([prefix + name for name in found.names], blocks, strict=True))


def file_prefix(folder: str) -> str:
    """What the paths of a folder's files start with; `folder` is a key of `ScannedTree.scans`."""
    if folder.endswith(LUMPS_OF):
        return f"{folder.removesuffix(LUMPS_OF)}!"
    return f"{folder}/" if folder else ""


def is_racy(found: FolderScan | None, stamp: int) -> bool:
    """Whether some file was touched at or after the stamp."""
    if found is None or not found.stats:
        return False
    times = memoryview(found.stats).cast("q")
    return max(*times[1::4].tolist(), *times[2::4].tolist()) >= stamp


def folder_digest(found: FolderScan | None) -> bytes:
    """What tells one state of a folder from another: names, stats, folders, odd things."""
    if found is None:
        return b"no such folder"
    parts = ("\0".join(found.names), "\0".join(found.folders), repr(found.odd))
    return digest(found.stats + "\0\0".join(parts).encode("utf-8", "surrogateescape"))


def without_own(found: FolderScan) -> FolderScan:
    """The project folder without what builds write, which would otherwise look like a change of the sources."""
    keep = [index for index, name in enumerate(found.names) if name not in _OWN_FILES]
    return FolderScan(
        tuple(found.names[index] for index in keep),
        b"".join(found.stats[index * STAT.size : (index + 1) * STAT.size] for index in keep),
        tuple(name for name in found.folders if name not in NEVER_ENTERED),
        tuple(odd for odd in found.odd if odd[0] not in NEVER_ENTERED),
    )
