"""Writing IWAD, PWAD, PACK, WAD2 and WAD3: how, and what they cannot hold, told before a byte is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.directory import HEADER_SIZE, MAX_LUMPS
from lumpyard.archives.flat import MAX_U32, FlatHeader
from lumpyard.archives.model import Finding, entry_label
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.archives.writing import NewLump


class NameRule(NamedTuple):
    """What a format and its engines ask of a lump's name."""

    most: int  # bytes of the name
    field: int  # bytes of the name, a NUL and what follows it
    odd: Callable[[bytes], str]  # what is odd about a legal name; empty where nothing is


class FlatWriter(NamedTuple):
    """The writer of one of these formats; a `Writer`."""

    format: str
    names: NameRule
    entry_size: int  # bytes
    pack: Callable[[NewLump, int], bytes]  # a lump and its offset in the file -> its directory entry
    header_size: int = HEADER_SIZE

    def check(self, lumps: Sequence[NewLump]) -> list[Finding]:
        """What the format cannot hold, lump by lump, and then as a whole; warnings (verdict `ok`) among them.

        Codes: `name-empty`, `name-length`, `compressed`, `size`, `total`, `lumps`; of warnings `name-odd`, `name-nul`.
        """
        found = [fault for index, lump in enumerate(lumps) for fault in _faults(index, lump, self.names)]
        total = sum(lump.stored_size for lump in lumps)
        if total > MAX_U32 - HEADER_SIZE:
            limit = f"{self.format} has room for {MAX_U32 - HEADER_SIZE}"
            found.append(Finding("total", f"the lumps together have {total} bytes; {limit}"))
        if len(lumps) > MAX_LUMPS:
            found.append(Finding("lumps", f"{len(lumps)} lumps; the most that is read back is {MAX_LUMPS}"))
        return found

    def header(self, lumps: int, directory_offset: int) -> bytes:
        """The header of an archive of so many lumps."""
        return layout(FlatHeader).pack(self.format.encode("ascii"), lumps, directory_offset)

    def directory(self, lumps: Sequence[NewLump], offsets: Sequence[int]) -> bytes:
        """The directory of lumps that stand at these offsets from the start of the file."""
        return b"".join([self.pack(*placed) for placed in zip(lumps, offsets, strict=True)])


def _faults(index: int, lump: NewLump, rule: NameRule) -> Iterator[Finding]:
    label = entry_label(index, lump.name.partition(b"\0")[0])
    for code, text, verdict in _name_faults(lump.name, rule):
        yield Finding(code, f"{label}: {text}", index, verdict)
    if lump.compressed or lump.raw_size != lump.stored_size:
        found = f"stored size {lump.stored_size}, raw size {lump.raw_size}"
        yield Finding("compressed", f"{label}: the format has no compression ({found})", index)
    if lump.stored_size > MAX_U32:
        yield Finding("size", f"{label}: it has {lump.stored_size} bytes; the most is {MAX_U32}", index)


def _name_faults(full: bytes, rule: NameRule) -> Iterator[tuple[str, str, str]]:
    """Code, text and verdict of what is wrong with a name, or odd."""
    name, nul, rest = full.partition(b"\0")
    if not name:
        yield "name-empty", f"its name is empty; names have 1 to {rule.most} bytes", "malformed"
    elif len(name) > rule.most:
        yield "name-length", f"its name has {len(name)} bytes; the most is {rule.most}", "malformed"
    elif len(full) > rule.field:
        found = f"the name and what follows its NUL have {len(full)} bytes; the field has {rule.field}"
        yield "name-length", found, "malformed"
    else:
        if odd := rule.odd(name):
            yield "name-odd", odd, "ok"
        if nul and rest.strip(b"\0"):
            yield "name-nul", "what follows the NUL is no part of its name", "ok"
