"""A map's lumps decoded into records, as far as that goes; what does not go is a list of values, never an error.

Source: "Doom map", and its sections "Hexen's format" and "Later map formats". The lumps are found by name; their order
is only checked, since most engines go by it.
"""

from __future__ import annotations

from itertools import pairwise, starmap
from typing import TYPE_CHECKING, Any

from lumpyard.archives.wad.map_lumps import BINARY, EDITED
from lumpyard.errors import ArchiveError
from lumpyard.maps import nodes, records, udmf
from lumpyard.maps.finding import format_of
from lumpyard.maps.model import (
    DOOM,
    DOOM64,
    HEXEN,
    PLAYSTATION,
    UDMF,
    DoomMap,
    Line,
    MapDamage,
    Sector,
    Side,
    Thing,
    Vertex,
)
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from typing_extensions import Buffer

    from lumpyard.maps.finding import MapPlace

_UNREAD = {PLAYSTATION: "the PlayStation's Doom", DOOM64: "Doom 64"}
_THINGS = {DOOM: records.Thing, HEXEN: records.HexenThing}
_LINES = {DOOM: records.Line, HEXEN: records.HexenLine}


def read_map(place: MapPlace, read: Callable[[int], Buffer]) -> DoomMap:
    """The map at a place of an archive; `read` gives the raw bytes of an entry.

    A lump that the archive cannot decode is damage, and read as if it were not there.
    """
    damage = [*_odd_lumps(place)]
    lumps: dict[str, bytes] = {}
    for name, entry in _all_lumps(place):
        if name in lumps:
            continue
        try:
            lumps[name] = bytes(read(entry))
        except ArchiveError as error:
            damage.append(MapDamage(name, f"it cannot be read: {error}"))
    found = read_lumps(place.name, lumps)
    unread = {broken.lump for broken in damage if broken.code == "unreadable"}
    rest = [broken for broken in found.damage if not (broken.code == "missing" and broken.lump in unread)]
    return found._replace(damage=[*damage, *rest])


def read_lumps(name: str, lumps: Mapping[str, bytes]) -> DoomMap:
    """The map that lumps are, by their names in upper case and in their order; without its marker."""
    form = format_of(frozenset(lumps))
    if form in _UNREAD:
        message = f"unsupported map format: a map of {_UNREAD[form]}; maps of Doom, Hexen and UDMF are read"
        damage = [MapDamage("LEAFS", message, code="format")]
        return DoomMap(name, form, (), (), (), (), (), lumps, damage=damage)
    found = udmf.read(name, lumps) if form == UDMF else _binary(name, lumps)
    kinds = nodes.recognise(lumps)
    return found._replace(nodes=kinds.nodes, gl_nodes=kinds.gl_nodes, damage=[*found.damage, *kinds.damage])


def _all_lumps(place: MapPlace) -> Sequence[tuple[str, int]]:
    """Names and entries: in the archive's order behind a marker; as they are of a folder, where order means nothing."""
    lumps = [*place.lumps.items(), *place.foreign]
    if place.gl_marker is not None:
        lumps += [(place.gl_name or f"GL_{place.name}", place.gl_marker), *place.gl.items()]
    return lumps if place.in_folder else sorted(lumps, key=lambda lump: lump[1])


def _odd_lumps(place: MapPlace) -> Iterator[MapDamage]:
    if place.format == UDMF and "ENDMAP" not in place.lumps and not place.in_folder:
        yield MapDamage("ENDMAP", "no ENDMAP closes the map that starts with TEXTMAP", code="missing")
    for name, entry in place.repeated:
        message = f"entry {entry} of the archive is a second {name} in this map; the first is read"
        yield MapDamage(name, message, code="repeated")
    for name, entry in place.foreign:
        message = f"entry {entry} of the archive stands inside the map, but is no lump of a map"
        if place.format != UDMF:
            message += "; engines that go by position take it for the next one"
        yield MapDamage(name, message, code="foreign")


