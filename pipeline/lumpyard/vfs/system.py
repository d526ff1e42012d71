"""The virtual file system: archives and folders over each other, seen as one tree.

Each change of mounts makes a new `State` with caches of its own. A reader takes the state once, so it sees the mounts
of one moment whatever other threads do, and what was remembered goes with the state that it was true of.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Self

from lumpyard.errors import NotFoundError, UsageError
from lumpyard.globs import parse_glob
from lumpyard.vfs.explaining import RULES, conflicts, explain
from lumpyard.vfs.layer import always
from lumpyard.vfs.opening import AUTO, find_archives, open_bytes, open_layer
from lumpyard.vfs.pathtree import is_clean
from lumpyard.vfs.state import Hit, Mounted, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lumpyard.vfs.explaining import Explanation
    from lumpyard.vfs.handle import View
    from lumpyard.vfs.layer import Layer, Listing
    from lumpyard.vfs.opening import Reading
    from lumpyard.vfs.state import Order

CACHE_SIZE = 64 << 20  # bytes of decompressed lumps: some levels' worth, and little beside a game's memory


class FileStat(NamedTuple):
    """What is known of a file without reading it."""

    path: str  # in the file system, as its mount spells it
    size: int  # bytes, decompressed
    source: str  # its path on disk, or `ARCHIVE!LUMP`
    kind: str  # of mount: `folder`, or the archive's format
    stored_size: int | None  # bytes in an archive
    entry: int | None  # directory index in an archive


class Vfs:
    """Archives and folders, mounted over each other; a context manager.

    Order `stated`: a later mount lies above an earlier one. Order `archives first`: so do archives above folders,
    whenever they are mounted. Names are text with forward slashes, how they compare is the mount's rule (`namerules`).
    Where mounts meet, folders of one name become one, and else the uppermost thing of a name hides those below, be it
    a file, a folder or something that can't be read.

    Several threads may use one, also while others mount. Views, files and bytes that were handed out stay good.
    """

    def __init__(self, order: Order = "stated", cache_size: int = CACHE_SIZE) -> None:
        self.order: Order = order
        self._cache_size = cache_size
        self._lock = Lock()  # over changes of mounts; readers need none
        self._number = 0
        self._state: State | None = State((), order, cache_size)

    @classmethod
    def classic(cls, archives: Iterable[str], folders: Iterable[str], cache_size: int = CACHE_SIZE) -> Self:
        """Archives first and then loose files, as games of the time do; later ones of either above earlier ones."""
        vfs = cls("archives first", cache_size)
        try:
            for path in (*folders, *archives):
                vfs.mount(path)
        except BaseException:
            vfs.close()
            raise
        return vfs

    @property
    def rule(self) -> str:
        """The one line that says which file of a name is taken."""
        return RULES[self.order]

    @property
    def mounts(self) -> tuple[Mounted, ...]:
        """All mounts, the uppermost first."""
        return tuple(self._now().mounts)

    # Mounting

    def mount(self, path: str, at: str = "", *, reading: Reading = AUTO, skip: Iterable[str] = ()) -> Mounted:
        """Mount a folder, an archive, or an archive in another (`ARCHIVE!LUMP`), above what is mounted already.

        The whole directory is checked. Names in `skip` are not seen at the top of a folder. Whatever is raised,
        nothing has changed then: DiskError where nothing is there, and what `open_archive` raises.
        """
        _check_place(at)
        return self._add([open_layer(path, reading, frozenset(skip))], at)[0]

    def mount_archives(self, folder: str, at: str = "") -> tuple[Mounted, ...]:
        """Mount all archives that lie in a folder (by suffix: .wad, .pak ...), sorted by bytes; all of them or none."""
        _check_place(at)
        with ExitStack() as opened:
            layers = [opened.enter_context(closing(open_layer(path))) for path in find_archives(folder)]
            opened.pop_all()
        return self._add(layers, at)

    def mount_bytes(
        self, data: memoryview | bytes, label: str, at: str = "", *, reading: Reading = AUTO
    ) -> Mounted:
        """Mount an archive that is in memory, which must not change; `label` is what messages call it."""
        _check_place(at)
        return self._add([open_bytes(data, label, reading)], at)[0]

    def unmount(self, mounted: Mounted) -> None:
        """Take a mount away; ValueError where it is not there."""
        with self._lock:
            mounts = [other for other in self._now().mounts if other.number != mounted.number]
            if len(mounts) == len(self._now().mounts):
                raise ValueError(f"{mounted.layer.label} is not mounted")
            self._change(mounts)
        mounted.layer.close()

    def refresh(self) -> None:
        """Forget what was remembered, and list folders anew."""
        with self._lock:
            self._change(self._now().mounts)

    def close(self) -> None:
        """Take all mounts away; later calls raise ValueError."""
        with self._lock:
            state, self._state = self._state, None
        for mounted in state.mounts if state else ():
            mounted.layer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Reading

    def read(self, name: str) -> bytes:
        """The bytes of a file.

        NotFoundError when no mount has the name, DiskError where the system refuses, MalformedError and
        UnsupportedError for a lump that can't be decoded: then lower mounts are not asked.
        """
        state, hit = self._get(name)
        return hit.mounted.layer.read(hit.found, state.cache)

    def view(self, name: str) -> View:
        """A handle to the bytes of a file, to be closed; errors as for `read`."""
        state, hit = self._get(name)
        return hit.mounted.layer.view(hit.found, state.cache)

    def open(self, name: str) -> BinaryIO:
        """The file as one of Python's, read-only; errors as for `read`."""
        state, hit = self._get(name)
        return hit.mounted.layer.open(hit.found, state.cache)

    def exists(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return isinstance(self._now().look(name), Hit)

    def is_folder(self, name: str) -> bool:
        """Whether there is a folder of that name; "" is the top."""
        return self._now().is_folder(name)

    def stat(self, name: str) -> FileStat:
        """Size and source of a file; NotFoundError when no mount has the name."""
        _, hit = self._get(name)
        layer, found = hit.mounted.layer, hit.found
        source = layer.source(found.path)
        return FileStat(hit.path, found.size, source, layer.kind, found.stored_size, found.entry)

    # Listing

    def list_folder(self, folder: str = "") -> Listing:
        """Names of the files and folders in a folder, "" is the top; NotFoundError when there is none."""
        listing = self._now().list_folder(folder)
        if listing is None:
            raise NotFoundError(f"no folder '{folder}' in any mount")
        return listing

    def paths(self, may_descend: Callable[[str], bool] = always) -> list[str]:
        """The paths of all files of the tree, sorted by bytes.

        Loose folders of which `may_descend` says no are not looked into.
        """
        return self._now().paths(may_descend=may_descend)

    def __iter__(self) -> Iterator[str]:
        """The paths of all files of the tree, sorted by bytes."""
        return iter(self.paths())

    def glob(self, pattern: str) -> list[str]:
        """The paths that a glob matches, sorted by bytes; GlobError where it means nothing.

        It is matched against paths as `__iter__` gives them, case and all, whatever names a mount would find.
        """
        glob = parse_glob(pattern)
        # Beyond a `**` nearly every folder may hold a match, and to ask costs more than to look.
        asked = pattern.split("/").index("**") if glob.max_depth is None else glob.max_depth

        def may_descend(folder: str) -> bool:
            return folder.count("/") >= asked or glob.may_descend(folder)

        return self._now().paths(glob.matches, glob.prefix, may_descend)

    def explain(self, name: str) -> Explanation:
        """What of this name is taken, all that it hides, and the rule."""
        return explain(name, self.order, self._now().mounts)

    def conflicts(self) -> list[Explanation]:
        """An explanation of each file that hides others in mounts below it, or that something hides; sorted."""
        return list(conflicts(self.order, self._now()))

    def _now(self) -> State:
        state = self._state
        if state is None:
            raise ValueError("the file system is closed")
        return state

    def _get(self, name: str) -> tuple[State, Hit]:
        state = self._now()
        return state, state.get(name)

    def _add(self, layers: Sequence[Layer], at: str) -> tuple[Mounted, ...]:
        try:
            with self._lock:
                added = tuple(Mounted(layer, at, self._number + n) for n, layer in enumerate(layers))
                self._change([*self._now().mounts, *added])
                self._number += len(added)
        except BaseException:
            for layer in layers:
                layer.close()
            raise
        return added

    def _change(self, mounts: Iterable[Mounted]) -> None:
        """Put a new state in place; folders are listed anew, so that all names are of one moment."""
        fresh = [mounted._replace(layer=mounted.layer.fresh()) for mounted in mounts]
        self._state = State(fresh, self.order, self._cache_size)


def _check_place(at: str) -> None:
    if at and not is_clean(at):
        raise UsageError(f"'{at}' is no place to mount at; it is a relative path, such as art/old")
