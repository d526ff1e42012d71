"""Writing PAK and DAIKATANA: how, and what neither can hold, told before a byte is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.directory import HEADER_SIZE
from lumpyard.archives.model import Finding, entry_label, name_of
from lumpyard.archives.path_names import name_faults
from lumpyard.archives.pathed import MAX_SIZE, SIGNATURE, PathedHeader
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lumpyard.archives.writing import NewLump

SAFE_END = 0x7FFFFFFF  # programs that read offsets as C ints fail behind it
LARGE_END = 0xFFFFFFFF  # what the fields can hold


class PathedWriter(NamedTuple):
    """The writer of one of these formats; a `Writer`."""

    format: str
    entry_size: int  # bytes
    pack: Callable[[NewLump, int], bytes]  # a lump and its offset in the file -> its directory entry
    engines: Mapping[str, int]  # how many files an engine takes
    compresses: bool  # whether the format has a codec
    last_byte: int = SAFE_END  # bytes that the file may have
    header_size: int = HEADER_SIZE

    def check(self, lumps: Sequence[NewLump]) -> list[Finding]:
        """All that the format cannot hold: names, duplicates, files that are folders too, sizes; and warnings.

        Codes: `compressed`, `name`, `duplicate`, `clash`, `size`; of the warnings (verdict `ok`) `count`.
        """
        return [
            *([] if self.compresses else _compressed(self.format, lumps)),
            *name_faults(lumps),
            *_size_faults(lumps, self.entry_size, self.last_byte),
            *_engine_limits(len(lumps), self.engines),
        ]

    def header(self, lumps: int, directory_offset: int) -> bytes:
        """The header of an archive of so many lumps."""
        return layout(PathedHeader).pack(SIGNATURE, directory_offset, lumps * self.entry_size)

    def directory(self, lumps: Sequence[NewLump], offsets: Sequence[int]) -> bytes:
        """The directory of lumps that stand at these offsets from the start of the file."""
        return b"".join([self.pack(*placed) for placed in zip(lumps, offsets, strict=True)])


def _compressed(format_name: str, lumps: Sequence[NewLump]) -> Iterator[Finding]:
    for index, lump in enumerate(lumps):
        if lump.compressed or lump.stored_size != lump.raw_size:
            message = f"{entry_label(index, name_of(lump.name))}: a {format_name} has no compression"
            yield Finding("compressed", message, index)


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
