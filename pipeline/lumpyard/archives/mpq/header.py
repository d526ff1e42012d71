r"""Where an MPQ starts in a file, and what its header says.

A header starts at a multiple of 512; a user data block (`MPQ\x1b`) at such a place says how far behind its own start
the header is, which then may be anywhere. All positions in an archive count from its header. Little-endian:

    all       4s signature `MPQ\x1a`, u32 header size, u32 archive size, u16 version less 1, u16 sector shift (a sector
              has 512 << shift bytes), u32 position of the hash table and of the block table, u32 entries of either
    from 2    u64 position of the table of high words, u16 high word of the positions of hash and block table
    from 3    u64 archive size, u64 position of the BET and of the HET table
    4         u64 stored size of hash, block, high-word, HET and BET table, u32 size of raw chunks, six MD5 digests: of
              block, hash, high-word, BET and HET table as stored, and of the 192 bytes of the header before it

Source: what StormLib 9 writes and reads. Warcraft III itself ignores header size and archive size, and so do we in
version 1: "protected" maps write nonsense there.
"""

from __future__ import annotations

from hashlib import md5
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import Finding
from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNATURE = b"MPQ\x1a"
USER_DATA = b"MPQ\x1b"
STEP = 0x200  # bytes between places where a header or a user data block may start
_WINDOW = 1 << 20  # bytes that are searched at once
_SEARCHED = 1 << 27  # bytes that are searched for a header, as in StormLib: installers have no more in front
# 16 MiB: more than any known archive has (1 MiB), and a sector is decoded in one piece.
_MAX_SECTOR_SHIFT = 15
_MAX_VERSION = 4
# Of the count of entries only these bits are looked at in version 1, as in the games.
_COUNT_BITS = 0x0FFFFFFF
# Storm has hash tables of at most 512 Ki entries. More would take seconds and hundreds of bytes of memory each.
MAX_ENTRIES = 0x80000

_FIRST = Struct("<4sIIHHIIII")
_SECOND = Struct("<QHH")
_THIRD = Struct("<QQQ")
_FOURTH = Struct("<QQQQQI16s16s16s16s16s16s")
SIZES = {1: 32, 2: 44, 3: 68, 4: 208}  # bytes of a header
_NO_DIGEST = bytes(16)


class Place(NamedTuple):
    """Where one table is."""

    offset: int  # from the start of the archive; 0 is no table
    stored_size: int | None = None  # bytes in the file, where the header says so
    digest: bytes = _NO_DIGEST  # MD5 of the stored bytes; zeros are none


class MpqHeader(NamedTuple):
    """What the header says; positions count from `start`."""

    start: int  # of the archive, from the start of the file
    version: int  # 1 to 4
    archive_size: int  # bytes, as stated; version 1 may lie
    sector_size: int
    hash_entries: int
    block_entries: int
    hashes: Place
    blocks: Place
    high_words: Place = Place(0)
    het: Place = Place(0)
    bet: Place = Place(0)

    def tables(self) -> tuple[Place, ...]:
        """The places of all tables."""
        return self.hashes, self.blocks, self.high_words, self.het, self.bet

    def at(self, position: int) -> int:
        """The place in the file of a position in the archive; version 1 has 32 bits for it, and they wrap."""
        return self.start + position & 0xFFFFFFFF if self.version == 1 else self.start + position


def find_header(data: memoryview) -> int | None:
    """Offset of the first header in a file, None when there is none where one may be."""
    for offset in _candidates(data):
        if data[offset : offset + 4] == SIGNATURE:
            return offset
        user_data = data[offset : offset + 16]
        if len(user_data) == 16:
            behind = offset + int.from_bytes(user_data[8:12], "little")
            if data[behind : behind + 4] == SIGNATURE:
                return behind
    return None


def _candidates(data: memoryview) -> Iterator[int]:
    """Where one of the two signatures starts, at multiples of 512; no more of the file is read than is needed."""
    window = STEP
    start = 0
    while start < min(len(data), _SEARCHED):
        firsts = data[start : min(start + window, _SEARCHED) : STEP].tobytes()
        at = firsts.find(b"M")
        while at >= 0:
            offset = start + at * STEP
            if data[offset : offset + 4].tobytes() in {SIGNATURE, USER_DATA}:
                yield offset
            at = firsts.find(b"M", at + 1)
        start += window
        window = min(2 * window, _WINDOW)


