"""Folders in memory, as the engine's tree shows them to the plan; it logs what is asked of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.plan.tree import Entry, Expansion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lumpyard.plan.tree import Reading


class MemoryFolder(NamedTuple):
    names: tuple[str, ...]
    folders: tuple[str, ...]
    odd: tuple[tuple[str, str], ...]


class MemoryTree:
    """A `Tree` over paths of files, of empty folders, and of odd things with what they are."""

    def __init__(
        self,
        *files: str,
        folders: Iterable[str] = (),
        odd: Mapping[str, str] | None = None,
        order: Callable[[list[str]], list[str]] | None = None,
    ) -> None:
        self.scans: list[str] = []
        self.mount_faults: dict[int, str] = {}
        self.mount_warned: dict[int, tuple[str, ...]] = {}
        self.archives: dict[
            str, dict[str, int]
        ] = {}  # of those among the files: their lumps, with their kinds
        self.expanded: list[tuple[str, Reading]] = []
        self._order = order or (lambda names: sorted(names, key=name_bytes))
        self._odd = dict(odd or {})
        self._files: dict[str, set[str]] = {"": set()}
        self._folders: dict[str, set[str]] = {"": set()}
        for path in files:
            above, _, name = path.rpartition("/")
            self._add_folder(above)
            self._files[above].add(name)
        for path in folders:
            self._add_folder(path)
        for path in self._odd:
            self._add_folder(path.rpartition("/")[0])

    def add_hidden(self, folder: str, *names: str) -> None:
        """A folder that is there, but that no other folder lists: one that is mounted."""
        self._files[folder], self._folders[folder] = set(names), set()

    def scan(self, folder: str) -> MemoryFolder | None:
        self.scans.append(folder)
        if folder not in self._files:
            return None
        start = f"{folder}/" if folder else ""
        odd = [path[len(start) :] for path in self._odd if path.rpartition("/")[0] == folder]
        return MemoryFolder(
            tuple(self._order(sorted(self._files[folder]))),
            tuple(self._order(sorted(self._folders[folder]))),
            tuple((name, self._odd[start + name]) for name in self._order(odd)),
        )

    def mount_fault(self, number: int) -> str:
        return self.mount_faults.get(number, "")

    def mount_warnings(self, number: int) -> tuple[str, ...]:
        return self.mount_warned.get(number, ())

    def expand(self, path: str, reading: Reading) -> Expansion:
        self.expanded.append((path, reading))
        if path not in self.archives:
            return Expansion((), "not an archive")
        return Expansion(tuple(self.archives[path]))

    def entry(self, path: str) -> Entry | None:
        archive, mark, lump = path.partition("!")
        if not mark or archive not in self.archives:
            return None
        name = lump.rpartition("/")[2]
        return Entry(archive, list(self.archives[archive]).index(lump), name, self.archives[archive][lump])

    def _add_folder(self, path: str) -> None:
        while path not in self._files:
            self._files[path], self._folders[path] = set(), set()
            above, _, name = path.rpartition("/")
            self._files.setdefault(above, set()) if not above else self._add_folder(above)
            self._folders[above].add(name)
            path = above


def name_bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
