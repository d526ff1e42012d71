"""What the plan asks of the file system: one listing a folder. The engine implements it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

LEAVES = "a link that leaves the project"  # what such a link is called among the odd


class Reading(NamedTuple):
    """How an archive of sources is read."""

    format: str = "auto"
    lenient: bool = False
    names: tuple[str, ...] = ()  # to be tried in archives that don't name all their lumps


class Expansion(NamedTuple):
    """An archive whose lumps are sources, each at `ARCHIVE!LUMP`."""

    paths: tuple[str, ...]  # of its lumps, in the archive, in directory order
    fault: str = ""  # why it can't be read
    warnings: tuple[str, ...] = ()  # what was left out of it


class Entry(NamedTuple):
    """What a source is in the archive that it comes from."""

    archive: str  # its path
    place: int  # in its directory
    name: str  # as the archive has it; bytes that are not UTF-8 as surrogate escapes
    kind: int  # lump type byte; 0 where the format has none
    fourcc: int | None = None  # u32; None where the format has none
    schema: int | None = None


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
        """Why nothing is to be seen of the manifest's mount of this number, counted from 0; "" where something is."""
        ...

    def mount_warnings(self, number: int) -> tuple[str, ...]:
        """What of such a mount is left out."""
        ...

    def expand(self, path: str, reading: Reading) -> Expansion:
        """The lumps of an archive among the files, which are sources from then on."""
        ...

    def entry(self, path: str) -> Entry | None:
        """What a source is in an archive; None for a file of its own."""
        ...


def inside(folder: str, path: str) -> str:
    """A path seen from outside of the folder that it is relative to; "" is that folder, or the outer one."""
    return f"{folder}/{path}" if folder and path else folder or path
