"""From a name to its block: a probe of the hash table, or the HET table.

A name leads to the first entry in probe order that has its two hashes, the neutral locale and a block that exists;
where there is no neutral one, to the first of any locale. The probe starts where the name's first hash says, goes round
at most once, and ends at an entry that was never used. It is not walked: what it would meet is known from a dictionary,
so that a full table of junk costs no time.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from lumpyard.archives.model import shown
from lumpyard.archives.mpq.crypt import NameHasher, name_hash, start_hash
from lumpyard.archives.mpq.jenkins import jenkins_hash
from lumpyard.archives.mpq.tables import DELETED, FREE, INDEX_BITS
from lumpyard.errors import MalformedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.archives.mpq.hetbet import Bet, Het
    from lumpyard.archives.mpq.tables import Blocks, Hashes

# Hash entries of one name that are looked at; there are about as many locales as languages.
_MOST_OF_ONE_NAME = 256
_LOCALE_BITS = 0xFFFF
_PLATFORM_BITS = 0xFFFF0000
_FIRST_UNUSED = DELETED << 32  # the first number with a block index of no file
_FIRST_FREE = FREE << 32


class Lookup(Protocol):
    """How names lead to blocks."""

    @property
    def keys(self) -> dict[int, int]:
        """For each block that a name leads to, the hash of the name (u64)."""
        ...

    @property
    def locales(self) -> dict[int, int]:
        """For each block with a locale other than the neutral one, that locale (a Windows language id)."""
        ...

    @property
    def twins(self) -> Sequence[tuple[int, int]]:
        """Pairs of existing blocks of the same name and locale; a name leads to one of them."""
        ...

    def find(self, name: bytes) -> int | None:
        """The block of a name, None when it has none.

        MalformedError (code `hash-entry`) when the entry that it leads to has a block index that does not exist.
        """
        ...

    def known(self, names: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """Each existing block of each name, with the name."""
        ...


class HashLookup:
    """The hash table."""

    __slots__ = (
        "_blocks",
        "_free",
        "_keys",
        "_mask",
        "_names",
        "_rest",
        "_slots",
        "_used",
        "locales",
        "twins",
    )

    def __init__(self, hashes: Hashes, blocks: Blocks) -> None:
        names, rest = hashes
        self._blocks = blocks
        self._rest = rest
        self._mask = len(rest) - 1
        used = [slot for slot, value in enumerate(rest) if value < _FIRST_UNUSED]
        self._free = [slot for slot, value in enumerate(rest) if value >= _FIRST_FREE]
        self._slots: dict[int, int | list[int]] = dict(zip([names[slot] for slot in used], used, strict=True))
        if len(self._slots) < len(used):
            self._gather(names, used)
        self._names = names
        self._used = used
        self._keys: dict[int, int] | None = None
        foreign = [slot for slot in used if rest[slot] & _LOCALE_BITS]
        self.locales = {rest[slot] >> 32 & INDEX_BITS: rest[slot] & _LOCALE_BITS for slot in foreign}
        self.twins = list(self._twins()) if len(self._slots) < len(used) else []

    @property
    def keys(self) -> dict[int, int]:
        """As in `Lookup`; made when first asked for."""
        if self._keys is None:
            rest, names = self._rest, self._names
            self._keys = {rest[slot] >> 32 & INDEX_BITS: names[slot] for slot in reversed(self._used)}
        return self._keys

    def find(self, name: bytes) -> int | None:
        """As in `Lookup`."""
        chosen = None
        for slot in self._probed(name, name_hash(name)):
            block = self._block(slot)
            if block < len(self._blocks.flags) and not self._blocks.exists(block):
                continue
            if not self._rest[slot] & _LOCALE_BITS:
                chosen = slot
                break
            chosen = slot if chosen is None else chosen
        if chosen is None:
            return None
        block = self._block(chosen)
        if block >= len(self._blocks.flags):
            message = (
                f"{shown(name)}: its hash entry is of block {block}, and there are {len(self._blocks.flags)}"
            )
            raise MalformedError(message, "hash-entry")
        return block

    def known(self, names: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """As in `Lookup`."""
        hasher = NameHasher()
        for name in names:
            hashed = hasher(name)
            found = self._slots.get(hashed, ())
            for slot in [found] if isinstance(found, int) else found:
                if self._exists(slot):
                    yield self._block(slot), name

    def wild(self) -> int | None:
        """The first slot whose block index does not exist, None when all do."""
        limit = len(self._blocks.flags)
        return next((slot for slot in self._used if self._rest[slot] >> 32 & INDEX_BITS >= limit), None)

    def _probed(self, name: bytes, hashed: int) -> list[int]:
        """The slots with a name's hashes in the order in which a probe meets them."""
        found = self._slots.get(hashed)
        if found is None:
            return []
        slots = [found] if isinstance(found, int) else found
        start = start_hash(name) & self._mask
        length = self._mask + 1  # of the probe
        if self._free:
            free = bisect_left(self._free, start)
            length = (self._free[free % len(self._free)] - start) & self._mask
        distances = sorted((slot - start) & self._mask for slot in slots)
        return [(start + distance) & self._mask for distance in distances if distance < length]

    def _block(self, slot: int) -> int:
        return self._rest[slot] >> 32 & INDEX_BITS

    def _exists(self, slot: int) -> bool:
        block = self._block(slot)
        return block < len(self._blocks.flags) and self._blocks.exists(block)

    def _gather(self, names: Sequence[int], used: list[int]) -> None:
        """Lists of slots for names that have several."""
        self._slots = {}
        for slot in used:
            found = self._slots.setdefault(names[slot], slot)
            if isinstance(found, list):
                if len(found) < _MOST_OF_ONE_NAME:
                    found.append(slot)
            elif found != slot:
                self._slots[names[slot]] = [found, slot]

    def _twins(self) -> Iterator[tuple[int, int]]:
        for found in self._slots.values():
            if isinstance(found, list):
                alike: dict[int, list[int]] = {}
                for slot in filter(self._exists, found):
                    alike.setdefault(self._rest[slot] & (_LOCALE_BITS | _PLATFORM_BITS), []).append(
                        self._block(slot)
                    )
                for blocks in alike.values():
                    yield from pairwise(blocks)