def decode_header(data: memoryview, *, lenient: bool = False) -> tuple[MpqHeader, list[Finding]]:
    """The header of the archive in a file, and what is odd about it.

    MalformedError with the codes `signature`, `header`, `header-size`, `sector-size` and, unless lenient, `digest`;
    UnsupportedError `version` and `limit`.
    """
    start = find_header(data)
    if start is None:
        raise MalformedError(
            "not an MPQ: no header at the start of the file or 512 bytes further on, and so on", "signature"
        )
    head = data[start : start + SIZES[4]]
    if len(head) < SIZES[1]:
        raise MalformedError(
            f"the file has {len(head)} bytes from the header on; the least is {SIZES[1]}", "header"
        )
    _, size, archive_size, raw_version, shift, hashes, blocks, hash_entries, block_entries = (
        _FIRST.unpack_from(head)
    )
    version = raw_version + 1
    if version > _MAX_VERSION:
        raise UnsupportedError(
            f"MPQ format version {version} is not read; the last one known is 4", "version"
        )
    if shift > _MAX_SECTOR_SHIFT:
        found = f"the sector size is stated as 512 << {shift}; the most is 512 << {_MAX_SECTOR_SHIFT}"
        raise MalformedError(found, "sector-size")
    warnings: list[Finding] = []
    if version == 1:
        warnings += _odd_first(size, archive_size, hash_entries, block_entries, len(data) - start)
        hash_entries, block_entries = hash_entries & _COUNT_BITS, block_entries & _COUNT_BITS
    elif size != SIZES[version]:
        message = f"the header says that it has {size} bytes; one of version {version} has {SIZES[version]}"
        if not lenient or size < SIZES[version]:
            raise MalformedError(message, "header-size")
        warnings.append(_odd("header-size", message))
    if len(head) < SIZES[version]:
        message = f"the file has {len(head)} bytes from the header on; one of version {version} has {SIZES[version]}"
        raise MalformedError(message, "header")
    header = MpqHeader(
        start,
        version,
        archive_size,
        STEP << shift,
        hash_entries,
        block_entries,
        Place(hashes),
        Place(blocks),
    )
    if version > 1:
        header = _with_more(header, head, len(data) - start)
    if version == _MAX_VERSION:
        warnings += _check_digest(head, lenient=lenient)
    if hash_entries > MAX_ENTRIES:
        message = f"the hash table is stated to have {hash_entries} entries; at most {MAX_ENTRIES} are read"
        raise UnsupportedError(message, "limit")
    return header, warnings


def _odd_first(
    size: int, archive_size: int, hash_entries: int, block_entries: int, room: int
) -> Iterator[Finding]:
    """What version 1 ignores: "protected" maps have it so."""
    if size != SIZES[1]:
        yield _odd(
            "header-size", f"the header says that it has {size} bytes, not {SIZES[1]}; this is ignored"
        )
    if not SIZES[1] <= archive_size <= room:
        message = f"the archive is stated to have {archive_size} bytes, and the file has {room} for it; this is ignored"
        yield _odd("archive-size", message)
    for what, entries in (("hash", hash_entries), ("block", block_entries)):
        if entries & ~_COUNT_BITS:
            message = (
                f"the {what} table is stated to have {entries} entries; the highest four bits are ignored"
            )
            yield _odd("entries", message)


def _odd(code: str, message: str) -> Finding:
    return Finding(code, message, None, "ok")


def _with_more(header: MpqHeader, head: memoryview, room: int) -> MpqHeader:
    """The header with what versions 2 to 4 add; there are `room` bytes from its start on."""
    high_words, hashes_high, blocks_high = _SECOND.unpack_from(head, SIZES[1])
    header = header._replace(
        hashes=Place(header.hashes.offset | hashes_high << 32),
        blocks=Place(header.blocks.offset | blocks_high << 32),
        high_words=Place(high_words),
    )
    if header.version == 2:
        return header._replace(archive_size=room) if room > 0xFFFFFFFF else header  # the field has 32 bits
    archive_size, bet, het = _THIRD.unpack_from(head, SIZES[2])
    header = header._replace(archive_size=archive_size, het=Place(het), bet=Place(bet))
    if header.version == 3:
        return header
    sizes_and_digests = _FOURTH.unpack_from(head, SIZES[3])
    hashes_size, blocks_size, high_words_size, het_size, bet_size = sizes_and_digests[:5]
    of_blocks, of_hashes, of_high_words, of_bet, of_het, _ = sizes_and_digests[6:]
    return header._replace(
        hashes=Place(header.hashes.offset, hashes_size, of_hashes),
        blocks=Place(header.blocks.offset, blocks_size, of_blocks),
        high_words=Place(high_words, high_words_size, of_high_words),
        het=Place(het, het_size, of_het),
        bet=Place(bet, bet_size, of_bet),
    )


def _check_digest(head: memoryview, *, lenient: bool) -> Iterator[Finding]:
    stated = head[192:208].tobytes()
    return check_digest("header", head[:192], stated, lenient=lenient)


def check_digest(what: str, stored: memoryview, stated: bytes, *, lenient: bool) -> Iterator[Finding]:
    """MalformedError (code `digest`) unless stored bytes have the stated MD5 or none is stated; lenient, a warning."""
    if stated == _NO_DIGEST:
        return
    found = md5(stored, usedforsecurity=False).digest()
    if stated != found:
        message = f"the {what} is stated to have the MD5 {stated.hex()}, but has {found.hex()}"
        if not lenient:
            raise MalformedError(message, "digest")
        yield _odd("digest", message)
