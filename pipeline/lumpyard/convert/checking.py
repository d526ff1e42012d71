"""The finished file read back, before it takes its name: it opens, and holds every lump that was to be in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.opening import open_archive
from lumpyard.errors import ArchiveError
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.convert.writing import Written


def check_written(data: memoryview | bytes, format_name: str, written: Sequence[Written]) -> str:
    """What is wrong with an archive that was just written; "" where nothing is."""
    try:
        archive = open_archive(data, format_name)
        if len(archive.lumps) != len(written):
            return f"it has {len(archive.lumps)} lumps, not {len(written)}"
        for index, (lump, expected) in enumerate(zip(archive.lumps, written, strict=True)):
            name = lump.raw_name if lump.raw_name is not None else lump.name
            if name is not None and name != expected.name.rstrip(b"\0"):
                return f"{archive.label(index)} has another name than was written"
            if (lump.kind or 0, lump.fourcc or 0, lump.schema or 0) != (
                expected.kind,
                expected.fourcc,
                expected.schema,
            ):
                return f"{archive.label(index)} has another kind or type than was written"
            if digest(archive.read(index)) != expected.raw_digest:
                return f"{archive.label(index)} does not hold the bytes that were written"
    except ArchiveError as error:
        return str(error)
    return ""


def read_as(data: memoryview | bytes) -> str:
    """The format that a file is read as when nobody says which, or what is said instead."""
    try:
        return open_archive(data).format
    except ArchiveError as error:
        return str(error)
