"""What the plan asks of the file system: one listing a folder. The engine implements it."""

from __future__ import annotations

from typing import Protocol

NEVER_ENTERED = frozenset((".git", ".lumpyard", "build", "dist", "symbols"))  # in the project folder


LEAVES = "a link that leaves the project"  # what such a link is called among the odd


class FolderLike(Protocol):
    """What one folder holds. Each name stands in exactly one of the three."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the files, sorted by bytes; links to files inside the project count as files."""
        ...

    @property
    def folders(self) -> tuple[str, ...]:
        """Names of the folders, sorted by bytes; links to folders inside the project count, but for loops."""
        ...

    @property
    def odd(self) -> tuple[tuple[str, str], ...]:
        """(name, what it is) of everything else: "a FIFO", "a dangling link", LEAVES."""
        ...


class Tree(Protocol):
    """The folders of the project and of its mounted folders, seen from the project folder.

    A folder is listed once however often it is asked for, so that all sets see the same files. A mounted
    folder is found where it is mounted; the folder around it need not list it.
    """

    def scan(self, folder: str) -> FolderLike | None:
        """What a folder holds ("" is the project folder); None when there is no such folder."""
        ...

    def mount_fault(self, number: int) -> str:
        """Why nothing is to be seen of the manifest's mount of this number, counted from 0; "" where it is a folder."""
        ...


def inside(folder: str, path: str) -> str:
    """A path seen from outside of the folder that it is relative to; "" is that folder, or the outer one."""
    return f"{folder}/{path}" if folder and path else folder or path
