"""The source tree as one build sees it: each folder scanned once, with stats of its files (design.md, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard import disk
from lumpyard.build.sources.layers import Layer, layer_of, mount_digest
from lumpyard.build.sources.scans import LUMPS_OF, FileStats, folder_digest, is_racy, without_own
from lumpyard.disk import STAT, FolderScan, Stat
from lumpyard.errors import DiskError
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lumpyard.build.sources.archived import SourceArchive
    from lumpyard.build.sources.layers import Mounted
    from lumpyard.plan.tree import Entry, Expansion, Reading

RACY = b""  # a snapshot that equals none: look closer next time
_MOUNT = "\0mount "  # starts the name of a mount in a snapshot


class ScannedTree:
    """Folders below a project, and below the folders that its manifest mounts, seen as one tree.

    Of the mounts the later lies above the earlier, all above the project; what is a file on disk is taken as an
    archive, whose directory is read when something in it is first asked for. Where folders meet, the names of all are
    there, and what has a name in one layer hides what has it in those below; folders of one name meet again. A folder
    is scanned when it is first asked for and not again, so that all of one build sees the same names.
    """

    def __init__(self, root: str, mounts: Iterable[Mounted] = ()) -> None:
        self._root = root
        self._project = Layer("", root)
        self._mounts = [layer_of(mount) for mount in mounts]
        self._has_archives = any(layer.archive is not None for layer in self._mounts)
        self.scans: dict[str, FolderScan | None] = {}
        self._foreseen: dict[str, FolderScan] = {}  # what another process has scanned for this one
        self._seen: dict[
            tuple[int, str], FolderScan | None
        ] = {}  # of each layer, where there are archives among them
        self._expanded: dict[str, SourceArchive] = {}
        self._entries: dict[str, tuple[SourceArchive, int]] = {}  # lumps of archives, by their paths
        self._places: dict[str, str] = {}  # path -> where it is on disk, for files of folders that meet
        self._digests: dict[str, bytes] = {}
        self._files = FileStats(self.scan)
        self._faults: dict[int, str] = {}  # why folders that are mounted could not be listed

    def real(self, path: str) -> str:
        """Where on disk a path of the tree lies; one that is in no layer would lie in the topmost."""
        if path in self._entries:
            return f"{self._entries[path][0].real}/{path}"  # there can be no such file
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

    def foresee(self, seen: Iterable[tuple[str, tuple[Any, ...]]]) -> None:
        """Take folders as another process has just scanned them, when they are asked for; only without mounts."""
        self._foreseen.update((folder, FolderScan._make(scan)) for folder, scan in seen)

    def _scan(self, folder: str) -> FolderScan | None:
        layers = self._layers(folder)
        found = [(layer, seen) for layer in layers if (seen := self._see(layer, folder)) is not None]
        if len(layers) == 1 or not found:
            return found[0][1] if found else None
        from lumpyard.build.sources.overlay import overlay  # noqa: PLC0415 - most projects mount nothing

        merged, owners = overlay([seen for _, seen in found])
        prefix = f"{folder}/" if folder else ""
        for name, owner in zip(merged.names, owners, strict=True):
            layer = found[owner][0]
            if layer.archive is None:
                self._places[prefix + name] = layer.real(prefix + name)
            else:
                self._entries[prefix + name] = layer.archive, layer.archive.index(layer.below(prefix + name))
        return merged

    def _see(self, layer: Layer, folder: str) -> FolderScan | None:
        """What is in a folder of a layer; kept where a digest may ask for it before the plan does."""
        if layer.archive is not None:
            return layer.archive.scan(layer.below(folder))
        if not self._has_archives:
            return self._scan_layer(layer, folder)
        key = (id(layer), folder)
        if key not in self._seen:
            self._seen[key] = self._scan_layer(layer, folder)
        return self._seen[key]

    def _scan_layer(self, layer: Layer, folder: str) -> FolderScan | None:
        foreseen = self._foreseen.pop(folder, None)
        if foreseen is not None:
            return foreseen
        path = layer.real(folder)
        try:
            if self._mounts and disk.stat_file(path) is not None:
                return None  # a file where another layer has a folder: its name is hidden or hides, one folder up
            found = disk.scan_folder(path, layer.folder)  # links in it may not leave it
        except DiskError as error:
            if layer is self._project or folder != layer.at:
                raise
            self._faults[id(layer)] = str(error)  # which the plan tells with the place of the mount
            return None
        return without_own(found) if found is not None and self._is_project(layer, folder) else found

    def _is_project(self, layer: Layer, folder: str) -> bool:
        """Whether a folder of a layer is the project folder, around which another may be mounted."""
        if layer is self._project:
            return not folder
        return disk.real_path(layer.real(folder)) == disk.real_path(self._root or ".")

    def _layers(self, path: str) -> list[Layer]:
        """What a path may lie in, topmost first."""
        return [*(layer for layer in reversed(self._mounts) if layer.holds(path)), self._project]

    def mount_fault(self, number: int) -> str:
        """Why nothing is to be seen of the manifest's mount of this number, counted from 0; "" where something is."""
        layer = self._mounts[number]
        if layer.archive is not None:
            return layer.archive.fault
        try:
            found = disk.what_is(layer.folder)
        except DiskError as error:
            return str(error)
        if found and found != "a folder":
            return f"it is {found}, neither a folder nor an archive"
        return self._faults.get(id(layer), "") if found else "it is not there"

    def mount_warnings(self, number: int) -> tuple[str, ...]:
        """What of such a mount is left out."""
        archive = self._mounts[number].archive
        return () if archive is None else archive.warnings

    def expand(self, path: str, reading: Reading) -> Expansion:
        """The lumps of an archive among the files, which are sources from then on, each at `ARCHIVE!LUMP`."""
        from lumpyard.plan.tree import Expansion  # noqa: PLC0415 - a no-op plans nothing

        archive = self._expanded.get(path)
        if archive is None:
            namesake = self._namesake(path)
            if namesake:
                return Expansion((), f"{namesake} has the name of one of its lumps")
            stat = self.stat(path)
            if stat is None:
                return Expansion((), "it is not there")
            archive = self._expanded[path] = self._open(path, stat, reading)
            self.scans[path + LUMPS_OF] = FolderScan(archive.paths, b"".join(archive.blocks()), (), ())
            self._files.add(path + LUMPS_OF)
            places = ((f"{path}!{name}", archive.index(name)) for name in archive.paths)
            self._entries.update((source, (archive, index)) for source, index in places)
        elif archive.reading != tuple(reading):
            return Expansion((), "another set reads it with other options")
        return Expansion(archive.paths, archive.fault, archive.warnings)

    def _namesake(self, path: str) -> str:
        """A file or folder that stands where the lumps of an archive are to be seen, or ""."""
        folder, _, name = path.rpartition("/")
        found = self.scan(folder)
        names = (*found.names, *found.folders) if found else ()
        namesake = next((other for other in names if other.startswith(f"{name}!")), "")
        return f"{folder}/{namesake}" if folder and namesake else namesake

    def _open(self, path: str, stat: Stat, reading: Reading) -> SourceArchive:
        from lumpyard.build.sources.archived import SourceArchive  # noqa: PLC0415 - most projects have no archives

        entry = self._entries.get(path)
        if entry is None:
            return SourceArchive(path, self.real(path), stat, *reading)
        outer, index = entry
        return SourceArchive(path, outer.real, stat, *reading, data=lambda: outer.read(index))

    def archived(self, path: str) -> tuple[SourceArchive, int] | None:
        """The archive that a source comes from, and its index there; None for a file of its own."""
        if self._has_archives and path not in self._entries:
            self._files.find(path)  # its folder may not have been scanned
        return self._entries.get(path)

    def entry(self, path: str) -> Entry | None:
        """What a source is in an archive; None for a file of its own."""
        from lumpyard.plan.tree import Entry  # noqa: PLC0415 - as in expand

        found = self.archived(path)
        if found is None:
            return None
        archive, index = found
        return Entry(archive.path, index, *archive.facts(index))

    def found_in(self, path: str) -> list[str]:
        """Where a file of the tree is in each layer that has it: the one that is taken, then those that it hides."""
        if path in self._entries and self._entries[path][0] in self._expanded.values():
            return [path]
        folder, _, name = path.rpartition("/")
        found = []
        for layer in self._layers(folder):
            seen = self._see(layer, folder)
            if seen is not None and name in seen.names:
                found.append(layer.shown(path))
        return found or [path]

    def close(self) -> None:
        """Let go of the archives."""
        for archive in (*self._expanded.values(), *(layer.archive for layer in self._mounts)):
            if archive is not None:
                archive.close()

    def mounted_in(self, folder: str) -> list[str]:
        """Names of folders that mounts put into a folder."""
        above = f"{folder}/" if folder else ""
        points = (layer.at for layer in self._mounts)
        return sorted(
            {at[len(above) :].split("/")[0] for at in points if at.startswith(above) and at != above}
        )

    def stat(self, path: str) -> Stat | None:
        """Size and times of a file at the scan; None where there was none."""
        packed = self._files.find(path)
        return None if packed is None else Stat._make(STAT.unpack(packed))

    def size(self, path: str) -> int:
        """Bytes of a file at the scan; 0 where there was none."""
        packed = self._files.find(path)
        return 0 if packed is None else int.from_bytes(packed[:8], "little")

    @property
    def blocks(self) -> Mapping[str, bytes]:
        """The STAT block of each file of all folders scanned so far."""
        return self._files.blocks(self.scans)

    def digest(self, folder: str) -> bytes:
        """What tells one state of a folder from another; it is scanned for it."""
        if folder not in self._digests:
            self._digests[folder] = self._digest(folder)
        return self._digests[folder]

    def _digest(self, folder: str) -> bytes:
        """Of a folder on disk, or of a mount in a snapshot; archives are not opened for it."""
        if folder.startswith(_MOUNT):
            number = int(folder.removeprefix(_MOUNT))
            return mount_digest(self._mounts[number]) if number < len(self._mounts) else b"no such mount"
        layers = self._layers(folder)
        if all(layer.archive is None for layer in layers):
            return folder_digest(self.scan(folder))
        folders = [layer for layer in layers if layer.archive is None]
        return digest(b"".join([folder_digest(self._see(layer, folder)) for layer in folders]))

    def snapshot(self, stamp: int, late: Iterable[str] = ()) -> dict[str, bytes]:
        """A digest for each folder scanned, and for each mount; RACY where one may hide a change.

        That is a folder with a file whose times are not older than `stamp` (the file system's clock before the first
        read: git's "racily clean" rule), or one of `late`, which were scanned after something of them was read.
        """
        late = frozenset(late)
        found = {
            folder: RACY if folder in late or is_racy(found, stamp) else self.digest(folder)
            for folder, found in self.scans.items()
            if not folder.endswith(LUMPS_OF)  # the archive is a file in a folder that was scanned
        }
        for number, layer in enumerate(self._mounts):
            times = layer.archive.stat[1:3] if layer.archive is not None else (stamp - 1,)
            found[f"{_MOUNT}{number}"] = RACY if max(times) >= stamp else mount_digest(layer)
        return found
