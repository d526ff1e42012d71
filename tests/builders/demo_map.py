"""A small map with something of everything, for the picture in docs/maps.md: outlines of rooms, made into lines."""

from __future__ import annotations

from typing import NamedTuple

from lumpyard.maps.model import DoomMap, Line, Sector, Side, Thing, Vertex

Ring = list[tuple[int, int]]


class Room(NamedTuple):
    """An area: its outline clockwise, then its holes the other way."""

    rings: list[Ring]
    floor: int
    light: int
    ceiling: int = 128
    special: int = 0
    tag: int = 0


DAIS = [(736, 208), (832, 304), (928, 208), (832, 112)]
PILLAR = [(160, 160), (160, 224), (224, 224), (224, 160)]
PAD = [(688, -240), (688, -192), (736, -192), (736, -240)]
POOL = [(832, -272), (800, -224), (832, -176), (928, -176), (960, -224), (928, -272)]
ROOMS = [
    Room([[(0, 0), (0, 384), (384, 384), (384, 256), (384, 160), (384, 0)], PILLAR[::-1]], 0, 176, tag=5),
    Room([[(384, 160), (384, 256), (400, 256), (400, 160)]], 0, 144, 0),
    Room([[(400, 160), (400, 256), (640, 256), (640, 160)]], 0, 96),
    Room(
        [
            [
                *(
                    (704, -64),
                    (640, 0),
                    (640, 160),
                    (640, 256),
                    (640, 416),
                    (704, 480),
                    (768, 480),
                    (832, 480),
                ),
                *(
                    (960, 480),
                    (1024, 416),
                    (1024, 256),
                    (1024, 160),
                    (1024, 0),
                    (960, -64),
                    (896, -64),
                    (768, -64),
                ),
            ],
            DAIS[::-1],
        ],
        -24,
        208,
        256,
    ),
    Room([DAIS], 24, 255, 256),
    Room([[(1024, 160), (1024, 256), (1040, 256), (1040, 160)]], -24, 144, -24),
    Room(
        [
            [
                (1040, 96),
                (1040, 160),
                (1040, 256),
                (1040, 320),
                (1216, 320),
                (1216, 240),
                (1216, 176),
                (1216, 96),
            ]
        ],
        -24,
        144,
    ),
    Room([[(768, 480), (768, 576), (832, 576), (832, 480)]], -24, 128, special=9),
    Room([[(768, -96), (768, -64), (896, -64), (896, -96)]], -40, 176),
    Room([[(768, -128), (768, -96), (896, -96), (896, -128)]], -56, 144),
    Room(
        [
            [
                (704, -320),
                (640, -256),
                (640, -128),
                (768, -128),
                (896, -128),
                (1024, -128),
                (1024, -256),
                (960, -320),
            ],
            PAD[::-1],
            POOL[::-1],
        ],
        -72,
        80,
        96,
    ),
    Room([PAD], -64, 192, 96),
    Room([POOL], -96, 128, 96, special=7),
]
SPECIALS = {
    frozenset({(384, 160), (384, 256)}): (1, 0),
    frozenset({(400, 160), (400, 256)}): (1, 0),
    frozenset({(1024, 160), (1024, 256)}): (26, 0),
    frozenset({(1040, 160), (1040, 256)}): (26, 0),
    frozenset({(1216, 240), (1216, 176)}): (11, 0),
    frozenset({(768, 480), (832, 480)}): (31, 0),
    **{frozenset({PAD[at - 1], PAD[at]}): (97, 5) for at in range(4)},
}
THINGS = [
    *(
        Thing(64, 192, 0, 1, 7),
        Thing(832, 208, 0, 5, 7),
        Thing(304, 320, 0, 14, 7),
        Thing(800, 544, 0, 2018, 7),
    ),
    *(
        Thing(96, 320, 0, 2001, 7),
        Thing(64, 352, 0, 2008, 7),
        Thing(128, 352, 0, 2008, 7),
        Thing(64, 48, 0, 2028, 7),
    ),
    *(Thing(520, 208, 180, 3004, 7), Thing(704, 384, 225, 3001, 7), Thing(960, 384, 315, 3001, 7)),
    *(Thing(704, 32, 135, 3001, 7), Thing(960, 32, 45, 3001, 7), Thing(976, 208, 180, 3002, 7)),
    *(Thing(864, -224, 90, 3005, 7), Thing(992, -160, 180, 9, 7), Thing(1128, 208, 180, 3003, 7)),
    *(Thing(736, -288, 0, 2011, 7), Thing(1088, 288, 0, 2012, 7), Thing(1088, 128, 0, 2012, 7)),
    *(Thing(944, -288, 0, 2003, 7), Thing(960, -160, 0, 2010, 7), Thing(320, 48, 0, 2028, 7)),
    *(
        Thing(672, 400, 0, 48, 7),
        Thing(992, 400, 0, 48, 7),
        Thing(672, 16, 0, 48, 7),
        Thing(992, 16, 0, 48, 7),
    ),
]


def demo_map() -> DoomMap:
    """The map: what two rooms share is one line with two sides."""
    owner = {
        (ring[at - 1], ring[at]): room
        for room, each in enumerate(ROOMS)
        for ring in each.rings
        for at in range(len(ring))
    }
    points = list(dict.fromkeys(point for edge in owner for point in edge))
    sides: list[Side] = []
    lines: list[Line] = []
    for (start, end), room in owner.items():
        behind = owner.get((end, start))
        if behind is not None and behind < room:
            continue
        front, back = len(sides), None if behind is None else len(sides) + 1
        sides += [Side(0, 0, b"-", b"-", b"-", each) for each in (room, behind) if each is not None]
        special, tag = SPECIALS.get(frozenset({start, end}), (0, 0))
        flags = 1 if back is None else 4
        lines.append(Line(points.index(start), points.index(end), flags, special, tag, front, back))
    sectors = [
        Sector(room.floor, room.ceiling, b"FLOOR4_8", b"CEIL3_5", room.light, room.special, room.tag)
        for room in ROOMS
    ]
    return DoomMap("MAP01", "doom", THINGS, lines, sides, [Vertex(*point) for point in points], sectors, {})
