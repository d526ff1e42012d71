"""GL nodes in lumps of their own, GL_VERT to GL_PVS, behind a marker GL_ and the map's name; versions 1 to 5.

    version  GL_VERT                            GL_SEGS, GL_SSECT           GL_NODES
    v1       i16 x, y                           10 and 4 bytes              as vanilla's
    v2       `gNd2`, then i32 (1/65536 units)   10 and 4 bytes              as vanilla's
    v3       `gNd2`, then i32                   `gNd3`, then 16 and 8       as vanilla's
    v4       `gNd4`                             named here, but not read
    v5       `gNd5`, then i32                   16 and 8 bytes              32 bytes, children of u32

A seg is v1, v2, line, side, partner; a vertex whose top bit is set (v3: bit 30) is one of GL_VERT.

Source: glBSP's documentation, "Specification for GL Nodes", versions 1 to 5.
"""

from __future__ import annotations

from itertools import starmap
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps import records
from lumpyard.maps.extended import DEEP_NODE, node_of, units, vanilla_node
from lumpyard.maps.model import MapDamage, NodeTree, Seg, Subsector, Vertex
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lumpyard.maps.model import DoomMap

_SEG, _WIDE_SEG = Struct("<5H"), Struct("<IIHHI")
_SUBSECTOR, _WIDE_SUBSECTOR = layout(records.Subsector), Struct("<II")
_VERTEX, _FINE_VERTEX = layout(records.Vertex), Struct("<ii")
_NO_LINE = 0xFFFF


class _Version(NamedTuple):
    vertex_tag: bytes
    seg_tag: bytes  # of GL_SEGS and GL_SSECT
    wide: bool  # segs and subsectors
    own: int  # the bit of a vertex's number that says that it is one of GL_VERT
    wide_nodes: bool = False


VERSIONS = {
    "v1": _Version(b"", b"", wide=False, own=1 << 15),
    "v2": _Version(b"gNd2", b"", wide=False, own=1 << 15),
    "v3": _Version(b"gNd2", b"gNd3", wide=True, own=1 << 30),
    "v4": _Version(b"gNd4", b"", wide=True, own=1 << 31),
    "v5": _Version(b"gNd5", b"", wide=True, own=1 << 31, wide_nodes=True),
}
_UNREAD = "v4"


class Found(NamedTuple):
    """The version of GL_ lumps, `none` without them, `unknown` where their first bytes are."""

    kind: str
    damage: tuple[MapDamage, ...] = ()


def version(lumps: Mapping[str, bytes]) -> Found:
    """The version of a map's GL_ lumps."""
    vertices, segs = lumps.get("GL_VERT", b""), lumps.get("GL_SEGS", b"")
    if not vertices and not segs:
        return Found("none")
    tag = vertices[:4] if vertices.startswith(b"gNd") else b""
    for kind, form in reversed(VERSIONS.items()):
        if tag == form.vertex_tag and segs.startswith(form.seg_tag):
            return Found(kind)
    known = ", ".join(form.vertex_tag.decode() for form in VERSIONS.values() if form.vertex_tag)
    message = f"unknown version of GL nodes: it starts with {tag!r}, which is none of {known}"
    return Found("unknown", (MapDamage("GL_VERT", message, 0, "nodes"),))


def decode_gl_lumps(found: DoomMap, kind: str) -> NodeTree:
    """The nodes of GL_ lumps of one of `VERSIONS`, on the vertices of the map and behind them those of GL_VERT."""
    form = VERSIONS[kind]
    if kind == _UNREAD:
        message = "GL nodes of version 4 are not read; versions 1, 2, 3 and 5 are"
        return NodeTree(kind, found.vertices, (), (), (), [MapDamage("GL_VERT", message, 0, "nodes")])
    damage: list[MapDamage] = []

    def rows(lump: str, record: Struct, tag: bytes = b"") -> Iterator[tuple[int, ...]]:
        table = records.whole(lump, found.lumps.get(lump, b""), record.size, len(tag))
        damage.extend(table.damage)
        return record.iter_unpack(table.data)

    own = rows("GL_VERT", _FINE_VERTEX if form.vertex_tag else _VERTEX, form.vertex_tag)
    fine = units if form.vertex_tag else int
    vertices = [*found.vertices, *(Vertex(fine(x), fine(y)) for x, y in own)]
    first = len(found.vertices)

    def number(vertex: int) -> int:
        return first + (vertex & ~form.own) if vertex & form.own else vertex

    subsector = _WIDE_SUBSECTOR if form.wide else _SUBSECTOR
    subsectors = list(starmap(Subsector, rows("GL_SSECT", subsector, form.seg_tag)))
    none = 0xFFFFFFFF if form.wide else 0xFFFF
    segs = [
        Seg(
            *(number(v1), number(v2), None, None if line == _NO_LINE else line, side, None),
            partner=None if partner == none else partner,
        )
        for v1, v2, line, side, partner in rows("GL_SEGS", _WIDE_SEG if form.wide else _SEG, form.seg_tag)
    ]
    node = DEEP_NODE if form.wide_nodes else layout(records.Node)
    nodes = list(starmap(node_of if form.wide_nodes else vanilla_node, rows("GL_NODES", node)))
    return NodeTree(kind, vertices, segs, subsectors, nodes, damage)
