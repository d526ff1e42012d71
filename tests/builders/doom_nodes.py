"""The tests' own plain reader of nodes, a walk down them, and where a point is by casting a ray, without any nodes.

Source: "Doom map", SEGS to NODES; ZDoom's extended nodes.
"""

from __future__ import annotations

import random
import struct
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.maps.bsp import BuiltNodes
    from lumpyard.maps.model import DoomMap

Box = tuple[int, int, int, int]


class Seg(NamedTuple):
    v1: int
    v2: int
    line: int
    side: int


class Node(NamedTuple):
    x: int
    y: int
    dx: int
    dy: int
    right_box: Box
    left_box: Box
    right: int  # below 0 a subsector: -1 is the first
    left: int


class Nodes(NamedTuple):
    vertices: list[tuple[float, float]]
    segs: list[Seg]
    subsectors: list[list[int]]  # numbers of segs
    nodes: list[Node]


def _node(record: tuple[int, ...], bit: int) -> Node:
    right, left = (-1 - (child ^ bit) if child & bit else child for child in record[12:])
    return Node(*record[:4], record[4:8], record[8:12], right, left)  # type: ignore[call-arg,arg-type]


def of_lumps(built: BuiltNodes) -> Nodes:
    """What is in the four lumps."""
    own: list[tuple[float, float]] = [(x, y) for x, y in struct.iter_unpack("<hh", built.vertexes)]
    if built.nodes[:4] == b"XNOD":
        assert built.segs == built.ssectors == b""
        return _of_xnod(own, built.nodes)
    segs = [Seg(v1, v2, line, side) for v1, v2, _, line, side, _ in struct.iter_unpack("<6H", built.segs)]
    runs = [list(range(first, first + size)) for size, first in struct.iter_unpack("<HH", built.ssectors)]
    nodes = [_node(record, 0x8000) for record in struct.iter_unpack("<12h2H", built.nodes)]
    return Nodes(own, segs, runs, nodes)


def _of_xnod(own: list[tuple[float, float]], data: bytes) -> Nodes:
    at = 4

    def take(code: str) -> tuple[int, ...]:
        nonlocal at
        at += struct.calcsize("<" + code)
        return struct.unpack_from("<" + code, data, at - struct.calcsize("<" + code))

    kept, new = take("II")
    assert kept == len(own)
    vertices = own + [(x / 65536, y / 65536) for x, y in (take("ii") for _ in range(new))]
    runs, first = [], 0
    for size in [take("I")[0] for _ in range(take("I")[0])]:
        runs.append(list(range(first, first + size)))
        first += size
    segs = [Seg(*take("IIHB")) for _ in range(take("I")[0])]
    nodes = [_node(take("12h2I"), 1 << 31) for _ in range(take("I")[0])]
    assert at == len(data)
    return Nodes(vertices, segs, runs, nodes)


def subsector_at(nodes: Nodes, x: float, y: float) -> int:
    """The number of the subsector that a point is in."""
    at = len(nodes.nodes) - 1 if nodes.nodes else -1
    while at >= 0:
        node = nodes.nodes[at]
        side = node.dx * (y - node.y) - node.dy * (x - node.x)
        at = node.left if side > 0 else node.right
    return -1 - at


def sector_of(level: DoomMap, seg: Seg) -> int:
    line = level.lines[seg.line]
    side = line.back if seg.side else line.front
    assert side is not None
    return level.sides[side].sector


def sector_at(level: DoomMap, nodes: Nodes, x: float, y: float) -> int:
    """The sector at a point, as an engine finds it: that of the first seg of the subsector."""
    return sector_of(level, nodes.segs[nodes.subsectors[subsector_at(nodes, x, y)][0]])


class Rays:
    """Where points are, by the nearest line east of them."""

    def __init__(self, level: DoomMap) -> None:
        self.level = level
        self.spans = []
        for line in level.lines:
            (x1, y1), (x2, y2) = level.vertices[line.v1], level.vertices[line.v2]
            if y1 != y2:
                self.spans.append((min(y1, y2), max(y1, y2), x1, y1, x2, y2, line))

    def sector(self, x: float, y: float) -> int | None:
        """The sector at a point whose y no vertex has; None outside, and within a hair of a line."""
        hits = []
        for low, high, x1, y1, x2, y2, line in self.spans:
            if low < y < high:
                across = x1 + (y - y1) * (x2 - x1) / (y2 - y1)
                if across > x - 0.01:
                    hits.append((across, y2 < y1, line))  # whose front is west then
        if not hits:
            return None
        hits.sort(key=lambda hit: hit[0])
        if hits[0][0] < x + 0.01 or (len(hits) > 1 and hits[1][0] - hits[0][0] < 0.01):
            return None
        _, south, line = hits[0]
        side = line.front if south else line.back
        return None if side is None else self.level.sides[side].sector


def points(level: DoomMap, many: int, seed: int) -> Iterator[tuple[float, float]]:
    """Random points around a map, none at the height of a vertex."""
    dice = random.Random(seed)
    xs, ys = [int(x) for x, _ in level.vertices], [int(y) for _, y in level.vertices]
    for _ in range(many):
        yield dice.randint(min(xs), max(xs)) + 0.5, dice.randint(min(ys), max(ys)) + 0.5


def wrong(level: DoomMap, nodes: Nodes, many: int, seed: int = 4) -> tuple[int, list[tuple[float, float]]]:
    """How many of the points are in a sector, and those of them that the nodes have in another one."""
    rays = Rays(level)
    inside, bad = 0, []
    for x, y in points(level, many, seed):
        sector = rays.sector(x, y)
        if sector is not None:
            inside += 1
            if sector_at(level, nodes, x, y) != sector:
                bad.append((x, y))
    return inside, bad
