"""What IWAD, PWAD, PACK, WAD2 and WAD3 cannot hold: all of it, before a byte is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.flat import HEADER_SIZE, MAX_LUMPS, MAX_U32
from lumpyard.archives.model import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.archives.writing import NewLump


class NameRule(NamedTuple):
    """What a format and its engines ask of a lump's name."""

    most: int  # bytes of the name
    field: int  # bytes of the name, a NUL and what follows it
    odd: Callable[[bytes], str]  # what is odd about a legal name; empty where nothing is


def faults(format_name: str, lumps: Sequence[NewLump], rule: NameRule) -> list[Finding]:
    """What cannot be written as this format, lump by lump, and then as a whole; warnings among them.

    Codes: `name-empty`, `name-length`, `compressed`, `size`, `total`, `lumps`; warnings (verdict `ok`):
    `name-odd`, `name-nul`.
    """
    found = [fault for index, lump in enumerate(lumps) for fault in _of_lump(index, lump, rule)]
    total = sum(lump.stored_size for lump in lumps)
    if total > MAX_U32 - HEADER_SIZE:
        limit = f"{format_name} has room for {MAX_U32 - HEADER_SIZE}"
        found.append(Finding("total", f"the lumps together have {total} bytes; {limit}"))
    if len(lumps) > MAX_LUMPS:
        found.append(Finding("lumps", f"{len(lumps)} lumps; the most that is read back is {MAX_LUMPS}"))
    return found


def _of_lump(index: int, lump: NewLump, rule: NameRule) -> Iterator[Finding]:
    name, nul, rest = lump.name.partition(b"\0")
    label = f"entry {index} ({shown(name)})" if name else f"entry {index}"
    if not name:
        yield Finding("name-empty", f"{label}: its name is empty", index)
    elif len(name) > rule.most:
        yield Finding(
            "name-length", f"{label}: its name has {len(name)} bytes; the most is {rule.most}", index
        )
    elif len(lump.name) > rule.field:
        found = f"the name and what follows its NUL have {len(lump.name)} bytes; the field has {rule.field}"
        yield Finding("name-length", f"{label}: {found}", index)
    else:
        if odd := rule.odd(name):
            yield Finding("name-odd", f"{label}: {odd}", index, "ok")
        if nul and rest.strip(b"\0"):
            yield Finding("name-nul", f"{label}: what follows the NUL is no part of its name", index, "ok")
    if lump.compressed or lump.raw_size != lump.stored_size:
        found = f"stored size {lump.stored_size}, raw size {lump.raw_size}"
        yield Finding("compressed", f"{label}: the format has no compression ({found})", index)
    if lump.stored_size > MAX_U32:
        yield Finding("size", f"{label}: it has {lump.stored_size} bytes; the most is {MAX_U32}", index)
