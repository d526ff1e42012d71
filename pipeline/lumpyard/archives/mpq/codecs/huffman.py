"""The adaptive Huffman code of MPQ sectors.

    u8     kind: which weights the tree starts with, 0 to 8
    bits   from the lowest of each byte on

A code is a way down the tree: 1 leads to the heavier child, 0 to the lighter one. It ends at a byte, at "end", or at
"new": then the next eight bits are a byte that the tree lacks, and it enters the tree. Kind 0 adds to the weight of
every byte it meets, the others only to that of new ones, so that their trees soon stand still.

The nodes stand in one list from the heaviest, the root, to the lightest; siblings stand side by side, the heavier
first. A node that gets heavier changes places with the first of those that were as heavy as it was. Bytes enter by
parting the last node, which is always a leaf: it becomes the heavier child, the new byte the lighter one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache
from itertools import chain, islice

from lumpyard.archives.mpq.codecs.weights import WEIGHTS
from lumpyard.errors import MalformedError

_STREAM_END = 256
_NEW = 257
_SYMBOLS = 258
_ABSENT = -1
_BITS = [tuple(byte >> bit & 1 for bit in range(8)) for byte in range(256)]


def decode(data: memoryview, limit: int) -> bytes:
    """The raw bytes, up to "end"; what stands behind it is ignored.

    MalformedError (code `huffman`) when there is no such kind, the stream ends early, a new byte is in the tree
    already, or there are more than `limit` bytes.
    """
    stored = bytes(data)
    if not stored or stored[0] >= len(WEIGHTS):
        raise MalformedError(
            f"a Huffman stream starts with its kind, 0 to {len(WEIGHTS) - 1}, not with {stored[:1].hex()!r}",
            "huffman",
        )
    kind = stored[0]
    tree = _first_tree(kind).copy()
    children, gain = tree.children, tree.gain
    raw = bytearray()
    append = raw.append
    bits = chain.from_iterable(map(_BITS.__getitem__, memoryview(stored)[1:]))
    node = children[0]
    for bit in bits:
        node = children[node - bit]
        if node >= 0:
            continue
        symbol = ~node
        if symbol < _STREAM_END:
            if not kind:
                gain(symbol)
        elif symbol == _NEW:
            eight = list(islice(bits, 8))
            if len(eight) < 8:
                break
            symbol = sum(bit << place for place, bit in enumerate(eight))
            tree.enter(symbol)
            gain(symbol)
        else:
            return bytes(raw)
        append(symbol)
        if len(raw) > limit:
            raise MalformedError(
                f"the Huffman stream holds more than the {limit} raw bytes that belong here", "huffman"
            )
        node = children[0]
    raise MalformedError(f"the Huffman stream ends early, after {len(raw)} raw bytes", "huffman")


class _Tree:
    """A tree as lists by place, the root first."""

    __slots__ = ("children", "leaves", "parents", "weights")

    def __init__(
        self, weights: list[int], children: list[int], parents: list[int], leaves: list[int]
    ) -> None:
        self.weights = weights  # negative, so that they ascend and can be bisected
        self.children = (
            children  # place of the lighter child, the heavier one stands before it; ~symbol of a leaf
        )
        self.parents = parents
        self.leaves = leaves  # places by symbol

    def copy(self) -> _Tree:
        """A tree of its own that starts alike."""
        return _Tree(self.weights[:], self.children[:], self.parents[:], self.leaves[:])

    def enter(self, symbol: int) -> None:
        """Part the last leaf to take in a new byte, whose weight becomes 1."""
        if self.leaves[symbol] != _ABSENT:
            raise MalformedError(
                f"the Huffman stream announces byte 0x{symbol:02x} as new, but the tree has it", "huffman"
            )
        last = len(self.weights) - 1
        old = self.children[last]
        self.children[last] = last + 2
        self.children += old, ~symbol
        self.parents += last, last
        self.weights += self.weights[last], 0
        self.leaves[~old] = last + 1
        self.leaves[symbol] = last + 2
        self.gain(symbol)

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


@cache
def _first_tree(kind: int) -> _Tree:
    """The tree that streams of a kind start with; to be copied, not to be changed."""
    weights: list[int] = []  # of `nodes`, as in a tree
    nodes: list[int] = []  # names: symbols, and from _SYMBOLS on what was joined
    pairs: list[tuple[int, int]] = []  # names of the children of what was joined
    for symbol, weight in enumerate(WEIGHTS[kind]):
        if weight:
            _insert(weights, nodes, weight, symbol)
    weights += -1, -1
    nodes += _STREAM_END, _NEW
    done = 0  # nodes at the end that have a parent
    while len(nodes) - done > 1:
        light, heavy = len(nodes) - 1 - done, len(nodes) - 2 - done
        pairs.append((nodes[heavy], nodes[light]))
        _insert(weights, nodes, -weights[heavy] - weights[light], _SYMBOLS - 1 + len(pairs))
        done += 2
    return _placed(weights, nodes, pairs)


def _insert(weights: list[int], nodes: list[int], weight: int, name: int) -> None:
    """Put a node behind all that are not lighter; but in front of all where none is heavier."""
    place = bisect_right(weights, -weight) if weights and weight < -weights[0] else 0
    weights.insert(place, -weight)
    nodes.insert(place, name)


def _placed(weights: list[int], nodes: list[int], pairs: list[tuple[int, int]]) -> _Tree:
    places = {name: place for place, name in enumerate(nodes)}
    children, parents = [0] * len(nodes), [0] * len(nodes)
    leaves = [_ABSENT] * _SYMBOLS
    for name, place in places.items():
        if name < _SYMBOLS:
            children[place], leaves[name] = ~name, place
        else:
            heavy, light = (places[child] for child in pairs[name - _SYMBOLS])
            assert heavy == light - 1  # a parent is heavier than both, so it never comes between
            children[place] = light
            parents[light] = parents[heavy] = place
    return _Tree(weights, children, parents, leaves)
