"""A mounted archive, whose whole directory was checked when it was opened.

Paths are those of `archives.naming`: of lumps that share a name, the plain path leads to the one that the format's
look-up finds, and each of the others has a number (`TITLEPIC~1`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO

from lumpyard.archives.naming import entry_paths
from lumpyard.vfs.handle import View
from lumpyard.vfs.layer import FOLDER, Found, Hidden, always, split_path
from lumpyard.vfs.namerules import NAME_RULES, fold
from lumpyard.vfs.pathtree import PathTree
from lumpyard.vfs.stream import open_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.archives.model import Lump
    from lumpyard.vfs.container import Container
    from lumpyard.vfs.layer import Listing
    from lumpyard.vfs.lru import ByteCache
    from lumpyard.vfs.namerules import NameRule

# Of names that differ in case alone, these give the last, as of equal ones; the others give the first.
_LAST_WINS = frozenset({"IWAD", "PWAD", "PACK", "WAD2", "WAD3"})

_Place = tuple[str, bytes]  # folder and name of a lump


class ArchiveLayer:
    """The lumps of an archive; a `Layer`."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self.archive = container.archive
        self.label = container.label
        self.kind = self.archive.format
        self.entry_paths = entry_paths(self.archive)
        self._index = {path: at for at, path in enumerate(self.entry_paths) if path}
        self._folded = _folded(self._index, last_wins=self.kind in _LAST_WINS) if self.rule.fold else {}
        self._hashes = self.kind == "MPQ" or None in self.entry_paths  # finds what it can't name
        self._families: dict[_Place, list[int]] | None = None
        self._tree = PathTree(self._index)
        self._folded_tree = PathTree(self._folded) if self.rule.fold else self._tree

    @property
    def rule(self) -> NameRule:
        """As its format's programs compare names."""
        return NAME_RULES[self.kind]

    @property
    def nameless(self) -> int:
        """How many lumps it cannot name; they are found by their names all the same."""
        return self.entry_paths.count(None)

    def look(self, path: str) -> Found | Hidden | None:
        """What a path leads to."""
        name = path.replace("\\", "/") if self.rule.slashes else path
        index = self._find(name)
        if index is not None:
            return self._found(index, name)
        if self._is_folder(name):
            return FOLDER
        end = name.find("/")
        while end > 0 and self._is_folder(name[:end]):
            end = name.find("/", end + 1)
        if end > 0 and self._is_file(name[:end]):
            return Hidden(f"below the lump '{name[:end]}'")
        return None

    def list_folder(self, folder: str) -> Listing | None:
        """What a folder holds."""
        return self._tree.list_folder(folder)

    def paths(self, folder: str = "", may_descend: Callable[[str], bool] = always) -> Iterator[str]:  # noqa: ARG002
        """The paths of all lumps below a folder; to look at each folder would cost more."""
        return self._tree.below(folder)

    def names(self, found: Found) -> bool:
        """Whether the archive itself names a lump."""
        return found.entry is not None and self.entry_paths[found.entry] is not None

    def twins(self, found: Found) -> list[Found]:
        """Other lumps of the same name in the same folder."""
        assert found.entry is not None, "only lumps are found here"
        if self._families is None:
            self._families = _families(self.entry_paths, self.archive.lumps)
        place = _place(self.entry_paths[found.entry], self.archive.lumps[found.entry])
        return [self._found(at, "") for at in self._families.get(place, ()) if at != found.entry]

    def source(self, path: str) -> str:
        """`ARCHIVE!LUMP`."""
        return f"{self.label}!{path}"

    def view(self, found: Found, cache: ByteCache) -> View:
        """The map itself where the lump is stored raw, else the buffer that it was decompressed to."""
        return View(found.path, self._bytes(found, cache))

    def read(self, found: Found, cache: ByteCache) -> bytes:
        """The bytes of a lump."""
        return bytes(self._bytes(found, cache))

    def open(self, found: Found, cache: ByteCache) -> BinaryIO:
        """The lump as a file."""
        view = self.view(found, cache)

        def read_at(offset: int, length: int) -> bytes:
            self.container.check()
            return view.data[offset : offset + length].tobytes()

        return open_pieces(found.path, len(view.data), read_at, view.close)

    def fresh(self) -> ArchiveLayer:
        """Itself: what is mounted of an archive does not change."""
        return self

    def close(self) -> None:
        """Let go of the file."""
        self.container.close()

    def _bytes(self, found: Found, cache: ByteCache) -> memoryview | bytes:
        assert found.entry is not None, "only lumps are found here"
        held = cache.get((id(self), found.entry))
        if held is not None:
            return held
        data = self.container.read(found.entry)
        return data if isinstance(data, memoryview) else cache.put((id(self), found.entry), data)

    def _found(self, index: int, asked: str) -> Found:
        lump = self.archive.lumps[index]
        return Found(self.entry_paths[index] or asked, lump.raw_size, index, lump.stored_size)

    def _find(self, name: str) -> int | None:
        """Index of a lump: by its path, then without case, then by what the archive can hash."""
        index = self._index.get(name)
        if index is None and self._folded:
            index = self._folded.get(fold(name))
        if index is None and self._hashes and name:
            self.container.check()  # the look-up reads the directory, which is in the map
            try:
                return self.archive.find(name.encode("utf-8", "surrogateescape"))
            except UnicodeEncodeError:  # a lone surrogate, which stands for no byte
                return None
        return index

    def _is_file(self, path: str) -> bool:
        return path in self._index or (self.rule.fold and fold(path) in self._folded)

    def _is_folder(self, path: str) -> bool:
        return self._folded_tree.has_folder(fold(path) if self.rule.fold else path)


def _place(path: str | None, lump: Lump) -> _Place:
    """What lumps of one name have in common: the folder, without the number of a second map of one name."""
    return re.sub(r"~[0-9]+$", "", split_path(path or "")[0]), lump.name or b""


def _families(paths: Sequence[str | None], lumps: Sequence[Lump]) -> dict[_Place, list[int]]:
    """Directory indices of all lumps that share a name and a folder."""
    found: dict[_Place, list[int]] = {}
    for index, (path, lump) in enumerate(zip(paths, lumps, strict=True)):
        if path and lump.name:
            found.setdefault(_place(path, lump), []).append(index)
    return {place: indices for place, indices in found.items() if len(indices) > 1}


def _folded(index: dict[str, int], *, last_wins: bool) -> dict[str, int]:
    """Index by folded path; of paths that differ in case alone, the one that the format's rule picks."""
    found: dict[str, int] = {}
    for path, at in sorted(index.items(), key=lambda item: item[1], reverse=not last_wins):
        found[fold(path)] = at
    return found
