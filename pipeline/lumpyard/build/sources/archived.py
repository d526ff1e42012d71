"""Archives that sources come from: their directories as folders, their lumps as files (design.md, section 4).

An archive is one file on disk, and its stat guards all of it: as long as that stays, the digests that are known of its
lumps hold. Each lump has a STAT block of its own, made of the archive's times and of where the lump stands in it, so
that all that goes by files' stats goes by these, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard import __version__, disk
from lumpyard.build.sources.entry_tree import folders_of_entries, left_out_warnings, sort_out
from lumpyard.build.sources.source_errors import LFS_LIMIT, may_be_pointer
from lumpyard.disk import STAT
from lumpyard.errors import ArchiveError, DiskError
from lumpyard.hashing import content_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lumpyard.archives.model import Archive
    from lumpyard.build.sources.entry_tree import Entry
    from lumpyard.disk import FolderScan, Stat

_PLAIN = frozenset(
    {"IWAD", "PWAD", "PACK", "WAD2", "WAD3", "PAK"}
)  # formats whose stored bytes are the raw ones
_MOST_SIZE = (1 << 63) - 1  # what a STAT block holds


class ChangedError(Exception):
    """An archive is not any more what it was when it was looked at."""


class SourceArchive:
    """An archive that is opened when its directory is first asked for; lumps are read one by one.

    `data` gives the bytes of one that is itself a lump; any other is a file.
    """

    def __init__(
        self,
        path: str,
        real: str,
        stat: Stat,
        form: str = "auto",
        lenient: bool = False,
        names: tuple[str, ...] = (),
        data: Callable[[], bytes] | None = None,
    ) -> None:
        self.path = path  # as messages call it
        self.real = real
        self.stat = stat
        self.reading = (form, lenient, names)
        self._data = data
        self.outer: SourceArchive | None = None  # that it is to be closed with
        self._file: disk.OpenFile | None = None
        self._map: disk.FileMap | None = None
        self._archive: Archive | None = None
        self._fault: str | None = None  # None: not opened yet
        self._entries: list[Entry] = []
        self._left_out: list[str] = []
        self._folders: dict[str, FolderScan] | None = None
        self._places: dict[str, int] = {}

    @property
    def fault(self) -> str:
        """Why it cannot be read, or ""."""
        if self._fault is None:
            self._fault = self._open()
        return self._fault

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is left out of it, and what a lenient reading let pass."""
        found = list(left_out_warnings(self.path, self._left_out)) if not self.fault else []
        if self._archive is not None and self.reading[1]:
            found += [f"{self.path}: {warning.message}" for warning in self._archive.warnings]
        return tuple(found)

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of its lumps, in directory order; none where it cannot be read."""
        return () if self.fault else tuple(entry.path for entry in self._entries)

    def scan(self, folder: str) -> FolderScan | None:
        """What is in one of its folders ("" is its top), as of a folder on disk; None where there is none."""
        if self.fault:
            return None
        if self._folders is None:
            self._folders = folders_of_entries(self._entries, self.blocks())
        return self._folders.get(folder)

    def blocks(self) -> list[bytes]:
        """A STAT block for each of `paths`."""
        if self._archive is None:
            return []
        lumps, (_, mtime, ctime, _) = self._archive.lumps, self.stat
        # Another version may read a lump in another way, so what is known of it is of this one alone.
        start = content_hash(STAT.pack(*self.stat) + repr((self.path, self.reading, __version__)).encode())
        pack = STAT.pack
        return [
            pack(min(lumps[index].raw_size, _MOST_SIZE), mtime, ctime, (start + index) % (1 << 63))
            for _, index in self._entries
        ]

    def index(self, path: str) -> int:
        """Where in the directory the lump of a path stands."""
        if not self._places:
            self._places = dict(self._entries)
        return self._places[path]

    def facts(self, index: int) -> tuple[str, int, int | None, int | None]:
        """What the directory says of a lump: name, type byte (0 where the format has none), fourcc, schema."""
        assert self._archive is not None  # it has lumps
        lump = self._archive.lumps[index]
        name = (lump.name or b"").decode("utf-8", "surrogateescape")
        return name, lump.kind or 0, lump.fourcc, lump.schema

    def read(self, index: int) -> bytes:
        """The raw bytes of a lump; ArchiveError where it does not decode, ChangedError where the file changed."""
        assert self._archive is not None  # it has lumps
        lump = self._archive.lumps[index]
        if self._file is None:
            return bytes(self._archive.read(index))
        # Whoever rewrites a file in place makes it short at first, and to look at a page of the map that is not there
        # any more would kill us: so what can be is read, and the rest not before another look.
        if self._archive.format in _PLAIN:
            raw = self._file.read_at(lump.offset, lump.stored_size)
            if len(raw) == lump.raw_size and self._file.stat() == self.stat:
                return raw
            raise ChangedError
        if self._file.stat() != self.stat:
            raise ChangedError
        try:
            return bytes(self._archive.read(index))
        finally:
            if self._file.stat() != self.stat:
                raise ChangedError

    def pieces(self, index: int) -> Iterator[bytes]:
        """The same in pieces; of formats without compression no more than a piece is in memory at once."""
        assert self._archive is not None  # it has lumps
        if self._file is None or self._archive.format not in _PLAIN:
            raw = self.read(index)
            yield from (raw[at : at + disk.PIECE] for at in range(0, len(raw), disk.PIECE))
            return
        lump, read = self._archive.lumps[index], 0
        for piece in self._file.iter_pieces(lump.offset, lump.stored_size):
            read += len(piece)
            yield piece
        if read != lump.raw_size or self._file.stat() != self.stat:
            raise ChangedError

    def close(self) -> None:
        """Let go of the file; nothing can be read any more."""
        self._archive = None
        if self.outer is not None:
            self.outer.close()
        if self._map is not None:
            self._map.__exit__()
        if self._file is not None:
            self._file.__exit__()
        self._file = self._map = None

    def _open(self) -> str:
        """Read the directory; what is wrong with the archive, or ""."""
        from lumpyard.archives.naming import entry_paths  # noqa: PLC0415 - a no-op opens no archive
        from lumpyard.archives.opening import open_archive  # noqa: PLC0415

        form, lenient, texts = self.reading
        names = [text.encode("utf-8", "surrogateescape") for text in texts]
        try:
            data = self._bytes()
            if may_be_pointer(bytes(data[:LFS_LIMIT])):
                self.close()
                return "it is a Git LFS pointer, not the archive itself; `git lfs pull` fetches it"
            archive = open_archive(data, form, lenient=lenient, names=names)
            paths = entry_paths(archive)
        except ChangedError:
            return "it changed while it was being read; run the build again"
        except (ArchiveError, DiskError) as error:
            self.close()
            # What the command line says with an option, the manifest says with a key.
            return " ".join(str(error).split()).replace("with --format", "with `format`")
        self._archive = archive
        self._entries, self._left_out = sort_out(archive, paths)
        return ""

    def _bytes(self) -> memoryview | bytes:
        if self._data is not None:
            return self._data()
        self._file = disk.OpenFile(self.real)
        if self._file.opened != self.stat:
            self.close()
            raise ChangedError
        self._map = disk.FileMap(self.real, self._file.fd)
        return self._map.__enter__().data


def find_nested(path: str, real: str, form: str = "auto", *, lenient: bool = False) -> SourceArchive | None:
    """The archive at `ARCHIVE!LUMP`, which is a lump of another; None where no file is in front of a `!`."""
    cut = real.find("!")
    while cut >= 0:
        stat = disk.stat_file(real[:cut])
        if stat is not None:
            shown = path[: len(path) - (len(real) - cut)]
            outer = SourceArchive(shown, real[:cut], stat, lenient=lenient)
            return _nested(outer, path, real[cut + 1 :], form, lenient=lenient)
        cut = real.find("!", cut + 1)
    return None


def _nested(outer: SourceArchive, path: str, lump: str, form: str, *, lenient: bool) -> SourceArchive:
    def data() -> bytes:
        if outer.fault:
            raise DiskError(f"{outer.path}: {outer.fault}")
        if lump not in outer.paths:
            raise DiskError(f"{outer.path} has no lump '{lump}'")
        return outer.read(outer.index(lump))

    inner = SourceArchive(path, outer.real, outer.stat, form, lenient=lenient, data=data)
    inner.outer = outer
    return inner
