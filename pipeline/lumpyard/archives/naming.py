"""Paths for an archive's entries, for extraction, conversion, mounts and the rule `archive` (docs/formats.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lumpyard.archives.model import Archive


def entry_paths(archive: Archive) -> list[str | None]:
    """For every entry one path with forward slashes, no two alike; None where nothing names it.

    Bytes that are not UTF-8 are surrogate escapes.
    """
    wanted: list[str | None] = [
        None if lump.name is None else lump.name.decode("utf-8", "surrogateescape") for lump in archive.lumps
    ]
    if archive.format == "MPQ":
        wanted = [None if path is None else path.replace("\\", "/") for path in wanted]
    return numbered(wanted)


def numbered(wanted: list[str | None]) -> list[str | None]:
    """The paths, later ones of several alike with a number that makes them unlike all others: `A`, `A~2`."""
    taken = set(wanted)
    met: set[str] = set()
    next_number: dict[str, int] = {}
    found: list[str | None] = []
    for path in wanted:
        unique = path
        if path is not None and path in met:
            number = next_number.get(path, 2)
            while (unique := f"{path}~{number}") in taken:
                number += 1
            next_number[path] = number + 1
            taken.add(unique)
        if unique is not None:
            met.add(unique)
        found.append(unique)
    return found
