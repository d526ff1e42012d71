"""What must hold of an EWAD's metadata, in the specification's order.

The header's rules come first, then the header hash, then the entries' rules, each over a block of entries at
once: a column of 8,192 numbers is checked in C, and only a column that fails is searched for its first
culprit. A reserved flag is the last rule, and the only one of the entries' that makes an archive unsupported
rather than malformed.

Source: "WAD Format", section Validation.
"""

from __future__ import annotations

from itertools import accumulate, compress
from operator import add, lt, ne
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from lumpyard.archives.ewad.records import (
    ENTRY_SIZE,
    FLAG_LZ4,
    HEADER_SIZE,
    MAX_ALIGNMENT,
    MAX_NAME_SIZE,
    NO_NAME,
    SIGNATURE,
    VERSION,
    EwadEntry,
    EwadHeader,
)
from lumpyard.archives.model import shown
from lumpyard.errors import MalformedError
from lumpyard.hashing import content_hash_parts, name_keys
from lumpyard.records import column, column_bytes, layout, numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def decode_header(data: memoryview) -> EwadHeader:
    """The header, when it and the ranges that it states hold.

    MalformedError with the codes, in this order, `signature`, `header`, `version`, `alignment`, `reserved`, `directory`
    and `table`.
    """
    if data[:4] != SIGNATURE:
        raise MalformedError(f"not an EWAD: it starts with {repr(data[:4].tobytes())[1:]}", "signature")
    size = len(data)
    if size < HEADER_SIZE:
        raise MalformedError(f"the file has {size} bytes; an EWAD header has {HEADER_SIZE}", "header")
    header = EwadHeader._make(layout(EwadHeader).unpack(data[:HEADER_SIZE]))
    if header.version != VERSION:
        raise MalformedError(f"EWAD version {header.version}; {VERSION} is the only one there is", "version")
    if header.alignment.bit_count() != 1 or header.alignment > MAX_ALIGNMENT:
        raise MalformedError(
            f"alignment {header.alignment} is not a power of two from 1 to 2^30", "alignment"
        )
    if header.reserved:
        raise MalformedError(f"the header's reserved bytes hold 0x{header.reserved:x}, not zero", "reserved")
    directory_size = header.lumps * ENTRY_SIZE
    _check_range("directory", header.directory_offset, directory_size, size)
    _check_range("table", header.table_offset, header.table_size, size)
    return header


def _check_range(code: str, offset: int, size: int, file_size: int) -> None:
    what = {"directory": "directory", "table": "string table"}[code]
    if offset < HEADER_SIZE:
        raise MalformedError(f"the {what} starts in the header, at byte {offset}", code)
    if offset + size > file_size:
        found = f"{size} bytes at {offset} in a file of {file_size} bytes"
        raise MalformedError(f"the {what} reaches past the end of the file ({found})", code)


def check_header_hash(header: EwadHeader, directory: memoryview, table: memoryview) -> None:
    """MalformedError (code `header-hash`) unless header, directory and string table are what the header hash says."""
    packed = layout(EwadHeader).pack(*header._replace(header_hash=0))
    found = content_hash_parts((packed, directory, table))
    if found != header.header_hash:
        message = f"the header hash is {header.header_hash:016x}, but the metadata hashes to {found:016x}"
        raise MalformedError(message, "header-hash")


class Block(NamedTuple):
    """Some neighbouring entries of a directory, and what their rules refer to."""

    entries: memoryview
    first: int  # directory index of the first
    key_before: int  # of the entry before; -1 when there is none
    table: memoryview  # the whole string table
    seed: int
    alignment: int
    file_size: int


def check_block(block: Block) -> tuple[Sequence[int], int | None]:
    """The keys of a block, and the directory index of the first entry with a reserved flag, None for none.

    MalformedError with the first culprit for all other rules, in this order.
    """
    reserved = column_bytes(EwadEntry, block.entries, "reserved")
    if reserved.count(0) != len(reserved):
        index = _first(column(EwadEntry, block.entries, "reserved"))
        _fail(block, index, "reserved", "its reserved bytes are not zero")
    keys = column(EwadEntry, block.entries, "key")
    _check_order(block, keys)
    _check_data(block)
    name_offsets = column(EwadEntry, block.entries, "name_offset")
    if len(block.table):
        _check_names(block, keys, name_offsets)
    elif name_offsets.count(NO_NAME) != len(name_offsets):
        index = _first(offset != NO_NAME for offset in name_offsets)
        _fail(
            block,
            index,
            "name",
            f"it has the name offset {name_offsets[index]}, but there is no string table",
        )
    return keys, _check_flags(block)


def _check_order(block: Block, keys: Sequence[int]) -> None:
    if keys[0] > block.key_before and all(map(lt, keys, keys[1:])):
        return
    before = (block.key_before, *keys)
    index = _first(not lt(*pair) for pair in zip(before, keys, strict=False))
    _fail(
        block, index, "order", f"its key {keys[index]:016x} is not above the key before, {before[index]:016x}"
    )


