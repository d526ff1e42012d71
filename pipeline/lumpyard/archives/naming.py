"""Paths for an archive's entries, for extraction, conversion, mounts and the rule `archive` (docs/formats.md).

| archive | path |
|---|---|
| IWAD, PWAD | `MAP01/THINGS`, its marker `MAP01/MAP01`; `sprites/TROOA1`, the markers `sprites/S_START`; or the name |
| WAD2, WAD3, PACK | the name |
| MPQ, DAIKATANA | the name with `/` for each backslash; look-ups take one for the other |
| PAK, EWAD | the name, which is a path |

Names of WADs are no paths: in them a slash, a backslash, a control byte and `%` become `%` and two hex digits, and so
does the dot of `.` and `..`; an empty name is `%`.

Of several entries with one path, that which a look-up finds has it; the others get their number among them, as in
`TITLEPIC~1`. A number that makes the path of another entry is passed over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lumpyard.archives.model import Archive, Lump

_UNSAFE = re.compile(rb"[\x00-\x1f\x7f/\\%]")
_FLAT = frozenset({"IWAD", "PWAD", "PACK", "WAD2", "WAD3"})
_ANY_SLASH = frozenset({"MPQ", "DAIKATANA"})


def entry_paths(archive: Archive) -> list[str | None]:
    """For every entry one path with forward slashes, no two alike; None where nothing names it.

    Bytes that are not UTF-8 are surrogate escapes.
    """
    lumps = archive.lumps
    if archive.format in {"IWAD", "PWAD"}:
        return list(_wad_paths(lumps))
    if archive.format in _FLAT:
        names = [_part(lump.name or b"") for lump in lumps]
        return list(_unlike(names, _last))
    paths: list[str | None] = [_path(lump, archive.format) for lump in lumps]
    named = [path for path in paths if path is not None]
    if len(set(named)) == len(named):
        return paths
    entries = [entry for entry, path in enumerate(paths) if path is not None]

    def found(alike: Sequence[int]) -> int:
        """Which of several a look-up finds, by their places in `named`; the first, should it be none."""
        name = lumps[entries[alike[0]]].name
        entry = archive.find(name) if name else None
        return next((place for place in alike if entries[place] == entry), alike[0])

    for entry, path in zip(entries, _unlike(named, found), strict=True):
        paths[entry] = path
    return paths


def _path(lump: Lump, format_name: str) -> str | None:
    if not lump.name:
        return None
    name = lump.name.replace(b"\\", b"/") if format_name in _ANY_SLASH else lump.name
    return name.decode("utf-8", "surrogateescape")


def _part(name: bytes) -> str:
    """The name of a lump in a WAD as one part of a path."""
    if name in {b"", b".", b".."}:
        return "%" + "%".join(["2E"] * len(name))
    return _UNSAFE.sub(lambda found: b"%%%02X" % found[0][0], name).decode("utf-8", "surrogateescape")


def _wad_paths(lumps: Sequence[Lump]) -> list[str]:
    from lumpyard.archives.wad.namespaces import MAPS, namespaces  # noqa: PLC0415 - only for WADs

    found = namespaces(lumps)
    parts = [_part(lump.name or b"") for lump in lumps]
    folders = [space if space != MAPS else "" for space in found.spaces]
    for block in found.blocks:
        for marker in (block.start, block.end)[: 1 + block.closed]:
            folders[marker] = folders[marker] or block.use
    heads = [parts[one.marker] for one in found.maps]
    for one, folder in zip(
        found.maps, _unlike(heads, _last, {block.use for block in found.blocks}), strict=True
    ):
        for entry in (one.marker, *one.lumps):
            folders[entry] = folder
    paths = [f"{folder}/{part}" if folder else part for folder, part in zip(folders, parts, strict=True)]
    return _unlike(paths, _last, set(folders))


def _last(alike: Sequence[int]) -> int:
    return alike[-1]


def _unlike(
    paths: Sequence[str],
    winner: Callable[[Sequence[int]], int],
    taken: set[str] | frozenset[str] = frozenset(),
) -> list[str]:
    """The paths made unlike each other and all that are taken.

    Of several alike, the `winner` keeps its path, unless that is taken; all others get their number.
    """
    if len({*paths}) == len(paths) and taken.isdisjoint(paths):
        return list(paths)
    alike: dict[str, list[int]] = {}
    for place, path in enumerate(paths):
        alike.setdefault(path, []).append(place)
    used = {*alike, *taken}
    unlike = list(paths)
    for path, places in alike.items():
        keeps = None if path in taken else winner(places) if len(places) > 1 else places[0]
        number = 0
        for place in places:
            number += 1
            if place != keeps:
                while (numbered := f"{path}~{number}") in used:
                    number += 1
                used.add(numbered)
                unlike[place] = numbered
    return unlike
