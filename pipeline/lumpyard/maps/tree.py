"""Whether a map's nodes are a tree that holds each of its subsectors once, and what an engine would trip over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.model import LEAF, MapDamage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lumpyard.maps.model import NodeTree


def check_tree(tree: NodeTree, lines: int) -> list[MapDamage]:
    """What is wrong with the nodes of a map with so many lines; one value for each kind of fault.

    Each names the first place, and how many there are more.
    """
    found = [
        _first("SEGS", _seg_faults(tree, lines)),
        _first("SSECTORS", _subsector_faults(tree)),
        _first("NODES", _child_faults(tree)),
        _first("NODES", _reached(tree)),
    ]
    return [damage for damage in found if damage]


def _first(lump: str, faults: Iterable[str]) -> MapDamage | None:
    told = ""
    more = -1
    for fault in faults:
        told = told or fault
        more += 1
    if not told:
        return None
    return MapDamage(lump, f"{told} (and {more} more)" if more else told, code="nodes")


def _seg_faults(tree: NodeTree, lines: int) -> Iterator[str]:
    vertices = len(tree.vertices)
    for number, seg in enumerate(tree.segs):
        if seg.v1 >= vertices or seg.v2 >= vertices:
            yield f"seg {number} goes from vertex {seg.v1} to {seg.v2}; there are {vertices}"
        if seg.line is not None and seg.line >= lines:
            yield f"seg {number} is of line {seg.line}; there are {lines}"
        if seg.side > 1:
            yield f"seg {number} is on side {seg.side}; there are 0 and 1"
        if seg.partner is not None and seg.partner >= len(tree.segs):
            yield f"seg {number} has partner {seg.partner}; there are {len(tree.segs)} segs"


def _subsector_faults(tree: NodeTree) -> Iterator[str]:
    for number, subsector in enumerate(tree.subsectors):
        if subsector.first + subsector.segs > len(tree.segs):
            last = subsector.first + subsector.segs - 1
            yield f"subsector {number} has segs {subsector.first} to {last}; there are {len(tree.segs)}"
        elif not subsector.segs:
            yield f"subsector {number} has no segs"


def _child_faults(tree: NodeTree) -> Iterator[str]:
    for number, node in enumerate(tree.nodes):
        for child in (node.right, node.left):
            if child & LEAF and child ^ LEAF >= len(tree.subsectors):
                yield f"a child of node {number} is subsector {child ^ LEAF}; there are {len(tree.subsectors)}"
            elif not child & LEAF and child >= len(tree.nodes):
                yield f"a child of node {number} is node {child}; there are {len(tree.nodes)}"


def _reached(tree: NodeTree) -> Iterator[str]:
    """What is met twice, or never, on the way down from the root, which is the last node."""
    nodes = bytearray(len(tree.nodes))
    leaves = bytearray(len(tree.subsectors))
    left = [len(nodes) - 1 if nodes else LEAF] if leaves else []
    while left:
        child = left.pop()
        met = leaves if child & LEAF else nodes
        number = child & ~LEAF
        if number >= len(met):
            continue
        if met[number]:
            yield f"{'subsector' if child & LEAF else 'node'} {number} is in the tree twice"
            continue
        met[number] = 1
        if not child & LEAF:
            left += [tree.nodes[number].right, tree.nodes[number].left]
    for what, met in (("node", nodes), ("subsector", leaves)):
        lost = met.count(0)
        if lost:
            yield f"{what} {met.index(0)} is not in the tree; {lost} of {len(met)} are not"
