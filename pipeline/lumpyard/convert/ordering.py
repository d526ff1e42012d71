"""Lumps put back where a record says that they were, with what their archive said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.model import Finding
from lumpyard.convert.model import FLAT_FORMATS, Source, SourceLump
from lumpyard.extract import unescape_part

if TYPE_CHECKING:
    from lumpyard.convert.model import Record


def as_recorded(source: Source, record: Record) -> Source:
    """Lumps that were renamed and sorted, or became files, in the order of the record and under its names.

    What the record does not know goes behind the last lump of its folder, else to the end, sorted by name. What is
    gone is said in the findings.
    """
    at = {lump.path: index for index, lump in enumerate(source.lumps)}
    order: list[int] = []
    lumps: list[SourceLump] = []
    findings = list(source.findings)
    for recorded in record.lumps:
        index = at.pop(recorded.place, None)
        if index is None:
            message = f"{recorded.place!r} is gone; the original had it"
            findings.append(Finding("gone", message, None, "ok"))
            continue
        order.append(index)
        found = source.lumps[index]
        lumps.append(
            recorded._replace(
                label=found.label,
                raw_size=found.raw_size,
                fourcc=found.fourcc or recorded.fourcc,
                schema=found.schema or recorded.schema,
            )
        )
    for path in sorted(path for path in at if path is not None):
        place = _place(lumps, path, record.format)
        order.insert(place, at[path])
        lumps.insert(place, _added(source.lumps[at[path]], record.format))
        findings.append(Finding("added", f"{path!r} is new; the original did not have it", None, "ok"))
    read = source.read
    return source._replace(
        format=record.format,
        signature=record.signature,
        lumps=tuple(lumps),
        read=lambda index: read(order[index]),
        layout=record.layout,
        stored=None,
        findings=tuple(findings),
    )


def _place(lumps: list[SourceLump], path: str, format_name: str) -> int:
    """Where a new lump goes."""
    folder = path.rpartition("/")[0]
    if format_name in FLAT_FORMATS and folder:
        for index in range(len(lumps) - 1, -1, -1):
            if (lumps[index].path or "").startswith(f"{folder}/") and not _closes(lumps[index]):
                return index + 1
    return len(lumps)


def _closes(lump: SourceLump) -> bool:
    """Whether it is a marker that ends a block."""
    return (lump.name or b"").upper().endswith(b"_END")


def _added(lump: SourceLump, format_name: str) -> SourceLump:
    """A lump that the record does not know, with the name that its format would give it."""
    name = lump.name or b""
    path = name.decode("utf-8", "surrogateescape")
    if format_name in FLAT_FORMATS:  # whose names are escaped to be a part of a path, as file names are
        name = unescape_part(path.rpartition("/")[2]).encode("utf-8", "surrogateescape")
    return lump._replace(name=name, path=path, recorded=None)
