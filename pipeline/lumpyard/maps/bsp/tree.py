"""A plan, cut until every part is convex."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.bsp.choosing import MAX_WORK, Chooser
from lumpyard.maps.bsp.cutting import Region, Vertices, cut_in_two
from lumpyard.maps.limits import OverLimit, over

if TYPE_CHECKING:
    from lumpyard.maps.bsp.pieces import Cut, Piece, Plan


class Branch(NamedTuple):
    """One cut. What is on its sides is a branch's number, lower than its own, or below 0 a leaf's: -1 is leaf 0."""

    cut: Cut
    right: int
    left: int


class Tree(NamedTuple):
    """All cuts of a plan, the first one last, and what is left then."""

    branches: list[Branch]
    leaves: list[list[Piece]]  # each a convex part's, all of one side
    places: list[tuple[float, float]]  # of vertices: the plan's, then new ones


def grow(plan: Plan, most_segs: int) -> Tree | OverLimit:
    """The tree of a plan, which has pieces.

    OverLimit: `nodes-too-many-segs`, `nodes-too-much-work`.
    """
    vertices = Vertices(plan.places)
    chooser = Chooser(plan.cuts)
    branches: list[Branch] = []
    leaves: list[list[Piece]] = []
    pieces = len(plan.pieces)  # in what is still to be cut, and in leaves; each becomes a seg at least
    done: list[int] = []  # what a cut that is still open has on its right, then on its left
    todo: list[Region | Cut] = [Region(list(plan.pieces), [])]
    while todo:
        item = todo.pop()
        if not isinstance(item, Region):
            left, right = done.pop(), done.pop()
            done.append(len(branches))
            branches.append(Branch(item, right, left))
            continue
        halves = _halves(item, chooser, plan, vertices)
        if halves is None:
            leaves.append(item.spent + item.fresh)
            done.append(-len(leaves))
        else:
            todo += [halves.cut, halves.left, halves.right]
            pieces += halves.right.pieces + halves.left.pieces - item.pieces
        if pieces > most_segs:
            return over("nodes-too-many-segs", "segs", pieces, most_segs)
        if chooser.work > MAX_WORK:
            return over("nodes-too-much-work", "pieces of lines to look at for NODES", chooser.work, MAX_WORK)
    return Tree(branches, leaves, vertices.places)


class _Halves(NamedTuple):
    cut: Cut
    right: Region
    left: Region


def _halves(region: Region, chooser: Chooser, plan: Plan, vertices: Vertices) -> _Halves | None:
    """What is on the two sides of the best cut; None where the region is convex."""
    while (line := chooser.choose(region)) is not None:
        right, left = cut_in_two(region, plan.cuts, line, vertices)
        if right.pieces and left.pieces:
            return _Halves(plan.cuts[line], right, left)
        region.spend({line})  # the quick look at many pieces had miscounted those that lie on the cut
    return None
