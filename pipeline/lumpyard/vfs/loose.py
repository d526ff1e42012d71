"""A mounted folder.

Folders are listed once, when first asked for, and names are looked up in the lists. So a name is matched exactly on
every file system, `..` leads nowhere, links that leave the folder are not followed, and a file that comes or goes later
is seen after the next change of mounts, or `refresh`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from lumpyard.disk import OpenFile, open_map, read_file, scan_folder
from lumpyard.disk.scan import STAT
from lumpyard.vfs.handle import View
from lumpyard.vfs.layer import FOLDER, Found, Hidden, Listing, always, joined, split_path
from lumpyard.vfs.namerules import NAME_RULES
from lumpyard.vfs.pathtree import is_clean
from lumpyard.vfs.stream import open_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lumpyard.vfs.lru import ByteCache
    from lumpyard.vfs.namerules import NameRule


class _Scanned(NamedTuple):
    """One folder as it was when it was listed."""

    sizes: dict[str, int]
    folders: frozenset[str]
    odd: dict[str, str]


class FolderLayer:
    """The files below a folder; a `Layer`. Names in `skip` are not seen at its top."""

    kind = "folder"

    def __init__(self, folder: str, skip: frozenset[str] = frozenset()) -> None:
        self.folder = folder
        self.label = folder or "."
        self._skip = skip
        self._scans: dict[str, _Scanned | None] = {}

    @property
    def rule(self) -> NameRule:
        """Exact."""
        return NAME_RULES["folder"]

    def look(self, path: str) -> Found | Hidden | None:
        """What a path leads to."""
        if not is_clean(path):
            return None
        above, name = split_path(path)
        scanned = self._folder(above)
        if isinstance(scanned, Hidden) or scanned is None:
            return scanned
        size = scanned.sizes.get(name)
        if size is not None:
            return Found(path, size)
        if name in scanned.folders:
            return FOLDER
        return Hidden(scanned.odd[name], is_odd=True) if name in scanned.odd else None

    def list_folder(self, folder: str) -> Listing | None:
        """What a folder holds."""
        scanned = self._folder(folder)
        if isinstance(scanned, Hidden) or scanned is None:
            return None
        return Listing(frozenset(scanned.sizes), scanned.folders)

    def paths(self, folder: str = "", may_descend: Callable[[str], bool] = always) -> Iterator[str]:
        """All files below a folder."""
        waiting = [folder]
        while waiting:
            above = waiting.pop()
            scanned = self._folder(above)
            if isinstance(scanned, _Scanned):
                yield from (joined(above, name) for name in scanned.sizes)
                waiting += [path for name in scanned.folders if may_descend(path := joined(above, name))]

    def names(self, found: Found) -> bool:  # noqa: ARG002
        """Always."""
        return True

    def twins(self, found: Found) -> list[Found]:  # noqa: ARG002 - a folder has one file of a name
        """None."""
        return []

    def source(self, path: str) -> str:
        """The path on disk."""
        return f"{self.folder}/{path}" if self.folder else path

    def view(self, found: Found, cache: ByteCache) -> View:  # noqa: ARG002
        """A map of the file."""
        mapped = open_map(self.source(found.path))
        return View(found.path, mapped.__enter__().data, lambda: mapped.__exit__(None, None, None))

    def read(self, found: Found, cache: ByteCache) -> bytes:  # noqa: ARG002
        """The bytes, read whole: no map that a shorter file could leave without its end."""
        return read_file(self.source(found.path))

    def open(self, found: Found, cache: ByteCache) -> BinaryIO:  # noqa: ARG002
        """The file, read in pieces."""
        file = OpenFile(self.source(found.path))
        return open_pieces(
            found.path, file.opened.size, file.read_at, lambda: file.__exit__(None, None, None)
        )

    def fresh(self) -> FolderLayer:
        """The folder as it is now."""
        return FolderLayer(self.folder, self._skip)

    def close(self) -> None:
        """Nothing is held."""

    def _folder(self, path: str) -> _Scanned | Hidden | None:
        """A folder that is reached through folders alone, each listed in the one above."""
        scanned = self._scan("")
        below = ""
        for part in path.split("/") if path else ():
            if scanned is None:
                return None
            if part not in scanned.folders:
                if part in scanned.sizes:
                    return Hidden(f"below the file '{joined(below, part)}'")
                if part in scanned.odd:
                    return Hidden(f"below {scanned.odd[part]}, '{joined(below, part)}'")
                return None
            below = joined(below, part)
            scanned = self._scan(below)
        return scanned

    def _scan(self, folder: str) -> _Scanned | None:
        if folder not in self._scans:
            found = scan_folder(self.source(folder) if folder else self.folder, self.folder)
            if found is None:
                scanned = None
            else:
                skip = frozenset() if folder else self._skip
                sizes = memoryview(found.stats).cast("q")[::4].tolist() if found.stats else []
                scanned = _Scanned(
                    {name: size for name, size in zip(found.names, sizes, strict=True) if name not in skip},
                    frozenset(found.folders) - skip,
                    {name: what for name, what in found.odd if name not in skip},
                )
            return self._scans.setdefault(folder, scanned)  # the first list counts, whichever thread made it
        return self._scans[folder]


assert STAT.format == "<4q", "sizes are the first of four numbers"
