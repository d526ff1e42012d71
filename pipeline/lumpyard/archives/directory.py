"""Archives that are a header, lumps and one directory: all formats but EWAD and MPQ.

The directory is a table of entries of one size. It stays in the buffer; `flat` and `pathed` say where it is and check
it, `wad`, `wad2`, `pak` and `daikatana` say how an entry is laid out.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import Finding, Lump, entry_label, name_of
from lumpyard.errors import MalformedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from struct import Struct

HEADER_SIZE = 12  # bytes
# A listing takes some 400 bytes an entry. The fullest archives in the world have some 20,000 lumps; a sparse file of
# 4 GiB could claim 268 million, all of them legal.
MAX_LUMPS = 1 << 22
BLOCK = 1 << 16  # entries checked at once: enough to make a column cheap, few enough to keep memory flat
_MOST_KEPT = (
    1 << 18
)  # entries that stay decoded, some 60 MB; those of larger directories are decoded when asked for


class Entry(NamedTuple):
    """What the directory entries of these formats have in common."""

    field: bytes  # all bytes of the name's field
    offset: int  # of the stored bytes, from the start of the file
    stored_size: int  # bytes in the file
    raw_size: int  # bytes after decompression
    kind: int | None = None  # lump type byte of WAD2 and WAD3
    flag: int | None = None  # not 0: compressed; None where the format knows no compression


def as_stored(name: bytes) -> bytes:
    """The name itself."""
    return name


class Format(NamedTuple):
    """How the archives of one format are read."""

    name: str  # in `FORMATS`
    entry: Struct
    decode: Callable[[tuple[int | bytes, ...]], Entry]
    warn: Callable[[DirectoryArchive], list[Finding]]
    choose: Callable[[DirectoryArchive], dict[bytes, int]]  # which entry each name leads to
    compared: Callable[[bytes], bytes] = as_stored  # a name as look-ups compare it
    unpack: Callable[[memoryview, int, bool], tuple[bytes, list[tuple[str, str]]]] | None = None  # see `read`


class DirectoryArchive:
    """An archive of one of these formats whose metadata holds; an `Archive`.

    Entries, lumps, warnings and the table of names are made when they are first asked for.
    """

    alignment = None
    seed = None
    stripped = False
    archive_hash = None

    def __init__(
        self,
        data: memoryview,
        how: Format,
        directory_offset: int,
        directory_size: int,
        *,
        lenient: bool,
    ) -> None:
        self.data = data
        self.format = how.name
        self.lenient = lenient
        self.directory_offset = directory_offset  # from the start of the file
        self.trailing = directory_size % how.entry.size  # bytes behind the last whole entry
        self.directory = data[directory_offset:][: directory_size - self.trailing]
        self._how = how
        self._noted: dict[int, list[Finding]] = {}  # what reading a lump brought to light

    @property
    def directory_range(self) -> range:
        """The directory's bytes, from the start of the file."""
        return range(self.directory_offset, self.directory_offset + len(self.directory))

    def __len__(self) -> int:
        return len(self.directory) // self._how.entry.size

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return len(self.data)

    @property
    def lumps(self) -> list[Lump]:
        """All entries in directory order."""
        return self._lumps

    @cached_property
    def _lumps(self) -> list[Lump]:
        return list(map(_lump, self.entries()))

    @property
    def warnings(self) -> list[Finding]:
        """What a lenient reading let pass, and what is odd but legal.

        What is odd within a compressed lump is among them once the lump has been read.
        """
        return self._warnings + [noted for _, found in sorted(self._noted.items()) for noted in found]

    def entry(self, index: int) -> Entry:
        """One entry of the directory."""
        if self._entries is not None:
            return self._entries[index]
        entry = self._how.entry
        return self._how.decode(entry.unpack_from(self.directory, index * entry.size))

    def entries(self) -> Iterator[Entry]:
        """All entries, in directory order."""
        return self._decoded() if self._entries is None else iter(self._entries)

    def blocks(self) -> Iterator[tuple[int, memoryview]]:
        """The directory in pieces of `BLOCK` entries, each with the index of its first."""
        size = self._how.entry.size
        for first in range(0, len(self), BLOCK):
            yield first, self.directory[first * size : (first + BLOCK) * size]

    def path(self, entry: Entry) -> bytes:
        """The name of an entry as look-ups compare it."""
        return self._how.compared(name_of(entry.field))

    def find(self, name: bytes) -> int | None:
        """Index of the lump that a name leads to by the format's rule (docs/formats.md); None where there is none.

        An empty name leads nowhere.
        """
        return self._places.get(self._how.compared(name))

    def label(self, index: int) -> str:
        """How messages call an entry: by its index, and its name where it has one."""
        return entry_label(index, name_of(self.entry(index).field))

    def stored(self, index: int) -> memoryview:
        """The stored bytes of a lump."""
        entry = self.entry(index)
        return self.data[entry.offset : entry.offset + entry.stored_size]

    def read(self, index: int) -> memoryview | bytes:
        """The raw bytes of a lump, exactly its raw size; MalformedError where they do not decode to that.

        What is odd in how they are compressed is among the `warnings` from then on.
        """
        entry, stored = self.entry(index), self.stored(index)
        if not entry.flag or self._how.unpack is None:
            return stored
        try:
            raw, notes = self._how.unpack(stored, entry.raw_size, self.lenient)
        except MalformedError as error:
            raise MalformedError(f"{self.label(index)}: {error}", error.code, index) from None
        if notes:
            label = self.label(index)
            self._noted[index] = [Finding(code, f"{label}: {text}", index, "ok") for code, text in notes]
        return raw

    @cached_property
    def _entries(self) -> list[Entry] | None:
        return list(self._decoded()) if len(self) <= _MOST_KEPT else None

    @cached_property
    def _warnings(self) -> list[Finding]:
        return self._how.warn(self)

    @cached_property
    def _places(self) -> dict[bytes, int]:
        places = self._how.choose(self)
        places.pop(b"", None)
        return places

    def _decoded(self) -> Iterator[Entry]:
        return map(self._how.decode, self._how.entry.iter_unpack(self.directory))


def first_of_each(archive: DirectoryArchive) -> dict[bytes, int]:
    """The first entry of each name."""
    places: dict[bytes, int] = {}
    for index, entry in enumerate(archive.entries()):
        places.setdefault(archive.path(entry), index)
    return places


def last_of_each(archive: DirectoryArchive) -> dict[bytes, int]:
    """The last entry of each name."""
    return {archive.path(entry): index for index, entry in enumerate(archive.entries())}


def _lump(entry: Entry) -> Lump:
    field, offset, stored_size, raw_size, kind, flag = entry
    name = field.rstrip(b"\0")
    if b"\0" in name:
        return Lump(name_of(name), offset, stored_size, raw_size, flags=flag, kind=kind, raw_name=name)
    if kind is None and flag is None:
        return Lump(
            name, offset, stored_size, raw_size
        )  # keywords take twice as long, and WADs have thousands
    return Lump(name, offset, stored_size, raw_size, flags=flag, kind=kind)
