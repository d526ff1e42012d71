"""Which lumps of an archive are parts of maps, and what each of them is to its map."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.finding import find_maps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.archives.model import Archive
    from lumpyard.maps.finding import MapPlace

_WADS = frozenset({"IWAD", "PWAD"})
ROLES = {
    "THINGS": "where things stand",
    "LINEDEFS": "its lines",
    "SIDEDEFS": "the sides of its lines, with their textures",
    "VERTEXES": "its vertices",
    "SEGS": "pieces of its lines, cut by the node builder",
    "SSECTORS": "its subsectors, the leaves of the tree of nodes",
    "NODES": "the tree of nodes",
    "SECTORS": "its sectors: heights, flats, light",
    "REJECT": "which sectors cannot see each other",
    "BLOCKMAP": "its lines by squares of 128 units",
    "BEHAVIOR": "its compiled scripts",
    "SCRIPTS": "the source of its scripts",
    "TEXTMAP": "the map as text (UDMF)",
    "ZNODES": "the tree of nodes of a map as text",
    "DIALOGUE": "its conversations",
    "LIGHTMAP": "its baked light",
    "ENDMAP": "the marker of its end",
    "LEAFS": "its leaves (PlayStation, Doom 64)",
    "LIGHTS": "its coloured lights (Doom 64)",
    "MACROS": "its macros (Doom 64)",
    "GL_VERT": "vertices of its GL nodes",
    "GL_SEGS": "pieces of lines of its GL nodes",
    "GL_SSECT": "subsectors of its GL nodes",
    "GL_NODES": "the tree of its GL nodes",
    "GL_PVS": "which GL subsectors may see each other",
}


class Part(NamedTuple):
    """What one lump is to a map."""

    entry: int
    place: int  # index of the map in `Places.maps`
    text: str


class Places(NamedTuple):
    """The maps of one archive."""

    maps: Sequence[MapPlace]
    parts: Sequence[Part]  # by entry


def places_of(archive: Archive) -> Places:
    """The maps and their parts; none in an archive that is no WAD of Doom's kind."""
    if archive.format not in _WADS:
        return Places([], [])
    maps = find_maps(archive)
    parts: dict[int, Part] = {}
    for number, place in enumerate(maps):
        parts[place.marker] = Part(place.marker, number, "its marker")
        if place.gl_marker is not None:
            parts[place.gl_marker] = Part(place.gl_marker, number, "the marker of its GL nodes")
        for name, entry in [*place.lumps.items(), *place.gl.items()]:
            parts[entry] = Part(entry, number, ROLES.get(name, "one of its lumps"))
        for _, entry in place.repeated:
            parts[entry] = Part(entry, number, "a lump whose name it has already; engines pass it over")
        for _, entry in place.foreign:
            parts[entry] = Part(entry, number, "inside it, but none of its lumps")
    return Places(maps, [parts[entry] for entry in sorted(parts)])


def draw_map(archive: Archive, place: MapPlace) -> str:
    """A map of an archive as SVG, for light and dark; whatever is wrong with it, what is left of it."""
    from lumpyard.maps.drawing import draw_svg  # noqa: PLC0415 - only where there are maps
    from lumpyard.maps.reading import read_map  # noqa: PLC0415

    return draw_svg(read_map(place, archive.read))
