"""Lumps are kept while the map is what they were made for, and built when it is not."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import built_maps, doom_maps

from lumpyard.errors import UnsupportedError
from lumpyard.maps import bsp, nodes
from lumpyard.maps.blockmap import build_blockmap
from lumpyard.maps.building import BuildOptions, Built, build, build_map, build_with
from lumpyard.maps.fingerprint import fingerprint
from lumpyard.maps.fitting import nodes_fit
from lumpyard.maps.limits import BuildProblem
from lumpyard.maps.model import DoomMap, Vertex
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.recording import Recorded, record
from lumpyard.maps.reject import islands
from lumpyard.maps.zdbsp import prepare, take

HIDES_A_LITTLE = {"E4M6": ["reject-doubtful"]}
EDITED = ("THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS")


def shipped(game: str = "freedm", name: str = "MAP01") -> DoomMap:
    return read_lumps(name, doom_maps.of_game(game)[name])


def five(level: DoomMap) -> DoomMap:
    """The map as an editor leaves it that builds nothing."""
    return read_lumps(level.name, {name: level.lumps[name] for name in EDITED})


@pytest.mark.parametrize("game", ["freedoom1", "freedoom2", "freedm"])
def test_a_map_that_nobody_changed_keeps_every_byte(game: str) -> None:
    for name in list(doom_maps.of_game(game))[::4]:
        level = shipped(game, name)
        built = build_map(level, BuildOptions())
        assert built[:5] == (dict(level.lumps), "kept", "kept", "kept", ())
        assert [warning.id for warning in built.warnings] == HIDES_A_LITTLE.get(name, [])
        assert list(built.lumps) == doom_maps.ORDER


def test_a_map_of_five_lumps_gets_all_ten() -> None:
    """ "five-lump maps are valid maps without nodes" """
    level = five(shipped())
    built = build_map(level, BuildOptions())
    assert built[1:5] == ("built", "built", "islands", ())
    assert list(built.lumps) == doom_maps.ORDER
    nodes = built_maps.built("freedm", "MAP01")
    assert (built.lumps["SEGS"], built.lumps["NODES"]) == (nodes.segs, nodes.nodes)
    assert built.lumps["BLOCKMAP"] == build_blockmap(level)
    assert built.lumps["REJECT"] == islands(level)
    again = read_lumps("MAP01", built.lumps)
    assert fingerprint(again) == fingerprint(level)
    assert build_map(again, BuildOptions()) == Built(built.lumps)


def test_a_fingerprint_of_another_map_makes_all_anew() -> None:
    level = shipped()
    records = {"MAP01": [record(level)]}
    assert build_map(level, BuildOptions(records=records)) == Built(dict(level.lumps))
    changed = build_map(level, BuildOptions(records={"MAP01": [Recorded("00", "00")]}))
    assert changed[1:5] == ("built", "built", "islands", ())


def test_a_line_that_was_added_makes_all_anew() -> None:
    level = shipped()
    more = level._replace(lines=[*level.lines, level.lines[0]._replace(v2=level.lines[5].v2)])
    assert not nodes_fit(more)
    assert build_map(more, BuildOptions())[1:5] == ("built", "built", "islands", ())


def test_a_vertex_that_was_moved_far_makes_nodes_and_blockmap_anew() -> None:
    level = shipped()
    cut = {line for line, side in _cut_sides(level)}
    vertex = level.lines[min(cut)].v1
    moved = list(level.vertices)
    moved[vertex] = Vertex(moved[vertex].x + 200, moved[vertex].y + 300)
    assert build_map(level._replace(vertices=moved), BuildOptions())[1:5] == ("built", "built", "islands", ())


def test_a_vertex_that_was_moved_over_a_cut_makes_nodes_anew_though_its_lines_were_not_cut() -> None:
    level = shipped()
    tree = nodes.decode(level)
    cut = {line for line, _ in _cut_sides(level)}
    of_cut = {vertex for line in cut for vertex in (level.lines[line].v1, level.lines[line].v2)}
    whole = {place: at for at, place in enumerate(level.vertices) if at not in of_cut}
    starts = [node for node in tree.nodes if Vertex(node.x, node.y) in whole]
    noticed = 0
    for node in starts:  # to the left of it: the line of the cut is on the right
        left = 16 / max(abs(node.dx), abs(node.dy))
        moved = list(level.vertices)
        at = whole[Vertex(node.x, node.y)]
        moved[at] = Vertex(node.x - round(node.dy * left), node.y + round(node.dx * left))
        noticed += not nodes_fit(level._replace(vertices=moved))
    assert noticed > len(starts) * 0.8  # else the nodes are right for what was moved, too


def test_a_corner_that_was_moved_by_four_units_makes_nodes_anew_though_its_segs_moved_with_it() -> None:
    """Angles and offsets of segs say so; only along a straight wall are all of them right for what was moved."""
    level = shipped()
    used = sorted({line.v1 for line in level.lines})[::12]
    noticed = 0
    for vertex in used:
        moved = list(level.vertices)
        moved[vertex] = Vertex(moved[vertex].x + 4, moved[vertex].y - 4)
        noticed += not nodes_fit(level._replace(vertices=moved))
    assert noticed >= len(used) * 0.95


@pytest.mark.parametrize("side", [0, 1])
def test_a_box_that_does_not_hold_its_segs_makes_nodes_anew(side: int) -> None:
    level = read_lumps("MAP01", build(shipped(), BuildOptions("build")))
    root = len(level.lumps["NODES"]) - 28
    box = root + 8 + 8 * side
    top, bottom, left, right = struct.unpack_from("<4h", level.lumps["NODES"], box)
    for lump in ((top - 2, bottom, left, right), (top, bottom, left + 2, right)):
        nodes = level.lumps["NODES"][:box] + struct.pack("<4h", *lump) + level.lumps["NODES"][box + 8 :]
        assert not nodes_fit(read_lumps("MAP01", dict(level.lumps) | {"NODES": nodes}))


def _cut_sides(level: DoomMap) -> set[tuple[int, int]]:
    """Sides that have several segs."""
    sides = [(line, side) for _, _, _, line, side, _ in struct.iter_unpack("<6H", level.lumps["SEGS"])]
    return {side for side in sides if sides.count(side) > 1}


@pytest.mark.parametrize("lump", ["SEGS", "SSECTORS", "NODES"])
def test_nodes_that_are_no_tree_are_made_anew(lump: str) -> None:
    level = shipped()
    cut = read_lumps("MAP01", dict(level.lumps) | {lump: level.lumps[lump][:-28]})
    assert not nodes_fit(cut)
    assert build_map(cut, BuildOptions()).nodes == "built"


def test_a_seg_on_the_wrong_side_of_its_line_makes_nodes_anew() -> None:
    """ "line with the same sidedef on both sides: ZDBSP <= 1.19 writes a wrong seg side in extended nodes" """
    rooms = doom_maps.rooms(2, 1)
    middle = next(at for at, line in enumerate(rooms.lines) if line.back is not None)
    both = rooms.lines[middle]._replace(back=rooms.lines[middle].front)
    level = rooms._replace(lines=[*rooms.lines[:middle], both, *rooms.lines[middle + 1 :]])
    built = build_map(level, BuildOptions("build", "always")).lumps
    assert nodes_fit(read_lumps("MAP01", built))
    seg = built["NODES"].index(struct.pack("<IIHB", both.v2, both.v1, middle, 1)) + 10
    wrong = built["NODES"][:seg] + b"\0" + built["NODES"][seg + 1 :]
    assert not nodes_fit(read_lumps("MAP01", built | {"NODES": wrong}))


def test_a_blockmap_with_an_error_is_made_anew_and_the_rest_is_kept() -> None:
    level = shipped()
    broken = read_lumps("MAP01", dict(level.lumps) | {"BLOCKMAP": level.lumps["BLOCKMAP"][:-2]})
    built = build_map(broken, BuildOptions())
    assert built[1:5] == ("kept", "built", "kept", ())


def test_a_reject_of_the_wrong_size_is_made_anew_and_the_rest_is_kept() -> None:
    level = shipped()
    for reject in (b"", level.lumps["REJECT"][:-1], level.lumps["REJECT"] + b"\0"):
        built = build_map(read_lumps("MAP01", dict(level.lumps) | {"REJECT": reject}), BuildOptions())
        assert built[1:5] == ("kept", "kept", "islands", ())
        assert len(built.lumps["REJECT"]) == len(level.lumps["REJECT"])


def test_what_is_asked_for_is_built_or_left_empty() -> None:
    level = shipped()
    assert build_map(level, BuildOptions("build", "never", "build", "islands"))[1:5] == (
        "built",
        "built",
        "islands",
        (),
    )
    empty = build_map(level, BuildOptions("none", "never", "none", "none"))
    assert empty[1:5] == ("none", "none", "none", ())
    assert [name for name, data in empty.lumps.items() if not data] == [
        "SEGS",
        "SSECTORS",
        "NODES",
        "REJECT",
        "BLOCKMAP",
    ]
    of_lines = 1 + max(max(line.v1, line.v2) for line in level.lines)
    assert of_lines < len(level.vertices)
    assert (
        empty.lumps["VERTEXES"] == level.lumps["VERTEXES"][: 4 * of_lines]
    )  # a builder's vertices go with its nodes


def test_extended_nodes_come_when_asked_for_and_when_nothing_else_holds_the_map(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    level = doom_maps.rooms(6, 6)  # with 144 segs
    monkeypatch.setattr(bsp, "MAX_VANILLA", 144)
    assert build_map(level, BuildOptions("build", "always")).nodes == "built-extended"
    assert build_map(level, BuildOptions("build", "auto")).nodes == "built"
    monkeypatch.setattr(bsp, "MAX_VANILLA", 143)
    assert build_map(level, BuildOptions("build", "auto")).nodes == "built-extended"
    built = build_map(level, BuildOptions("build"))
    assert [problem.id for problem in built.problems] == ["nodes-too-many-segs"]
    with pytest.raises(UnsupportedError, match="segs: 144, at most 143 are possible") as caught:
        build(level, BuildOptions("build"))
    assert caught.value.code == "nodes-too-many-segs"


def test_gl_nodes_go_when_others_are_made() -> None:
    level = shipped()
    gl = dict(level.lumps) | {
        "GL_MAP01": b"",
        "GL_VERT": b"gNd2",
        "GL_SEGS": b"",
        "GL_SSECT": b"",
        "GL_NODES": b"",
    }
    with_gl = read_lumps("MAP01", gl)
    assert build_map(with_gl, BuildOptions()).lumps == gl
    assert list(build_map(with_gl, BuildOptions("build")).lumps) == doom_maps.ORDER


def test_lumps_of_hexen_stay_behind_the_others() -> None:
    lumps = dict(doom_maps.of_game("freedm")["MAP01"])
    lines = struct.iter_unpack("<7H", lumps["LINEDEFS"])
    things = struct.iter_unpack("<hhhHH", lumps["THINGS"])
    hexen = lumps | {
        "LINEDEFS": b"".join(struct.pack("<3HB5B2H", *line[:3], 0, *[0] * 5, *line[5:]) for line in lines),
        "THINGS": b"".join(
            struct.pack("<hhhhhHHB5B", 0, x, y, 0, a, t, f, 0, *[0] * 5) for x, y, a, t, f in things
        ),
        "BEHAVIOR": b"ACS\0\x08\0\0\0\0\0\0\0\0\0\0\0",
    }
    level = read_lumps("MAP01", hexen)
    assert level.format == "hexen"
    assert build_map(level, BuildOptions()).lumps == hexen
    built = build_map(level, BuildOptions("build"))
    assert list(built.lumps) == [*doom_maps.ORDER, "BEHAVIOR"]
    assert built.lumps["NODES"] == built_maps.built("freedm", "MAP01").nodes


TEXT = b"""namespace = "zdoom"; vertex { x = 0; y = 0; } vertex { x = 9; y = 9; }
linedef { v1 = 0; v2 = 1; sidefront = 0; }
sidedef { sector = 0; } sector { texturefloor = "A"; textureceiling = "B"; }"""


def test_a_text_keeps_its_lumps_or_goes_without_nodes() -> None:
    level = read_lumps("MAP01", {"TEXTMAP": TEXT, "ZNODES": b"XGLN", "DIALOGUE": b"x", "ENDMAP": b""})
    built = build_map(level, BuildOptions())
    assert built[1:5] == ("none", "none", "none", ())
    assert built.lumps == {"TEXTMAP": TEXT, "DIALOGUE": b"x", "ENDMAP": b""}
    assert [problem.id for problem in build_map(level, BuildOptions("build")).problems] == ["nodes-udmf"]
    assert list(build(read_lumps("MAP01", {"TEXTMAP": TEXT}))) == ["TEXTMAP", "ENDMAP"]
    assert list(build_with(level, BuildOptions("zdbsp"), {"ZNODES": b"n"}).lumps) == [
        *("TEXTMAP", "ZNODES", "DIALOGUE", "ENDMAP"),
    ]


def test_maps_of_consoles_stay_as_they_are() -> None:
    level = read_lumps("MAP01", dict(shipped().lumps) | {"LEAFS": b"", "LIGHTS": b"", "MACROS": b""})
    built = build_map(level, BuildOptions("build"))
    assert built.lumps == level.lumps
    assert [problem.id for problem in built.problems] == ["map-format"]


def test_zdbsp_is_not_run_here() -> None:
    assert [problem.id for problem in build_map(shipped(), BuildOptions("zdbsp")).problems] == ["nodes-zdbsp"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"v2": 60000}, "line 3 goes from vertex 3 to 60000; there are 4"),
        ({"v2": 3}, "line 3 has no length; zdbsp would leave it out, and number the lines behind it anew"),
        ({"front": 4}, "line 3 has side 4; there are 4"),
        ({"back": 60000}, "line 3 has side 60000; there are 4"),
    ],
)
def test_a_map_that_zdbsp_would_crash_on_is_not_prepared(change: dict[str, int | None], message: str) -> None:
    level = doom_maps.square()
    broken = level._replace(lines=[*level.lines[:3], level.lines[3]._replace(**change)])  # type: ignore[arg-type]
    assert prepare(broken) == BuildProblem("zdbsp-map", f"zdbsp cannot be given this map: {message}")


def test_no_result_of_zdbsp_is_taken_that_is_not_the_maps() -> None:
    level = doom_maps.square()
    good = build(read_lumps("MAP01", doom_maps.lump_bytes(level)))
    named = {name: good[name] for name in doom_maps.ORDER}
    assert isinstance(take(level, doom_maps.wad_of("MAP01", named)), dict)
    other = doom_maps.lump_bytes(level._replace(vertices=level.vertices[::-1]))
    for lumps in ({}, named | {"NODES": b"", "SEGS": b""}, named | other, named | {"LINEDEFS": b""}):
        problem = take(level, doom_maps.wad_of("MAP01", lumps))
        assert isinstance(problem, BuildProblem)
        assert problem.id == "zdbsp-result"
    for output in (b"", b"PWAD", doom_maps.wad_of("MAP02", named), b"junk" * 40):
        assert isinstance(take(level, output), BuildProblem)


number = st.integers(0, 0xFFFF)
word = st.integers(-0x8000, 0x7FFF)


@settings(max_examples=60)
@given(
    st.sampled_from(EDITED),
    st.integers(0, 10_000),
    st.binary(min_size=1, max_size=6),
    st.sampled_from(["keep", "build"]),
)
def test_a_damaged_map_is_built_or_its_problem_told(lump: str, at: int, data: bytes, how: str) -> None:
    lumps = dict(SMALL)
    changed = bytearray(lumps[lump])
    at %= len(changed)
    changed[at : at + len(data)] = data
    level = read_lumps("MAP01", lumps | {lump: bytes(changed)})
    built = build_map(level, BuildOptions(how))
    assert set(built.lumps) >= set(EDITED)
    prepare(level)


SMALL = build(read_lumps("MAP01", doom_maps.lump_bytes(doom_maps.rooms(4, 3))))


@pytest.mark.parametrize("lump", ["SEGS", "SSECTORS", "NODES", "REJECT", "BLOCKMAP"])
def test_every_damaged_byte_of_a_lump_that_is_built_ends_in_a_map_that_is_whole(lump: str) -> None:
    for at in range(len(SMALL[lump])):
        changed = bytearray(SMALL[lump])
        changed[at] ^= 0xFF
        built = build_map(read_lumps("MAP01", SMALL | {lump: bytes(changed)}), BuildOptions())
        assert built.problems == ()
        assert len(built.lumps[lump]) > 0
