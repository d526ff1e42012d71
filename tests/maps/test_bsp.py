"""Nodes as they are built: the laws of a tree, and that a walk down it finds the sector that a ray finds."""

from __future__ import annotations

import hashlib
import math
import os
import struct
import subprocess
import sys
from collections import defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import built_maps, doom_maps, doom_nodes

from lumpyard.maps import bsp
from lumpyard.maps.bsp import MAX_EXTENDED, MAX_VANILLA, VERSION, BuiltNodes, build_nodes
from lumpyard.maps.limits import OverLimit
from lumpyard.maps.model import DoomMap, Line, Vertex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.builders.doom_nodes import Nodes

SOME = [
    *(("freedoom1", name) for name in ("E1M1", "E1M5", "E2M8", "E3M6", "E4M1")),
    *(("freedoom2", name) for name in ("MAP01", "MAP07", "MAP13", "MAP29", "MAP30")),
    *(("freedm", name) for name in ("MAP01", "MAP20", "MAP31")),
]
SHORT_LINES = [
    ("freedoom1", "E4M3"),
    ("freedoom1", "E4M4"),
    ("freedoom2", "MAP20"),
]  # short ones near to cuts
BOTH = pytest.mark.parametrize("extended", [False, True], ids=["vanilla", "xnod"])


def nodes_of(level: DoomMap, *, extended: bool = False) -> Nodes:
    built = build_nodes(level, extended=extended)
    assert isinstance(built, BuiltNodes)
    return doom_nodes.of_lumps(built)


def broken_laws(level: DoomMap, nodes: Nodes, off: float) -> Iterator[str]:
    """What is wrong with nodes; ends of segs may be so far off their lines."""
    children = [child for node in nodes.nodes for child in (node.right, node.left)]
    if sorted(child for child in children if child >= 0) != list(range(len(nodes.nodes) - 1)):
        yield "not every node but the last is the child of one node"
    leaves = sorted(-1 - child for child in children if child < 0) or [0]
    if leaves != list(range(len(nodes.subsectors))):
        yield "not every subsector is the child of one node"
    for number, node in enumerate(nodes.nodes):
        if max(node.right, node.left) >= number:
            yield f"node {number} is not above its children"
    if [seg for run in nodes.subsectors for seg in run] != list(range(len(nodes.segs))):
        yield "the runs of segs are not all segs in order"
    if not all(nodes.subsectors):
        yield "a subsector is empty"
    yield from _unlike_lines(level, nodes, off)
    yield from _outside_boxes(nodes)


def _unlike_lines(level: DoomMap, nodes: Nodes, off: float) -> Iterator[str]:
    """Each side of a line is a chain of segs from its one end to the other, on the line."""
    chains: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for seg in nodes.segs:
        if seg.v1 != seg.v2:  # where a piece is shorter than the rounding
            chains[seg.line, seg.side].append((seg.v1, seg.v2))
    wanted = set()
    for number, line in enumerate(level.lines):
        if max(line.v1, line.v2) >= len(level.vertices):
            continue
        (x1, y1), (x2, y2) = level.vertices[line.v1], level.vertices[line.v2]
        if (x1, y1) == (x2, y2):
            continue
        for side, has in ((0, line.front), (1, line.back)):
            if has is not None and has < len(level.sides) and level.sides[has].sector < len(level.sectors):
                wanted.add((number, side))
                start, end = (line.v1, line.v2) if side == 0 else (line.v2, line.v1)
                steps = dict(chains[number, side])
                at, seen = start, 0
                while at in steps and seen <= len(steps):
                    at = steps[at]
                    seen += 1
                    px, py = nodes.vertices[at]
                    away = abs((x2 - x1) * (py - y1) - (y2 - y1) * (px - x1)) / math.hypot(x2 - x1, y2 - y1)
                    if away > off:
                        yield f"vertex {at} is {away} units from line {number}"
                if (at, seen) != (end, len(chains[number, side])):
                    yield f"segs of line {number}, side {side} are no chain: {chains[number, side]}"
    if set(chains) - wanted:
        yield f"segs of sides that there are not: {set(chains) - wanted}"


def _outside_boxes(nodes: Nodes) -> Iterator[str]:
    def inside(child: int, box: doom_nodes.Box) -> bool:
        top, bottom, left, right = box
        if child >= 0:
            boxes = nodes.nodes[child].right_box, nodes.nodes[child].left_box
            return all(t <= top and b >= bottom and w >= left and east <= right for t, b, w, east in boxes)
        segs = [nodes.segs[seg] for seg in nodes.subsectors[-1 - child]]
        places = [nodes.vertices[vertex] for seg in segs for vertex in (seg.v1, seg.v2)]
        return all(bottom <= y <= top and left <= x <= right for x, y in places)

    for number, node in enumerate(nodes.nodes):
        if not inside(node.right, node.right_box) or not inside(node.left, node.left_box):
            yield f"something is outside the boxes of node {number}"


