"""What PAK and DAIKATANA share: a header of 12 bytes, and a directory whose names are paths of up to 56 bytes.

    offset  bytes          what
    0       12             header
    d       64 or 72 each  directory
    …       …              stored bytes of each lump, anywhere behind the header; ranges may overlap

A writer puts the data directly after the header and the directory after the data. All integers are little-endian.
Offsets are unsigned. Sizes are C ints, so one from 2^31 on is negative and refused.

Source: "Description of Daikatana .pak format"; "WAD Format", section Validation, for the checks of every format.
"""

# No `from __future__ import annotations`: the header's field codes are read from its annotations.
from struct import Struct
from typing import TYPE_CHECKING, Annotated, NamedTuple, NoReturn

from lumpyard.archives.model import Finding, Lump, shown
from lumpyard.archives.path_names import name_of, normal
from lumpyard.archives.pathed_oddities import clashes_in, warnings_of
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.records import U32, FourBytes, layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIGNATURE = b"PACK"
HEADER_SIZE = 12
MAX_SIZE = 0x7FFFFFFF  # bytes of one lump: a C int
NameField = Annotated[bytes, "56s"]

# A listing takes some 400 bytes an entry. Engines stop at some thousand files; a sparse file of 4 GiB could claim
# 67 million, all of them legal.
MAX_LUMPS = 1 << 22
_MAX_FOLD = 16  # all stored sizes together, at most so many times the file's
_LENIENT = "a lenient reading lets it pass"
_STRANGERS = {
    b"SPAK": "the signature of SiN's archives, whose entries have 128 bytes; they are not read here"
}
ENTRY_SIZES = {64: "PAK", 72: "DAIKATANA"}
_MOST_KEPT = (
    1 << 18
)  # entries that stay decoded, some 60 MB; larger directories are decoded when they are asked for


class PathedHeader(NamedTuple):
    """Header, at offset 0 of the file."""

    signature: FourBytes
    directory_offset: U32  # from the start of the file; 12 or more, unless the directory is empty
    directory_size: U32  # bytes


class PathedEntry(NamedTuple):
    """What the directory entries of both formats say."""

    field: bytes  # all 56 bytes of the name's field
    offset: int  # of the stored bytes, from the start of the file
    raw_size: int
    stored_size: int  # bytes in the file
    flag: int | None = None  # not 0: compressed; None where the format knows no compression


class Kind(NamedTuple):
    """In what the two formats differ."""

    format: str
    entry: Struct
    decode: "Callable[[tuple[int | bytes, ...]], PathedEntry]"
    unpack: "Callable[[memoryview, int, bool], tuple[bytes, list[tuple[str, str]]]] | None" = (
        None  # see `read`
    )
    any_slash: bool = False  # whether look-ups take backslashes for slashes


class PathedArchive:
    """An archive of one of these formats whose metadata holds; an `Archive`.

    The directory stays in the buffer; entries are decoded when they are first asked for.
    """

    __slots__ = (
        "_entries",
        "_kind",
        "_lumps",
        "_noted",
        "_places",
        "_warnings",
        "data",
        "directory",
        "directory_offset",
        "lenient",
        "trailing",
    )  # fmt: skip

    alignment = None
    seed = None
    stripped = False
    archive_hash = None

    def __init__(self, data: memoryview, header: PathedHeader, kind: Kind, *, lenient: bool) -> None:
        self.data = data
        self.lenient = lenient
        self.directory_offset = header.directory_offset
        self._kind = kind
        self.trailing = header.directory_size % kind.entry.size
        self.directory = data[header.directory_offset :][: header.directory_size - self.trailing]
        self._lumps: list[Lump] | None = None
        self._entries: list[PathedEntry] | None = None
        self._places: dict[bytes, int] | None = None
        self._warnings: list[Finding] | None = None
        self._noted: dict[int, list[Finding]] = {}  # what reading a lump brought to light

    def __len__(self) -> int:
        return len(self.directory) // self._kind.entry.size

    @property
    def format(self) -> str:
        """PAK or DAIKATANA."""
        return self._kind.format

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return len(self.data)

    @property
    def lumps(self) -> list[Lump]:
        """All entries in directory order; made when first asked for."""
        if self._lumps is None:
            self._lumps = list(map(_lump, self.entries()))
        return self._lumps

    @property
    def warnings(self) -> list[Finding]:
        """What a lenient reading let pass, and what is odd but legal.

        What is odd within a compressed lump is among them once the lump has been read.
        """
        if self._warnings is None:
            self._warnings = warnings_of(self)
        return self._warnings + [noted for _, found in sorted(self._noted.items()) for noted in found]

    def entry(self, index: int) -> PathedEntry:
        """One entry of the directory."""
        if self._entries is not None:
            return self._entries[index]
        entry = self._kind.entry
        return self._kind.decode(entry.unpack_from(self.directory, index * entry.size))

    def entries(self) -> "Iterator[PathedEntry]":
        """All entries, in directory order."""
        if self._entries is None:
            decoded = map(self._kind.decode, self._kind.entry.iter_unpack(self.directory))
            if len(self) > _MOST_KEPT:
                return decoded
            self._entries = list(decoded)
        return iter(self._entries)

    def path(self, entry: PathedEntry) -> bytes:
        """The name of an entry as look-ups compare it."""
        name = name_of(entry.field)
        return normal(name) if self._kind.any_slash else name

    def find(self, name: bytes) -> int | None:
        """Index of the first lump of that name; an empty name leads nowhere.

        Names are compared as stored; in a DAIKATANA a backslash is a slash.
        """
        if self._places is None:
            places: dict[bytes, int] = {}
            for index, entry in enumerate(self.entries()):
                places.setdefault(self.path(entry), index)
            places.pop(b"", None)
            self._places = places
        return self._places.get(normal(name) if self._kind.any_slash else name)

    def label(self, index: int) -> str:
        """How messages call an entry: by its index, and its name where it has one."""
        name = name_of(self.entry(index).field)
        return f"entry {index} ({shown(name)})" if name else f"entry {index}"

    def stored(self, index: int) -> memoryview:
        """The stored bytes of a lump."""
        entry = self.entry(index)
        return self.data[entry.offset : entry.offset + entry.stored_size]

    def read(self, index: int) -> memoryview | bytes:
        """The raw bytes of a lump, exactly its raw size; MalformedError where they do not decode to that.

        What is odd in how they are compressed is among the `warnings` from then on.
        """
        entry, stored = self.entry(index), self.stored(index)
        if not entry.flag or self._kind.unpack is None:
            return stored
        try:
            raw, notes = self._kind.unpack(stored, entry.raw_size, self.lenient)
        except MalformedError as error:
            raise MalformedError(f"{self.label(index)}: {error}", error.code, index) from None
        if notes:
            label = self.label(index)
            self._noted[index] = [Finding(code, f"{label}: {text}", index, "ok") for code, text in notes]
        return raw


