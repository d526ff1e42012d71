"""A tree as the lumps have it: numbered vertices, segs in the order of their subsectors, and boxes around all of it."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.bsp.pieces import FRONT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.maps.bsp.pieces import Piece
    from lumpyard.maps.bsp.tree import Tree
    from lumpyard.maps.model import DoomMap

Box = tuple[float, float, float, float]  # top, bottom, left, right


class BuiltSeg(NamedTuple):
    """A seg and where it is."""

    v1: int
    v2: int
    line: int
    side: int  # 0 front, 1 back


class Numbered(NamedTuple):
    """What the lumps of nodes are written from."""

    places: Sequence[tuple[float, float]]  # of vertices, those of the map first
    segs: Sequence[BuiltSeg]
    runs: Sequence[int]  # segs of each subsector
    boxes: Sequence[tuple[Box, Box]]  # of what is right and left of each branch


def numbered(level: DoomMap, tree: Tree, own: int, *, whole: bool) -> Numbered:
    """The tree of a map of whose vertices the first `own` are kept; `whole` moves all new ones to whole map units."""
    places, numbers = _vertices(tree.places, own, whole=whole)
    segs: list[BuiltSeg] = []
    runs: list[int] = []
    boxes: list[Box] = []
    for leaf in tree.leaves:
        all_of_it = [_seg(piece, numbers) for piece in _leading(level, leaf)]
        # Pieces shorter than the rounding are points now; a subsector of nothing else keeps one, as it must have a seg.
        made = [seg for seg in all_of_it if seg.v1 != seg.v2] or all_of_it[:1]
        segs += made
        runs.append(len(made))
        boxes.append(_box([places[v] for seg in made for v in (seg.v1, seg.v2)]))
    return Numbered(places, segs, runs, _branch_boxes(tree, boxes))


def _vertices(
    places: Sequence[tuple[float, float]], own: int, *, whole: bool
) -> tuple[list[tuple[float, float]], list[int]]:
    """Places of vertices, and for each of the tree's the number it has among them; of equal new ones one is left."""
    if not whole:
        return list(places), list(range(len(places)))
    kept = list(places[:own])
    known: dict[tuple[float, float], int] = {}
    for number, place in enumerate(kept):
        known.setdefault(place, number)
    numbers = list(range(own))
    for x, y in places[own:]:
        place = float(floor(x + 0.5)), float(floor(y + 0.5))
        if place not in known:
            known[place] = len(kept)
            kept.append(place)
        numbers.append(known[place])
    return kept, numbers


def _seg(piece: Piece, numbers: Sequence[int]) -> BuiltSeg:
    if piece.sides == FRONT:
        return BuiltSeg(numbers[piece.v1], numbers[piece.v2], piece.line, 0)
    return BuiltSeg(numbers[piece.v2], numbers[piece.v1], piece.line, 1)


def _leading(level: DoomMap, leaf: Sequence[Piece]) -> Sequence[Piece]:
    """The pieces of a leaf, in front one of the sector that has the most wall in it: engines go by the first."""
    sectors = [_sector(level, piece) for piece in leaf]
    if len(set(sectors)) < 2:
        return leaf
    walls: dict[int, float] = {}
    for piece, sector in zip(leaf, sectors, strict=True):
        walls[sector] = walls.get(sector, 0.0) + abs(piece.x2 - piece.x1) + abs(piece.y2 - piece.y1)
    most = max(walls, key=lambda sector: (walls[sector], -sector))
    return sorted(leaf, key=lambda piece: _sector(level, piece) != most)


def _sector(level: DoomMap, piece: Piece) -> int:
    line = level.lines[piece.line]
    side = line.front if piece.sides == FRONT else line.back
    assert side is not None  # or there were no piece
    return level.sides[side].sector


def _box(places: Sequence[tuple[float, float]]) -> Box:
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return max(ys), min(ys), min(xs), max(xs)


def _branch_boxes(tree: Tree, leaves: Sequence[Box]) -> list[tuple[Box, Box]]:
    boxes: list[tuple[Box, Box]] = []  # a branch's is made from those before it

    def box(child: int) -> Box:
        if child < 0:
            return leaves[-1 - child]
        one, other = boxes[child]
        return max(one[0], other[0]), min(one[1], other[1]), min(one[2], other[2]), max(one[3], other[3])

    for branch in tree.branches:
        boxes.append((box(branch.right), box(branch.left)))  # noqa: PERF401
    return boxes