@BOTH
@pytest.mark.parametrize(("game", "name"), SOME)
def test_nodes_of_freedooms_maps_keep_the_laws(game: str, name: str, *, extended: bool) -> None:
    """ "each subsector and node reached exactly once, ranges, root last, child < self" """
    level = doom_maps.freedoom(game, name)
    nodes = built_maps.nodes(game, name, extended=extended)
    assert list(broken_laws(level, nodes, 0.02 if extended else 0.73)) == []


@pytest.mark.parametrize(("game", "name"), SOME)
def test_a_walk_down_the_nodes_finds_the_sector_that_a_ray_finds(game: str, name: str) -> None:
    level = doom_maps.freedoom(game, name)
    inside, bad = doom_nodes.wrong(level, built_maps.nodes(game, name), 600)
    assert inside > 100
    assert bad == []


@BOTH
@pytest.mark.parametrize(("game", "name"), [*SOME, *SHORT_LINES])
def test_every_subsector_is_convex(game: str, name: str, *, extended: bool) -> None:
    """No end of a seg is behind the line of another in its subsector, however far that line must be drawn out.

    It may be 1/8 of a unit there, as what counts as on a cut, and what the end's own place is rounded by.
    """
    nodes = built_maps.nodes(game, name, extended=extended)
    off = max(behind_lines(doom_maps.freedoom(game, name), nodes))
    assert off <= 1 / 8 + (0.02 if extended else 0.71)


