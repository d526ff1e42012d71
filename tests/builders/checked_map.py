"""A small map in which nothing is wrong or odd, to be changed by tests, and the textures that it uses.

1 ------- 2 ------- 4      sector 0 left, sector 1 right, y 256 above, 0 below
|  start  |         |      line 5, the right one, is a switch that ends the level
0 ------- 3 ------- 5
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from tests.builders import doom_map

from lumpyard.maps.blockmap import build_blockmap
from lumpyard.maps.checks import CheckContext
from lumpyard.maps.model import DOOM, DoomMap, Line, Sector, Side, Thing, Vertex
from lumpyard.maps.textures import Texture, Textures

if TYPE_CHECKING:
    from collections.abc import Mapping

POINTS = [(0, 0), (0, 256), (256, 256), (256, 0), (512, 256), (512, 0)]
LINES = [(0, 1), (1, 2), (2, 3), (3, 0), (2, 4), (4, 5), (5, 3)]  # the right side inside
OPENING, EXIT, LEFT = 2, 5, 0  # numbers of lines
TEXTURES = Textures(
    {
        b"WALL": Texture(64, 128, overlapping=False),
        b"SHORT": Texture(64, 72, overlapping=False),
        b"GRATE": Texture(64, 128, overlapping=True),
        b"SW1ONE": Texture(64, 128, overlapping=False),
    },
    frozenset({b"FLOOR"}),
)
CONTEXT = CheckContext(textures=TEXTURES)


def clean(name: str = "MAP01") -> DoomMap:
    """The map in Doom's format, with nodes, REJECT and BLOCKMAP."""
    lines = [Line(v1, v2, 1, 0, 0, at, None) for at, (v1, v2) in enumerate(LINES)]
    lines[OPENING] = lines[OPENING]._replace(flags=4, back=7)
    lines[EXIT] = lines[EXIT]._replace(special=11)
    wall = Side(0, 0, b"-", b"-", b"WALL", 0)
    sides = [wall._replace(sector=at > 3) for at in range(7)]
    sides[OPENING] = sides[OPENING]._replace(middle=b"-")
    sides.append(Side(0, 0, b"-", b"-", b"-", 1))
    sides = [side._replace(sector=int(side.sector)) for side in sides]
    room = Sector(0, 128, b"FLOOR", b"FLOOR", 160, 0, 0)
    things = [Thing(64, 128, 0, 1, 7)]
    vertices = [Vertex(x, y) for x, y in POINTS]
    level = DoomMap(name, DOOM, things, lines, sides, vertices, [room, room], {}, nodes="vanilla")
    blockmap = build_blockmap(level)
    assert isinstance(blockmap, bytes)
    lumps = {"SEGS": segs(), "SSECTORS": struct.pack("<4H", 4, 0, 4, 4), "NODES": node()}
    return level._replace(lumps={**lumps, "REJECT": b"\0", "BLOCKMAP": blockmap})


def segs() -> bytes:
    """Four of the left room, then four of the right; the back of the opening last."""
    rows = [(v1, v2, 0, at, 0, 0) for at, (v1, v2) in enumerate(LINES)]
    rows.append((3, 2, 0, OPENING, 1, 0))
    return b"".join(struct.pack("<6H", *row) for row in rows)


def node() -> bytes:
    """The opening as partition, the left room on its right."""
    boxes = (256, 0, 0, 256, 256, 0, 256, 512)
    return struct.pack("<12h2H", 256, 256, 0, -256, *boxes, 0x8000, 0x8001)


def line(level: DoomMap, number: int, **fields: Any) -> DoomMap:
    """The map with one line changed."""
    lines = list(level.lines)
    lines[number] = lines[number]._replace(**fields)
    return level._replace(lines=lines)


def side(level: DoomMap, number: int, **fields: Any) -> DoomMap:
    """The map with one side changed."""
    sides = list(level.sides)
    sides[number] = sides[number]._replace(**fields)
    return level._replace(sides=sides)


def sector(level: DoomMap, number: int, **fields: Any) -> DoomMap:
    """The map with one sector changed."""
    sectors = list(level.sectors)
    sectors[number] = sectors[number]._replace(**fields)
    return level._replace(sectors=sectors)


def things(level: DoomMap, *more: Thing) -> DoomMap:
    """The map with more things."""
    return level._replace(things=[*level.things, *more])


def lumps(level: DoomMap, **some: bytes) -> DoomMap:
    """The map with some lumps put in the place of others."""
    merged: Mapping[str, bytes] = {**level.lumps, **some}
    return level._replace(lumps=merged)


def path(level: DoomMap, *points: tuple[int, int]) -> DoomMap:
    """The map with lines through points that have no sector, both sides being the same one."""
    first = len(level.vertices)
    vertices = [*level.vertices, *(Vertex(x, y) for x, y in points)]
    face = len(level.sides)
    sides = [*level.sides]
    lines = [*level.lines]
    for at in range(len(points) - 1):
        sides += [Side(0, 0, b"-", b"-", b"-", 0)] * 2
        lines.append(Line(first + at, first + at + 1, 4, 0, 0, face + 2 * at, face + 2 * at + 1))
    return level._replace(vertices=vertices, sides=sides, lines=lines)


def stored(level: DoomMap) -> dict[str, bytes]:
    """The ten lumps of a map in Doom's format, in their order."""

    def number(side_number: int | None) -> int:
        return doom_map.NONE if side_number is None else side_number

    lines = [
        (one.v1, one.v2, one.flags, one.special, one.tag, number(one.front), number(one.back))
        for one in level.lines
    ]
    made = {
        "THINGS": doom_map.table("THINGS", [_whole(thing[:5]) for thing in level.things]),
        "LINEDEFS": doom_map.table("LINEDEFS", lines),
        "SIDEDEFS": doom_map.table("SIDEDEFS", [_whole(one[:6]) for one in level.sides]),
        "VERTEXES": doom_map.table("VERTEXES", [_whole(point) for point in level.vertices]),
        "SECTORS": doom_map.table("SECTORS", [one[:7] for one in level.sectors]),
        **level.lumps,
    }
    return {name: made[name] for name in doom_map.ORDER if name in made}


def _whole(row: tuple[bytes | float, ...]) -> list[int | bytes]:
    """The same with whole numbers, which all of Doom's format are."""
    return [value if isinstance(value, bytes) else int(value) for value in row]
