"""The adaptive Huffman code of MPQ sectors.

    u8     kind: which weights the tree starts with, 0 to 8
    bits   from the lowest of each byte on

A code is a way down the tree: 1 leads to the heavier child, 0 to the lighter one. It ends at a byte, at "end", or at
"new": then the next eight bits are a byte that the tree lacks, and it enters the tree. Kind 0 adds to the weight of
every byte that it meets, the others only to that of new ones, so that their trees soon stand still.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, islice, repeat
from typing import NamedTuple

from lumpyard.archives.mpq.codecs.huffman_tree import FIRST_NEW, NEW, STREAM_END, Tree, first_tree
from lumpyard.archives.mpq.codecs.weights import WEIGHTS
from lumpyard.errors import MalformedError

_GROWING_KIND = 0
_BITS = [tuple(byte >> bit & 1 for bit in range(8)) for byte in range(256)]

_TABLE_BITS = 12
_TABLE_MASK = (1 << _TABLE_BITS) - 1
_TABLES = 5  # of a kind: ADPCM has up to four new bytes, those of the first samples of two channels
_DEEPEST = 64  # bits of the longest code and a new byte: a tree of 2^32 weights is less deep
_REFILL = 32  # bytes; the shifts of longer integers cost more than is saved by rarer refills


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
    return _decode_growing(stored, limit) if stored[0] == _GROWING_KIND else _decode_still(stored, limit)


def _decode_growing(stored: bytes, limit: int) -> bytes:
    """What a stream holds whose tree changes with every byte: bit by bit."""
    tree = _first_growing().copy()
    children, gain = tree.children, tree.gain
    names = list(range(FIRST_NEW))
    raw = bytearray()
    append = raw.append
    bits = chain.from_iterable(map(_BITS.__getitem__, memoryview(stored)[1:]))
    node = children[0]
    for bit in bits:
        node = children[node - bit]
        if node >= 0:
            continue
        symbol = ~node
        if symbol == STREAM_END:
            return bytes(raw)
        if symbol == NEW:
            eight = list(islice(bits, 8))
            if len(eight) < 8:
                break
            symbol = tree.enter()
            names.append(_new(sum(bit << place for place, bit in enumerate(eight)), names, _GROWING_KIND))
        gain(symbol)
        append(names[symbol])
        if len(raw) > limit:
            break
        node = children[0]
    raise _fault(len(raw), limit)


@cache
def _first_growing() -> Tree:
    return first_tree(_GROWING_KIND)


class _State(NamedTuple):
    """A tree that stands still, and what it makes of the next bits."""

    tree: Tree  # not to be changed
    table: list[
        tuple[int, bytes]
    ]  # bits of the codes that are whole, and their bytes; 0 where the first is none


def _decode_still(stored: bytes, limit: int) -> bytes:
    """What a stream holds whose tree changes with new bytes only: several bytes at once from a table."""
    kind = stored[0]
    names = list(range(FIRST_NEW))
    tree, table = _state(kind, 0)
    raw = bytearray()
    at = 1
    bits = 1  # what is not yet used, below a 1 that marks its end
    while True:
        left = bits.bit_length() - 1
        if left < 2 * _DEEPEST:
            if 8 * (len(stored) - at) + left < 0 or len(raw) > limit:
                raise _fault(len(raw), limit)
            piece = stored[at : at + _REFILL].ljust(_REFILL, b"\0")
            bits = (int.from_bytes(piece, "little") | 1 << 8 * _REFILL) << left | bits ^ 1 << left
            at += _REFILL
            left += 8 * _REFILL
        for _ in repeat(None, (left - _DEEPEST) // _TABLE_BITS):
            used, piece = table[bits & _TABLE_MASK]
            if not used:
                break
            bits >>= used
            raw += piece
        else:
            continue
        children = tree.children
        node = children[0]
        while node >= 0:
            node = children[node - (bits & 1)]
            bits >>= 1
        symbol = ~node
        if symbol == NEW:
            names.append(_new(bits & 0xFF, names, kind))
            bits >>= 8
            tree, table, symbol = _grown(kind, len(names) - FIRST_NEW, tree)
        elif symbol == STREAM_END:
            break
        raw.append(names[symbol])
        if len(raw) > limit:
            break
    if len(raw) > limit or 8 * (len(stored) - at) + bits.bit_length() - 1 < 0:
        raise _fault(len(raw), limit)
    return bytes(raw)


def _grown(kind: int, entered: int, tree: Tree) -> tuple[Tree, list[tuple[int, bytes]], int]:
    """The tree when one more byte has entered, its table, and the symbol of that byte."""
    symbol = FIRST_NEW + entered - 1
    if entered < _TABLES:
        state = _state(kind, entered)
        return state.tree, state.table, symbol
    if entered == _TABLES:
        tree = tree.copy()  # those that states have are not to be changed
    tree.gain(tree.enter())
    return tree, _NO_TABLE, symbol


@cache
def _state(kind: int, entered: int) -> _State:
    """The tree of a kind when so many bytes have entered: whichever they are, it has the same shape (about 2 ms)."""
    if not entered:
        tree = first_tree(kind)
    else:
        tree = _state(kind, entered - 1).tree.copy()
        tree.gain(tree.enter())
    return _State(tree, _table(tree.children))


_NO_TABLE = [(0, b"")] * (1 << _TABLE_BITS)


def _table(children: list[int]) -> list[tuple[int, bytes]]:
    single = _NO_TABLE[:]  # the first byte alone
    ways = [(children[0], 0, 0)]  # node, the bits that lead to it, how many they are
    while ways:
        node, bits, used = ways.pop()
        if node < 0:
            if ~node < STREAM_END:
                single[bits :: 1 << used] = [(used, bytes((~node,)))] * (1 << _TABLE_BITS - used)
        elif used < _TABLE_BITS:
            ways += (children[node], bits, used + 1), (children[node - 1], bits | 1 << used, used + 1)
    return [_as_many_as_fit(single, bits) for bits in range(len(single))]


def _as_many_as_fit(single: list[tuple[int, bytes]], bits: int) -> tuple[int, bytes]:
    used, piece = single[bits]
    while used:
        more, byte = single[bits >> used]
        if not more or used + more > _TABLE_BITS:
            break
        used += more
        piece += byte
    return used, piece


def _new(byte: int, names: list[int], kind: int) -> int:
    """A byte that enters; it must not be in the tree."""
    if WEIGHTS[kind][byte] or byte in names[FIRST_NEW:]:
        raise MalformedError(
            f"the Huffman stream calls byte 0x{byte:02x} new, but its tree has it", "huffman"
        )
    return byte


def _fault(size: int, limit: int) -> MalformedError:
    if size > limit:
        return MalformedError(
            f"the Huffman stream holds more than the {limit} raw bytes that belong here", "huffman"
        )
    return MalformedError(f"the Huffman stream ends early, after {size} raw bytes", "huffman")
