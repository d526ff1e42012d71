"""Where the maps of an archive are: by the names of lumps behind a marker of any name, never by the marker's own.

A map's lumps are looked up by name, and what stands in the way of that is told: a lump that is there twice, and one
that is no map's. The GL lumps that node builders put behind a map, under a marker of their own (`GL_MAP01`), belong to
it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.wad import maps as sets
from lumpyard.archives.wad.map_lumps import GL, OWN, TEXT
from lumpyard.maps.model import DOOM, DOOM64, HEXEN, PLAYSTATION, UDMF

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.archives.model import Archive

NO_MARKER = -1


class MapPlace(NamedTuple):
    """One map of an archive; entries are indexes of its directory."""

    name: str  # of the marker, as stored; bytes that are not UTF-8 as surrogate escapes
    format: str  # as the names of its lumps say: DOOM, HEXEN, UDMF, PLAYSTATION or DOOM64
    marker: int  # NO_MARKER for a map that is a folder
    lumps: Mapping[str, int]  # entry by name in upper case, in the archive's order; the first of each name
    repeated: Sequence[tuple[str, int]] = ()  # lumps of the map whose name one before has
    foreign: Sequence[tuple[str, int]] = ()  # lumps inside the map that are none of its own
    gl_marker: int | None = None
    gl: Mapping[str, int] = {}
    gl_name: str = ""  # of their marker: GL_MAP01, or GL_LEVEL

    @property
    def in_folder(self) -> bool:
        """Whether the map is a folder: the order of its lumps means nothing, and it needs no ENDMAP."""
        return self.marker == NO_MARKER


def find_maps(archive: Archive) -> list[MapPlace]:
    """The maps of an archive, in the order of their markers."""
    names = [lump.name or b"" for lump in archive.lumps]
    return [_place(names, found) for found in sets.find_maps(names).maps if found.form != "gl"]


def format_of(names: frozenset[str]) -> str:
    """The format of a map that has lumps of these names, if the names are right about it."""
    if "TEXTMAP" in names:
        return UDMF
    if "LEAFS" in names:
        return DOOM64 if names & {"LIGHTS", "MACROS"} else PLAYSTATION
    return HEXEN if "BEHAVIOR" in names else DOOM


def _place(names: Sequence[bytes], found: sets.MapSet) -> MapPlace:
    text = found.form == "udmf"
    lumps: dict[str, int] = {}
    gl: dict[str, int] = {}
    repeated: list[tuple[str, int]] = []
    foreign: list[tuple[str, int]] = []
    gl_marker = _gl_marker(names, found)
    for entry in range(found.marker + 1, found.lumps[-1] + 1):
        name = shown_name(names[entry].upper())
        group = lumps if gl_marker is None or entry < gl_marker else gl
        if entry == gl_marker:
            continue
        if name not in (TEXT if text else GL if group is gl else OWN):
            foreign.append((name, entry))
        elif name in group:
            repeated.append((name, entry))
        else:
            group[name] = entry
    form = format_of(frozenset(lumps))
    label = shown_name(names[found.marker])
    gl_name = "" if gl_marker is None else shown_name(names[gl_marker].upper())
    return MapPlace(label, form, found.marker, lumps, repeated, foreign, gl_marker, gl, gl_name)


def _gl_marker(names: Sequence[bytes], found: sets.MapSet) -> int | None:
    """The entry of the GL lumps' marker: the one before the first of them."""
    for before, entry in pairwise(found.lumps):
        if shown_name(names[entry].upper()) in GL and found.form != "udmf":
            return before
    return None


def shown_name(name: bytes) -> str:
    """A lump's name as text, up to the first NUL."""
    return name.partition(b"\0")[0].decode("utf-8", "surrogateescape")
