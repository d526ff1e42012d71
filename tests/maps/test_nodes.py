"""Nodes of every form become one tree."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import pytest
from tests.builders import doom_map, judges

from lumpyard.maps import extended, gl, nodes
from lumpyard.maps.model import LEAF, Node, NodeTree, Seg, Subsector, Vertex
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.tree import check_tree

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap

FORMS = ["xnod", "znod", "xgln", "zgln", "xgl2", "zgl2", "xgl3", "zgl3"]
ROOT = Node(256, 0, 0, 256, (256, 0, 256, 512), (256, 0, 0, 256), LEAF | 1, LEAF)
PLACES = [Vertex(x, y) for x, y in doom_map.VERTICES]


def with_nodes(data: bytes, **others: bytes) -> DoomMap:
    return read_lumps("MAP01", {**doom_map.DOOM, "SEGS": b"", "SSECTORS": b"", "NODES": data, **others})


def tree_of(data: bytes) -> NodeTree:
    found = with_nodes(data)
    assert found.damage == []
    return nodes.decode(found)


def faults(tree: NodeTree) -> list[str]:
    return [f"{damage.lump}: {damage.message}" for damage in [*tree.damage, *check_tree(tree, 7)]]


def test_vanilla_nodes() -> None:
    tree = nodes.decode(read_lumps("MAP01", doom_map.DOOM))
    assert tree.vertices == PLACES
    assert tree.segs == [Seg(*row) for row in doom_map.SEGS]
    assert tree.subsectors == [Subsector(4, 0), Subsector(4, 4)]
    assert tree.nodes == [ROOT]
    assert faults(tree) == []


def test_deepbsps_nodes() -> None:
    """`xNd4` and four zeros, nodes with wide children, segs with wide vertices, subsectors with a wide first seg."""
    lumps = {
        **doom_map.DOOM,
        "SEGS": b"".join(struct.pack("<IIHHHH", *row) for row in doom_map.SEGS),
        "SSECTORS": b"".join(struct.pack("<HI", *row) for row in doom_map.SUBSECTORS),
        "NODES": b"xNd4\0\0\0\0" + struct.pack("<12hII", *doom_map.NODE[:12], 0x80000001, 0x80000000),
    }
    found = read_lumps("MAP01", lumps)
    assert (found.nodes, found.damage) == ("deepbsp", [])
    assert nodes.decode(found)[1:] == nodes.decode(read_lumps("MAP01", doom_map.DOOM))[1:]


@pytest.mark.parametrize("form", FORMS)
def test_extended_nodes(form: str) -> None:
    found = with_nodes(doom_map.extended(form.upper().encode()))
    assert (found.nodes, found.gl_nodes, found.damage) == (form, "none", [])
    tree = nodes.decode(found)
    assert (tree.kind, tree.vertices, tree.subsectors, tree.nodes) == (form, PLACES, [(4, 0), (4, 4)], [ROOT])
    assert [(seg.v1, seg.v2, seg.line, seg.side) for seg in tree.segs] == [
        (v1, v2, line, side) for v1, v2, _, line, side, _ in doom_map.SEGS
    ]
    partners = [None, None, 7, None, None, None, None, 2] if "gl" in form else [None] * 8
    assert [seg.partner for seg in tree.segs] == partners
    assert faults(tree) == []


@pytest.mark.parametrize("form", ["XGLN", "ZGL3"])
@pytest.mark.parametrize("lump", ["SSECTORS", "ZNODES"])
def test_gl_nodes_in_ssectors_and_in_znodes(form: str, lump: str) -> None:
    data = doom_map.extended(form.encode())
    if lump == "ZNODES":
        found = read_lumps("MAP01", {"TEXTMAP": doom_map.udmf_text(), "ZNODES": data, "ENDMAP": b""})
    else:
        found = with_nodes(b"", SSECTORS=data)
    assert (found.nodes, found.gl_nodes, found.damage) == (form.lower(), "none", [])
    tree = nodes.decode(found)
    assert (len(tree.segs), tree.nodes, faults(tree)) == (8, [ROOT], [])


def test_gl_nodes_beside_others_are_the_second_tree() -> None:
    """As `zdbsp -X -g` writes them: NODES is XNOD, SSECTORS is XGLN."""
    found = with_nodes(doom_map.extended(b"XNOD"), SSECTORS=doom_map.extended(b"XGLN"))
    assert (found.nodes, found.gl_nodes) == ("xnod", "xgln")
    assert [seg.partner for seg in nodes.decode(found).segs] == [None] * 8
    assert [seg.partner for seg in nodes.decode_gl(found).segs] == [None, None, 7, None, None, None, None, 2]


def test_new_vertices_stand_behind_the_maps_own() -> None:
    """Numbers are in 1/65536 of a unit."""
    tree = tree_of(doom_map.extended(b"XNOD", new=[(65536, -65536), (32768, 1)]))
    assert tree.vertices[6:] == [(1, -1), (0.5, 1 / 65536)]


def test_a_line_number_of_none_is_along_no_line() -> None:
    narrow = tree_of(
        doom_map.extended(b"XGLN", lengths=[2], segs=[(0, 1, 0xFFFF, 0), (1, 0xFFFFFFFF, 0xFFFE, 1)])
    )
    assert [(seg.line, seg.partner) for seg in narrow.segs] == [(None, 1), (0xFFFE, None)]
    wide = tree_of(doom_map.extended(b"XGL2", lengths=[2], segs=[(0, 1, 0xFFFF, 0), (1, 0, 0xFFFFFFFF, 1)]))
    assert [seg.line for seg in wide.segs] == [0xFFFF, None]


def test_a_fraction_in_a_partition_line_is_kept() -> None:
    """ "XGL3": the partition is in 1/65536 of a unit."""
    row = (65536 + 32768, -1, 0, 65536, *doom_map.NODE[4:12], LEAF, LEAF | 1)
    (node,) = tree_of(doom_map.extended(b"XGL3", nodes=[row])).nodes
    assert (node.x, node.y, node.dx, node.dy) == (1.5, -1 / 65536, 0, 1)


def test_xnod_is_a_partition_where_segs_is_filled() -> None:
    """A case of eternity, 22: a first partition at (20056,17487) reads as "XNOD"."""
    node = struct.pack("<12h2H", 0x4E58, 0x444F, *doom_map.NODE[2:])
    assert node.startswith(b"XNOD")
    found = read_lumps("MAP01", {**doom_map.DOOM, "NODES": node})
    assert (found.nodes, found.damage) == ("vanilla", [])
    assert nodes.decode(found).nodes[0].x == 0x4E58


@pytest.mark.parametrize(("lump", "tag"), [("NODES", b"XNO2"), ("NODES", b"ABCD"), ("SSECTORS", b"QQQQ")])
def test_an_unknown_form_is_damage_that_names_its_bytes(lump: str, tag: bytes) -> None:
    found = with_nodes(b"", **{lump: tag + bytes(40)})
    (damage,) = found.damage
    assert (found.nodes, damage.lump, damage.offset, damage.code) == ("unknown", lump, 0, "nodes")
    assert f"it starts with {tag!r}, which is none of XNOD, XGLN," in damage.message
    assert nodes.decode(found).segs == ()
    assert found.lumps[lump] == tag + bytes(40)  # case 47: carried as bytes


def test_vanilla_nodes_without_segs_are_no_form_either() -> None:
    found = with_nodes(doom_map.DOOM["NODES"])
    assert [damage.code for damage in found.damage] == ["nodes"]


@pytest.mark.parametrize("form", ["XNOD", "XGLN", "XGL3", "ZNOD", "ZGL2"])
def test_no_truncation_raises_and_each_is_told(form: str) -> None:
    data = doom_map.extended(form.encode())
    for end in range(4, len(data)):
        tree = nodes.decode(with_nodes(data[:end]))
        assert [damage.lump for damage in tree.damage] == ["NODES"], end


@pytest.mark.parametrize("form", ["XNOD", "XGLN", "XGL3", "ZNOD", "ZGL2"])
def test_no_flipped_byte_raises(form: str) -> None:
    data = doom_map.extended(form.encode())
    for at in range(len(data)):
        for bits in (0xFF, 0x01):
            found = with_nodes(data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :])
            check_tree(nodes.decode(found), 7)


@pytest.mark.parametrize("lump", ["SEGS", "SSECTORS", "NODES"])
def test_no_change_of_vanilla_nodes_raises(lump: str) -> None:
    raw = doom_map.DOOM[lump]
    for at in range(len(raw)):
        for changed in (raw[:at], raw[:at] + bytes([raw[at] ^ 0xFF]) + raw[at + 1 :]):
            check_tree(nodes.decode(read_lumps("MAP01", {**doom_map.DOOM, lump: changed})), 7)


def test_a_number_of_records_beyond_the_lump_is_told_before_anything_is_made() -> None:
    data = b"XNOD" + struct.pack("<II", 6, 0xFFFFFFFF)
    (damage,) = nodes.decode(with_nodes(data)).damage
    assert damage.message == "4294967295 new vertices at offset 8 need 34359738360 bytes, but 0 are left"


def test_compressed_bytes_that_stand_for_too_many_are_not_expanded() -> None:
    bomb = zlib.compress(bytes(extended.MOST_BYTES + 1), 9)
    assert len(bomb) < 100_000
    (damage,) = nodes.decode(with_nodes(b"ZNOD" + bomb)).damage
    assert damage.message == "it decompresses to more than 16777216 bytes, the most that is read"


def test_what_else_is_odd_about_extended_nodes_is_told() -> None:
    assert faults(nodes.decode(with_nodes(doom_map.extended(b"XNOD", tail=b"xyz")))) == [
        "NODES: 3 bytes are left behind the nodes"
    ]
    assert faults(nodes.decode(with_nodes(doom_map.extended(b"ZNOD") + b"xyz"))) == [
        "NODES: 3 bytes are left behind the compressed ones"
    ]
    assert faults(nodes.decode(with_nodes(doom_map.extended(b"XNOD", old=9)))) == [
        "NODES: it is for a map of 9 vertices; there are 6"
    ]
    assert faults(nodes.decode(with_nodes(doom_map.extended(b"XNOD", lengths=[4, 3])))) == [
        "NODES: the subsectors have 7 segs, but 8 are there"
    ]
    assert (
        nodes.decode(with_nodes(b"ZNOD not zlib"))
        .damage[0]
        .message.startswith("its compressed bytes are damaged")
    )


GL_SEGS = [(5, 0, 0, 0, -1), (0, 1, 1, 0, -1), (1, 4, 6, 0, 7), (4, 5, 2, 0, -1)]
GL_SEGS += [(1, 2, 3, 0, -1), (2, 3, 4, 0, -1), (3, 4, 5, 0, -1), (4, 1, 6, 1, 2)]


def gl_lumps(version: str) -> dict[str, bytes]:
    """The small map's GL nodes; its vertex 4 is one of GL_VERT too, and the segs use that one."""
    wide, own = version in {"v3", "v5"}, {"v3": 1 << 30, "v5": 1 << 31}.get(version, 1 << 15)
    tag = {"v1": b"", "v2": b"gNd2", "v3": b"gNd2", "v5": b"gNd5"}[version]
    seg_tag = b"gNd3" if version == "v3" else b""
    none = 0xFFFFFFFF if wide else 0xFFFF
    segs = [
        struct.pack(
            "<IIHHI" if wide else "<5H",
            *(own if vertex == 4 else vertex for vertex in (v1, v2)),
            line,
            side,
            none if partner < 0 else partner,
        )
        for v1, v2, line, side, partner in GL_SEGS
    ]
    deep = struct.pack("<12hII", *doom_map.NODE[:12], 0x80000001, 0x80000000)
    return {
        "GL_VERT": tag + struct.pack("<ii", 256 << 16, 0) if tag else struct.pack("<hh", 256, 0),
        "GL_SEGS": seg_tag + b"".join(segs),
        "GL_SSECT": seg_tag + struct.pack("<4I" if wide else "<4H", 4, 0, 4, 4),
        "GL_NODES": deep if version == "v5" else doom_map.DOOM["NODES"],
    }


