"""Nodes as bytes: in SEGS, SSECTORS and NODES as the first engines read them, or all in NODES as ZDoom's XNOD.

XNOD has places in 1/65536 of a map unit and 32-bit numbers. SEGS and SSECTORS are empty then, by which engines tell it.

    XNOD                            4 bytes
    vertices of the map; new ones   u32, u32
    per new vertex: x, y            i32, i32, in 1/65536
    subsectors                      u32
    per subsector: segs             u32
    segs                            u32
    per seg: v1, v2, line, side     u32, u32, u16, u8
    nodes                           u32
    per node                        as in NODES, but children are u32 and a subsector's has bit 31

Source: "Doom map", SEGS to NODES; ZDoom's extended nodes (XNOD).
"""

from __future__ import annotations

import struct
from math import atan2, ceil, floor, pi, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.maps.bsp.numbering import Box, BuiltSeg, Numbered
    from lumpyard.maps.bsp.pieces import Cut
    from lumpyard.maps.bsp.tree import Branch

MAX_STEP = 0x7FFF  # of a node's dx and dy


def vertex_bytes(places: Sequence[tuple[float, float]]) -> bytes:
    """VERTEXES."""
    return b"".join(struct.pack("<hh", int(x), int(y)) for x, y in places)


def seg_bytes(numbered: Numbered, cuts: Sequence[Cut]) -> bytes:
    """SEGS."""
    return b"".join(_seg(seg, cuts[seg.line], numbered.places) for seg in numbered.segs)


def _seg(seg: BuiltSeg, line: Cut, places: Sequence[tuple[float, float]]) -> bytes:
    """One seg. Its angle is its line's, as the way between its own two ends is rounded."""
    dx, dy = (line.dx, line.dy) if seg.side == 0 else (-line.dx, -line.dy)
    # No direction of 16-bit numbers is so near to the middle between two angles that two machines could differ.
    angle = floor(atan2(dy, dx) * 0x8000 / pi + 0.5) & 0xFFFF
    x, y = places[seg.v1]
    start_x, start_y = (line.x, line.y) if seg.side == 0 else (line.x + line.dx, line.y + line.dy)
    offset = floor(sqrt((x - start_x) ** 2 + (y - start_y) ** 2) + 0.5) & 0xFFFF
    return struct.pack("<6H", seg.v1, seg.v2, angle, seg.line, seg.side, offset)


def subsector_bytes(numbered: Numbered) -> bytes:
    """SSECTORS."""
    parts = []
    first = 0
    for segs in numbered.runs:
        parts.append(struct.pack("<HH", segs, first))
        first += segs
    return b"".join(parts)


def node_bytes(branches: Sequence[Branch], numbered: Numbered, children: str) -> bytes:
    """NODES; `children` is H, or I for those of XNOD."""
    parts = []
    leaf_bit = 1 << (8 * struct.calcsize(children) - 1)
    for branch, (right, left) in zip(branches, numbered.boxes, strict=True):
        below = [child if child >= 0 else leaf_bit | (-1 - child) for child in (branch.right, branch.left)]
        record = struct.pack(f"<4h8h2{children}", *_along(branch.cut), *_whole(right), *_whole(left), *below)
        parts.append(record)
    return b"".join(parts)


def _along(cut: Cut) -> tuple[int, int, int, int]:
    """A point and the way from there, where that is longer than its field holds half of it."""
    dx, dy = cut.dx, cut.dy
    if max(abs(dx), abs(dy)) > MAX_STEP:
        dx, dy = int(dx / 2), int(dy / 2)
    return cut.x, cut.y, dx, dy


def _whole(box: Box) -> tuple[int, int, int, int]:
    top, bottom, left, right = box
    return ceil(top), floor(bottom), floor(left), ceil(right)


def extended_bytes(branches: Sequence[Branch], numbered: Numbered, own: int) -> bytes:
    """NODES as XNOD, with all but the first `own` vertices in it."""
    new = numbered.places[own:]
    return b"".join(
        [
            struct.pack("<4sII", b"XNOD", own, len(new)),
            *(struct.pack("<ii", int(x * 65536), int(y * 65536)) for x, y in new),
            struct.pack(f"<I{len(numbered.runs)}I", len(numbered.runs), *numbered.runs),
            struct.pack("<I", len(numbered.segs)),
            *(struct.pack("<IIHB", *seg) for seg in numbered.segs),
            struct.pack("<I", len(branches)),
            node_bytes(branches, numbered, "I"),
        ]
    )