def _check_data(block: Block) -> None:
    """Where the stored bytes are: sums are exact, whatever 64-bit fields hold."""
    packed = column_bytes(EwadEntry, block.entries, "offset")
    offsets = numbers("Q", packed)
    mask = block.alignment - 1
    # One `and` over the whole column as a single number: 1 ns an entry, 30 ns in a loop.
    if int.from_bytes(packed, "little") & int.from_bytes(mask.to_bytes(8, "little") * len(offsets), "little"):
        index = _first(offset & mask for offset in offsets)
        _fail(block, index, "offset", f"its offset {offsets[index]} is not a multiple of {block.alignment}")
    sizes = column(EwadEntry, block.entries, "stored_size")
    if max(map(add, offsets, sizes)) > block.file_size:
        index = _first(end > block.file_size for end in map(add, offsets, sizes))
        found = f"{sizes[index]} bytes at {offsets[index]} in a file of {block.file_size} bytes"
        _fail(block, index, "range", f"it reaches past the end of the file ({found})")
    if min(offsets) < HEADER_SIZE and any(map(_in_header, offsets, sizes)):
        index = _first(map(_in_header, offsets, sizes))
        _fail(block, index, "offset", f"its {sizes[index]} bytes at {offsets[index]} lie in the header")


def _in_header(offset: int, size: int) -> bool:
    return offset < HEADER_SIZE and size > 0


def _check_names(block: Block, keys: Sequence[int], offsets: tuple[int, ...]) -> None:
    names = _neighbours(block, offsets)
    if not names:
        names = [_name(block, index, offset) for index, offset in enumerate(offsets)]
    found = name_keys(names, block.seed)
    if found != list(keys):
        index = _first(map(ne, found, keys))
        message = f"its key is {keys[index]:016x}, but its name {shown(names[index])} has"
        _fail(block, index, "key", f"{message} {found[index]:016x}")


def _neighbours(block: Block, offsets: tuple[int, ...]) -> list[bytes]:
    """The names of a block where they stand back to back in the entries' order, else none."""
    start, last = offsets[0], offsets[-1]
    end = last + bytes(block.table[last : last + MAX_NAME_SIZE + 1]).find(b"\0")
    if not 0 < end - start <= (MAX_NAME_SIZE + 1) * len(offsets):
        return []
    names = bytes(block.table[start:end]).split(b"\0")
    spans = [len(name) + 1 for name in names]
    starts = tuple(accumulate(spans, initial=start))
    sound = starts[:-1] == offsets and min(spans) > 1 and max(spans) <= MAX_NAME_SIZE + 1
    return names if sound else []


def _name(block: Block, index: int, offset: int) -> bytes:
    """One entry's name, wherever it stands in the table."""
    if offset >= len(block.table):
        size = len(block.table)
        _fail(block, index, "name", f"its name offset {offset} is outside the string table of {size} bytes")
    name, nul, _ = bytes(block.table[offset : offset + MAX_NAME_SIZE + 1]).partition(b"\0")
    if not name:
        _fail(block, index, "name", f"its name, at {offset} in the string table, is empty")
    if not nul and len(name) > MAX_NAME_SIZE:
        _fail(block, index, "name", f"its name, at {offset} in the string table, is longer than 255 bytes")
    if not nul:
        _fail(block, index, "name", f"its name, at {offset} in the string table, has no NUL in it")
    return name


def _check_flags(block: Block) -> int | None:
    """The first reserved flag's index; MalformedError where sizes differ without compression."""
    flags = column(EwadEntry, block.entries, "flags")
    raw = column_bytes(EwadEntry, block.entries, "raw_size")
    stored = column_bytes(EwadEntry, block.entries, "stored_size")
    if raw != stored:
        _check_raw_sizes(block, numbers("Q", raw), numbers("Q", stored), flags)
    if max(flags) <= FLAG_LZ4:
        return None
    return block.first + _first(flag > FLAG_LZ4 for flag in flags)


def _check_raw_sizes(block: Block, raw: Sequence[int], stored: Sequence[int], flags: Sequence[int]) -> None:
    if all(map(FLAG_LZ4.__and__, compress(flags, map(ne, raw, stored)))):
        return
    index = _first(r != s and not f & FLAG_LZ4 for r, s, f in zip(raw, stored, flags, strict=True))
    found = f"raw size {raw[index]} but stored size {stored[index]}"
    _fail(block, index, "raw", f"it has {found}, and is not compressed")


def _first(culprits: Iterable[object]) -> int:
    return next(index for index, culprit in enumerate(culprits) if culprit)


def _fail(block: Block, index: int, code: str, message: str) -> NoReturn:
    entry = block.first + index
    raise MalformedError(f"entry {entry}: {message}", code, entry)
