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
from lumpyard.archives.wad.map_lumps import BINARY, GL, TEXT
from lumpyard.errors import ArchiveError
from lumpyard.maps.finding import NO_MARKER, MapPlace, find_maps, format_of
from lumpyard.maps.model import MapDamage
from lumpyard.maps.reading import read_lumps, read_map

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from typing_extensions import Buffer

    from lumpyard.archives.model import Archive
    from lumpyard.maps.model import DoomMap

_FLAT = frozenset({"IWAD", "PWAD", "PACK"})
_SIGNATURES = (b"PWAD", b"IWAD")
_UDMF = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>(?:\s|//[^\n]*+\n|(?>/\*.*?\*/))*)namespace\b", re.DOTALL | re.IGNORECASE
)
_OWN = frozenset((*BINARY, *TEXT, *GL))
_LEAST = ({"TEXTMAP"}, {"THINGS", "LINEDEFS"})  # what a folder must have to be a map
_DMAP = int.from_bytes(b"DMAP", "little")  # the type that the rule `doom-map` gives
_MOST_INNER = 1024  # WADs inside an archive that are looked into


class Found(NamedTuple):
    """One map, and where it is."""

    level: DoomMap
    place: MapPlace | None  # in the archive itself; None in a text, and in a WAD inside of the archive
    path: str = ""  # of the folder or the WAD inside of the archive; "" in a WAD


class MapFile(NamedTuple):
    """A file with maps in it."""

    archive: Archive | None  # None for a text
    maps: Sequence[Found]  # those that are wanted
    names: Sequence[str]  # of all that there are
    damage: Sequence[MapDamage] = ()  # of WADs inside of the archive that cannot be read


def is_map_text(data: Buffer) -> bool:
    """Whether a file is the text of a map: blanks and comments, then `namespace`."""
    return _UDMF.match(data) is not None


def _every(_name: str) -> bool:
    return True


def open_maps(
    data: bytes | memoryview,
    name: str,
    archive: Archive | None = None,
    wanted: Callable[[str], bool] = _every,
    paths: Sequence[str | None] | None = None,
) -> MapFile:
    """The maps of a file whose names are wanted; `name` is that of a map which is a text.

    `archive` is the file as an archive, where it is open already. MalformedError and UnsupportedError for what is
    neither a text nor an archive; what is wrong with a map is in the map. `paths` are the archive's entries', where
    more is known of them than it says itself.
    """
    if archive is None:
        if is_map_text(data):
            found = [Found(read_lumps(name, {"TEXTMAP": bytes(data)}), None)] if wanted(name) else []
            return MapFile(None, found, [name])
        archive = open_archive(data)
    if archive.format in _FLAT:
        places = find_maps(archive)
        found = [Found(read_map(place, archive.read), place) for place in places if wanted(place.name)]
        return MapFile(archive, found, [place.name for place in places])
    return _in_paths(archive, entry_paths(archive) if paths is None else paths, wanted)


def _in_paths(archive: Archive, paths: Sequence[str | None], wanted: Callable[[str], bool]) -> MapFile:
    found = [_Place(folder, place) for folder, place in find_in_folders(paths)]
    damage: list[MapDamage] = []
    inner = 0
    for entry, path in enumerate(paths):
        if path is None or _folder_of(path):
            continue
        if _may_be_wad(archive, entry, path.rpartition("/")[2]):
            inner += 1
            if inner <= _MOST_INNER:
                try:
                    found += _of_wad(archive, entry, path)
                except ArchiveError as error:
                    damage.append(MapDamage(path, f"it cannot be read: {error}"))
    found.sort(key=lambda each: each.path)
    maps = [_read(archive, each) for each in found if wanted(each.place.name)]
    return MapFile(archive, maps, [each.place.name for each in found], damage)


def find_in_folders(paths: Sequence[str | None]) -> list[tuple[str, MapPlace]]:
    """The folders that are maps, and their lumps among an archive's entries, which have these paths."""
    folders: dict[str, dict[str, int]] = {}
    for entry, path in enumerate(paths):
        if path is not None and (folder := _folder_of(path)):
            folders.setdefault(folder, {}).setdefault(path[len(folder) + 1 :].upper(), entry)
    return [
        (folder, _folder_place(folder, lumps))
        for folder, lumps in folders.items()
        if any(lumps.keys() >= least for least in _LEAST)
    ]


def _folder_of(path: str) -> str:
    """The folder that may be a map with this lump in it; "" where the path is no map's lump."""
    folder, _, file = path.rpartition("/")
    own = file.upper() in _OWN or file.upper() == f"GL_{folder.rpartition('/')[2].upper()}"
    return folder if own else ""


class _Place(NamedTuple):
    """A map in an archive of paths, not read yet."""

    path: str
    place: MapPlace
    wad: int | None = None  # the entry of the WAD that it is in


def _may_be_wad(archive: Archive, entry: int, file: str) -> bool:
    """Whether an entry is worth a look: by its name, its type or its first bytes."""
    if file.lower().endswith(".wad") or archive.lumps[entry].fourcc == _DMAP:
        return True
    return bytes(archive.stored(entry)[:4]) in _SIGNATURES


def maps_of_wad(data: Buffer) -> dict[str, DoomMap]:
    """The maps of a WAD by name, of several of one name the last, as engines do; none where it is no WAD.

    MalformedError and UnsupportedError where it cannot be read.
    """
    if bytes(memoryview(data)[:4]) not in _SIGNATURES:
        return {}
    archive = open_archive(data)
    return {place.name: read_map(place, archive.read) for place in find_maps(archive)}


def _of_wad(archive: Archive, entry: int, path: str) -> Iterator[_Place]:
    data = archive.read(entry)
    if bytes(data[:4]) in _SIGNATURES:
        for place in find_maps(open_archive(data)):
            yield _Place(path, place, entry)


def _read(archive: Archive, found: _Place) -> Found:
    """A map; a WAD that it is in is decoded again, so that of many only one is in memory."""
    if found.wad is None:
        return Found(read_map(found.place, archive.read), found.place, found.path)
    inner = open_archive(archive.read(found.wad))
    return Found(read_map(found.place, inner.read), None, found.path)


def _folder_place(folder: str, lumps: dict[str, int]) -> MapPlace:
    order = (*BINARY, *TEXT)
    name = folder.rpartition("/")[2]
    marker = f"GL_{name.upper()}"
    own = sorted((lump for lump in lumps if lump in order), key=order.index)
    gl = {lump: lumps[lump] for lump in GL if lump in lumps}
    return MapPlace(
        name,
        format_of(frozenset(own)),
        NO_MARKER,
        {lump: lumps[lump] for lump in own},
        gl_marker=lumps.get(marker),
        gl=gl,
    )
