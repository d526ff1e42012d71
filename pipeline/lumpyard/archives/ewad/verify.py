"""Reading all data of an EWAD: `verify` reports what is wrong with lumps, `load` copies them or refuses.

Source: "WAD Format", section Validation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.cap import cap_finding, check_cap
from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.records import FLAG_LZ4, EwadEntry, StoredLump
from lumpyard.archives.model import Finding
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.hashing import PIECE, content_hash, content_hash_parts
from lumpyard.records import column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from typing_extensions import Buffer

    from lumpyard.archives.ewad.reader import EwadView

    Done = Callable[[int, int], None]

# Fields that decide what `verify` finds of a lump.
_DECIDING = ("offset", "stored_size", "raw_size", "content_hash", "flags")
_MAX_LOADED = 0xFFFFFFFF  # bytes of one lump


def verify(archive: EwadView, done: Done | None = None) -> list[Finding]:
    """What is wrong with the lumps, in directory order: the 16-fold cap, each content hash, each LZ4 block.

    Above the cap nothing more is read, since the cap is what bounds the work. Big lumps are read in pieces;
    `done` is called with offset and size of each piece of the file once it has been read, for progress and to
    let go of pages.
    """
    sizes = column(EwadEntry, archive.directory, "stored_size")
    capped = cap_finding(sum(sizes), archive.size)
    if capped is not None:
        return [capped]
    # Where ranges overlap, equal ones are read once: up to 16 entries may share bytes that are stored once.
    overlap = sum(sizes) > archive.size
    passed: set[tuple[int, ...]] = set()
    findings = []
    columns = (column(EwadEntry, archive.directory, field) for field in _DECIDING)
    for index, deciding in enumerate(zip(*columns, strict=True)):
        if overlap and deciding in passed:
            continue
        found = _check_lump(archive, index, deciding, done)
        if found is not None:
            findings.append(found)
        elif overlap:
            passed.add(deciding)
    return findings


def load(data: Buffer) -> list[StoredLump]:
    """Copies of all lumps of an EWAD with names, in directory order, everything checked but the LZ4 blocks.

    MalformedError and UnsupportedError as from `view`; then, in this order: `cap` when the lumps together
    exceed 16 times the file, unsupported `stripped` (unless there are no lumps) and `size` (a lump above 4
    GiB), `content-hash`.
    """
    archive = view(data)
    stored_size = sum(entry.stored_size for entry in archive.entries())
    check_cap(stored_size, archive.size)
    if archive.stripped and archive.keys:
        raise UnsupportedError("an archive without names is viewed and verified, but not loaded", "stripped")
    for index, entry in enumerate(archive.entries()):
        if entry.stored_size > _MAX_LOADED:
            found = f"{entry.stored_size} bytes are not loaded; the most is {_MAX_LOADED}"
            raise UnsupportedError(f"{archive.label(index)}: {found}", "size", index)
    return [_loaded(archive, index, entry) for index, entry in enumerate(archive.entries())]


def _check_lump(
    archive: EwadView, index: int, deciding: tuple[int, ...], done: Done | None
) -> Finding | None:
    """What is wrong with one lump: its content hash, else its LZ4 block."""
    offset, size, _, content_hash_stated, flags = deciding
    stored = archive.data[offset : offset + size]
    if size > PIECE:
        found = content_hash_parts(_pieces(stored, offset, done))
    else:
        found = content_hash(stored)
        if done:
            done(offset, size)
    if found != content_hash_stated:
        return Finding("content-hash", archive.damage(index, found), index)
    return _check_block(archive, index, stored) if flags & FLAG_LZ4 else None


def _check_block(archive: EwadView, index: int, stored: memoryview) -> Finding | None:
    try:
        archive.decode(index, stored)
    except MalformedError as error:
        return Finding(error.code, str(error), index)
    except UnsupportedError as error:
        return Finding(error.code, str(error), index, "unsupported")
    return None


def _pieces(stored: memoryview, offset: int, done: Done | None) -> Iterator[memoryview]:
    for start in range(0, len(stored), PIECE):
        piece = stored[start : start + PIECE]
        yield piece
        if done:
            done(offset + start, len(piece))


def _loaded(archive: EwadView, index: int, entry: EwadEntry) -> StoredLump:
    stored = archive.stored(index)
    found = content_hash(stored)
    if found != entry.content_hash:
        raise MalformedError(archive.damage(index, found), "content-hash", index)
    name = archive.name(index)
    assert name is not None, "load refuses stripped archives"
    return StoredLump(name, bytes(stored), entry.raw_size, entry.fourcc, entry.schema, entry.flags)
