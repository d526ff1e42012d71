"""Reading an EWAD: `view` checks all metadata and reads no lump data, which is read on request.

A view holds the keys, 8 bytes each; everything else stays in the buffer, which is usually a map of the file.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from struct import Struct
from typing import TYPE_CHECKING

from lumpyard import lz4
from lumpyard.archives.ewad.checks import Block, check_block, check_header_hash, decode_header
from lumpyard.archives.ewad.records import ENTRY_SIZE, FLAG_LZ4, NO_NAME, EwadEntry
from lumpyard.archives.model import Lump, shown
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.hashing import content_hash, name_key
from lumpyard.records import field_offset, layout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

    from lumpyard.archives.ewad.records import EwadHeader
    from lumpyard.archives.model import Finding

_ENTRY = layout(EwadEntry)
_NAME_OFFSET = Struct(f"<{field_offset(EwadEntry, 'name_offset')}xI")  # an entry up to that field
# Entries checked at once: enough to make a column cheap, few enough to stay in the processor's cache, which took a
# quarter off the time of 65,536 at once (measured).
_BLOCK = 1 << 13
# Directory and string table together. Hashing more would take seconds to minutes, which a small file can
# cause (it may be sparse) and no game needs: 4 GiB are some 40 million lumps.
MAX_METADATA = 1 << 32
_GLANCE = 1 << 16  # entries that are checked where there is more


class EwadView:
    """An EWAD whose metadata holds; an `Archive`."""

    __slots__ = ("_lumps", "_seed", "data", "directory", "header", "keys", "table")

    def __init__(self, data: memoryview, header: EwadHeader) -> None:
        self.data = data
        self._lumps: list[Lump] | None = None
        self._seed = header.seed
        self.header = header
        self.directory = data[header.directory_offset :][: header.lumps * ENTRY_SIZE]
        self.table = data[header.table_offset :][: header.table_size]  # the string table
        self.keys = array("Q")  # of all entries, ascending

    @property
    def format(self) -> str:
        """EWAD."""
        return "EWAD"

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return len(self.data)

    @property
    def alignment(self) -> int:
        """What every lump's offset is a multiple of."""
        return self.header.alignment

    @property
    def seed(self) -> int:
        """Seed of the keys."""
        return self.header.seed

    @property
    def stripped(self) -> bool:
        """Whether there is no string table; so it is, too, in an archive without lumps."""
        return self.header.table_size == 0

    @property
    def archive_hash(self) -> int:
        """The header hash."""
        return self.header.header_hash

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """None: an EWAD is right or it is refused."""
        return ()

    @property
    def lumps(self) -> list[Lump]:
        """All entries in directory order; made when first asked for."""
        if self._lumps is None:
            self._lumps = list(map(self._lump, self.entries()))
        return self._lumps

    def entry(self, index: int) -> EwadEntry:
        """One entry of the directory."""
        return EwadEntry._make(_ENTRY.unpack_from(self.directory, index * ENTRY_SIZE))

    def entries(self) -> Iterator[EwadEntry]:
        """All entries, in directory order."""
        return map(EwadEntry._make, _ENTRY.iter_unpack(self.directory))

    def name(self, index: int) -> bytes | None:
        """The name of one lump; None in a stripped archive."""
        return self._name(self.entry(index).name_offset)

    def find(self, name: bytes) -> int | None:
        """Index of the lump of that name; in a stripped archive, of the one with the name's key."""
        index = self.find_key(name_key(name, self._seed))
        if index is None or not self.table:
            return index
        # One field and a copy of one name: a whole entry and a comparison in place take 1 µs more (measured).
        start = _NAME_OFFSET.unpack_from(self.directory, index * ENTRY_SIZE)[0]
        return index if bytes(self.table[start : start + len(name) + 1]) == name + b"\0" else None

    def find_key(self, key: int) -> int | None:
        """Index of the lump with that key."""
        keys = self.keys
        index = bisect_left(keys, key)
        return index if index < len(keys) and keys[index] == key else None

    def stored(self, index: int) -> memoryview:
        """The stored bytes of a lump, unchecked."""
        entry = self.entry(index)
        return self.data[entry.offset : entry.offset + entry.stored_size]

    def read(self, index: int) -> memoryview | bytes:
        """The raw bytes of a lump, checked by its content hash and decompressed.

        MalformedError when the hash differs (code `content-hash`) or the LZ4 block does not decode to exactly
        the raw size (code `lz4`).
        """
        entry, stored = self.entry(index), self.stored(index)
        found = content_hash(stored)
        if found != entry.content_hash:
            raise MalformedError(self.damage(index, found), "content-hash", index)
        return self.decode(index, stored) if entry.flags & FLAG_LZ4 else stored

    def decode(self, index: int, stored: memoryview) -> bytes:
        """The raw bytes of a compressed lump; its errors say which entry it is."""
        try:
            return lz4.decompress(stored, self.entry(index).raw_size)
        except (MalformedError, UnsupportedError) as error:
            raise type(error)(f"{self.label(index)}: {error}", error.code, index) from None

    def damage(self, index: int, found: int) -> str:
        """What to say of a lump whose stored bytes have another hash than its entry."""
        expected = self.entry(index).content_hash
        return f"{self.label(index)}: the content hash is {expected:016x}, but the bytes hash to {found:016x}"

    def label(self, index: int) -> str:
        """How messages call an entry: by its index, and its name or else its key."""
        name = self.name(index)
        return f"entry {index} ({shown(name) if name is not None else f'key {self.keys[index]:016x}'})"

    def _lump(self, entry: EwadEntry) -> Lump:
        return Lump(
            self._name(entry.name_offset),
            entry.offset,
            entry.stored_size,
            entry.raw_size,
            entry.key,
            entry.fourcc,
            entry.schema,
            entry.flags,
            entry.content_hash,
        )

    def _name(self, offset: int) -> bytes | None:
        if offset == NO_NAME:
            return None
        return bytes(self.table[offset : offset + 256]).partition(b"\0")[0]


