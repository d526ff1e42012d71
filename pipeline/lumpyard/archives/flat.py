"""What IWAD, PWAD, PACK, WAD2 and WAD3 share: a header of 12 bytes, and a directory of 32-bit ranges.

    offset  bytes          what
    0       12             header
    d       16 or 32 each  directory
    …       …              lump data, anywhere behind the header; ranges may overlap

A writer puts the data directly after the header and the directory after the data. All integers are little-endian
and unsigned; sums are exact, whatever the fields hold.

Source: "WAD Format", sections Classic, WAD2 and WAD3, Validation.
"""

# No `from __future__ import annotations`: the header's field codes are read from its annotations.
from operator import add
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import Finding, Lump, shown
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.records import U32, FourBytes, layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

HEADER_SIZE = 12
MAX_U32 = 0xFFFFFFFF
# Entries checked at once: enough to make a column cheap, few enough to keep memory flat.
BLOCK = 1 << 16
# A listing takes some 300 bytes an entry. The fullest WADs in the world have some 20,000 lumps; a sparse file of 4
# GiB could claim 268 million, all of them legal.
MAX_LUMPS = 1 << 22
_MAX_FOLD = 16  # all lump sizes together, at most so many times the file's


class FlatHeader(NamedTuple):
    """Header, at offset 0 of the file."""

    signature: FourBytes
    lumps: U32  # entries in the directory
    directory_offset: U32  # from the start of the file; 12 or more, unless the directory is empty


class FlatEntry(NamedTuple):
    """What the directory entries of these formats have in common."""

    offset: int  # of the stored bytes, from the start of the file
    size: int  # bytes in the file
    field: bytes  # all bytes of the name's field
    kind: int | None = None  # lump type byte of WAD2 and WAD3


class FlatArchive:
    """An archive of one of these formats whose metadata holds; an `Archive`.

    The directory stays in the buffer; entries are decoded when they are asked for.
    """

    __slots__ = (
        "_decode",
        "_entry",
        "_find",
        "_lumps",
        "_places",
        "_warn",
        "_warnings",
        "data",
        "directory",
        "directory_offset",
        "format",
    )

    alignment = None
    seed = None
    stripped = False
    archive_hash = None

    def __init__(
        self,
        data: memoryview,
        header: FlatHeader,
        entry: Struct,
        decode: "Callable[[tuple[int | bytes, ...]], FlatEntry]",
        warn: "Callable[[FlatArchive], list[Finding]]",
        find: "Callable[[Sequence[Lump]], dict[bytes, int]] | None" = None,
    ) -> None:
        self.data = data
        self.format = header.signature.decode("ascii")
        self.directory_offset = header.directory_offset
        self.directory = data[header.directory_offset :][: header.lumps * entry.size]
        self._entry = entry
        self._decode = decode
        self._warn = warn
        self._find = find or last_of_each
        self._lumps: list[Lump] | None = None
        self._places: dict[bytes, int] | None = None
        self._warnings: list[Finding] | None = None

    def __len__(self) -> int:
        return len(self.directory) // self._entry.size

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
        """What a lenient reading let pass, and what is odd but legal; looked for when first asked for."""
        if self._warnings is None:
            self._warnings = self._warn(self)
        return self._warnings

    def entry(self, index: int) -> FlatEntry:
        """One entry of the directory."""
        return self._decode(self._entry.unpack_from(self.directory, index * self._entry.size))

    def entries(self) -> "Iterator[FlatEntry]":
        """All entries, in directory order."""
        return map(self._decode, self._entry.iter_unpack(self.directory))

    def blocks(self) -> "Iterator[tuple[int, memoryview]]":
        """The directory in pieces of `BLOCK` entries, each with the index of its first."""
        for first in range(0, len(self), BLOCK):
            yield first, self.directory[first * self._entry.size : (first + BLOCK) * self._entry.size]

    def find(self, name: bytes) -> int | None:
        """Index of the last lump of that name, as engines take it; an empty name leads nowhere.

        In an IWAD or PWAD a lump in a block or map is found only when no other has the name.
        """
        if self._places is None:
            self._places = self._find(self.lumps)
            self._places.pop(b"", None)
        return self._places.get(name)

    def label(self, index: int) -> str:
        """How messages call an entry: by its index, and its name where it has one."""
        name = name_of(self.entry(index).field)
        return f"entry {index} ({shown(name)})" if name else f"entry {index}"

    def stored(self, index: int) -> memoryview:
        """The stored bytes of a lump."""
        entry = self.entry(index)
        return self.data[entry.offset : entry.offset + entry.size]

    def read(self, index: int) -> memoryview:
        """The raw bytes of a lump, which are its stored bytes."""
        return self.stored(index)


def last_of_each(lumps: "Sequence[Lump]") -> dict[bytes, int]:
    """The last entry of each name."""
    return {lump.name or b"": index for index, lump in enumerate(lumps)}


def name_of(field: bytes) -> bytes:
    """The name in its field: what stands before the first NUL."""
    return field.partition(b"\0")[0]


