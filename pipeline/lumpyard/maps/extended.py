"""ZDoom's extended nodes: all in one lump, behind four bytes that say how.

    u32 vertices of the map   u32 new vertices, each: i32 x, i32 y (1/65536 units)
    u32 subsectors, each: u32 segs
    u32 segs, each as `Form.seg` has it
    u32 nodes, each: i16 x, y, dx, dy (XGL3: i32, 1/65536 units), two boxes of four i16, two children of u32

A subsector's segs follow those of the one before. In GL forms (XGLN, XGL2, XGL3) a seg ends where the next one of its
subsector starts, the last where the first does; some are along no line. Behind `Z` instead of `X` all the rest is
compressed with zlib.

Source: the ZDoom wiki, "Node"; ZDBSP's documentation.
"""

from __future__ import annotations

import zlib
from itertools import accumulate, starmap
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.errors import MalformedError
from lumpyard.maps.model import LEAF, MapDamage, Node, NodeTree, Seg, Subsector, Vertex

if TYPE_CHECKING:
    from collections.abc import Sequence

# Compressed bytes can stand for a thousand times as many. The largest map known (144,000 segs) needs 5 MB.
MOST_BYTES = 16 << 20
_COUNT = Struct("<I")
_VERTEX = Struct("<ii")
DEEP_NODE = Struct("<12h2I")  # as in vanilla, but for the children
_FINE_NODE = Struct("<4i8h2I")


class Form(NamedTuple):
    """How segs and nodes are stored."""

    kind: str
    seg: Struct  # v1, v2 (in GL forms: partner), line, side
    no_line: int | None  # the number that says that a seg is along none; GL forms have a partner too
    node: Struct = DEEP_NODE
    compressed: bool = False


_PLAIN = {
    b"XNOD": Form("xnod", Struct("<IIHB"), None),
    b"XGLN": Form("xgln", Struct("<IIHB"), 0xFFFF),
    b"XGL2": Form("xgl2", Struct("<IIIB"), 0xFFFFFFFF),
    b"XGL3": Form("xgl3", Struct("<IIIB"), 0xFFFFFFFF, _FINE_NODE),
}
FORMS = _PLAIN | {
    b"Z" + tag[1:]: form._replace(kind="z" + form.kind[1:], compressed=True) for tag, form in _PLAIN.items()
}
_NO_PARTNER = 0xFFFFFFFF


def decode_extended(data: bytes, vertices: Sequence[Vertex]) -> NodeTree:
    """The nodes of a lump that starts with one of `FORMS`; `vertices` are the map's.

    What is odd, but does not stop the reading, is among the tree's damage. MalformedError where the bytes end too soon
    or do not decompress. Offsets count from the start of the lump, or of the decompressed bytes.
    """
    form = FORMS[data[:4]]
    damage: list[str] = []
    source = _Source(_decompressed(data, damage), 0) if form.compressed else _Source(data, 4)
    old = source.number("vertices")
    new = [Vertex(units(x), units(y)) for x, y in source.table(_VERTEX, "new vertices")]
    if old > len(vertices):
        damage.append(f"it is for a map of {old} vertices; there are {len(vertices)}")
    lengths = [segs for (segs,) in source.table(_COUNT, "subsectors")]
    firsts = accumulate(lengths, initial=0)
    subsectors = [Subsector(segs, first) for segs, first in zip(lengths, firsts, strict=False)]
    raw_segs = source.table(form.seg, "segs")
    if sum(lengths) != len(raw_segs):
        damage.append(f"the subsectors have {sum(lengths)} segs, but {len(raw_segs)} are there")
    segs = [Seg(v1, v2, None, line, side, None) for v1, v2, line, side in raw_segs]
    if form.no_line is not None:
        segs = closed(raw_segs, subsectors, form.no_line)
    nodes = list(starmap(node_of, source.table(form.node, "nodes")))
    if form.node is _FINE_NODE:
        nodes = [_in_units(node) for node in nodes]
    if source.left:
        damage.append(f"{source.left} bytes are left behind the nodes")
    told = [MapDamage("NODES", message, code="nodes") for message in damage]
    return NodeTree(form.kind, [*vertices[:old], *new], segs, subsectors, nodes, told)


