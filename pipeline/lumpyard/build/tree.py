"""The source tree as one build sees it: each folder scanned once, with stats of its files (design.md, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import disk
from lumpyard.disk import STAT, FolderScan, Stat
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

OWN_FOLDERS = frozenset(
    {".git", ".lumpyard", "build", "dist", "symbols"}
)  # in the project folder; never sources
_OWN_FILES = frozenset({"archives.lock"})
RACY = b""  # a snapshot that equals none: look closer next time


class _Layer(NamedTuple):
    """A folder on disk that is seen at a path of the tree."""

    at: str  # "" is the top
    folder: str

    def holds(self, path: str) -> bool:
        """Whether a path of the tree lies in it, if it is there."""
        return not self.at or path == self.at or path.startswith(self.at + "/")

    def real(self, path: str) -> str:
        """Where a path of the tree lies in it."""
        below = path[len(self.at) :].lstrip("/") if self.at else path
        return f"{self.folder}/{below}" if below and self.folder else below or self.folder


class ScannedTree:
    """Folders below a project, and below the folders that its manifest mounts, seen as one tree.

    Mounts are (path in the tree, folder on disk); the later lies above the earlier, all above the project. Where
    folders meet, the names of all are there, and what has a name in one layer hides what has it in those below;
    folders of one name meet again. A folder is scanned when it is first asked for and not again, so that all of one
    build sees the same names.
    """

    def __init__(self, root: str, mounts: Iterable[tuple[str, str]] = ()) -> None:
        self._root = root
        self._project = _Layer("", root)
        self._mounts = [_Layer(at, folder) for at, folder in mounts]
        self.scans: dict[str, FolderScan | None] = {}
        self._places: dict[str, str] = {}  # path -> where it is on disk, for files of folders that meet
        self._digests: dict[str, bytes] = {}
        self._packed: dict[str, bytes] = {}  # path -> its STAT block
        self._sizes: dict[str, int] = {}
        self._unfolded: set[str] = set()  # folders whose files are in `_packed` and `_sizes`

    def real(self, path: str) -> str:
        """Where on disk a path of the tree lies; one that is in no layer would lie in the topmost."""
        if not self._mounts:  # asked for every file
            return f"{self._root}/{path}" if path and self._root else path or self._root
        folder = path[: max(path.rfind("/"), 0)]
        if path and len(self._layers(folder)) > 1:
            self.scan(folder)
        return self._places.get(path) or self._layers(path)[0].real(path)

    def scan(self, folder: str) -> FolderScan | None:
        """What is in a folder of the tree ("" is the project folder); None when there is none."""
        if folder not in self.scans:
            self.scans[folder] = self._scan(folder)
        return self.scans[folder]

    def _scan(self, folder: str) -> FolderScan | None:
        layers = self._layers(folder)
        found = [(layer, seen) for layer in layers if (seen := self._scan_layer(layer, folder)) is not None]
        if len(layers) == 1 or not found:
            return found[0][1] if found else None
        from lumpyard.build.overlay import overlay  # noqa: PLC0415 - most projects mount nothing

        merged, owners = overlay([seen for _, seen in found])
        prefix = f"{folder}/" if folder else ""
        for name, owner in zip(merged.names, owners, strict=True):
            self._places[prefix + name] = found[owner][0].real(prefix + name)
        return merged

    def _scan_layer(self, layer: _Layer, folder: str) -> FolderScan | None:
        path = layer.real(folder)
        if self._mounts and disk.stat_file(path) is not None:
            return None  # a file where another layer has a folder: its name is hidden or hides, one folder up
        found = disk.scan_folder(path, layer.folder)  # links in it may not leave it
        return _without_own(found) if found is not None and self._is_project(layer, folder) else found

    def _is_project(self, layer: _Layer, folder: str) -> bool:
        """Whether a folder of a layer is the project folder, around which another may be mounted."""
        if layer is self._project:
            return not folder
        return disk.real_path(layer.real(folder)) == disk.real_path(self._root or ".")

    def _layers(self, path: str) -> list[_Layer]:
        """What a path may lie in, topmost first."""
        return [*(layer for layer in reversed(self._mounts) if layer.holds(path)), self._project]

    def mount_fault(self, number: int) -> str:
        """Why nothing is to be seen of the manifest's mount of this number, counted from 0; "" where it is a folder."""
        folder = self._mounts[number].folder
        if not disk.is_there(folder):
            return "it is not there"
        return "it is a file, not a folder" if disk.stat_file(folder) is not None else ""

    def mounted_in(self, folder: str) -> list[str]:
        """Names of folders that mounts put into a folder."""
        above = f"{folder}/" if folder else ""
        points = (layer.at for layer in self._mounts)
        return sorted(
            {at[len(above) :].split("/")[0] for at in points if at.startswith(above) and at != above}
        )

    def stat(self, path: str) -> Stat | None:
        """Size and times of a file at the scan; None where there was none."""
        packed = self._find(path)
        return None if packed is None else Stat._make(STAT.unpack(packed))

    def size(self, path: str) -> int:
        """Bytes of a file at the scan; 0 where there was none."""
        self._find(path)
        return self._sizes.get(path, 0)

    @property
    def blocks(self) -> Mapping[str, bytes]:
        """The STAT block of each file of all folders scanned so far."""
        self._unfold_all()
        return self._packed

    @property
    def sizes(self) -> Mapping[str, int]:
        """Bytes of each file of all folders scanned so far."""
        self._unfold_all()
        return self._sizes

    def _unfold_all(self) -> None:
        for folder in self.scans.keys() - self._unfolded:
            self._unfold(folder)

    def _find(self, path: str) -> bytes | None:
        folder = path[: max(path.rfind("/"), 0)]
        if folder not in self._unfolded:
            self._unfold(folder)
        return self._packed.get(path)

    def _unfold(self, folder: str) -> None:
        self._unfolded.add(folder)
        found = self.scan(folder)
        if found is not None:
            prefix, stats = f"{folder}/" if folder else "", found.stats
            blocks = [stats[at : at + STAT.size] for at in range(0, len(stats), STAT.size)]
            paths = [prefix + name for name in found.names]
            self._packed.update(zip(paths, blocks, strict=True))
            self._sizes.update(zip(paths, memoryview(stats).cast("q")[::4].tolist(), strict=True))

    def digest(self, folder: str) -> bytes:
        """What tells one state of a folder from another; it is scanned for it."""
        if folder not in self._digests:
            self._digests[folder] = folder_digest(self.scan(folder))
        return self._digests[folder]

    def snapshot(self, stamp: int, late: Iterable[str] = ()) -> dict[str, bytes]:
        """A digest for each folder scanned; RACY where one may hide a change.

        That is a folder with a file whose times are not older than `stamp` (the file system's clock before the first
        read: git's "racily clean" rule), or one of `late`, which were scanned after something of them was read.
        """
        late = frozenset(late)
        return {
            folder: RACY if folder in late or is_racy(found, stamp) else self.digest(folder)
            for folder, found in self.scans.items()
        }


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


def _without_own(found: FolderScan) -> FolderScan:
    """The project folder without what builds write, which would otherwise look like a change of the sources."""
    keep = [index for index, name in enumerate(found.names) if name not in _OWN_FILES]
    return FolderScan(
        tuple(found.names[index] for index in keep),
        b"".join(found.stats[index * STAT.size : (index + 1) * STAT.size] for index in keep),
        tuple(name for name in found.folders if name not in OWN_FOLDERS),
        tuple(odd for odd in found.odd if odd[0] not in OWN_FOLDERS),
    )