def _lump(entry: FlatEntry) -> Lump:
    offset, size, field, kind = entry
    name = field.rstrip(b"\0")
    if b"\0" not in name:
        # Keywords take twice as long, and WADs have them by the thousand.
        return Lump(name, offset, size, size) if kind is None else Lump(name, offset, size, size, kind=kind)
    return Lump(name_of(name), offset, size, size, kind=kind, raw_name=name)


def decode_header(data: memoryview, signature: bytes, entry_size: int) -> FlatHeader:
    """The header, when it and the directory's range hold.

    MalformedError with the codes `signature`, `header` or `directory`; unsupported `limit` above `MAX_LUMPS`.
    """
    if data[:4] != signature:
        what, found = signature.decode("ascii"), repr(data[:4].tobytes()).removeprefix("b")
        raise MalformedError(f"not of format {what}: it starts with {found}", "signature")
    size = len(data)
    if size < HEADER_SIZE:
        raise MalformedError(f"the file has {size} bytes; the header alone has {HEADER_SIZE}", "header")
    header = FlatHeader._make(layout(FlatHeader).unpack(data[:HEADER_SIZE]))
    if not _directory_fits(header, entry_size, size):
        _, lumps, offset = Struct(">4sII").unpack(data[:HEADER_SIZE])
        swapped = _directory_fits(FlatHeader(signature, lumps, offset), entry_size, size)
        hint = "; the header fits as big-endian, which is not read here" if swapped else ""
        found = f"{header.lumps} entries of {entry_size} bytes at {header.directory_offset}"
        raise MalformedError(
            f"the directory reaches past the end of the file ({found} in a file of {size} bytes{hint})",
            "directory",
        )
    if header.lumps and header.directory_offset < HEADER_SIZE:
        raise MalformedError(
            f"the directory starts in the header, at byte {header.directory_offset}", "directory"
        )
    if header.lumps > MAX_LUMPS:
        raise UnsupportedError(f"{header.lumps} lumps are not read; the most is {MAX_LUMPS}", "limit")
    return header


def _directory_fits(header: FlatHeader, entry_size: int, size: int) -> bool:
    return header.directory_offset + header.lumps * entry_size <= size


def ranges_hold(offsets: "Sequence[int]", sizes: "Sequence[int]", file_size: int) -> bool:
    """Whether all lumps of a block lie in the file and behind the header, for the quick and common case."""
    return max(map(add, offsets, sizes)) <= file_size and (
        min(offsets) >= HEADER_SIZE
        or not any(size for offset, size in zip(offsets, sizes, strict=True) if offset < HEADER_SIZE)
    )


def check_range(archive: FlatArchive, index: int, *, lenient: bool) -> None:
    """MalformedError when one lump is not in the file (code `range`) or lies in the header (code `offset`).

    A lenient reading lets an empty lump have any offset: all engines do.
    """
    entry = archive.entry(index)
    if entry.offset + entry.size > archive.size and (entry.size or not lenient):
        found = f"{entry.size} bytes at {entry.offset} in a file of {archive.size} bytes"
        hint = "" if entry.size else "; it is empty, and a lenient reading lets it pass"
        raise MalformedError(
            f"{archive.label(index)}: it reaches past the end of the file ({found}{hint})", "range", index
        )
    if entry.size and entry.offset < HEADER_SIZE:
        found = f"its {entry.size} bytes at {entry.offset} lie in the header"
        raise MalformedError(f"{archive.label(index)}: {found}", "offset", index)


def check_total(total: int, file_size: int) -> None:
    """MalformedError (code `cap`) when the lumps together have more than 16 times the file's bytes, or 4 GiB."""
    if total > _MAX_FOLD * file_size:
        found = f"{total} bytes, more than {_MAX_FOLD} times the file's {file_size}"
        raise MalformedError(f"the lumps together have {found}", "cap")
    if total > MAX_U32:
        raise MalformedError(f"the lumps together have {total} bytes, more than {MAX_U32}", "cap")


def range_warnings(archive: FlatArchive) -> "Iterator[Finding]":
    """Empty lumps with an offset outside the file, and lumps that share bytes with the directory."""
    size, start = archive.size, archive.directory_offset
    end = start + len(archive.directory)
    for index, entry in enumerate(archive.entries()):
        if not entry.size:
            if entry.offset > size:
                found = f"it is empty, and its offset {entry.offset} is outside the file of {size} bytes"
                yield Finding("empty-offset", f"{archive.label(index)}: {found}", index, "ok")
        elif entry.offset < end and entry.offset + entry.size > start:
            found = f"its {entry.size} bytes at {entry.offset} overlap the directory at {start}"
            yield Finding("overlap", f"{archive.label(index)}: {found}", index, "ok")


def name_warnings(archive: FlatArchive) -> "Iterator[Finding]":
    """Entries without a name, which no look-up finds."""
    for index, lump in enumerate(archive.lumps):
        if not lump.name:
            message = f"{archive.label(index)}: its name is empty, so nothing finds it by name"
            yield Finding("name-empty", message, index, "ok")
