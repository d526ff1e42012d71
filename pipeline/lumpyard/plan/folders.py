"""Folders as lump sets see them: without what the manifest ignores, each looked at once for all sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.globs import any_match, parse_glob
from lumpyard.plan.tree import NEVER_ENTERED, Tree, inside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_WILD = frozenset("*?[")


class Folder(NamedTuple):
    """What one folder holds for the sets, sorted by bytes."""

    names: Sequence[str]  # of files
    folders: Sequence[str]
    odd: dict[str, str]  # name -> what it is


_EMPTY = Folder((), (), {})


class Folders:
    """The project's folders through the manifest's `ignore`."""

    def __init__(self, tree: Tree, ignore: Sequence[str]) -> None:
        self.tree = tree
        self.is_ignored = name_filter(ignore)
        self._seen: dict[str, Folder] = {}
        self._names: dict[str, frozenset[str]] = {}

    def look(self, path: str) -> Folder:
        """What a folder holds; nothing when it is gone, or never entered."""
        folder = self._seen.get(path)
        if folder is None:
            folder = self._seen[path] = self._look(path)
        return folder

    def _look(self, path: str) -> Folder:
        found = self.tree.scan(path)
        if found is None or is_never_entered(path):
            return _EMPTY
        ignored = self.is_ignored
        names = [name for name in found.names if not ignored(name)]
        never = () if path else NEVER_ENTERED
        folders = [name for name in found.folders if not ignored(name) and name not in never]
        odd = {name: what for name, what in found.odd if not ignored(name)}
        return Folder(names, folders, odd)

    def has(self, path: str, name: str) -> bool:
        """Whether a folder holds a file; for manifests that list thousands of files one by one."""
        names = self._names.get(path)
        if names is None:
            names = self._names[path] = frozenset(self.look(path).names)
        return name in names

    def is_open(self, root: str, below: str) -> bool:
        """Whether sets may look into a folder below a root; the root's own name may be an ignored one."""
        full = inside(root, below)
        ignored = any(map(self.is_ignored, below.split("/"))) if below else False
        return not ignored and not is_never_entered(full) and self.exists(full)

    def exists(self, path: str) -> bool:
        """Whether a folder is there, reached through folders alone.

        Each is looked for in the one above: links out of the project are not followed, and a name that differs in case
        is not found, whatever the file system thinks.
        """
        return not path or self.stop(path) is None

    def stop(self, path: str) -> tuple[str, str] | None:
        """The first folder on the way to a path that isn't there: the one above it, and its name; or None."""
        above = ""
        for part in path.split("/") if path else ():
            found = self.tree.scan(above)
            if found is None or part not in found.folders:
                return above, part
            above = inside(above, part)
        return None


def is_never_entered(path: str) -> bool:
    """Whether a folder is one that no set ever enters, or lies in one."""
    return path.partition("/")[0] in NEVER_ENTERED


def is_literal(text: str) -> bool:
    """Whether a pattern is a plain path or name."""
    return _WILD.isdisjoint(text)


def name_filter(patterns: Sequence[str]) -> Callable[[str], bool]:
    """Whether any of the patterns matches a name.

    Asked for every name there is, so the usual shapes (`.*`, `*~`, `Thumbs.db`, `*.bak`) go without a glob.
    """
    tails = tuple(text[1:] for text in patterns if text[0] == "*" and text != "*" and is_literal(text[1:]))
    dotted = ".*" in patterns
    others = [parse_glob(text) for text in patterns if text != ".*" and text[1:] not in tails]
    matches = any_match(others)

    def is_ignored(name: str) -> bool:
        if name[0] == ".":  # only a dot matches a leading dot
            return dotted or matches(name)
        return name.endswith(tails) or matches(name)

    return is_ignored
