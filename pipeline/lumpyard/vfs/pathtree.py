"""The folders that paths are in.

The paths are kept sorted and searched by bisection. A table of all folders would be shorter, but 255 bytes of name can
stand in 127 folders of their own: a small file could fill the memory.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from lumpyard.vfs.layer import Listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_AFTER_SLASH = chr(ord("/") + 1)


class PathTree:
    """A tree over paths; those that cannot stand in one (absolute, or with an empty, `.` or `..` part) are left out."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = sorted(filter(is_clean, paths))

    def has_folder(self, path: str) -> bool:
        """Whether something lies below a path; the top is always there."""
        start = f"{path}/"
        at = bisect_left(self._paths, start)
        return not path or (at < len(self._paths) and self._paths[at].startswith(start))

    def below(self, folder: str) -> Iterator[str]:
        """The paths below a folder, "" is the top, in order."""
        start = f"{folder}/" if folder else ""
        at = bisect_left(self._paths, start)
        while at < len(self._paths) and self._paths[at].startswith(start):
            yield self._paths[at]
            at += 1

    def list_folder(self, folder: str) -> Listing | None:
        """What a folder holds; None when nothing lies below it. The top is always there."""
        start = f"{folder}/" if folder else ""
        at = bisect_left(self._paths, start)
        files: set[str] = set()
        folders: set[str] = set()
        while at < len(self._paths) and self._paths[at].startswith(start):
            name, slash, _ = self._paths[at][len(start) :].partition("/")
            if slash:
                folders.add(name)
                at = bisect_left(self._paths, f"{start}{name}{_AFTER_SLASH}", at)
            else:
                files.add(name)
                at += 1
        return Listing(frozenset(files), frozenset(folders)) if files or folders or not folder else None


def is_clean(path: str) -> bool:
    """Whether a path can stand in a tree: relative, and no part empty, `.` or `..`."""
    return {"", ".", ".."}.isdisjoint(path.split("/"))