def behind_lines(level: DoomMap, nodes: Nodes) -> Iterator[float]:
    """For each seg how far behind its line, in map units, an end of any in its subsector is at most."""
    for run in nodes.subsectors:
        places = {nodes.vertices[vertex] for seg in run for vertex in nodes.segs[seg][:2]}
        for seg in run:
            line = level.lines[nodes.segs[seg].line]
            ends = (line.v1, line.v2) if nodes.segs[seg].side == 0 else (line.v2, line.v1)
            (x1, y1), (x2, y2) = (level.vertices[end] for end in ends)
            behind = max((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in places)
            yield behind / math.hypot(x2 - x1, y2 - y1)


NARROW_AND_WIDE = [0, 4, 600, 604]  # where the walls on each side of a square room start; it ends at 1,200
moved = st.integers(-1, 1)


@settings(max_examples=100)
@given(st.lists(st.tuples(moved, moved), min_size=16, max_size=16), st.booleans())
def test_a_room_of_short_and_long_walls_that_are_not_quite_straight_becomes_convex(
    moves: list[tuple[int, int]], extended: bool
) -> None:
    """A short wall that lies on a cut, to 1/8 of a unit, may need a cut of its own a long way off."""
    around = [
        *((0, at) for at in NARROW_AND_WIDE),
        *((at, 1200) for at in NARROW_AND_WIDE),
        *((1200, 1200 - at) for at in NARROW_AND_WIDE),
        *((1200 - at, 0) for at in NARROW_AND_WIDE),
    ]
    points = [(x + dx, y + dy) for (x, y), (dx, dy) in zip(around, moves, strict=True)]
    level = doom_maps.plan(points, [(at, (at + 1) % 16, 0, None) for at in range(16)])
    nodes = nodes_of(level, extended=extended)
    assert max(behind_lines(level, nodes)) <= 1 / 8 + (0.02 if extended else 0.71)


def test_vertices_of_the_map_keep_their_numbers_and_those_of_another_builder_go() -> None:
    level = doom_maps.freedoom("freedoom2", "MAP07")
    own = 1 + max(max(line.v1, line.v2) for line in level.lines)
    assert own < len(level.vertices)
    vanilla, extended = (
        built_maps.built("freedoom2", "MAP07", extended=extended) for extended in (False, True)
    )
    assert vanilla.vertexes[: 4 * own] == extended.vertexes == level.lumps["VERTEXES"][: 4 * own]


def test_what_was_built_is_built_again_from_itself() -> None:
    level = doom_maps.freedoom("freedoom2", "MAP07")
    first = built_maps.built("freedoom2", "MAP07")
    again = level._replace(vertices=[Vertex(*place) for place in struct.iter_unpack("<hh", first.vertexes)])
    assert build_nodes(again) == first


def test_new_vertices_are_shared_and_all_are_used() -> None:
    level = doom_maps.freedoom("freedoom2", "MAP13")
    own = 1 + max(max(line.v1, line.v2) for line in level.lines)
    nodes = built_maps.nodes("freedoom2", "MAP13")
    new = nodes.vertices[own:]
    assert len(set(new)) == len(new)
    used = {vertex for seg in nodes.segs for vertex in (seg.v1, seg.v2)}
    assert used >= set(range(own, len(nodes.vertices)))


def test_one_square_room_has_one_subsector_and_no_nodes() -> None:
    built = build_nodes(doom_maps.square())
    assert built == BuiltNodes(
        vertexes=bytes.fromhex("c0ff c0ff  c0ff 4000  4000 4000  4000 c0ff"),
        segs=bytes.fromhex(
            "0000 0100 0040 0000 0000 0000"  # vertex 0 to 1, north, line 0, front, from its start
            "0100 0200 0000 0100 0000 0000"
            "0200 0300 00c0 0200 0000 0000"
            "0300 0000 0080 0300 0000 0000"
        ),
        ssectors=bytes.fromhex("0400 0000"),
        nodes=b"",
    )


def corner() -> DoomMap:
    """A room like an L, whose inner corner is at 0, 0, so that one line of it has to be cut across."""
    points = [(-128, -128), (-128, 128), (0, 128), (0, 0), (128, 0), (128, -128)]
    return doom_maps.plan(points, [(at, (at + 1) % 6, 0, None) for at in range(6)])


def test_a_room_with_a_corner_is_cut_along_one_of_the_lines_that_meet_there() -> None:
    built = build_nodes(corner())
    assert isinstance(built, BuiltNodes)
    assert built.nodes == bytes.fromhex(
        "0000 8000 0000 80ff"  # at 0, 128, going 128 south
        "8000 80ff 80ff 0000"  # on the right: 128 to -128, from -128 to 0
        "0000 80ff 0000 8000"  # on the left: 0 to -128, from 0 to 128
        "0080 0180"  # two subsectors
    )
    assert built.vertexes[-4:] == struct.pack("<hh", 0, -128)
    assert built.ssectors == bytes.fromhex("0400 0000 0300 0400")
    assert struct.pack("<6H", 5, 6, 0x8000, 5, 0, 0) in built.segs  # the south wall in two
    assert struct.pack("<6H", 6, 0, 0x8000, 5, 0, 128) in built.segs


def test_extended_nodes_of_that_room_byte_by_byte() -> None:
    built = build_nodes(corner(), extended=True)
    assert isinstance(built, BuiltNodes)
    assert (built.segs, built.ssectors, len(built.vertexes)) == (b"", b"", 24)
    assert built.nodes[:32] == bytes.fromhex(
        "584e4f44"  # XNOD
        "06000000 01000000"  # six vertices of the map, one new
        "00000000 000080ff"  # at 0, -128
        "02000000 04000000 03000000"  # two subsectors, of four and three segs
    )
    assert built.nodes[32:36] == struct.pack("<I", 7)
    assert len(built.nodes) == 36 + 7 * 11 + 4 + 32
    assert built.nodes[-36:-32] == struct.pack("<I", 1)
    assert built.nodes[-8:] == bytes.fromhex("00000080 01000080")


def test_a_map_without_lines_has_empty_lumps() -> None:
    assert build_nodes(doom_maps.plan([], [])) == BuiltNodes(b"", b"", b"", b"")


def test_lines_without_length_sides_or_vertices_have_no_segs() -> None:
    level = doom_maps.square()
    odd = [Line(0, 0, 1, 0, 0, 0, None), Line(0, 1, 1, 0, 0, None, None), Line(0, 900, 1, 0, 0, 0, None)]
    odd += [Line(0, 2, 1, 0, 0, 800, None)]
    assert build_nodes(level._replace(lines=[*level.lines, *odd])) == build_nodes(level)


def test_a_grid_of_rooms_is_cut_without_a_split() -> None:
    level = doom_maps.rooms(20, 15)
    nodes = nodes_of(level)
    sides = sum((line.front is not None) + (line.back is not None) for line in level.lines)
    assert (len(nodes.segs), len(nodes.subsectors), len(nodes.nodes)) == (sides, 300, 299)
    assert list(broken_laws(level, nodes, 0)) == []


def test_more_segs_than_all_engines_can_number_are_told_and_extended_nodes_have_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert MAX_VANILLA == 32767  # numbers of the first engines are signed, or have bit 15 for a subsector
    level = doom_maps.rooms(15, 15)
    monkeypatch.setattr(bsp, "MAX_VANILLA", 899)
    found = build_nodes(level)
    assert found == ("nodes-too-many-segs", "segs: 900, at most 899 are possible", 900, 899)
    assert len(nodes_of(level, extended=True).segs) == 900
    monkeypatch.setattr(bsp, "MAX_EXTENDED", 899)
    assert build_nodes(level, extended=True) == found


def test_too_many_vertices_are_told() -> None:
    level = doom_maps.square()
    far = [*level.vertices, *[Vertex(0, 0)] * 40000, Vertex(8, 8)]
    lines = [*level.lines, Line(0, len(far) - 1, 1, 0, 0, 0, None)]
    found = build_nodes(level._replace(vertices=far, lines=lines))
    assert isinstance(found, OverLimit)
    assert found == (
        "nodes-too-many-vertices",
        "vertices: 40005, at most 32767 are possible",
        40005,
        MAX_VANILLA,
    )


def star(lines: int, radius: int) -> DoomMap:
    """Lines that all cross each other."""
    places = [
        (round(radius * math.cos(math.pi * at / lines)), round(radius * math.sin(math.pi * at / lines)))
        for at in range(2 * lines)
    ]
    return doom_maps.plan(places, [(at, at + lines, 0, 0) for at in range(lines)])


def test_lines_that_all_cross_end_at_the_limit() -> None:
    spread = star(1500, 30000)
    moved = [Vertex(x + 7 * (at % 31), y) for at, (x, y) in enumerate(spread.vertices)]
    found = build_nodes(spread._replace(vertices=moved))
    assert isinstance(found, OverLimit)
    assert found.id == "nodes-too-many-segs"
    assert found.found < 4 * MAX_VANILLA < MAX_EXTENDED


def test_a_round_room_of_a_thousand_walls_is_one_subsector() -> None:
    """Its walls go all ways that two small numbers make, in the order of their angles."""
    steps = [(x, y) for x in range(-20, 21) for y in range(-20, 21) if math.gcd(x, y) == 1]
    steps.sort(key=lambda step: math.atan2(step[1], step[0]), reverse=True)
    ring = list(accumulate(steps, lambda at, step: (at[0] + step[0], at[1] + step[1]), initial=(0, 0)))[:-1]
    level = doom_maps.plan(ring, [(at, (at + 1) % len(ring), 0, None) for at in range(len(ring))])
    nodes = nodes_of(level)
    assert len(ring) > 1000
    assert (len(nodes.segs), len(nodes.subsectors)) == (len(ring), 1)


places = st.integers(-6, 6).map(lambda at: at * 40) | st.integers(-300, 300)
number = st.integers(0, 12) | st.sampled_from([0xFFFE, 70000])
lines = st.builds(
    Line, number, number, st.just(4), st.just(0), st.just(0), st.none() | number, st.none() | number
)


@settings(max_examples=150)
@given(st.lists(st.builds(Vertex, places, places), max_size=13), st.lists(lines, max_size=24), st.booleans())
def test_any_map_has_nodes_that_keep_the_laws(
    vertices: list[Vertex], lines: list[Line], extended: bool
) -> None:
    """Also one of lines that cross, lie on each other, have no sides, and name what there isn't."""
    level = doom_maps.rooms(3, 3)._replace(vertices=vertices, lines=lines)
    built = build_nodes(level, extended=extended)
    assert isinstance(built, BuiltNodes)
    if built.nodes or built.ssectors:
        assert list(broken_laws(level, doom_nodes.of_lumps(built), 0.02 if extended else 0.73)) == []


def test_nodes_are_the_same_bytes_whatever_the_hash_seed() -> None:
    program = (
        "import hashlib; from tests.builders import built_maps as b;"
        "print(hashlib.sha256(b''.join(b''.join(b.built('freedoom2', n)) for n in ('MAP01', 'MAP07'))).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout.strip()
        for seed in ("0", "12345")
    }
    here = b"".join(b"".join(built_maps.built("freedoom2", name)) for name in ("MAP01", "MAP07"))
    assert seen == {hashlib.sha256(here).hexdigest()}


def test_built_nodes_are_those_of_this_version_of_the_builder() -> None:
    """Where it fails for a good reason, raise `bsp.VERSION` and the version of the rule `doom-map`: caches go by it."""
    lumps = b"".join(b"".join(built_maps.built("freedoom2", name)) for name in ("MAP01", "MAP13"))
    assert (VERSION, hashlib.sha256(lumps).hexdigest()[:16]) == (2, "7df915ffa408a662")