@pytest.mark.parametrize("version", ["v1", "v2", "v3", "v5"])
def test_gl_nodes_in_lumps_of_their_own(version: str) -> None:
    found = read_lumps("MAP01", {**doom_map.DOOM, **gl_lumps(version)})
    assert (found.nodes, found.gl_nodes, found.damage) == ("vanilla", version, [])
    tree = nodes.decode_gl(found)
    assert (tree.kind, tree.vertices[6:], tree.nodes) == (version, [(256, 0)], [ROOT])
    assert (tree.segs[3].v1, tree.segs[3].v2, tree.segs[2].partner, tree.segs[0].partner) == (6, 5, 7, None)
    assert faults(tree) == []


@pytest.mark.parametrize("version", ["v1", "v2", "v3", "v5"])
def test_no_change_of_gl_lumps_raises(version: str) -> None:
    lumps = gl_lumps(version)
    for name, raw in lumps.items():
        for at in range(len(raw)):
            for changed in (raw[:at], raw[:at] + bytes([raw[at] ^ 0xFF]) + raw[at + 1 :]):
                found = read_lumps("MAP01", {**doom_map.DOOM, **lumps, name: changed})
                check_tree(nodes.decode_gl(found), 7)


def test_gl_nodes_of_version_4_are_named_but_not_read() -> None:
    found = read_lumps("MAP01", {**doom_map.DOOM, "GL_VERT": b"gNd4", "GL_SEGS": b""})
    assert found.gl_nodes == "v4"
    assert (
        nodes.decode_gl(found).damage[0].message
        == "GL nodes of version 4 are not read; versions 1, 2, 3 and 5 are"
    )