class HetLookup:
    """The HET table with the rests of the hashes in the BET table; it has no locales."""

    __slots__ = ("_blocks", "_found", "_hash_bits", "keys", "locales", "twins")

    def __init__(self, het: Het, bet: Bet) -> None:
        """MalformedError (code `het-table`) where the two tables do not fit each other."""
        if het.hash_bits != bet.hash_bits + 8:
            found = f"{het.hash_bits} bits, and the BET table the last {bet.hash_bits} of them instead of all but 8"
            raise MalformedError(f"the HET table has name hashes of {found}", "het-table")
        self._blocks = bet.blocks
        self._hash_bits = het.hash_bits
        self._found: dict[int, int] = {}
        self.twins: list[tuple[int, int]] = []
        self.locales: dict[int, int] = {}
        for first, block in het.slots:
            if block < len(bet.rests):
                before = self._found.setdefault(first << bet.hash_bits | bet.rests[block], block)
                if before != block and bet.blocks.exists(before) and bet.blocks.exists(block):
                    self.twins.append((before, block))
            elif first != _HET_DELETED:
                message = f"the HET table has an entry for file {block}, and the BET table has {len(bet.rests)} files"
                raise MalformedError(message, "het-table")
        self.keys = {block: hashed for hashed, block in self._found.items()}

    def find(self, name: bytes) -> int | None:
        """As in `Lookup`."""
        block = self._found.get(self._hash(name))
        return block if block is not None and self._blocks.exists(block) else None

    def known(self, names: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """As in `Lookup`."""
        for name in names:
            block = self.find(name)
            if block is not None:
                yield block, name

    def _hash(self, name: bytes) -> int:
        return jenkins_hash(name) & ((1 << self._hash_bits) - 1) | 1 << self._hash_bits - 1


_HET_DELETED = 0x80  # in place of the highest 8 bits of a hash; real ones may look the same
