"""The mounts of one moment, and how a name finds its file among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from lumpyard.errors import DiskError, NotFoundError
from lumpyard.vfs.layer import FOLDER, Found, Hidden, Listing, always, joined, path_bytes
from lumpyard.vfs.lru import ByteCache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lumpyard.vfs.layer import Layer

Order = Literal["stated", "archives first"]

MOST_NAMES = 1 << 16  # names whose answer is remembered; engines probe for some thousands
_LONGEST_NAME = 1024  # characters of a name that is remembered; no format has longer ones
_NOTHING = Listing(frozenset(), frozenset())


class Mounted(NamedTuple):
    """One mount; what `unmount` takes."""

    layer: Layer
    at: str  # where it is seen; "" is the top
    number: int  # of mounts since the file system was made, from 0

    def look(self, name: str) -> Found | Hidden | None:
        """What a name leads to; the folders on the way to where a mount is seen are its own."""
        below = self.below(name)
        if below is not None:
            return self.layer.look(below)
        return FOLDER if name == self.at or self.at.startswith(f"{name}/") else None

    def below(self, name: str) -> str | None:
        """The name as seen from the mount; None where it lies outside."""
        if not self.at:
            return name
        if self.layer.rule.slashes:
            name = name.replace("\\", "/")
        return name[len(self.at) + 1 :] if name.startswith(f"{self.at}/") else None

    def paths(self, folder: str = "", may_descend: Callable[[str], bool] = always) -> Iterator[str]:
        """All paths below a folder that it can name, both seen from the top of the tree."""
        if self.at == folder or self.at.startswith(f"{folder}/" if folder else ""):
            below = ""
        elif not self.at or folder.startswith(f"{self.at}/"):
            below = folder[len(self.at) + 1 :] if self.at else folder
        else:
            return
        found = self.layer.paths(below, lambda path: may_descend(joined(self.at, path)))
        yield from (joined(self.at, path) for path in found)

    def has_folder(self, path: str) -> bool:
        """Whether it has a folder exactly so spelled."""
        return self.list_folder(path) != _NOTHING

    def list_folder(self, folder: str) -> Listing:
        """What it puts into a folder."""
        if folder == self.at or not self.at:
            return self.layer.list_folder("" if folder == self.at else folder) or _NOTHING
        if folder.startswith(f"{self.at}/"):
            return self.layer.list_folder(folder[len(self.at) + 1 :]) or _NOTHING
        start = f"{folder}/" if folder else ""
        if self.at.startswith(start):
            return Listing(frozenset(), frozenset({self.at[len(start) :].partition("/")[0]}))
        return _NOTHING


class Hit(NamedTuple):
    """The file that a name leads to."""

    mounted: Mounted
    found: Found

    @property
    def path(self) -> str:
        """Where it stands in the tree, as its mount spells it."""
        return joined(self.mounted.at, self.found.path)


class Block(NamedTuple):
    """The uppermost thing of a name, where that is no file."""

    mounted: Mounted
    hidden: Hidden


class State:
    """Mounts, the uppermost first, with caches that are true of just these."""

    def __init__(self, mounts: Iterable[Mounted], order: Order, cache_size: int) -> None:
        archives_first = order == "archives first"
        self.mounts = sorted(
            mounts,
            key=lambda mounted: (archives_first and mounted.layer.kind != "folder", mounted.number),
            reverse=True,
        )
        self.cache = ByteCache(cache_size)
        self._names: dict[str, Hit | Block | None] = {}

    def look(self, name: str) -> Hit | Block | None:
        """As `search`, and remembered, also that a name leads nowhere."""
        names = self._names
        if name in names:
            try:
                return names[name]
            except KeyError:  # another thread made room just now
                pass
        answer = self.search(name)
        if len(name) <= _LONGEST_NAME:
            if len(names) >= MOST_NAMES:
                names.clear()
            names[name] = answer
        return answer

    def get(self, name: str) -> Hit:
        """The file that a name leads to; NotFoundError where there is none, DiskError where it can't be one."""
        answer = self.look(name)
        if isinstance(answer, Hit):
            return answer
        if answer is None:
            raise NotFoundError(f"no file '{name}' in any mount")
        hidden, layer = answer.hidden, answer.mounted.layer
        if hidden.is_odd:
            source = layer.source(answer.mounted.below(name) or "")
            raise DiskError(f"cannot read {source}: it is {hidden.what}, not a file")
        raise NotFoundError(f"no file '{name}': in {layer.label} it is {hidden.what}")

    def search(self, name: str) -> Hit | Block | None:
        """What a name leads to. Only where a mount has nothing of the name is the next one asked."""
        for mounted in self.mounts:
            answer = mounted.look(name)
            if answer is not None:
                return Hit(mounted, answer) if isinstance(answer, Found) else Block(mounted, answer)
        return None

    def is_folder(self, path: str) -> bool:
        """Whether a path is a folder of the merged tree; "" is the top."""
        answer = self.search(path) if path else None
        if isinstance(answer, Hit):  # an archive can have both
            return answer.mounted.has_folder(path)
        return not path or (answer is not None and answer.hidden.is_folder)

    def list_folder(self, folder: str) -> Listing | None:
        """What a folder of the merged tree holds; None when it is none."""
        if not self.is_folder(folder):
            return None
        listings = [mounted.list_folder(folder) for mounted in self.mounts]
        files = frozenset[str]().union(*(listing.files for listing in listings))
        folders = frozenset[str]().union(*(listing.folders for listing in listings))
        return Listing(
            frozenset(name for name in files if self._is_seen(joined(folder, name))),
            frozenset(name for name in folders if self.is_folder(joined(folder, name))),
        )

    def paths(
        self,
        matches: Callable[[str], bool] = always,
        folder: str = "",
        may_descend: Callable[[str], bool] = always,
    ) -> list[str]:
        """The paths of the merged tree below a folder that match, sorted by bytes."""
        found = {
            path for mounted in self.mounts for path in mounted.paths(folder, may_descend) if matches(path)
        }
        return sorted(filter(self._is_seen, found), key=path_bytes)

    def _is_seen(self, path: str) -> bool:
        """Whether a path leads to a file that is spelled just so."""
        hit = self.search(path)
        return isinstance(hit, Hit) and hit.path == path
