"""Folders as lump sets see them: without what the manifest ignores, each looked at once for all sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.globs import any_match, parse_glob
from lumpyard.manifest.paths import NEVER_ENTERED
from lumpyard.plan.names import sorted_by_bytes
from lumpyard.plan.tree import inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.manifest.model import Manifest
    from lumpyard.plan.tree import Entry, Expansion, FolderLike, Reading, Tree

_WILD = frozenset("*?[")


class Folder(NamedTuple):
    """What one folder holds for the sets; a `FolderLike`."""

    names: tuple[str, ...]
    folders: tuple[str, ...]
    odd: tuple[tuple[str, str], ...]


_EMPTY = Folder((), (), ())


class Folders:
    """The project's folders, and those that are mounted in them, through the manifest's `ignore`."""

    def __init__(self, manifest: Manifest, tree: Tree) -> None:
        self.ignore = NameFilter(manifest.ignore)
        self._tree = tree
        self.has_archives = bool(manifest.mounts)  # whether some file may be a lump of one
        self._mounted = _mount_points(mount.at for mount in manifest.mounts)
        self._seen: dict[str, Folder] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._open: dict[tuple[str, str], bool] = {}

    def scan(self, path: str) -> FolderLike | None:
        """What a folder holds, ignored or not; a mount hides what has its name."""
        found = self._tree.scan(path)
        mounted = self._mounted.get(path)
        if not mounted:
            return found
        if found is None:
            return Folder((), tuple(sorted_by_bytes(list(mounted))), ())
        return Folder(
            tuple(name for name in found.names if name not in mounted),
            tuple(sorted_by_bytes(list(mounted.union(found.folders)))),
            tuple(item for item in found.odd if item[0] not in mounted),
        )

    def look(self, path: str) -> Folder:
        """What a folder holds; nothing when it is gone, or never entered."""
        folder = self._seen.get(path)
        if folder is None:
            folder = self._seen[path] = self._look(path)
        return folder

    def _look(self, path: str) -> Folder:
        found = self.scan(path)
        if found is None or is_never_entered(path):
            return _EMPTY
        keep = self.ignore.keep
        folders = keep(found.folders)
        if not path:
            folders = tuple(name for name in folders if name not in NEVER_ENTERED)
        odd = found.odd and tuple(item for item in found.odd if not self.ignore.ignores(item[0]))
        return Folder(keep(found.names), folders, odd)

    def has(self, path: str, name: str) -> bool:
        """Whether a folder holds a file; for manifests that list thousands of files one by one."""
        names = self._names.get(path)
        if names is None:
            names = self._names[path] = frozenset(self.look(path).names)
        return name in names

    def is_open(self, root: str, below: str) -> bool:
        """Whether sets may look into a folder below a root; the root's own name may be an ignored one."""
        if (root, below) not in self._open:
            full = inside(root, below)
            ignored = bool(below) and any(map(self.ignore.ignores, below.split("/")))
            self._open[root, below] = not ignored and not is_never_entered(full) and self.exists(full)
        return self._open[root, below]

    def exists(self, path: str) -> bool:
        """Whether a folder is there, reached through folders alone.

        Each is looked for in the one above: links out of the project are not followed, and a name that
        differs in case is not found, whatever the file system thinks.
        """
        return not path or self.stop(path) is None

    def ignores(self, path: str) -> bool:
        """Whether a part of a path is ignored; of a lump in an archive, which no walk comes to."""
        return any(map(self.ignore.ignores, path.split("/")))

    def expand(self, path: str, reading: Reading) -> Expansion:
        """The lumps of an archive, which are sources from then on."""
        self.has_archives = True
        return self._tree.expand(path, reading)

    def entry(self, source: str) -> Entry | None:
        """What a source is in an archive; None for a file of its own."""
        return self._tree.entry(source)

    def stop(self, path: str) -> tuple[str, str] | None:
        """The first folder on the way to a path that isn't there: the one above it, and its name; or None."""
        above = ""
        for part in path.split("/") if path else ():
            found = self.scan(above)
            if found is None or part not in found.folders:
                return above, part
            above = inside(above, part)
        return None


def _mount_points(paths: Iterable[str]) -> dict[str, set[str]]:
    """Names of the mounted folders, and of those around them, by the folder that they stand in."""
    points: dict[str, set[str]] = {}
    for path in paths:
        rest = path
        while rest:
            above, _, name = rest.rpartition("/")
            points.setdefault(above, set()).add(name)
            rest = above
    return points


def is_never_entered(path: str) -> bool:
    """Whether a folder is one that no set ever enters, or lies in one."""
    return path.partition("/")[0] in NEVER_ENTERED


def is_literal(text: str) -> bool:
    """Whether a pattern is a plain path or name."""
    return _WILD.isdisjoint(text)


class NameFilter:
    """Tells ignored names from others; asked for every name there is."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._matches = any_match(map(parse_glob, patterns))
        needles = [_needle(text) for text in patterns]
        self._needles = None if "" in needles else needles

    def ignores(self, name: str) -> bool:
        """Whether a pattern matches a name."""
        return self._matches(name)

    def keep(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names that no pattern matches, in order; most folders hold no others, which is soon seen."""
        if self._needles is not None:
            text = f"/{'/'.join(names)}/"
            if not any(needle in text for needle in self._needles):
                return names
        return tuple(name for name in names if not self._matches(name))


def _needle(pattern: str) -> str:
    """What names between slashes hold if a pattern of a usual shape matches one; "" for other shapes."""
    if is_literal(pattern):
        return f"/{pattern}/"
    if pattern.endswith("*") and is_literal(pattern[:-1]):
        return f"/{pattern[:-1]}" if pattern != "*" else ""
    return f"{pattern[1:]}/" if pattern.startswith("*") and is_literal(pattern[1:]) else ""
