"""The tests' own plain reader and writer of maps: numbers to bytes and back, one `struct` format a lump.

It shares nothing with the code under test. A small map, of two square rooms with an opening between them, is here in
Doom's format, in Hexen's and as UDMF. Source: "Doom map"; UDMF 1.1.

    0 ----- 1 ----- 2        room 0 left, room 1 right
    |       |       |        y 256 above, 0 below
    5 ----- 4 ----- 3
"""

from __future__ import annotations

import re
import struct
import zlib
from typing import TYPE_CHECKING

from tests.builders import wad

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Row = Sequence[int | bytes]

FORMATS = {
    "THINGS": "<hhhhH",
    "LINEDEFS": "<HHHHhHH",
    "SIDEDEFS": "<hh8s8s8sH",
    "VERTEXES": "<hh",
    "SEGS": "<HHHHHH",
    "SSECTORS": "<HH",
    "NODES": "<12hHH",
    "SECTORS": "<hh8s8shHh",
}
HEXEN = {"THINGS": "<hhhhhhH6B", "LINEDEFS": "<HHH6BHH"}
ORDER = [*FORMATS, "REJECT", "BLOCKMAP", "BEHAVIOR"]
NONE = 0xFFFF


def records(lumps: Mapping[str, bytes], lump: str, *, hexen: bool = False) -> list[tuple[int | bytes, ...]]:
    """The records of a lump, names with all their eight bytes."""
    form = HEXEN[lump] if hexen and lump in HEXEN else FORMATS[lump]
    return list(struct.iter_unpack(form, lumps[lump]))


def table(lump: str, rows: Iterable[Row], *, hexen: bool = False) -> bytes:
    """The bytes of a lump of records; names are padded with zeros."""
    form = HEXEN[lump] if hexen and lump in HEXEN else FORMATS[lump]
    return b"".join(struct.pack(form, *row) for row in rows)


def maps_of(data: bytes) -> dict[str, dict[str, bytes]]:
    """The lumps of each map of a game, which has all its maps' ten lumps behind the marker."""
    found = wad.lumps(data)
    return {
        name.decode(): {lump.decode(): raw for lump, raw in found[at + 1 : at + 11]}
        for at, (name, _) in enumerate(found)
        if re.fullmatch(rb"E\dM\d|MAP\d\d", name)
    }


def set_of(lumps: Mapping[str, bytes], marker: str = "MAP01") -> list[wad.Entry]:
    """The entries of a map."""
    return [wad.Entry(marker.encode()), *(wad.Entry(name.encode(), raw) for name, raw in lumps.items())]


VERTICES = [(0, 256), (256, 256), (512, 256), (512, 0), (256, 0), (0, 0)]
SIDES = [(0, 0, b"-", b"-", b"STONE2", 0)] * 3 + [(8, -8, b"-", b"-", b"BROWN1", 1)] * 3
SIDES += [(0, 0, b"STEP1", b"STEP2", b"-", 0), (0, 0, b"-", b"-", b"-", 1)]
# v1, v2, flags, special, tag, front, back; the rooms lie to the right of their lines
LINES = [(5, 0, 1, 0, 0, 0, NONE), (0, 1, 1, 0, 0, 1, NONE), (4, 5, 1, 0, 0, 2, NONE)]
LINES += [
    (1, 2, 1, 0, 0, 3, NONE),
    (2, 3, 33, 11, 0, 4, NONE),
    (3, 4, 1, 0, 0, 5, NONE),
    (1, 4, 4, 97, 7, 6, 7),
]
SECTORS = [(0, 128, b"FLOOR4_8", b"CEIL3_5", 160, 0, 0), (-8, 120, b"NUKAGE1", b"F_SKY1", 192, 9, 7)]
THINGS = [(64, 128, 0, 1, 7), (448, 128, 180, 3001, 12), (448, 64, 90, 2011, 7)]
# A seg for each side, those of room 0 first; the node's line goes up along the opening, room 1 to its right.
SEGS = [(5, 0, 0x4000, 0, 0, 0), (0, 1, 0, 1, 0, 0), (1, 4, 0xC000, 6, 0, 0), (4, 5, 0x8000, 2, 0, 0)]
SEGS += [(1, 2, 0, 3, 0, 0), (2, 3, 0xC000, 4, 0, 0), (3, 4, 0x8000, 5, 0, 0), (4, 1, 0x4000, 6, 1, 0)]
SUBSECTORS = [(4, 0), (4, 4)]
NODE = (256, 0, 0, 256, *(256, 0, 256, 512), *(256, 0, 0, 256), 0x8001, 0x8000)


