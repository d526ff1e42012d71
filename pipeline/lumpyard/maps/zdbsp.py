"""The program zdbsp, as far as that is pure: what it is to be given, and what is taken of what it gives back.

The program is run by whoever has one, on a PWAD of one map, `prepare(level).wad`, in an empty folder, with a time limit
and no input: `zdbsp ARGUMENTS… -o OUTPUT INPUT`. Its status says little: it crashes on numbers that lead nowhere, and
ends with 0 for a map that lacks a lump. So the map is looked at before, and the result is, after.

It numbers vertices in the order in which lines use them first. So the map is given to it numbered so, and what comes
back must have the same vertices, and all else, in the same order. Of it only the nodes are taken: its BLOCKMAP is not
exact, its REJECT empty, and of a UDMF text it leaves neither comments nor layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.opening import open_archive
from lumpyard.archives.writing import WRITERS, NewLump, encode_archive
from lumpyard.errors import ArchiveError
from lumpyard.maps import udmf
from lumpyard.maps.finding import find_maps
from lumpyard.maps.fitting import nodes_fit
from lumpyard.maps.limits import BuildProblem
from lumpyard.maps.model import DOOM, HEXEN, UDMF
from lumpyard.maps.reading import read_lumps, read_map
from lumpyard.maps.writing import encode_lumps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.maps.model import DoomMap, Vertex

ARGUMENTS = ("--no-prune", "--no-timing", "--empty-blockmap", "--empty-reject")
EXTENDED = "--extended"  # XNOD for Doom's and Hexen's formats
MARKER = b"MAP01"  # whatever the map is called: not all names are a map's to zdbsp
_NODES = frozenset({"SEGS", "SSECTORS", "NODES", "ZNODES"})
_TABLES = frozenset({"REJECT", "BLOCKMAP"})
NEAR = 1 / 1024  # map units; a text's coordinates come back with fewer digits


class Prepared(NamedTuple):
    """A map as zdbsp numbers it, and the file to run it on."""

    level: DoomMap
    wad: bytes


def prepare(level: DoomMap, *, unchanged: bool | None = None) -> Prepared | BuildProblem:
    """The map with its vertices in the order of their first use by lines, without those that none uses, and its nodes.

    Where those did not fit the map it is without its REJECT and BLOCKMAP too; or as a record says, `unchanged` or not.

    BuildProblem: `zdbsp-map`, with what in it would make zdbsp crash or number something else anew. MalformedError
    (`map-record`) where a record does not fit its field.
    """
    for problem in _unfit(level):
        return BuildProblem("zdbsp-map", f"zdbsp cannot be given this map: {problem}")
    order = list(dict.fromkeys(end for line in level.lines for end in (line.v1, line.v2)))
    made = level if order == list(range(len(level.vertices))) else _numbered(level, order)
    lumps = dict(made.lumps) if made.format == UDMF else encode_lumps(made)
    same = nodes_fit(level) if unchanged is None else unchanged
    gone = _NODES if same else _NODES | _TABLES  # the map was changed after these had been made
    lumps = {name: data for name, data in lumps.items() if name not in gone and name[:3] != "GL_"}
    made = made._replace(lumps=lumps, nodes="none", gl_nodes="none")
    given = {name: data for name, data in lumps.items() if name != "ENDMAP"}
    if made.format == UDMF:
        given["ENDMAP"] = b""
    named = [
        (MARKER, b""),
        *((name.encode("utf-8", "surrogateescape"), data) for name, data in given.items()),
    ]
    stored = [data for _, data in named]
    new = [NewLump(name, len(data), len(data)) for name, data in named]
    return Prepared(made, encode_archive(WRITERS["PWAD"], new, stored))


def take(level: DoomMap, output: bytes) -> dict[str, bytes] | BuildProblem:
    """Of what zdbsp made of a prepared map, the lumps of nodes: VERTEXES, SEGS, SSECTORS, NODES, or ZNODES.

    BuildProblem: `zdbsp-result`, with what is wrong with it.
    """
    found = _map_of(output)
    if isinstance(found, BuildProblem):
        return found
    for problem in _changes(level, found):
        return _wrong(problem)
    if not nodes_fit(found):
        return _wrong(f"its nodes do not fit the map (NODES are {found.nodes})")
    wanted = ("ZNODES",) if level.format == UDMF else ("VERTEXES", "SEGS", "SSECTORS", "NODES")
    return {name: found.lumps.get(name, b"") for name in wanted}


def _unfit(level: DoomMap) -> Iterator[str]:
    if level.format not in {DOOM, HEXEN, UDMF}:
        yield f"its format is {level.format}"
    for broken in level.damage:
        if broken.code in {"missing", "size", "unreadable", "syntax"}:
            yield f"{broken.lump}: {broken.message}"
    if not level.lines or not level.sectors:
        yield "it has no lines" if not level.lines else "it has no sectors"
    vertices, sides, sectors = len(level.vertices), len(level.sides), len(level.sectors)
    for number, line in enumerate(level.lines):
        if max(line.v1, line.v2) >= vertices:
            yield f"line {number} goes from vertex {line.v1} to {line.v2}; there are {vertices}"
        elif level.vertices[line.v1][:2] == level.vertices[line.v2][:2]:
            yield f"line {number} has no length; zdbsp would leave it out, and number the lines behind it anew"
        for side in (line.front, line.back):
            if side is not None and side >= sides:
                yield f"line {number} has side {side}; there are {sides}"
    for number, each in enumerate(level.sides):
        if each.sector >= sectors:
            yield f"side {number} is of sector {each.sector}; there are {sectors}"


def _numbered(level: DoomMap, order: Sequence[int]) -> DoomMap:
    """The map with its vertices in an order."""
    numbers = {old: new for new, old in enumerate(order)}
    lines = [line._replace(v1=numbers[line.v1], v2=numbers[line.v2]) for line in level.lines]
    vertices = [level.vertices[old] for old in order]
    if level.format != UDMF:
        lumps = {name: data for name, data in level.lumps.items() if name not in {"VERTEXES", "LINEDEFS"}}
        return level._replace(lines=lines, vertices=vertices, lumps=lumps)
    document = udmf.parse(level.lumps["TEXTMAP"])
    points = [block for block in document.blocks if block.kind == "vertex"]
    rest = [
        block._replace(
            fields=dict(block.fields) | {end: numbers[int(block.fields[end])] for end in ("v1", "v2")}
        )
        if block.kind == "linedef"
        else block
        for block in document.blocks
        if block.kind != "vertex"
    ]
    text = udmf.render(document._replace(blocks=[*(points[old] for old in order), *rest]))
    return read_lumps(level.name, dict(level.lumps) | {"TEXTMAP": text})


def _map_of(output: bytes) -> DoomMap | BuildProblem:
    if not output:
        return _wrong("it is empty, as after a crash")
    try:
        archive = open_archive(output)
        places = [place for place in find_maps(archive) if place.name.encode() == MARKER]
        if len(places) != 1:
            return _wrong(f"it has {len(places)} maps of the name {MARKER.decode()}, not one")
        return read_map(places[0], archive.read)
    except ArchiveError as error:
        return _wrong(str(error))


def _changes(level: DoomMap, found: DoomMap) -> Iterator[str]:
    """What zdbsp changed that was not its to change."""
    if found.format != level.format:
        yield f"its format is {found.format}, not {level.format}"
    known = len(level.vertices)
    if len(found.vertices) < known or not all(map(_near, level.vertices, found.vertices[:known])):
        yield "its vertices are not the map's in the same order"
    if [line[:7] for line in found.lines] != [line[:7] for line in level.lines]:
        yield "its lines are not the map's"
    if [side.sector for side in found.sides] != [side.sector for side in level.sides]:
        yield "its sides are not the map's"
    if len(found.sectors) != len(level.sectors):
        yield f"it has {len(found.sectors)} sectors, the map {len(level.sectors)}"


def _near(one: Vertex, other: Vertex) -> bool:
    return abs(one.x - other.x) <= NEAR and abs(one.y - other.y) <= NEAR


def _wrong(problem: str) -> BuildProblem:
    return BuildProblem("zdbsp-result", f"what zdbsp made cannot be taken: {problem}")