def view(data: Buffer) -> EwadView:
    """An EWAD over a buffer, all its metadata checked and no lump data read.

    MalformedError or UnsupportedError with a stable code, and the entry where it is one's fault, in the
    specification's order.
    """
    buffer = memoryview(data).toreadonly().cast("B")
    header = decode_header(buffer)
    archive = EwadView(buffer, header)
    metadata_size = header.lumps * ENTRY_SIZE + header.table_size
    if metadata_size > MAX_METADATA:
        # A broken entry makes it malformed whatever its hash; so a sparse file gets its verdict without hours
        # of hashing.
        _check_entries(archive, most=_GLANCE)
        message = f"directory and names of {metadata_size} bytes are not read; the most is {MAX_METADATA}"
        raise UnsupportedError(message, "limit")
    check_header_hash(header, archive.directory, archive.table)
    reserved_flag = _check_entries(archive, most=header.lumps)
    if reserved_flag is not None:
        flags = archive.entry(reserved_flag).flags
        message = f"{archive.label(reserved_flag)}: the flags 0x{flags:04x} have a reserved bit set"
        raise UnsupportedError(message, "flags", reserved_flag)
    return archive


def _check_entries(archive: EwadView, most: int) -> int | None:
    """The first entry with a reserved flag, where the first entries' other rules hold; keeps their keys."""
    header, keys = archive.header, archive.keys
    reserved_flag = None
    for first in range(0, min(header.lumps, most), _BLOCK):
        entries = archive.directory[first * ENTRY_SIZE : (first + _BLOCK) * ENTRY_SIZE]
        key_before = keys[-1] if keys else -1
        block = Block(entries, first, key_before, archive.table, header.seed, header.alignment, archive.size)
        found, flagged = check_block(block)
        keys.extend(found)
        reserved_flag = flagged if reserved_flag is None else reserved_flag
    return reserved_flag
