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
from typing import Annotated, NamedTuple, NoReturn

from lumpyard.archives.cap import check_cap
from lumpyard.archives.directory import HEADER_SIZE, MAX_LUMPS, DirectoryArchive, Entry, Format
from lumpyard.archives.pathed_oddities import clashes_in
from lumpyard.archives.ranges import LENIENT, check_range
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.records import U32, FourBytes, layout

SIGNATURE = b"PACK"
MAX_SIZE = 0x7FFFFFFF  # bytes of one lump: a C int
NameField = Annotated[bytes, "56s"]
ENTRY_SIZES = {64: "PAK", 72: "DAIKATANA"}
_STRANGERS = {
    b"SPAK": "the signature of SiN's archives, whose entries have 128 bytes; they are not read here"
}


class PathedHeader(NamedTuple):
    """Header, at offset 0 of the file."""

    signature: FourBytes
    directory_offset: U32  # from the start of the file; 12 or more, unless the directory is empty
    directory_size: U32  # bytes


def view_pathed(data: memoryview, how: Format, *, lenient: bool) -> DirectoryArchive:
    """An archive of that format over a buffer, all metadata checked and no lump data read.

    MalformedError, in this order: `signature`, `header`, `directory`, then the first entry's `size`, `range` or
    `offset`, then `cap`, then `clash`. UnsupportedError `limit` for more than `MAX_LUMPS` lumps. A lenient reading
    lets pass a directory with some bytes too many, empty lumps with an offset outside the file, and clashes.
    """
    header = _header(data, how, lenient=lenient)
    archive = DirectoryArchive(data, how, header.directory_offset, header.directory_size, lenient=lenient)
    total, file_size = 0, len(data)
    for index, entry in enumerate(archive.entries()):
        _, offset, stored_size, raw_size, _, _ = entry
        if stored_size > MAX_SIZE or raw_size > MAX_SIZE:
            _refuse_size(archive, index, entry)
        if offset + stored_size > file_size or offset < HEADER_SIZE:
            check_range(archive, index, lenient=lenient)
        total += stored_size
    check_cap(total, file_size)
    if not lenient:
        for clash in clashes_in(archive):
            raise MalformedError(f"{clash.message}; {LENIENT}", clash.code, clash.entry)
    return archive


def _refuse_size(archive: DirectoryArchive, index: int, entry: Entry) -> NoReturn:
    size = max(entry.stored_size, entry.raw_size)
    found = f"its size {size - (1 << 32)} is negative" if size >> 31 == 1 else f"its size is {size}"
    raise MalformedError(f"{archive.label(index)}: {found}; sizes are 0 to {MAX_SIZE}", "size", index)


def _header(data: memoryview, how: Format, *, lenient: bool) -> PathedHeader:
    """The header, when it and the directory's range hold."""
    signature, size, entry_size = data[:4].tobytes(), len(data), how.entry.size
    if signature != SIGNATURE:
        found = f"it starts with {signature!r}".replace(" b", " ")
        stranger = _STRANGERS.get(signature)
        raise MalformedError(
            f"not of format {how.name}: {found}{f', {stranger}' if stranger else ''}", "signature"
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
