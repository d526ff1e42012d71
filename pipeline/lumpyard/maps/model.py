"""A map in the terms that all its formats share: Doom's and Hexen's records, and UDMF's blocks read into the same.

Nothing here is checked against anything else: a side may name a sector that isn't there. What is wrong with a map is a
list of values (`MapDamage` where it cannot be read, findings of the checks where it can), never an exception.
Coordinates are map units, x growing east and y north; angles are degrees, 0 east and 90 north. Numbers of records count
from 0 and are unsigned (a vertex of a large map has a number above 32767); None stands where the format says that there
is no record (65535). So are flags and specials, which are sets of bits; types and tags are signed, as they were read by
the first engines.

Source: the unofficial Doom specification's records of THINGS to BLOCKMAP; Hexen's; UDMF 1.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Number = int | float  # UDMF has fractions
    Extra = Mapping[
        str, "str | int | float | bool"
    ]  # UDMF's fields beyond those named here, as they were read

DOOM, HEXEN, UDMF = "doom", "hexen", "udmf"
PLAYSTATION, DOOM64 = "playstation", "doom64"  # named, but not read
LEAF = 1 << 31  # bit of a node's child that is a subsector

NO_EXTRA: dict[str, str | int | float | bool] = {}
NO_VERTEX_EXTRA: dict[int, Extra] = {}


class Thing(NamedTuple):
    """A monster, item, start or decoration."""

    x: Number
    y: Number
    angle: int
    type: int  # the thing's number in the game's table (DoomEd number)
    flags: int  # as the format has them; UDMF's are folded into Hexen's bits
    tid: int = 0
    height: Number = 0  # above the floor
    special: int = 0
    args: tuple[int, ...] = ()
    extra: Extra = NO_EXTRA


class Line(NamedTuple):
    """A wall, an edge of a sector, or a trigger, from vertex v1 to v2; its right side is the front."""

    v1: int
    v2: int
    flags: int
    special: int
    tag: int  # Hexen has none (0); UDMF's is its id
    front: int | None  # side numbers
    back: int | None
    args: tuple[int, ...] = ()
    extra: Extra = NO_EXTRA


class Side(NamedTuple):
    """What is drawn on one side of a line. Texture names are as stored, up to the first NUL; `-` is none."""

    x_offset: Number
    y_offset: Number
    upper: bytes
    lower: bytes
    middle: bytes
    sector: int
    extra: Extra = NO_EXTRA


class Vertex(NamedTuple):
    """A point that lines join."""

    x: Number
    y: Number


class Sector(NamedTuple):
    """An area with one floor and one ceiling."""

    floor_height: int
    ceiling_height: int
    floor: bytes  # flat names, up to the first NUL
    ceiling: bytes
    light: int
    special: int
    tag: int
    extra: Extra = NO_EXTRA


class Seg(NamedTuple):
    """A part of a line, cut by the node builder; in GL nodes also an edge that is part of none."""

    v1: int  # into the vertices of the node tree
    v2: int
    angle: (
        int | None
    )  # binary: 65536 is a turn; unsigned; None in extended nodes, where the engine works it out
    line: int | None  # None along no line (minisegs of GL nodes)
    side: int  # 0 front, 1 back
    offset: int | None  # along the line, from its start on that side; None in extended nodes
    partner: int | None = None  # the seg on the other side, in GL nodes


class Subsector(NamedTuple):
    """A convex area: a run of segs."""

    segs: int
    first: int


class Node(NamedTuple):
    """One cut of the plan in two; a child is a node's number or, with bit `LEAF`, a subsector's."""

    x: Number  # a point on the partition line
    y: Number
    dx: Number  # its direction
    dy: Number
    right_box: tuple[int, int, int, int]  # top, bottom, left, right
    left_box: tuple[int, int, int, int]
    right: int
    left: int


class NodeTree(NamedTuple):
    """A map's nodes in the terms that all their forms share; the root is the last node, or subsector 0."""

    kind: str  # as `DoomMap.nodes` and `gl_nodes`
    vertices: Sequence[Vertex]  # the map's, and behind them the node builder's own
    segs: Sequence[Seg]
    subsectors: Sequence[Subsector]
    nodes: Sequence[Node]
    damage: Sequence[MapDamage] = ()


class MapDamage(NamedTuple):
    """Why a lump of a map, or a part of one, could not be read."""

    lump: str  # "LINEDEFS"
    message: str
    offset: int | None = None  # in the lump, from its start; in TEXTMAP a line, from 1
    code: str = "unreadable"  # stable: missing, size, order, foreign, repeated, format, nodes, syntax, field


class DoomMap(NamedTuple):
    """One map, read as far as it can be."""

    name: str  # of its marker
    format: str  # DOOM, HEXEN or UDMF; PLAYSTATION or DOOM64, of which no records are read
    things: Sequence[Thing]
    lines: Sequence[Line]
    sides: Sequence[Side]
    vertices: Sequence[Vertex]
    sectors: Sequence[Sector]
    lumps: Mapping[str, bytes]  # all lumps of the set by name, in the order of the archive, as stored
    namespace: str = ""  # of UDMF
    nodes: str = "none"  # none, vanilla, deepbsp, xnod, znod, xgln, zgln, xgl2, zgl2, xgl3, zgl3, unknown
    gl_nodes: str = (
        "none"  # of GL_ lumps: none, v1 … v5, unknown; or of SSECTORS beside extended NODES: xgln …
    )
    damage: Sequence[MapDamage] = ()
    extra: Extra = NO_EXTRA  # UDMF's global assignments beyond the namespace
    vertex_extra: Mapping[int, Extra] = NO_VERTEX_EXTRA  # by vertex, of those that have more than x and y
