"""The tests' own plain reader of Doom's and Hexen's map lumps, and small maps to be built upon.

It shares nothing with the reader under test. Source: the unofficial Doom specification; Hexen's.
"""

from __future__ import annotations

import re
import struct
from functools import cache
from typing import TYPE_CHECKING

from tests.builders import judges, wad

from lumpyard.maps.model import DoomMap, Line, Sector, Side, Thing, Vertex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ORDER = wad.MAP_ORDER
NO_SIDE = 0xFFFF


def parse(name: str, lumps: Mapping[str, bytes]) -> DoomMap:
    """A map in Doom's format."""

    def side(number: int) -> int | None:
        return None if number == NO_SIDE else number

    def text(raw: bytes) -> bytes:
        return raw.split(b"\0")[0]

    return DoomMap(
        name=name,
        format="doom",
        things=[
            Thing(x, y, angle, kind, flags)
            for x, y, angle, kind, flags in struct.iter_unpack("<hhhHH", lumps["THINGS"])
        ],
        lines=[
            Line(v1, v2, flags, special, tag, side(front), side(back))
            for v1, v2, flags, special, tag, front, back in struct.iter_unpack("<7H", lumps["LINEDEFS"])
        ],
        sides=[
            Side(x, y, text(upper), text(lower), text(middle), sector)
            for x, y, upper, lower, middle, sector in struct.iter_unpack("<hh8s8s8sH", lumps["SIDEDEFS"])
        ],
        vertices=[Vertex(x, y) for x, y in struct.iter_unpack("<hh", lumps["VERTEXES"])],
        sectors=[
            Sector(low, high, text(floor), text(ceiling), light, special, tag)
            for low, high, floor, ceiling, light, special, tag in struct.iter_unpack(
                "<hh8s8shHH", lumps["SECTORS"]
            )
        ],
        lumps=lumps,
    )


@cache
def of_game(game: str) -> dict[str, dict[str, bytes]]:
    """All maps of one of Freedoom's WADs: their lumps by name, without the marker."""
    everything = wad.lumps(judges.game(game))
    return {
        name.decode(): {lump.decode(): data for lump, data in everything[at + 1 : at + 11]}
        for at, (name, _) in enumerate(everything)
        if re.fullmatch(rb"E\dM\d|MAP\d\d", name)
    }


@cache
def freedoom(game: str, name: str) -> DoomMap:
    """One map of Freedoom's."""
    return parse(name, of_game(game)[name])


def plan(
    points: Sequence[tuple[int, int]],
    lines: Sequence[tuple[int, int, int, int | None]],
    things: Sequence[Thing] = (Thing(0, 0, 0, 1, 7),),
) -> DoomMap:
    """A map of points and of lines from point to point, with the sector in front and the one behind."""
    sides: list[Side] = []

    def side(sector: int | None, middle: bytes) -> int | None:
        if sector is None:
            return None
        sides.append(Side(0, 0, b"STARTAN3", b"STARTAN3", middle, sector))
        return len(sides) - 1

    made = [
        Line(v1, v2, 4 if back is not None else 1, 0, 0,
             side(front, b"-" if back is not None else b"STARTAN3"), side(back, b"-"))
        for v1, v2, front, back in lines
    ]  # fmt: skip
    rooms = 1 + max((side.sector for side in sides), default=-1)
    sectors = [Sector(0, 128, b"FLOOR4_8", b"CEIL3_5", 160, 0, 0) for _ in range(rooms)]
    return DoomMap("MAP01", "doom", things, made, sides, [Vertex(*point) for point in points], sectors, {})


def box(x: int, y: int, width: int, height: int) -> list[tuple[int, int]]:
    """The corners of a rectangle, clockwise, so that lines from one to the next have it in front."""
    return [(x, y), (x, y + height), (x + width, y + height), (x + width, y)]


def square() -> DoomMap:
    """One square room."""
    return plan(box(-64, -64, 128, 128), [(0, 1, 0, None), (1, 2, 0, None), (2, 3, 0, None), (3, 0, 0, None)])


def rooms(across: int, up: int, size: int = 256) -> DoomMap:
    """A grid of square rooms, all open to their neighbours."""
    points = [(x * size, y * size) for y in range(up + 1) for x in range(across + 1)]

    def room(x: int, y: int) -> int | None:
        return y * across + x if 0 <= x < across and 0 <= y < up else None

    lines: list[tuple[int, int, int, int | None]] = []
    for y in range(up + 1):
        for x in range(across + 1):
            at = y * (across + 1) + x
            for end, right, left in (
                (at + 1, room(x, y - 1), room(x, y)),
                (at + across + 1, room(x, y), room(x - 1, y)),
            ):
                if (end == at + 1 and x == across) or (end != at + 1 and y == up):
                    continue
                if right is not None:
                    lines.append((at, end, right, left))
                elif left is not None:
                    lines.append((end, at, left, None))
    return plan(points, lines, [Thing(size // 2, size // 2, 0, 1, 7)])


def lump_bytes(level: DoomMap) -> dict[str, bytes]:
    """The five lumps that people edit."""

    def number(side: int | None) -> int:
        return NO_SIDE if side is None else side

    return {
        "THINGS": b"".join(
            struct.pack("<hhhHH", int(t.x), int(t.y), t.angle, t.type, t.flags) for t in level.things
        ),
        "LINEDEFS": b"".join(
            struct.pack("<5H", *line[:5]) + struct.pack("<2H", number(line.front), number(line.back))
            for line in level.lines
        ),
        "SIDEDEFS": b"".join(
            struct.pack("<hh8s8s8sH", int(s.x_offset), int(s.y_offset), s.upper, s.lower, s.middle, s.sector)
            for s in level.sides
        ),
        "VERTEXES": b"".join(struct.pack("<hh", int(x), int(y)) for x, y in level.vertices),
        "SECTORS": b"".join(
            struct.pack(
                "<hh8s8shHH", s.floor_height, s.ceiling_height, s.floor, s.ceiling, s.light, s.special, s.tag
            )
            for s in level.sectors
        ),
    }


def wad_of(name: str, lumps: Mapping[str, bytes]) -> bytes:
    """A PWAD with one map, its lumps in the order that engines want."""
    from tests.builders import plain

    return plain.wad([(name.encode(), b""), *((lump.encode(), lumps.get(lump, b"")) for lump in ORDER)])


def wad_of_many(maps: int) -> bytes:
    """A PWAD with some equal maps, MAP01 and on."""
    from tests.builders import plain

    lumps = [(name.encode(), data) for name, data in lump_bytes(square()).items()]
    return plain.wad([lump for at in range(maps) for lump in ((b"MAP%02d" % (at + 1), b""), *lumps)])
