"""The nodes of a map: which form they have, and what they say, whatever the form.

    form      where it is       told by
    vanilla   SEGS SSECTORS NODES
    deepbsp   the same, wider   `xNd4` and four zeros before NODES
    xnod      NODES             its first four bytes, and SEGS is empty; so with all below
    xgln      SSECTORS, or ZNODES of UDMF; also xgl2, xgl3; GL nodes: closed subsectors, fractions
    znod …    the same, with all behind the first four bytes compressed (zgln, zgl2, zgl3)

SEGS must be empty, since the first partition of a vanilla map may be at (20056, 17487), which is `XNOD`
(team-eternity/eternity#22). GL nodes may also be in lumps of their own (`maps.gl`), beside any other.

Source: "Doom map", SEGS to NODES and "Later map formats"; the ZDoom wiki, "Node"; DeePBSP's own source for its records.
"""

from __future__ import annotations

from itertools import starmap
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import MalformedError
from lumpyard.maps import gl, records
from lumpyard.maps.extended import DEEP_NODE, FORMS, decode_extended, node_of, vanilla_node
from lumpyard.maps.model import MapDamage, NodeTree, Seg, Subsector
from lumpyard.records import layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lumpyard.maps.model import DoomMap

_DEEP = b"xNd4\0\0\0\0"
_DEEP_SEG = Struct("<IIHHHH")  # v1, v2, angle, line, side, offset
_DEEP_SUBSECTOR = Struct("<HI")  # segs, first


class Kinds(NamedTuple):
    """The forms of a map's nodes, as in `DoomMap`, and which lump holds those that are in one alone."""

    nodes: str
    gl_nodes: str
    damage: Sequence[MapDamage]
    lump: str = "NODES"


def recognise(lumps: Mapping[str, bytes]) -> Kinds:
    """The forms of a map's nodes, from the first bytes of its lumps."""
    damage: list[MapDamage] = []
    own = gl.version(lumps)
    damage += own.damage
    places = ("ZNODES",) if "TEXTMAP" in lumps else ("NODES", "SSECTORS")
    found: list[tuple[str, str]] = []
    if "TEXTMAP" in lumps or not lumps.get("SEGS"):
        for lump in places:
            tag = lumps.get(lump, b"")[:4]
            if tag in FORMS:
                found.append((FORMS[tag].kind, lump))
            elif tag:
                damage.append(_unknown(lump, tag))
                found.append(("unknown", lump))
    elif lumps.get("NODES", b"").startswith(_DEEP):
        found.append(("deepbsp", "NODES"))
    elif lumps.get("SSECTORS"):
        found.append(("vanilla", "NODES"))
    kind, lump = found[0] if found else ("none", "NODES")
    beside = found[1][0] if len(found) > 1 else "none"
    return Kinds(kind, own.kind if own.kind != "none" else beside, damage, lump)


def decode(found: DoomMap) -> NodeTree:
    """The map's nodes, without those of GL_ lumps; empty where there are none, or none that can be read.

    Numbers are as stored: `maps.tree.check_tree` says whether they lead anywhere.
    """
    kinds = recognise(found.lumps)
    if kinds.nodes in {"vanilla", "deepbsp"}:
        return _tables(found, kinds.nodes)
    if kinds.nodes in {"none", "unknown"}:
        return NodeTree(kinds.nodes, found.vertices, (), (), (), kinds.damage)
    return _extended(found, kinds.nodes, kinds.lump)


def decode_gl(found: DoomMap) -> NodeTree:
    """The map's GL nodes, from GL_ lumps, or from SSECTORS where they stand beside those of NODES."""
    kinds = recognise(found.lumps)
    if kinds.gl_nodes in gl.VERSIONS:
        return gl.decode_gl_lumps(found, kinds.gl_nodes)
    if kinds.gl_nodes in {"none", "unknown"}:
        return NodeTree(kinds.gl_nodes, found.vertices, (), (), (), ())
    return _extended(found, kinds.gl_nodes, "SSECTORS")


def _unknown(lump: str, tag: bytes) -> MapDamage:
    known = ", ".join(name.decode() for name in FORMS)
    empty = "" if lump == "ZNODES" else "SEGS is empty, and "
    message = f"unknown form of nodes: {empty}it starts with {tag!r}, which is none of {known}"
    return MapDamage(lump, message, 0, "nodes")


def _extended(found: DoomMap, kind: str, lump: str) -> NodeTree:
    try:
        tree = decode_extended(found.lumps[lump], found.vertices)
    except MalformedError as error:
        return NodeTree(kind, found.vertices, (), (), (), [MapDamage(lump, str(error), code="nodes")])
    return tree._replace(damage=[broken._replace(lump=lump) for broken in tree.damage])


def _tables(found: DoomMap, kind: str) -> NodeTree:
    """The nodes of three lumps."""
    deep = kind == "deepbsp"
    damage: list[MapDamage] = []
    seg = _DEEP_SEG if deep else layout(records.Seg)
    subsector = _DEEP_SUBSECTOR if deep else layout(records.Subsector)
    node = DEEP_NODE if deep else layout(records.Node)

    def rows(lump: str, form: Struct, start: int = 0) -> Iterator[tuple[int, ...]]:
        data = found.lumps.get(lump, b"")
        table = records.whole(lump, data, form.size, start)
        damage.extend(table.damage)
        return form.iter_unpack(table.data)

    segs = list(starmap(Seg, rows("SEGS", seg)))
    subsectors = list(starmap(Subsector, rows("SSECTORS", subsector)))
    raw_nodes = rows("NODES", node, len(_DEEP) if deep else 0)
    nodes = list(starmap(node_of if deep else vanilla_node, raw_nodes))
    return NodeTree(kind, found.vertices, segs, subsectors, nodes, damage)
