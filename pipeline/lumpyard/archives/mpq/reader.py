"""Reading an MPQ: `view` decodes and checks the tables; names and files are read on request.

An archive does not change once it is open: what is remembered later (names, checksums, the names under which entries
were found) is what any thread would find again. Entries are the blocks that exist, in the order of the block table.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from lumpyard.archives.model import Finding, Lump, shown
from lumpyard.archives.mpq.attributes import Attributes, decode_attributes
from lumpyard.archives.mpq.crypt import file_key
from lumpyard.archives.mpq.directory import decode_directory
from lumpyard.archives.mpq.files import StoredFile, read_file, read_range
from lumpyard.archives.mpq.names import (
    ATTRIBUTES,
    LISTFILE,
    MAX_LISTFILE,
    SPECIAL,
    known_names,
    most_names,
    parse_listfile,
)
from lumpyard.archives.mpq.tables import FLAG_ENCRYPTED, FLAG_FIX_KEY
from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typing_extensions import Buffer

    from lumpyard.archives.mpq.directory import Directory


class MpqView:
    """An MPQ whose tables hold; an `Archive`."""

    format = "MPQ"
    alignment = None  # files stand anywhere
    seed = None  # hashes of names have none
    stripped = False  # no MPQ has names in its tables
    archive_hash = None  # it has no identity of its own

    def __init__(self, data: memoryview, directory: Directory, names: Sequence[bytes]) -> None:
        self.data = data
        self.header, self.blocks, self._lookup, self._table_warnings = directory
        self._given = names  # that the caller knows
        self._present = self.blocks.present()  # the block of each entry
        self._found: dict[int, bytes] = {}  # by block, names that are in no list but were looked up

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return len(self.data)

    @property
    def warnings(self) -> list[Finding]:
        """What is odd about the tables, `(listfile)` and `(attributes)`."""
        twins = [self._twin(*pair) for pair in self._lookup.twins]
        return [*self._table_warnings, *twins, *self._listed[1], *self._attributes[1]]

    @property
    def lumps(self) -> list[Lump]:
        """All files that exist, in the order of the block table; made when first asked for."""
        return self._lumps

    @cached_property
    def _lumps(self) -> list[Lump]:
        return list(map(self._lump, range(len(self._present))))

    def find(self, name: bytes) -> int | None:
        """Index of the file of a name: ASCII case is ignored and `/` is a backslash.

        Of several locales it is the neutral one, else the first in probe order. MalformedError (code `hash-entry`) when
        the name is there but leads to a block that does not exist.
        """
        block = self._lookup.find(name)
        if block is None:
            return None
        if self.blocks.flags[block] & FLAG_ENCRYPTED:
            self._found.setdefault(block, name)  # its key
        return self._entry(block)

    def name(self, index: int) -> bytes | None:
        """The name of a file, None where no list has it."""
        return self._names.get(self._present[index])

    def locale(self, index: int) -> int:
        """The locale of a file, a Windows language id; 0 is the neutral one."""
        return self._lookup.locales.get(self._present[index], 0)

    def label(self, index: int) -> str:
        """How messages call an entry: by its index, its name or else the hash of it, and its locale."""
        name, key = self.name(index), self._lookup.keys.get(self._present[index])
        called = shown(name) if name is not None else "no name" if key is None else f"key {key:016x}"
        locale = self.locale(index)
        return f"entry {index} ({called}{f', locale 0x{locale:04x}' if locale else ''})"

    def stored(self, index: int) -> memoryview:
        """The stored bytes of a file, unchecked; MalformedError (code `range`) where they are not all there."""
        try:
            return self._stored(self._present[index])
        except MalformedError as error:
            raise self._of_entry(error, index) from None

    def read(self, index: int) -> memoryview | bytes:
        """The raw bytes of a file, exactly its raw size, checked by what checksums there are.

        MalformedError and UnsupportedError with the entry; docs/mpq.md has the codes.
        """
        try:
            raw, lossy = read_file(self._file(index))
            if not lossy:
                self._attributes[0].check(self._present[index], raw)
        except ArchiveError as error:
            raise self._of_entry(error, index) from None
        return raw

    def read_range(self, index: int, start: int, size: int) -> memoryview | bytes:
        """Raw bytes from `start` on, fewer than `size` only at the end of the file; errors as in `read`.

        Only sectors with some of these bytes are decoded, so checksums of the whole file are not checked.
        """
        file_size = self.blocks.raw_sizes[self._present[index]]
        start = min(max(start, 0), file_size)
        try:
            return read_range(self._file(index), start, min(max(size, 0), file_size - start)).data
        except ArchiveError as error:
            raise self._of_entry(error, index) from None

    def _entry(self, block: int) -> int:
        """The index of a block that exists."""
        return bisect_left(self._present, block)

    def _stored(self, block: int) -> memoryview:
        start = self.header.at(self.blocks.positions[block])
        end = start + self.blocks.stored_sizes[block]
        if end > len(self.data):
            found = f"its bytes are stated to be from {start} to {end}, and the file has {len(self.data)}"
            raise MalformedError(found, "range")
        return self.data[start:end]

    def _lump(self, index: int) -> Lump:
        block, blocks = self._present[index], self.blocks
        return Lump(
            self.name(index),
            self.header.at(blocks.positions[block]),
            blocks.stored_sizes[block],
            blocks.raw_sizes[block],
            self._lookup.keys.get(block),
            flags=blocks.flags[block],
        )

    def _file(self, index: int, name: bytes | None = None) -> StoredFile:
        block, blocks = self._present[index], self.blocks
        flags, raw_size = blocks.flags[block], blocks.raw_sizes[block]
        key = None
        if flags & FLAG_ENCRYPTED:
            name = name or self._found.get(block) or self.name(index)
            if name is not None:
                key = file_key(name)
                if flags & FLAG_FIX_KEY:
                    key = (key + blocks.positions[block] & 0xFFFFFFFF) ^ raw_size & 0xFFFFFFFF
        return StoredFile(
            self._stored(block), raw_size, flags, key, self.header.sector_size, self.header.version
        )

    def _of_entry(self, error: ArchiveError, index: int) -> ArchiveError:
        return type(error)(f"{self.label(index)}: {error}", error.code, index)

    def _twin(self, first: int, second: int) -> Finding:
        entry = self._entry(second)
        other = self.label(self._entry(first))
        message = f"{self.label(entry)}: it has the same name and locale as {other}; the first in probe order is read"
        return Finding("duplicate", message, entry, "ok")

    @cached_property
    def _names(self) -> dict[int, bytes]:
        """Names by block."""
        return known_names(self._lookup, (*SPECIAL, *self._listed[0], *self._given))

    @cached_property
    def _listed(self) -> tuple[Sequence[bytes], list[Finding]]:
        """The names that the archive lists, and what is wrong with the list."""
        text, warnings = self._read_special(LISTFILE)
        most = most_names(len(self.blocks.flags))
        listed = list(islice(parse_listfile(text), most + 1))
        if len(listed) > most:
            error = UnsupportedError(f"it has more than {most} names; the others are not tried", "limit")
            warnings = [self._unread(LISTFILE, error)]
        return listed[:most], warnings

    @cached_property
    def _attributes(self) -> tuple[Attributes, list[Finding]]:
        """The checksums that the archive has of its files, and what is wrong with them."""
        data, warnings = self._read_special(ATTRIBUTES)
        if not data:
            return Attributes(), warnings
        try:
            return decode_attributes(data, len(self.blocks.flags)), warnings
        except MalformedError as error:
            return Attributes(), [self._unread(ATTRIBUTES, error)]

    def _read_special(self, name: bytes) -> tuple[bytes | memoryview, list[Finding]]:
        """The bytes of a file with facts about others; none where it cannot be read, which is a warning."""
        try:
            block = self._lookup.find(name)
            if block is None:
                return b"", []
            index = self._entry(block)
            if self.blocks.raw_sizes[block] > MAX_LISTFILE:
                message = f"it has {self.blocks.raw_sizes[block]} bytes; at most {MAX_LISTFILE} are read"
                raise UnsupportedError(message, "limit")
            return read_file(self._file(index, name)).data, []
        except ArchiveError as error:
            return b"", [self._unread(name, error)]

    def _unread(self, name: bytes, error: ArchiveError) -> Finding:
        block = None
        if error.code != "hash-entry":
            block = self._lookup.find(name)
        message = f"{shown(name)} is not read, or not whole: {error}"
        return Finding(error.code, message, None if block is None else self._entry(block), "ok")


def view(data: Buffer, *, lenient: bool = False, names: Iterable[bytes] = ()) -> MpqView:
    """An MPQ over a buffer, its tables decoded and checked, no file read.

    `names` are tried besides those that the archive lists. Lenient, a block table that does not fit the file is cut
    also where names lead to what is missing, and MD5 digests of header and tables that are wrong are warnings.
    MalformedError or UnsupportedError with a stable code (docs/mpq.md).
    """
    buffer = memoryview(data).toreadonly().cast("B")
    return MpqView(buffer, decode_directory(buffer, lenient=lenient), tuple(names))
