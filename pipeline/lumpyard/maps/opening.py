"""The maps in a file: of a WAD, of any other archive, in folders or in WADs of their own, or the text of one map.

| file | maps |
|---|---|
| IWAD, PWAD, PACK | found by the names of lumps (`maps.finding`) |
| another archive | each folder with the lumps of a map, as `maps/MAP01/THINGS`; each WAD, as `maps/MAP01.wad` |
| text that starts with `namespace` | one map of UDMF, called by the file |
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.naming import entry_paths
from lumpyard.archives.opening import open_archive
from lumpyard.errors import ArchiveError
from lumpyard.maps.finding import BINARY, GL, TEXT, MapPlace, find_maps, format_of
from lumpyard.maps.model import DoomMap, MapDamage
from lumpyard.maps.reading import read_lumps, read_map

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Buffer

    from lumpyard.archives.model import Archive

_FLAT = frozenset({"IWAD", "PWAD", "PACK"})
_SIGNATURES = (b"PWAD", b"IWAD")
_UDMF = re.compile(rb"(?:\s|//[^\n]*+\n|(?>/\*.*?\*/))*+namespace\b", re.DOTALL | re.IGNORECASE)
_OWN = frozenset((*BINARY, *TEXT, *GL))
_LEAST = ({"TEXTMAP"}, {"THINGS", "LINEDEFS"})  # what a folder must have to be a map
_MOST_INNER = 1024  # WADs inside an archive that are looked into


class Found(NamedTuple):
    """One map, and where it is."""

    level: DoomMap
    place: MapPlace | None  # in the archive itself; None in a text, and in a WAD inside of the archive
    path: str = ""  # of the folder or the WAD inside of the archive; "" in a WAD


class MapFile(NamedTuple):
    """A file with maps in it."""

    archive: Archive | None  # None for a text
    maps: Sequence[Found]
    damage: Sequence[MapDamage] = ()  # of WADs inside of the archive that cannot be read


def is_map_text(data: Buffer) -> bool:
    """Whether a file is the text of a map: blanks and comments, then `namespace`."""
    return _UDMF.match(data) is not None


def open_maps(data: bytes | memoryview, name: str, archive: Archive | None = None) -> MapFile:
    """All maps of a file; `name` is that of a map which is a text.

    `archive` is the file as an archive, where it is open already. MalformedError and UnsupportedError for what is
    neither a text nor an archive; what is wrong with a map is in the map.
    """
    if archive is None:
        if is_map_text(data):
            return MapFile(None, [Found(read_lumps(name, {"TEXTMAP": bytes(data)}), None)])
        archive = open_archive(data)
    if archive.format in _FLAT:
        return MapFile(archive, [Found(read_map(place, archive.read), place) for place in find_maps(archive)])
    return _in_paths(archive)


def _in_paths(archive: Archive) -> MapFile:
    maps: list[Found] = []
    damage: list[MapDamage] = []
    folders: dict[str, dict[str, int]] = {}
    inner = 0
    for entry, path in enumerate(entry_paths(archive)):
        if path is None:
            continue
        folder, _, file = path.rpartition("/")
        if folder and (file.upper() in _OWN or file.upper() == f"GL_{folder.rpartition('/')[2].upper()}"):
            folders.setdefault(folder, {}).setdefault(file.upper(), entry)
        elif bytes(archive.stored(entry)[:4]) in _SIGNATURES or file.lower().endswith(".wad"):
            inner += 1
            if inner <= _MOST_INNER:
                try:
                    maps += _of_wad(archive, entry, path)
                except ArchiveError as error:
                    damage.append(MapDamage(path, f"it cannot be read: {error}"))
    for folder, lumps in folders.items():
        if any(lumps.keys() >= least for least in _LEAST):
            place = _folder_place(folder, lumps)
            maps.append(Found(read_map(place, archive.read), place, folder))
    return MapFile(archive, sorted(maps, key=lambda found: found.path), damage)


def _of_wad(archive: Archive, entry: int, path: str) -> Iterator[Found]:
    data = archive.read(entry)
    if bytes(data[:4]) in _SIGNATURES:
        inner = open_archive(data)
        for place in find_maps(inner):
            yield Found(read_map(place, inner.read), None, path)


def _folder_place(folder: str, lumps: dict[str, int]) -> MapPlace:
    order = (*BINARY, *TEXT)
    name = folder.rpartition("/")[2]
    marker = f"GL_{name.upper()}"
    own = sorted((lump for lump in lumps if lump in order), key=order.index)
    gl = {lump: lumps[lump] for lump in GL if lump in lumps}
    return MapPlace(
        name,
        format_of(frozenset(own)),
        -1,
        {lump: lumps[lump] for lump in own},
        gl_marker=lumps.get(marker),
        gl=gl,
    )
