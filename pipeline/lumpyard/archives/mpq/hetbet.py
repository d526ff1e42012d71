"""HET and BET: from version 3 on, hash and block table in one's own number of bits a field.

Both start with a signature, u32 1 and u32 the size of all that follows, which is encrypted (the keys are those of hash
and block table) and may be packed. What follows, in dwords:

    HET   its size, files, slots, bits of a name hash, bits of an index with and (extra bits) without what is not used,
          bytes of all indexes; then a byte a slot: the highest 8 bits of the name hash, 0 when free; then the indexes
    BET   its size, files, 16, bits of an entry; five first bits and five numbers of bits, of position, raw size,
          stored size, flag index and something unknown; bits of the rest of a name hash with extra bits, extra bits,
          without, bytes of all; number of flags; then the flags, the entries, the rests of the name hashes

Bits count from the lowest bit of the first byte. A name hash is the Jenkins hash of the name, cut to its bits, its
highest bit set.

Source: what StormLib 9 writes and reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.mpq.crypt import decrypt
from lumpyard.archives.mpq.header import MAX_ENTRIES, check_digest
from lumpyard.archives.mpq.tables import BLOCK_KEY, HASH_KEY, Blocks, stored_table, unpacked_table
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.records import U32, FourBytes, layout, numbers

if TYPE_CHECKING:
    from lumpyard.archives.model import Finding
    from lumpyard.archives.mpq.header import MpqHeader, Place

_MAX_SIZE = 1 << 26  # bytes of a table: room for the most entries, each of twice the widest one known
_MAX_BITS = 64  # of a field


class TableHead(NamedTuple):
    """What is in front of either table, not encrypted."""

    signature: FourBytes
    version: U32
    size: U32  # bytes of what follows, unpacked


class HetHead(NamedTuple):
    """The numbers at the start of a HET table."""

    size: U32
    files: U32
    slots: U32
    hash_bits: U32
    index_bits_total: U32
    index_bits_extra: U32
    index_bits: U32
    indexes_size: U32


class BetHead(NamedTuple):
    """The numbers at the start of a BET table; firsts and numbers of bits are of its entry."""

    size: U32
    files: U32
    unknown: U32
    entry_bits: U32
    position_first: U32
    raw_size_first: U32
    stored_size_first: U32
    flag_first: U32
    unknown_first: U32
    position_bits: U32
    raw_size_bits: U32
    stored_size_bits: U32
    flag_bits: U32
    unknown_bits: U32
    hash_bits_total: U32
    hash_bits_extra: U32
    hash_bits: U32
    hashes_size: U32
    flags: U32


class Het(NamedTuple):
    """A HET table; `slots` maps the highest 8 bits of a hash, and in turn the index of its file."""

    hash_bits: int
    slots: tuple[
        tuple[int, int], ...
    ]  # of each used slot: highest 8 bits of the name hash, index of the file


class Bet(NamedTuple):
    """A BET table."""

    blocks: Blocks
    hash_bits: int  # of each rest
    rests: tuple[int, ...]  # of the name hashes, without the highest 8 bits


def decode_het(data: memoryview, header: MpqHeader, *, lenient: bool) -> tuple[Het, list[Finding]]:
    """The HET table, and warnings; MalformedError (code `het-table`), UnsupportedError (code `limit`)."""
    table, warnings = _table(data, header, "HET", header.het, HASH_KEY, lenient=lenient)
    _check_size("HET", len(table), layout(HetHead).size)
    head = HetHead._make(layout(HetHead).unpack_from(table))
    _check_entries("HET", max(head.files, head.slots))
    if not 8 <= head.hash_bits <= _MAX_BITS or not head.index_bits <= head.index_bits_total <= _MAX_BITS:
        found = f"hashes of {head.hash_bits} bits, indexes of {head.index_bits} in {head.index_bits_total}"
        raise MalformedError(f"the HET table has {found}", "het-table")
    firsts_end = layout(HetHead).size + head.slots
    _check_size("HET", len(table), firsts_end + _bytes_of(head.slots * head.index_bits_total))
    firsts = table[layout(HetHead).size : firsts_end].tobytes()
    bits = _Bits(table[firsts_end:])
    mask = (1 << head.index_bits) - 1
    slots = tuple(
        (first, bits.get(slot * head.index_bits_total, head.index_bits_total) & mask)
        for slot, first in enumerate(firsts)
        if first
    )
    return Het(head.hash_bits, slots), warnings


def decode_bet(data: memoryview, header: MpqHeader, *, lenient: bool) -> tuple[Bet, list[Finding]]:
    """The BET table, and warnings; MalformedError (code `bet-table`), UnsupportedError (code `limit`)."""
    table, warnings = _table(data, header, "BET", header.bet, BLOCK_KEY, lenient=lenient)
    _check_size("BET", len(table), layout(BetHead).size)
    head = BetHead._make(layout(BetHead).unpack_from(table))
    _check_entries("BET", max(head.files, head.flags))
    _check_fields(head)
    flags_end = layout(BetHead).size + 4 * head.flags
    entries_end = flags_end + _bytes_of(head.files * head.entry_bits)
    _check_size("BET", len(table), entries_end + _bytes_of(head.files * head.hash_bits_total))
    flags = numbers("I", table[layout(BetHead).size : flags_end].tobytes())
    blocks = _blocks(head, _Bits(table[flags_end:entries_end]), flags)
    bits = _Bits(table[entries_end:])
    rests = tuple(bits.get(index * head.hash_bits_total, head.hash_bits) for index in range(head.files))
    return Bet(blocks, head.hash_bits, rests), warnings


def _check_fields(head: BetHead) -> None:
    firsts = (head.position_first, head.raw_size_first, head.stored_size_first, head.flag_first)
    widths = (head.position_bits, head.raw_size_bits, head.stored_size_bits, head.flag_bits)
    for first, width in zip(firsts, widths, strict=True):
        if width > _MAX_BITS or first + width > head.entry_bits:
            found = f"a field of {width} bits at bit {first} of an entry of {head.entry_bits} bits"
            raise MalformedError(f"the BET table has {found}", "bet-table")
    if not head.hash_bits <= head.hash_bits_total <= _MAX_BITS:
        found = f"name hashes of {head.hash_bits} bits in {head.hash_bits_total}"
        raise MalformedError(f"the BET table has {found}", "bet-table")


def _blocks(head: BetHead, bits: _Bits, flags: tuple[int, ...]) -> Blocks:
    firsts = range(0, head.files * head.entry_bits, head.entry_bits) if head.entry_bits else [0] * head.files
    flag_indexes = [bits.get(first + head.flag_first, head.flag_bits) for first in firsts]
    if flag_indexes and max(flag_indexes) >= max(len(flags), 1):
        found = f"flags {max(flag_indexes)} of {len(flags)}"
        raise MalformedError(f"the BET table has an entry with {found}", "bet-table")
    return Blocks(
        [bits.get(first + head.position_first, head.position_bits) for first in firsts],
        [bits.get(first + head.stored_size_first, head.stored_size_bits) for first in firsts],
        [bits.get(first + head.raw_size_first, head.raw_size_bits) for first in firsts],
        [flags[index] if flags else 0 for index in flag_indexes],
    )


def _table(
    data: memoryview, header: MpqHeader, what: str, place: Place, key: int, *, lenient: bool
) -> tuple[memoryview, list[Finding]]:
    """A table without what is in front of it, decrypted and unpacked."""
    code = f"{what.lower()}-table"
    stored = stored_table(data, header, what, place, len(data))
    head_size = layout(TableHead).size
    _check_size(what, len(stored), head_size)
    head = TableHead._make(layout(TableHead).unpack_from(stored))
    if head.signature != what.encode() + b"\x1a" or head.version != 1:
        found = f"{head.signature!r}, version {head.version}"
        raise MalformedError(f"the {what} table starts with {found}, not with {what!r} and 1", code)
    if head.size > _MAX_SIZE:
        message = f"the {what} table is stated to have {head.size} bytes; at most {_MAX_SIZE} are read"
        raise UnsupportedError(message, "limit")
    warnings = list(check_digest(f"{what} table", stored, place.digest, lenient=lenient))
    return unpacked_table(what, decrypt(stored[head_size:], key), head.size), warnings


def _check_size(what: str, size: int, needed: int) -> None:
    if size < needed:
        message = f"the {what} table has {size} bytes, and needs {needed} for what it says it holds"
        raise MalformedError(message, f"{what.lower()}-table")


def _check_entries(what: str, entries: int) -> None:
    if entries > MAX_ENTRIES:
        message = f"the {what} table is stated to have {entries} entries; at most {MAX_ENTRIES} are read"
        raise UnsupportedError(message, "limit")


def _bytes_of(bits: int) -> int:
    return (bits + 7) // 8


class _Bits:
    """Numbers of any width at any bit of some bytes."""

    def __init__(self, data: memoryview) -> None:
        self._data = bytes(data)

    def get(self, first: int, width: int) -> int:
        """The number in `width` bits from bit `first` on."""
        packed = self._data[first >> 3 : first + width + 7 >> 3]
        return int.from_bytes(packed, "little") >> (first & 7) & ((1 << width) - 1)