def _binary(name: str, lumps: Mapping[str, bytes]) -> DoomMap:
    """A map in Doom's or Hexen's format."""
    form, damage = _form(lumps)
    missing = [lump for lump in EDITED if lump not in lumps]
    damage += [MapDamage(lump, f"the map has no {lump}", code="missing") for lump in missing]
    damage += _order(lumps)
    tables = {
        "THINGS": _THINGS[form],
        "LINEDEFS": _LINES[form],
        "SIDEDEFS": records.Side,
        "VERTEXES": records.Vertex,
        "SECTORS": records.Sector,
    }
    rows: dict[str, Iterator[tuple[Any, ...]]] = {}
    for lump, record in tables.items():
        table = records.whole(lump, lumps.get(lump, b""), layout(record).size)
        damage += table.damage
        rows[lump] = layout(record).iter_unpack(table.data)
    hexen = form == HEXEN
    return DoomMap(
        name,
        form,
        list(starmap(_hexen_thing if hexen else Thing, rows["THINGS"])),
        list(starmap(_hexen_line, rows["LINEDEFS"])) if hexen else _doom_lines(rows["LINEDEFS"]),
        _sides(rows["SIDEDEFS"]),
        list(starmap(Vertex, rows["VERTEXES"])),
        list(starmap(_sector, rows["SECTORS"])),
        lumps,
        damage=damage,
    )


def _form(lumps: Mapping[str, bytes]) -> tuple[str, list[MapDamage]]:
    """Doom's or Hexen's format: with a BEHAVIOR Hexen's, unless only Doom's records make sense."""
    if "BEHAVIOR" not in lumps:
        if _faults(lumps, DOOM) and not _faults(lumps, HEXEN):
            message = "the records are of Hexen's sizes, but there is no BEHAVIOR; the map is read as Hexen's"
            return HEXEN, [MapDamage("BEHAVIOR", message, code="format")]
        return DOOM, []
    if _faults(lumps, HEXEN) and not _faults(lumps, DOOM):
        message = (
            "it says that the map is Hexen's, but the records are Doom's, and are read so; most engines crash"
        )
        return DOOM, [MapDamage("BEHAVIOR", message, code="format")]
    return HEXEN, []


def _faults(lumps: Mapping[str, bytes], form: str) -> bool:
    """Whether sizes or numbers of vertices and sides do not fit when things and lines are read in a format."""
    things, lines = layout(_THINGS[form]), layout(_LINES[form])
    table = lumps.get("LINEDEFS", b"")
    if len(lumps.get("THINGS", b"")) % things.size or len(table) % lines.size:
        return True
    vertices = len(lumps.get("VERTEXES", b"")) // layout(records.Vertex).size
    sides = len(lumps.get("SIDEDEFS", b"")) // layout(records.Side).size
    return any(
        row[0] >= vertices
        or row[1] >= vertices
        or sides <= row[-2] < records.NONE
        or sides <= row[-1] < records.NONE
        for row in lines.iter_unpack(table)
    )


def _order(lumps: Mapping[str, bytes]) -> Iterator[MapDamage]:
    """The lumps that stand before one which belongs before them."""
    there = [lump for lump in lumps if lump in BINARY]
    for before, lump in pairwise(there):
        if BINARY.index(before) > BINARY.index(lump):
            message = f"it stands behind {before}, where its place is before it; most engines go by the order"
            yield MapDamage(lump, message, code="order")


def _hexen_thing(
    tid: int, x: int, y: int, height: int, angle: int, kind: int, flags: int, special: int, *args: int
) -> Thing:
    return Thing(x, y, angle, kind, flags, tid, height, special, args)


def _doom_lines(rows: Iterable[tuple[int, ...]]) -> list[Line]:
    none = records.NONE
    return [
        Line(v1, v2, flags, special, tag, None if front == none else front, None if back == none else back)
        for v1, v2, flags, special, tag, front, back in rows
    ]


def _hexen_line(v1: int, v2: int, flags: int, special: int, *rest: int) -> Line:
    front, back = map(_numbered, rest[5:])
    return Line(v1, v2, flags, special, 0, front, back, rest[:5])


def _numbered(side: int) -> int | None:
    return None if side == records.NONE else side


class _Names(dict[bytes, bytes]):
    """Names of records up to their first NUL, each worked out once: a map has many sides and few textures."""

    def __missing__(self, name: bytes) -> bytes:
        found = self[name] = records.cut(name)
        return found


def _sides(rows: Iterable[tuple[Any, ...]]) -> list[Side]:
    names = _Names()
    return [
        Side(x, y, names[upper], names[lower], names[middle], sector)
        for x, y, upper, lower, middle, sector in rows
    ]


def _sector(
    floor_height: int, ceiling_height: int, floor: bytes, ceiling: bytes, light: int, special: int, tag: int
) -> Sector:
    return Sector(floor_height, ceiling_height, records.cut(floor), records.cut(ceiling), light, special, tag)
