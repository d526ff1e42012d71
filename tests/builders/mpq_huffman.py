"""A plain writer of the MPQ's Huffman code: nodes that know each other, in a list that is searched from end to end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.builders.implode import low_first, pack_bits

if TYPE_CHECKING:
    from collections.abc import Sequence

STREAM_END = 256
NEW = 257


@dataclass(eq=False)
class Node:
    weight: int
    symbol: int | None = None
    parent: Node | None = None
    lighter: Node | None = None
    heavier: Node | None = None


class Writer:
    """One stream: `bits` grows with each byte."""

    def __init__(self, kind: int, weights: Sequence[int]) -> None:
        self.kind = kind
        self.bits = ""
        self.nodes: list[Node] = []  # the heaviest first
        self.leaves: dict[int, Node] = {}
        for symbol, weight in enumerate(weights):
            if weight:
                self._place(self._leaf(symbol, weight))
        self.nodes += self._leaf(STREAM_END, 1), self._leaf(NEW, 1)
        done: set[Node] = set()
        while len(single := [node for node in self.nodes if node not in done]) > 1:
            heavier, lighter = single[-2:]
            parent = Node(heavier.weight + lighter.weight, lighter=lighter, heavier=heavier)
            heavier.parent = lighter.parent = parent
            done |= {heavier, lighter}
            self._place(parent)

    def _leaf(self, symbol: int, weight: int) -> Node:
        self.leaves[symbol] = Node(weight, symbol)
        return self.leaves[symbol]

    def _place(self, node: Node) -> None:
        """Behind the last that is at least as heavy; one that none outweighs goes to the front."""
        if not self.nodes or node.weight >= self.nodes[0].weight:
            self.nodes.insert(0, node)
            return
        place = max(place for place, other in enumerate(self.nodes) if other.weight >= node.weight)
        self.nodes.insert(place + 1, node)

    def code(self, symbol: int) -> str:
        bits, node = "", self.leaves[symbol]
        while node.parent:
            bits = ("1" if node is node.parent.heavier else "0") + bits
            node = node.parent
        return bits

    def byte(self, value: int) -> None:
        if value in self.leaves:
            self.bits += self.code(value)
        else:
            self.bits += self.code(NEW) + low_first(value, 8)
            self._enter(value)
        if self.kind == 0:
            self._gain(self.leaves[value])

    def _enter(self, value: int) -> None:
        last = self.nodes[-1]
        assert last.symbol is not None
        last.heavier, last.lighter = self._leaf(last.symbol, last.weight), self._leaf(value, 0)
        last.symbol = None
        last.heavier.parent = last.lighter.parent = last
        self.nodes += last.heavier, last.lighter
        self._gain(self.leaves[value])
        if self.kind:
            self._gain(self.leaves[value])

    def _gain(self, node: Node | None) -> None:
        while node:
            node.weight += 1
            mine = self.nodes.index(node)
            its = next(
                place for place, other in enumerate(self.nodes) if other.weight < node.weight or other is node
            )
            if its != mine:
                self._exchange(node, self.nodes[its])
                self.nodes[its], self.nodes[mine] = self.nodes[mine], self.nodes[its]
            node = node.parent

    @staticmethod
    def _exchange(one: Node, other: Node) -> None:
        """Each becomes the child of the other's parent, in the other's place."""
        sides = [(node.parent, node.parent.heavier is node) for node in (one, other) if node.parent]
        for node, (parent, heavier) in zip((other, one), sides, strict=True):
            node.parent = parent
            if heavier:
                parent.heavier = node
            else:
                parent.lighter = node

    def finish(self) -> bytes:
        return bytes((self.kind,)) + pack_bits(self.bits + self.code(STREAM_END))


def huffman(raw: bytes, kind: int, weights: Sequence[int]) -> bytes:
    writer = Writer(kind, weights)
    for value in raw:
        writer.byte(value)
    return writer.finish()