def test_gl_nodes_of_an_unknown_version_are_damage() -> None:
    found = read_lumps("MAP01", {**doom_map.DOOM, "GL_VERT": b"gNd9"})
    assert found.gl_nodes == "unknown"
    assert "it starts with b'gNd9', which is none of gNd2," in found.damage[0].message
    assert nodes.decode_gl(found).nodes == ()
    assert set(gl.VERSIONS) == {"v1", "v2", "v3", "v4", "v5"}


def test_a_map_of_one_subsector_has_no_node() -> None:
    tree = NodeTree("xnod", PLACES, [Seg(0, 1, None, 0, 0, None)], [Subsector(1, 0)], [])
    assert check_tree(tree, 7) == []


SOUND = nodes.decode(read_lumps("MAP01", doom_map.DOOM))


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (
            SOUND._replace(nodes=[ROOT._replace(left=LEAF | 2)]),
            "NODES: a child of node 0 is subsector 2; there are 2",
        ),
        (SOUND._replace(nodes=[ROOT._replace(left=1)]), "NODES: a child of node 0 is node 1; there are 1"),
        (SOUND._replace(nodes=[ROOT._replace(left=0)]), "NODES: node 0 is in the tree twice (and 1 more)"),
        (
            SOUND._replace(nodes=[ROOT._replace(left=LEAF | 1)]),
            "NODES: subsector 1 is in the tree twice (and 1 more)",
        ),
        (SOUND._replace(nodes=[]), "NODES: subsector 1 is not in the tree; 1 of 2 are not"),
        (SOUND._replace(nodes=[ROOT, ROOT]), "NODES: node 0 is not in the tree; 1 of 2 are not"),
        (
            SOUND._replace(subsectors=[Subsector(4, 0), Subsector(5, 4)]),
            "SSECTORS: subsector 1 has segs 4 to 8; there are 8",
        ),
        (SOUND._replace(subsectors=[Subsector(4, 0), Subsector(0, 4)]), "SSECTORS: subsector 1 has no segs"),
        (
            SOUND._replace(vertices=PLACES[:5]),
            "SEGS: seg 0 goes from vertex 5 to 0; there are 5 (and 1 more)",
        ),
        (
            SOUND._replace(segs=[*SOUND.segs[:7], Seg(4, 1, 0, 7, 1, 0)]),
            "SEGS: seg 7 is of line 7; there are 7",
        ),
        (
            SOUND._replace(segs=[*SOUND.segs[:7], Seg(4, 1, 0, 6, 2, 0)]),
            "SEGS: seg 7 is on side 2; there are 0 and 1",
        ),
    ],
)
def test_what_is_wrong_with_a_tree_is_told(tree: NodeTree, message: str) -> None:
    assert message in faults(tree)


@pytest.mark.parametrize("game", ["freedoom1", "freedoom2", "freedm"])
def test_the_trees_of_all_known_maps_are_sound(game: str) -> None:
    for name, lumps in doom_map.maps_of(judges.game(game)).items():
        found = read_lumps(name, lumps)
        tree = nodes.decode(found)
        assert [*tree.damage, *check_tree(tree, len(found.lines))] == []
        sizes = [len(lumps["SEGS"]) // 12, len(lumps["SSECTORS"]) // 4, len(lumps["NODES"]) // 28]
        assert [len(tree.segs), len(tree.subsectors), len(tree.nodes)] == sizes
