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

from lumpyard.archives.cap import check_cap
from lumpyard.archives.directory import HEADER_SIZE, MAX_LUMPS, DirectoryArchive, Format
from lumpyard.archives.model import Finding
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.records import U32, FourBytes, layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_U32 = 0xFFFFFFFF


class FlatHeader(NamedTuple):
    """Header, at offset 0 of the file."""

    signature: FourBytes
    lumps: U32  # entries in the directory
    directory_offset: U32  # from the start of the file; 12 or more, unless the directory is empty


def open_flat(data: memoryview, how: Format, *, lenient: bool) -> DirectoryArchive:
    """The archive of a file whose header and directory's range hold; its entries are not looked at.

    MalformedError with the codes `signature`, `header` or `directory`; unsupported `limit` above `MAX_LUMPS`.
    """
    header = _header(data, how)
    size = header.lumps * how.entry.size
    return DirectoryArchive(data, how, header.directory_offset, size, lenient=lenient)


def _header(data: memoryview, how: Format) -> FlatHeader:
    signature, entry_size = how.name.encode("ascii"), how.entry.size
    if data[:4] != signature:
        found = repr(data[:4].tobytes()).removeprefix("b")
        raise MalformedError(f"not of format {how.name}: it starts with {found}", "signature")
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


def check_total(total: int, file_size: int) -> None:
    """MalformedError (code `cap`) when the lumps together have more than 16 times the file's bytes, or 4 GiB."""
    check_cap(total, file_size)
    if total > MAX_U32:
        raise MalformedError(f"the lumps together have {total} bytes, more than {MAX_U32}", "cap")


def name_warnings(archive: DirectoryArchive) -> "Iterator[Finding]":
    """Entries without a name, which no look-up finds."""
    for index, lump in enumerate(archive.lumps):
        if not lump.name:
            message = f"{archive.label(index)}: its name is empty, so nothing finds it by name"
            yield Finding("name-empty", message, index, "ok")
