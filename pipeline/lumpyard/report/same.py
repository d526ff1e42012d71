"""Whether two lumps hold the same bytes, found out as cheaply as it can be.

Content hashes and digests settle most of it. Only lumps of equal raw size are ever decoded, one pair at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import ArchiveError

if TYPE_CHECKING:
    from lumpyard.archives.model import Lump
    from lumpyard.report.inventory import Inventory

_PIECE = 1 << 20  # bytes compared at once; views themselves compare a byte at a time
_CODED = frozenset({"EWAD", "DAIKATANA"})  # whose flags say whether a lump is compressed
_OPAQUE = frozenset({"MPQ"})  # whose stored bytes of equal content differ for many reasons


def same_content(old: Inventory, at: int, new: Inventory, there: int) -> bool:
    """Whether two lumps have the same raw bytes; what does not decode is compared as it is stored."""
    before, after = old.lumps[at], new.lumps[there]
    if before.raw_size != after.raw_size:
        return False
    if before.content_hash is not None and after.content_hash is not None:
        alike = (before.content_hash, before.stored_size) == (after.content_hash, after.stored_size)
        if alike and is_encoded_alike(old, before, new, after):
            return True
        if is_plain(old, before) and is_plain(new, after):
            return alike
    if old.archive is not None and new.archive is not None:
        return _same_bytes(old, at, new, there)
    ours, theirs = old.digest(at), new.digest(there)
    return ours == theirs if ours is not None and theirs is not None else False


def same_encoding(old: Inventory, at: int, new: Inventory, there: int) -> bool:
    """Whether two lumps of the same raw bytes are stored alike, as far as their archives tell."""
    before, after = old.lumps[at], new.lumps[there]
    if before.stored_size != after.stored_size:
        return False
    if before.content_hash is not None and after.content_hash is not None:
        return before.content_hash == after.content_hash and is_encoded_alike(old, before, new, after)
    if old.archive is None or new.archive is None or old.format != new.format or is_plain(old, before):
        return True
    try:
        return equal_bytes(old.archive.stored(at), new.archive.stored(there))
    except ArchiveError:
        return True


def is_encoded_alike(old: Inventory, before: Lump, new: Inventory, after: Lump) -> bool:
    """Whether the stored bytes of two lumps mean the same, if they are the same."""
    if is_plain(old, before) or is_plain(new, after):
        return is_plain(old, before) == is_plain(new, after)
    return old.format == new.format and before.flags == after.flags


def stored_data(inventory: Inventory) -> memoryview | None:
    """The file, where a lump's offset is that of its stored bytes in it and nothing else says what they mean."""
    if inventory.archive is None or inventory.format in _OPAQUE:
        return None
    data: memoryview = inventory.archive.data  # type: ignore[attr-defined]
    return data


def is_plain(inventory: Inventory, lump: Lump) -> bool:
    """Whether a lump's stored bytes are its raw bytes."""
    if inventory.format in _CODED:
        return not lump.flags
    return inventory.format not in _OPAQUE and lump.stored_size == lump.raw_size


def _same_bytes(old: Inventory, at: int, new: Inventory, there: int) -> bool:
    assert old.archive is not None
    assert new.archive is not None
    try:
        return equal_bytes(old.archive.read(at), new.archive.read(there))
    except ArchiveError:
        pass
    if old.format != new.format:
        return False
    try:
        return equal_bytes(old.archive.stored(at), new.archive.stored(there))
    except ArchiveError:
        return False


def equal_bytes(one: memoryview | bytes, other: memoryview | bytes) -> bool:
    """Whether two buffers hold the same; no more than a piece of each is ever copied."""
    if len(one) != len(other):
        return False
    if len(one) <= _PIECE:
        return bytes(one) == bytes(other)
    return all(
        bytes(one[at : at + _PIECE]) == bytes(other[at : at + _PIECE]) for at in range(0, len(one), _PIECE)
    )
