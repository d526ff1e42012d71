"""Writing an EWAD: the head (header, directory, string table), and small archives whole.

A build writes the lumps itself, in pieces and in parallel, and calls `encode_head` last.
"""

from __future__ import annotations

from itertools import accumulate, repeat
from typing import TYPE_CHECKING

from lumpyard.archives.ewad.layout import head_size, order_names, place
from lumpyard.archives.ewad.records import (
    ENTRY_SIZE,
    HEADER_SIZE,
    MAX_ALIGNMENT,
    NO_NAME,
    SIGNATURE,
    VERSION,
    EwadEntry,
    EwadHeader,
)
from lumpyard.errors import UsageError
from lumpyard.hashing import content_hash, content_hash_parts
from lumpyard.records import layout, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.archives.ewad.layout import Ordering
    from lumpyard.archives.ewad.records import StoredLump

_MAX_LUMPS = 0xFFFFFFFF


def encode_head(
    ordering: Ordering,
    names: Sequence[bytes],
    *,
    offsets: Sequence[int],
    stored_sizes: Sequence[int],
    raw_sizes: Sequence[int],
    content_hashes: Sequence[int],
    fourccs: Sequence[int],
    schemas: Sequence[int],
    flags: Sequence[int],
    alignment: int,
    named: bool,
) -> bytes:
    """Header, directory and string table, from offset 0, with the header hash.

    `names` are as they were given to `order_names`; all columns are in directory order. UsageError when there
    are more lumps or names than the format can hold, or the alignment is not a power of two from 1 to 2^30.
    """
    if alignment.bit_count() != 1 or not 1 <= alignment <= MAX_ALIGNMENT:
        raise UsageError(f"alignment {alignment} is not a power of two from 1 to 2^30")
    length = len(ordering.keys)
    if length > _MAX_LUMPS:
        raise UsageError(f"{length} lumps do not fit an EWAD; it holds at most {_MAX_LUMPS}")
    table, name_offsets = _string_table([names[index] for index in ordering.order], named=named)
    columns = (
        ordering.keys,
        offsets,
        stored_sizes,
        raw_sizes,
        content_hashes,
        fourccs,
        name_offsets,
        schemas,
        flags,
        bytes(length),
    )
    directory = table_of(EwadEntry, columns, length)
    header = EwadHeader(
        SIGNATURE,
        VERSION,
        length,
        alignment,
        ordering.seed,
        HEADER_SIZE,
        HEADER_SIZE + length * ENTRY_SIZE,
        len(table),
        0,
        0,
    )
    packed = layout(EwadHeader).pack(*header)
    header_hash = content_hash_parts((packed, directory, table))
    return b"".join((layout(EwadHeader).pack(*header._replace(header_hash=header_hash)), directory, table))


def write_ewad(
    lumps: Iterable[StoredLump], alignment: int = 16, seed: int = 0, *, named: bool = True
) -> bytes:
    """A whole archive in memory, in the canonical layout; for small ones.

    The order of the lumps given makes no difference. UsageError as from `order_names` and `encode_head`.
    """
    given = list(lumps)
    names = [lump.name for lump in given]
    ordering = order_names(names, seed)
    ordered = [given[index] for index in ordering.order]
    sizes = [len(lump.stored) for lump in ordered]
    offsets, end = place(sizes, repeat(alignment), head_size(names, named=named))
    head = encode_head(
        ordering,
        names,
        offsets=offsets,
        stored_sizes=sizes,
        raw_sizes=[lump.raw_size for lump in ordered],
        content_hashes=[content_hash(lump.stored) for lump in ordered],
        fourccs=[lump.fourcc for lump in ordered],
        schemas=[lump.schema for lump in ordered],
        flags=[lump.flags for lump in ordered],
        alignment=alignment,
        named=named,
    )
    archive = bytearray(end)
    archive[: len(head)] = head
    for offset, lump in zip(offsets, ordered, strict=True):
        archive[offset : offset + len(lump.stored)] = lump.stored
    return bytes(archive)


def _string_table(names: Sequence[bytes], *, named: bool) -> tuple[bytes, list[int]]:
    """The string table of names in directory order, and each one's offset in it."""
    if not named or not names:
        return b"", [NO_NAME] * len(names)
    table = b"\0".join(names) + b"\0"
    offsets = list(accumulate((len(name) + 1 for name in names[:-1]), initial=0))
    if offsets[-1] >= NO_NAME:
        raise UsageError(
            f"the lumps' names take {len(table)} bytes; an EWAD with names holds less than 4 GiB of them"
        )
    return table, offsets
