"""The tree of an MPQ's Huffman code, and how it changes.

The nodes stand in one list from the heaviest, the root, to the lightest; siblings stand side by side, the heavier
first. A node that gets heavier changes places with the first of those that were as heavy as it was. A new symbol
enters by parting the last node, which is always a leaf: it becomes the heavier child, the new symbol the lighter one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from lumpyard.archives.mpq.codecs.weights import WEIGHTS

STREAM_END = 256
NEW = 257
FIRST_NEW = (
    258  # from here on symbols stand for bytes that entered, in that order: the tree needs no more of them
)


class Tree:
    """A tree as lists by place, the root first."""

    __slots__ = ("children", "leaves", "parents", "weights")

    def __init__(
        self, weights: list[int], children: list[int], parents: list[int], leaves: list[int]
    ) -> None:
        self.weights = weights  # negative, so that they ascend and can be bisected
        self.children = children  # place of the lighter one, the heavier stands before it; of a leaf ~symbol
        self.parents = parents
        self.leaves = leaves  # places by symbol

    def copy(self) -> Tree:
        """A tree of its own that starts alike."""
        return Tree(self.weights[:], self.children[:], self.parents[:], self.leaves[:])

    def enter(self) -> int:
        """Part the last leaf to take in a new symbol, whose weight becomes 1; that symbol."""
        last = len(self.weights) - 1
        old = self.children[last]
        symbol = len(self.leaves)
        self.children[last] = last + 2
        self.children += old, ~symbol
        self.parents += last, last
        self.weights += self.weights[last], 0
        self.leaves[~old] = last + 1
        self.leaves.append(last + 2)
        self.gain(symbol)
        return symbol

    def gain(self, symbol: int) -> None:
        """Add 1 to the weight of a leaf and of all above it, and keep the nodes in order."""
        weights, parents = self.weights, self.parents
        place = self.leaves[symbol]
        while place:
            weight = weights[place]
            if weights[place - 1] == weight:
                first = bisect_left(weights, weight, 0, place)
                self._swap(first, place)
                place = first
            weights[place] = weight - 1
            place = parents[place]
        weights[0] -= 1

    def _swap(self, first: int, second: int) -> None:
        children = self.children
        children[first], children[second] = children[second], children[first]
        for place in (first, second):
            child = children[place]
            if child < 0:
                self.leaves[~child] = place
            else:
                self.parents[child] = self.parents[child - 1] = place


def first_tree(kind: int) -> Tree:
    """The tree that streams of a kind start with."""
    weights: list[int] = []  # of `nodes`, as in a tree
    nodes: list[int] = []  # names: symbols, and from FIRST_NEW on what was joined
    pairs: list[tuple[int, int]] = []  # names of the children of what was joined
    for symbol, weight in enumerate(WEIGHTS[kind]):
        if weight:
            _insert(weights, nodes, weight, symbol)
    weights += -1, -1
    nodes += STREAM_END, NEW
    done = 0  # nodes at the end that have a parent
    while len(nodes) - done > 1:
        light, heavy = len(nodes) - 1 - done, len(nodes) - 2 - done
        pairs.append((nodes[heavy], nodes[light]))
        _insert(weights, nodes, -weights[heavy] - weights[light], FIRST_NEW - 1 + len(pairs))
        done += 2
    return _placed(weights, nodes, pairs)


def _insert(weights: list[int], nodes: list[int], weight: int, name: int) -> None:
    """Put a node behind all that are not lighter; but in front of all where none is heavier."""
    place = bisect_right(weights, -weight) if weights and weight < -weights[0] else 0
    weights.insert(place, -weight)
    nodes.insert(place, name)


def _placed(weights: list[int], nodes: list[int], pairs: list[tuple[int, int]]) -> Tree:
    places = {name: place for place, name in enumerate(nodes)}
    children, parents = [0] * len(nodes), [0] * len(nodes)
    leaves = [0] * FIRST_NEW
    for name, place in places.items():
        if name < FIRST_NEW:
            children[place], leaves[name] = ~name, place
        else:
            heavy, light = (places[child] for child in pairs[name - FIRST_NEW])
            assert heavy == light - 1  # a parent is heavier than both, so it never comes between
            children[place] = light
            parents[light] = parents[heavy] = place
    return Tree(weights, children, parents, leaves)
