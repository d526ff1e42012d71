"""What the writers of PAK and DAIKATANA share: header, and what neither can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.model import Finding
from lumpyard.archives.path_names import entry_label, name_faults, name_of
from lumpyard.archives.pathed import HEADER_SIZE, MAX_SIZE, SIGNATURE, PathedHeader
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.archives.writing import NewLump

SAFE_END = 0x7FFFFFFF  # programs that read offsets as C ints fail behind it
LARGE_END = 0xFFFFFFFF  # what the fields can hold


def encode_header(directory_offset: int, directory_size: int) -> bytes:
    """The 12 bytes at the start of the file."""
    return layout(PathedHeader).pack(SIGNATURE, directory_offset, directory_size)


def faults(
    lumps: Sequence[NewLump], entry_size: int, last_byte: int, engines: Mapping[str, int]
) -> list[Finding]:
    """All that cannot be written of lumps: names, then sizes; then warnings (verdict `ok`).

    `last_byte` is the most that the file may have, `engines` say how many files an engine takes.
    """
    return [
        *name_faults(lumps),
        *_size_faults(lumps, entry_size, last_byte),
        *_engine_limits(len(lumps), engines),
    ]


def _size_faults(lumps: Sequence[NewLump], entry_size: int, last_byte: int) -> Iterator[Finding]:
    end = HEADER_SIZE
    past = None
    for index, lump in enumerate(lumps):
        size = max(lump.stored_size, lump.raw_size)
        if size > MAX_SIZE:
            label = entry_label(index, name_of(lump.name))
            yield Finding("size", f"{label}: it has {size} bytes; the most is {MAX_SIZE}", index)
        end += lump.stored_size
        if end > last_byte and past is None:
            past = index
    end += entry_size * len(lumps)
    if end > last_byte:
        where = (
            "" if past is None else f"; {entry_label(past, name_of(lumps[past].name))} is the first beyond"
        )
        hint = "" if last_byte == LARGE_END else " that every program reads"
        yield Finding(
            "size", f"the archive would have {end} bytes; the most{hint} is {last_byte}{where}", past
        )


def _engine_limits(number: int, engines: Mapping[str, int]) -> Iterator[Finding]:
    for engine, most in engines.items():
        if number > most:
            yield Finding("count", f"there are {number} files; {engine} takes {most}", None, "ok")