def blockmap() -> bytes:
    """The small map's BLOCKMAP: five by three cells; its lines go along the axes, so their ends say where they are."""
    west, south, columns, rows = -8, -8, 5, 3
    offsets, lists = [], [0, NONE]
    for cell in range(columns * rows):
        row, column = divmod(cell, columns)
        there = []
        for number, (v1, v2, *_) in enumerate(LINES):
            (x1, y1), (x2, y2) = VERTICES[v1], VERTICES[v2]
            if (min(x1, x2) - west) // 128 <= column <= (max(x1, x2) - west) // 128 and (
                min(y1, y2) - south
            ) // 128 <= row <= (max(y1, y2) - south) // 128:
                there.append(number)
        offsets.append(4 + columns * rows + (len(lists) if there else 0))
        lists += [0, *there, NONE] if there else []
    return struct.pack("<4h", west, south, columns, rows) + struct.pack(
        f"<{15 + len(lists)}H", *offsets, *lists
    )


DOOM: dict[str, bytes] = {
    "THINGS": table("THINGS", THINGS),
    "LINEDEFS": table("LINEDEFS", LINES),
    "SIDEDEFS": table("SIDEDEFS", SIDES),
    "VERTEXES": table("VERTEXES", VERTICES),
    "SEGS": table("SEGS", SEGS),
    "SSECTORS": table("SSECTORS", SUBSECTORS),
    "NODES": table("NODES", [NODE]),
    "SECTORS": table("SECTORS", SECTORS),
    "REJECT": b"\0",
    "BLOCKMAP": blockmap(),
}
HEXEN_THINGS = [
    (9, 64, 128, 0, 0, 1, 7 | 0x7E0, 0, 0, 0, 0, 0, 0),
    (0, 448, 128, 16, 180, 10, 0x702, 80, 5, 1, 2, 3, 255),
]
HEXEN_LINES = [(*line[:3], *((11, 7, 16, 0, 0, 0) if line[3] else (0,) * 6), *line[5:]) for line in LINES]
HEXEN_MAP: dict[str, bytes] = {
    **DOOM,
    "THINGS": table("THINGS", HEXEN_THINGS, hexen=True),
    "LINEDEFS": table("LINEDEFS", HEXEN_LINES, hexen=True),
    "BEHAVIOR": b"ACS\0\x08\0\0\0\0\0\0\0\0\0\0\0",
}
EDITED = {name: DOOM[name] for name in ("THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS")}


def block(kind: str, **fields: object) -> str:
    """A block of UDMF; values are written as they are, strings with their quotes."""
    return f"{kind}\n{{\n" + "".join(f"{name} = {value};\n" for name, value in fields.items()) + "}\n"


def udmf_blocks() -> list[str]:
    """The small map's blocks."""
    things = [
        block("thing", x=f"{x}.5", y=y, angle=angle, type=kind, skill1="true")
        for x, y, angle, kind, _ in THINGS
    ]
    lines = [
        block(
            "linedef", v1=v1, v2=v2, sidefront=front, sideback=-1 if back == NONE else back, special=special
        )
        for v1, v2, _, special, _, front, back in LINES
    ]
    sides = [block("sidedef", sector=side[5], texturemiddle=quoted(side[4])) for side in SIDES]
    sectors = [
        block(
            "sector",
            heightfloor=low,
            heightceiling=high,
            texturefloor=quoted(floor),
            textureceiling=quoted(ceiling),
        )
        for low, high, floor, ceiling, *_ in SECTORS
    ]
    return [*things, *(block("vertex", x=f"{x}.0", y=y) for x, y in VERTICES), *lines, *sides, *sectors]


def quoted(name: bytes) -> str:
    return f'"{name.decode()}"'


def udmf_text() -> bytes:
    """The small map as UDMF."""
    return "".join(['namespace = "zdoom";\n', *udmf_blocks()]).encode()


def extended(  # the parts of ZDoom's nodes, for the small map
    tag: bytes,
    *,
    old: int = 6,
    new: Sequence[tuple[int, int]] = (),
    lengths: Sequence[int] = (4, 4),
    segs: Sequence[Sequence[int]] | None = None,
    nodes: Sequence[Sequence[int]] | None = None,
    tail: bytes = b"",
) -> bytes:
    """Extended nodes of any form; GL forms have partners in the place of second vertices."""
    gl, kind = tag[1:3] == b"GL", tag[3:]
    if segs is None:
        partner = {2: 7, 7: 2}
        segs = [
            (v1, partner.get(number, 0xFFFFFFFF) if gl else v2, line, side)
            for number, (v1, v2, _, line, side, _) in enumerate(SEGS)
        ]
    if nodes is None:
        fine = 65536 if kind == b"3" else 1
        nodes = [(*(value * fine for value in NODE[:4]), *NODE[4:12], 0x80000001, 0x80000000)]
    seg = "<IIIB" if kind in {b"2", b"3"} else "<IIHB"
    node = "<4i8h2I" if kind == b"3" else "<12h2I"
    parts = [struct.pack("<II", old, len(new)), *(struct.pack("<ii", *place) for place in new)]
    parts += [struct.pack("<I", len(lengths)), *(struct.pack("<I", length) for length in lengths)]
    parts += [struct.pack("<I", len(segs)), *(struct.pack(seg, *row) for row in segs)]
    parts += [struct.pack("<I", len(nodes)), *(struct.pack(node, *row) for row in nodes), tail]
    body = b"".join(parts)
    return tag + (zlib.compress(body) if tag.startswith(b"Z") else body)
