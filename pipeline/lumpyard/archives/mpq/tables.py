"""The classic tables: hash table, block table and the high words of its positions.

    hash entry    u32, u32 the two hashes of the name, u16 locale, u16 platform, u32 block index
    block entry   u32 position, u32 stored size, u32 raw size, u32 flags
    high word     u16, of the position of the block of the same index

Hash and block table are encrypted, with the hashes of their names as keys; from version 2 on they may be packed, like a
single sector. A block index of 0xFFFFFFFF is an entry that was never used, 0xFFFFFFFE one whose file was deleted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import Finding
from lumpyard.archives.mpq.codecs.chain import decompress
from lumpyard.archives.mpq.crypt import decrypt, file_key
from lumpyard.archives.mpq.header import MAX_ENTRIES, SIZES, check_digest
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.records import U32, U64, column, layout, numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.archives.mpq.header import MpqHeader, Place

FLAG_IMPLODE = 0x00000100  # sectors are PKWARE streams
FLAG_COMPRESS = 0x00000200  # sectors start with a byte that says which methods
FLAG_ENCRYPTED = 0x00010000
FLAG_FIX_KEY = 0x00020000  # the key depends on position and raw size
FLAG_PATCH = 0x00100000  # not the file, but how an older one differs from it
FLAG_SINGLE_UNIT = 0x01000000  # one sector, whatever its size
FLAG_DELETED = 0x02000000  # says to patched archives that the file is gone
FLAG_SECTOR_CRC = 0x04000000  # each sector has an Adler-32
FLAG_EXISTS = 0x80000000

HASH_KEY = file_key(b"(hash table)")
BLOCK_KEY = file_key(b"(block table)")
FREE = 0xFFFFFFFF
DELETED = 0xFFFFFFFE  # and above: entries without a file
INDEX_BITS = 0x0FFFFFFF  # of a block index; the games ignore the others


class HashEntry(NamedTuple):
    """An entry of the hash table, in numbers of eight bytes."""

    name: U64  # both hashes, the first in the low half
    rest: U64  # locale, platform and block index, from the lowest bits up


class BlockEntry(NamedTuple):
    """An entry of the block table."""

    position: U32
    stored_size: U32
    raw_size: U32
    flags: U32


class Hashes(NamedTuple):
    """The hash table, by the column."""

    names: Sequence[int] = ()
    rest: Sequence[int] = ()


class Blocks(NamedTuple):
    """All blocks, by the column: an entry of each for every block index."""

    positions: Sequence[int] = ()  # from the start of the archive
    stored_sizes: Sequence[int] = ()
    raw_sizes: Sequence[int] = ()
    flags: Sequence[int] = ()

    def exists(self, block: int) -> bool:
        """Whether a block is a file, and one that was not deleted."""
        return self.flags[block] & (FLAG_EXISTS | FLAG_DELETED) == FLAG_EXISTS

    def present(self) -> Sequence[int]:
        """The indexes of the blocks that exist, in order."""
        mask = FLAG_EXISTS | FLAG_DELETED
        return [block for block, flags in enumerate(self.flags) if flags & mask == FLAG_EXISTS]


HASH_SIZE = layout(HashEntry).size
BLOCK_SIZE = layout(BlockEntry).size
_HIGH_WORD_SIZE = 2
_PACKED_SINCE = 2  # format version


def stored_table(data: memoryview, header: MpqHeader, what: str, place: Place, size: int) -> memoryview:
    """The bytes of a table in the file: `size`, or fewer where it is packed.

    How many those are says version 4, and else the place of the next structure. MalformedError when the table starts in
    the header (its name as code), or reaches past the end of the file (code `truncated`); in version 1 it may.
    """
    start = header.at(place.offset)
    if place.offset < SIZES[header.version]:
        code = f"{what.lower()}-table"
        raise MalformedError(f"the {what} table starts in the header, at byte {place.offset}", code)
    if header.version == 1:
        stored_size = size
    elif place.stored_size is not None:
        stored_size = place.stored_size
    else:
        stored_size = min(size, _gap(header, place, len(data)))
    if start > len(data) or (header.version > 1 and start + stored_size > len(data)):
        found = f"its {what} table has {stored_size} bytes from byte {start} on, and the file has {len(data)}"
        raise MalformedError(f"the file is truncated: {found}", "truncated")
    return data[start : start + stored_size]


def _gap(header: MpqHeader, place: Place, file_size: int) -> int:
    """Bytes from one table to the next structure, or to the end of the archive: that is how a packed one is known."""
    ends = [other.offset for other in header.tables() if other.offset > place.offset]
    if header.archive_size > place.offset:
        ends.append(header.archive_size)
    return min(ends, default=file_size - header.start) - place.offset


def unpacked_table(what: str, plain: bytes | memoryview, size: int) -> memoryview:
    """A table of so many bytes after decryption, unpacked where fewer are stored; its name is the code of errors."""
    if len(plain) >= size:
        return memoryview(plain)[:size]
    try:
        return memoryview(decompress(plain, size, version=_PACKED_SINCE))
    except (MalformedError, UnsupportedError) as error:
        message = (
            f"the {what} table has {size} bytes, and the {len(plain)} stored do not unpack to them: {error}"
        )
        raise MalformedError(message, f"{what.lower()}-table") from None


def decode_hashes(data: memoryview, header: MpqHeader, *, lenient: bool) -> tuple[Hashes, list[Finding]]:
    """The hash table, and warnings.

    MalformedError (`hash-table`, `truncated`) where the table does not hold.
    """
    entries = header.hash_entries
    if not entries:
        return Hashes(), []
    if entries & (entries - 1):
        message = f"the hash table is stated to have {entries} entries, which is no power of two"
        raise MalformedError(message, "hash-table")
    size = entries * HASH_SIZE
    stored = stored_table(data, header, "hash", header.hashes, size)
    if header.version == 1 and len(stored) < size:
        raise MalformedError(_truncated("hash", entries, len(stored) // HASH_SIZE), "truncated")
    warnings = list(check_digest("hash table", stored, header.hashes.digest, lenient=lenient))
    table = unpacked_table("hash", decrypt(stored[:size], HASH_KEY), size)
    return Hashes(column(HashEntry, table, "name"), column(HashEntry, table, "rest")), warnings


def decode_blocks(
    data: memoryview, header: MpqHeader, hashes: Hashes, *, lenient: bool
) -> tuple[Blocks, list[Finding]]:
    """The block table, and warnings.

    In version 1 a table that does not fit the file is cut to what hash entries use, as "protected" maps need it.
    MalformedError (`block-table`, `truncated`), UnsupportedError (`limit`).
    """
    entries, warnings = header.block_entries, list[Finding]()
    if not entries:
        return Blocks(), warnings
    stored = stored_table(data, header, "block", header.blocks, entries * BLOCK_SIZE)
    room = len(stored) // BLOCK_SIZE
    if header.version == 1 and room < entries:
        message = _truncated("block", entries, room)
        used = _used(hashes.rest, entries)
        if used > room and not lenient:
            raise MalformedError(f"{message}; entry {used - 1} is needed", "truncated")
        warnings.append(Finding("truncated", f"{message}; the others are ignored", None, "ok"))
        entries = min(used, room)
    if entries > MAX_ENTRIES:
        message = f"the block table is stated to have {entries} entries; at most {MAX_ENTRIES} are read"
        raise UnsupportedError(message, "limit")
    warnings += check_digest("block table", stored, header.blocks.digest, lenient=lenient)
    size = entries * BLOCK_SIZE
    table = unpacked_table("block", decrypt(stored[:size], BLOCK_KEY), size)
    positions = column(BlockEntry, table, "position")
    high_words, more = _decode_high_words(data, header, entries, lenient=lenient)
    if high_words:
        positions = tuple(low | high << 32 for low, high in zip(positions, high_words, strict=True))
    sizes = (column(BlockEntry, table, field) for field in ("stored_size", "raw_size", "flags"))
    return Blocks(positions, *sizes), warnings + more


def _used(rest: Sequence[int], entries: int) -> int:
    """One more than the highest block index in a hash table that is below the stated number of blocks."""
    indexes = (value >> 32 & INDEX_BITS for value in rest if value >> 32 < DELETED)
    return max((index + 1 for index in indexes if index < entries), default=0)


def _truncated(what: str, stated: int, found: int) -> str:
    return f"the file is truncated, or its header lies: of {stated} entries of the {what} table {found} are there"


def _decode_high_words(
    data: memoryview, header: MpqHeader, entries: int, *, lenient: bool
) -> tuple[tuple[int, ...], list[Finding]]:
    place = header.high_words
    if not place.offset:
        return (), []
    size = entries * _HIGH_WORD_SIZE
    stored = stored_table(data, header, "high-word", place, size)
    warnings = list(check_digest("high-word table", stored, place.digest, lenient=lenient))
    return numbers("H", unpacked_table("high-word", stored, size).tobytes()), warnings