def closed(raw_segs: Sequence[tuple[int, ...]], subsectors: Sequence[Subsector], no_line: int) -> list[Seg]:
    """Segs of GL nodes, from v1, partner, line and side; each ends where the next of its subsector starts."""
    ends = [raw[0] for raw in raw_segs[1:]] + [raw[0] for raw in raw_segs[:1]]
    for subsector in subsectors:
        last = subsector.first + subsector.segs - 1
        if subsector.segs and last < len(raw_segs):
            ends[last] = raw_segs[subsector.first][0]
    return [
        Seg(
            v1,
            end,
            None,
            None if line == no_line else line,
            side,
            None,
            None if partner == _NO_PARTNER else partner,
        )
        for (v1, partner, line, side), end in zip(raw_segs, ends, strict=True)
    ]


class _Source:
    """Bytes that are taken piece by piece."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at

    @property
    def left(self) -> int:
        return len(self._data) - self._at

    def number(self, what: str) -> int:
        if self.left < _COUNT.size:
            raise MalformedError(f"it ends at offset {len(self._data)}, before the number of {what}", "nodes")
        self._at += _COUNT.size
        return int(_COUNT.unpack_from(self._data, self._at - _COUNT.size)[0])

    def table(self, form: Struct, what: str) -> list[tuple[int, ...]]:
        """As many records as the number before them says."""
        start = self._at
        records = self.number(what)
        size = records * form.size
        if size > self.left:
            found = f"{records} {what} at offset {start} need {size} bytes, but {self.left} are left"
            raise MalformedError(found, "nodes")
        self._at += size
        return list(form.iter_unpack(self._data[self._at - size : self._at]))


def _decompressed(data: bytes, damage: list[str]) -> bytes:
    """What is compressed behind the first four bytes."""
    stream = zlib.decompressobj()
    try:
        out = stream.decompress(data[4:], MOST_BYTES + 1)
    except zlib.error as error:
        raise MalformedError(f"its compressed bytes are damaged ({error})", "nodes") from error
    if len(out) > MOST_BYTES:
        raise MalformedError(
            f"it decompresses to more than {MOST_BYTES} bytes, the most that is read", "nodes"
        )
    if not stream.eof:
        raise MalformedError(f"its compressed bytes end too soon, after {len(out)} bytes", "nodes")
    if stream.unused_data:
        damage.append(f"{len(stream.unused_data)} bytes are left behind the compressed ones")
    return out


def node_of(x: int, y: int, dx: int, dy: int, *rest: int) -> Node:
    """A node from the numbers of its record, whose children have bit `LEAF` already."""
    right, left = rest[8:]
    return Node(x, y, dx, dy, rest[:4], rest[4:8], right, left)  # type: ignore[arg-type]  # four numbers each


def vanilla_node(*fields: int) -> Node:
    """A node from the numbers of a record whose children have bit 15 for a subsector."""
    x, y, dx, dy, a, b, c, d, e, f, g, h, right, left = fields
    if right & 0x8000:
        right = right & 0x7FFF | LEAF
    if left & 0x8000:
        left = left & 0x7FFF | LEAF
    return Node(x, y, dx, dy, (a, b, c, d), (e, f, g, h), right, left)


def _in_units(node: Node) -> Node:
    """A node whose line is in 1/65536 units, in whole ones."""
    x, y, dx, dy = map(units, (int(node.x), int(node.y), int(node.dx), int(node.dy)))
    return node._replace(x=x, y=y, dx=dx, dy=dy)


def units(fixed: int) -> int | float:
    """Map units of a number in 1/65536 of one; exact."""
    return fixed / 65536 if fixed & 0xFFFF else fixed >> 16