def view_pathed(data: memoryview, kind: Kind, *, lenient: bool) -> PathedArchive:
    """An archive of that kind over a buffer, all metadata checked and no lump data read.

    MalformedError, in this order: `signature`, `header`, `directory`, then the first entry's `size`, `range` or
    `offset`, then `cap`, then `clash`. UnsupportedError `limit` for more than `MAX_LUMPS` lumps. A lenient reading
    lets pass a directory with some bytes too many, empty lumps with an offset outside the file, and clashes.
    """
    archive = PathedArchive(data, _header(data, kind, lenient=lenient), kind, lenient=lenient)
    total = 0
    for index, entry in enumerate(archive.entries()):
        if entry.stored_size > MAX_SIZE or entry.raw_size > MAX_SIZE:
            _refuse_size(archive, index, entry)
        if entry.offset + entry.stored_size > len(data) and (entry.stored_size or not lenient):
            found = f"{entry.stored_size} bytes at {entry.offset} in a file of {len(data)} bytes"
            hint = "" if entry.stored_size else f"; it is empty, and {_LENIENT}"
            message = f"{archive.label(index)}: it reaches past the end of the file ({found}{hint})"
            raise MalformedError(message, "range", index)
        if entry.offset < HEADER_SIZE and entry.stored_size:
            found = f"its {entry.stored_size} bytes at {entry.offset} lie in the header"
            raise MalformedError(f"{archive.label(index)}: {found}", "offset", index)
        total += entry.stored_size
    if total > _MAX_FOLD * len(data):
        found = f"{total} bytes, more than {_MAX_FOLD} times the file's {len(data)}"
        raise MalformedError(f"the lumps together have {found}", "cap")
    if not lenient:
        for clash in clashes_in(archive):
            raise MalformedError(f"{clash.message}; {_LENIENT}", clash.code, clash.entry)
    return archive


def _refuse_size(archive: PathedArchive, index: int, entry: PathedEntry) -> NoReturn:
    size = max(entry.stored_size, entry.raw_size)
    found = f"its size {size - (1 << 32)} is negative" if size >> 31 == 1 else f"its size is {size}"
    raise MalformedError(f"{archive.label(index)}: {found}; sizes are 0 to {MAX_SIZE}", "size", index)


def _header(data: memoryview, kind: Kind, *, lenient: bool) -> PathedHeader:
    """The header, when it and the directory's range hold."""
    signature, size, entry_size = data[:4].tobytes(), len(data), kind.entry.size
    if signature != SIGNATURE:
        found = f"it starts with {signature!r}".replace(" b", " ")
        stranger = _STRANGERS.get(signature)
        raise MalformedError(
            f"not of format {kind.format}: {found}{f', {stranger}' if stranger else ''}", "signature"
        )
    if size < HEADER_SIZE:
        raise MalformedError(f"the file has {size} bytes; the header alone has {HEADER_SIZE}", "header")
    header = PathedHeader._make(layout(PathedHeader).unpack(data[:HEADER_SIZE]))
    start, length = header.directory_offset, header.directory_size
    found = f"{length} bytes at {start} in a file of {size} bytes"
    if start + length > size:
        swapped = sum(Struct(">II").unpack(data[4:HEADER_SIZE])) <= size
        hint = "; the header fits as big-endian, which is not read here" if swapped else ""
        raise MalformedError(f"the directory reaches past the end of the file ({found}{hint})", "directory")
    if length and start < HEADER_SIZE:
        raise MalformedError(f"the directory starts in the header, at byte {start}", "directory")
    if length % entry_size and (length < entry_size or not lenient):
        others = [name for other, name in ENTRY_SIZES.items() if not length % other]
        hint = f"; those of {others[0]} would fit" if others else ""
        message = f"the directory's {length} bytes are not whole entries of {entry_size} bytes"
        raise MalformedError(f"{message}: {length % entry_size} bytes are left over{hint}", "directory")
    if length // entry_size > MAX_LUMPS:
        found = f"{length // entry_size} lumps are not read; the most is {MAX_LUMPS}"
        raise UnsupportedError(found, "limit")
    return header


def _lump(entry: PathedEntry) -> Lump:
    name = entry.field.rstrip(b"\0")
    raw_name = name if b"\0" in name else None
    return Lump(
        name_of(name),
        entry.offset,
        entry.stored_size,
        entry.raw_size,
        flags=entry.flag,
        raw_name=raw_name,
    )
