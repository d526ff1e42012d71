"""A file's raw bytes from its stored ones: sectors, their table and checksums, keys, single units.

A compressed file starts with a table of u32 offsets from its own start: one for each sector and one for the end of the
last; with sector checksums one more, and behind the last sector stand Adler-32 numbers (of stored, decrypted bytes,
started with 0, not 1), one a sector, themselves packed. A sector that is as long as its raw bytes is not compressed. A
single unit is one sector without a table. A file that is not compressed is cut into sectors only to be encrypted.

The rule is: every sector decodes to exactly its raw size and the file to exactly its own, or it is malformed. There is
never a part of a file, nor anything in place of what is damaged. Errors here have no label; the reader adds it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from zlib import adler32

from lumpyard.archives.mpq.codecs.chain import decompress, imploded
from lumpyard.archives.mpq.crypt import decrypt, keys_for
from lumpyard.archives.mpq.tables import (
    FLAG_COMPRESS,
    FLAG_ENCRYPTED,
    FLAG_IMPLODE,
    FLAG_PATCH,
    FLAG_SECTOR_CRC,
    FLAG_SINGLE_UNIT,
)
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.records import numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

_ADPCM = 0x80 | 0x40  # methods that lose something
_NO_CHECKSUMS = frozenset({0, 0xFFFFFFFF})  # stand for a sector without one
# A file above this is read only when its raw size is plausible: no more than so many times its stored size.
_ALWAYS_READ = 1 << 24
_MAX_RATIO = 1032  # of deflate
_EMPTY = 8  # bytes of the sector table of an empty file, for writers that give it one


class StoredFile(NamedTuple):
    """A file as the archive has it."""

    stored: memoryview
    raw_size: int
    flags: int
    key: int | None  # of the first sector; None where it is not known or not needed
    sector_size: int
    version: int  # of the format

    @property
    def compressed(self) -> int:
        """FLAG_IMPLODE, FLAG_COMPRESS, or 0."""
        return self.flags & (FLAG_IMPLODE | FLAG_COMPRESS)

    @property
    def encrypted(self) -> bool:
        """Whether a key is needed."""
        return bool(self.flags & FLAG_ENCRYPTED)


class Raw(NamedTuple):
    """Decoded bytes."""

    data: bytes | memoryview
    lossy: bool = False  # sound that was compressed with ADPCM: checksums of the source do not hold for it


def read_file(file: StoredFile) -> Raw:
    """All raw bytes of a file, exactly its raw size.

    MalformedError with the codes `flags`, `size`, `sector-table`, `sector`, `sector-checksum` and those of the codecs;
    UnsupportedError `patch`, `key`, `ratio` and those of the codecs.
    """
    return read_range(file, 0, file.raw_size)


def read_range(file: StoredFile, start: int, size: int) -> Raw:
    """Raw bytes from `start` on, which with `size` lies in the file; only sectors with some of them are decoded."""
    _check(file)
    if not size:
        return Raw(b"")
    if file.flags & FLAG_SINGLE_UNIT:
        whole = _read_unit(file)
        return Raw(whole.data[start : start + size], whole.lossy)
    first, last = start // file.sector_size, (start + size - 1) // file.sector_size
    if not file.compressed:
        if not file.encrypted:
            return Raw(file.stored[start : start + size])
        pieces = [_plain(file, *_bounds(file, sector), sector) for sector in range(first, last + 1)]
        lossy = False
    else:
        pieces, lossy = _read_sectors(file, range(first, last + 1))
    data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
    start -= first * file.sector_size
    return Raw(data[start : start + size] if len(data) != size else data, lossy)


def _check(file: StoredFile) -> None:
    """What must hold before anything is decoded."""
    if file.flags & FLAG_PATCH:
        raise UnsupportedError("it is a patch for a file of another archive, which is not read", "patch")
    if file.compressed == FLAG_IMPLODE | FLAG_COMPRESS:
        raise MalformedError(f"its flags 0x{file.flags:08x} say both imploded and compressed", "flags")
    stored_size = len(file.stored)
    if not file.compressed and stored_size != file.raw_size:
        found = f"it has {stored_size} stored and {file.raw_size} raw bytes"
        raise MalformedError(f"{found}, and is not compressed", "size")
    if not file.raw_size and stored_size > _EMPTY:
        raise MalformedError(f"it has {stored_size} stored bytes, and is stated to be empty", "size")
    if file.raw_size > max(_ALWAYS_READ, _MAX_RATIO * stored_size):
        found = f"{stored_size} stored bytes are stated to hold {file.raw_size} raw bytes"
        raise UnsupportedError(f"{found}; at most {_MAX_RATIO} times as many are read", "ratio")
    if file.encrypted and file.key is None and file.raw_size and not _key_is_found(file):
        raise UnsupportedError("it is encrypted, and its name, which is the key, is not known", "key")


def _key_is_found(file: StoredFile) -> bool:
    """Whether a missing key can be had from the sector table, whose first number is known."""
    return bool(file.compressed) and not file.flags & FLAG_SINGLE_UNIT


def _bounds(file: StoredFile, sector: int) -> tuple[int, int]:
    """Where a sector starts and ends in the raw bytes."""
    start = sector * file.sector_size
    return start, min(start + file.sector_size, file.raw_size)


def _plain(file: StoredFile, start: int, end: int, sector: int) -> bytes | memoryview:
    """Some stored bytes, decrypted as those of that sector."""
    stored = file.stored[start:end]
    return stored if file.key is None or not file.encrypted else decrypt(stored, file.key + sector)


def _read_unit(file: StoredFile) -> Raw:
    plain = _plain(file, 0, len(file.stored), 0)
    return _decode(file, plain, file.raw_size) if file.compressed else Raw(plain)


def _decode(file: StoredFile, plain: bytes | memoryview, size: int) -> Raw:
    """The raw bytes of a decrypted sector."""
    if len(plain) == size:
        return Raw(plain)
    if not plain or len(plain) > size:
        raise MalformedError(f"{len(plain)} bytes are stored for {size}", "sector")
    if file.compressed == FLAG_IMPLODE:
        return Raw(imploded(plain, size))
    return Raw(decompress(plain, size, version=file.version), bool(plain[0] & _ADPCM))


def _read_sectors(file: StoredFile, sectors: range) -> tuple[list[bytes | memoryview], bool]:
    """Some sectors of a compressed file, and whether one of them is lossy."""
    file, offsets = _sector_table(file)
    checksums = _checksums(file, offsets)
    pieces: list[bytes | memoryview] = []
    lossy = False
    for sector in sectors:
        start, end = _bounds(file, sector)
        plain = _plain(file, offsets[sector], offsets[sector + 1], sector)
        if checksums and checksums[sector] not in _NO_CHECKSUMS and adler32(plain, 0) != checksums[sector]:
            found = f"the Adler-32 {checksums[sector]:08x}, but is of bytes with {adler32(plain, 0):08x}"
            raise MalformedError(f"sector {sector} has {found}", "sector-checksum")
        try:
            raw = _decode(file, plain, end - start)
        except (MalformedError, UnsupportedError) as error:
            raise type(error)(f"sector {sector}: {error}", error.code) from None
        pieces.append(raw.data)
        lossy = lossy or raw.lossy
    return pieces, lossy


def _sector_table(file: StoredFile) -> tuple[StoredFile, Sequence[int]]:
    """The offsets of all sectors and of their ends, checked; and the file with its key where that had to be found."""
    sectors = -(-file.raw_size // file.sector_size)
    size = 4 * (sectors + 1)
    if size > len(file.stored):
        found = (
            f"{len(file.stored)} bytes are stored, and the table of its {sectors} sectors alone has {size}"
        )
        raise MalformedError(found, "sector-table")
    if file.flags & FLAG_SECTOR_CRC:
        size = min(size + 4, len(file.stored) & ~3)
    stored = file.stored[:size]
    if not file.encrypted:
        return file, _checked(numbers("I", stored.tobytes()), sectors, len(file.stored))
    if file.key is not None:
        return file, _checked(numbers("I", decrypt(stored, file.key - 1)), sectors, len(file.stored))
    for first in dict.fromkeys((size, 4 * (sectors + 1))):
        for key in keys_for(int.from_bytes(stored[:4], "little"), first):
            try:
                offsets = _checked(numbers("I", decrypt(stored, key)), sectors, len(file.stored))
            except MalformedError:
                continue
            return file._replace(key=key + 1), offsets
    raise UnsupportedError("it is encrypted, and its name, which is the key, is not known", "key")


def _checked(offsets: tuple[int, ...], sectors: int, stored_size: int) -> tuple[int, ...]:
    if offsets[0] < 4 * (sectors + 1):
        found = f"its sector table says that sector 0 starts at byte {offsets[0]}, within the table"
        raise MalformedError(found, "sector-table")
    if offsets[0] < 4 * len(offsets):  # no checksums, whatever the flags say
        offsets = offsets[: sectors + 1]
    for sector, (start, end) in enumerate(pairwise(offsets)):
        if end < start or end > stored_size:
            found = (
                f"its sector table says that sector {sector} is from byte {start} to {end} of {stored_size}"
            )
            raise MalformedError(found, "sector-table")
    if offsets[-1] != stored_size:  # else a raw size that lost some bits would give a part of the file
        found = (
            f"its sector table ends at byte {offsets[-1]}, not at the end of the {stored_size} stored bytes"
        )
        raise MalformedError(found, "sector-table")
    return offsets


def _checksums(file: StoredFile, offsets: Sequence[int]) -> Sequence[int]:
    """The Adler-32 numbers of all sectors; none where there are none."""
    sectors = -(-file.raw_size // file.sector_size)
    if not file.flags & FLAG_SECTOR_CRC or len(offsets) < sectors + 2:
        return ()
    packed = file.stored[offsets[sectors] : offsets[sectors + 1]]
    size = 4 * sectors
    if not packed:
        return ()
    if len(packed) > size:
        raise MalformedError(f"its {sectors} sector checksums are in {len(packed)} bytes", "sector-checksum")
    if len(packed) == size:
        return numbers("I", packed.tobytes())
    try:
        return numbers("I", decompress(packed, size, version=file.version))
    except (MalformedError, UnsupportedError) as error:
        raise type(error)(f"its sector checksums: {error}", error.code) from None
