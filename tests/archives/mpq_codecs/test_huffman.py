"""The adaptive Huffman code: what the tests' own writer says comes back, for every kind of weights."""

from __future__ import annotations

import random
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.implode import low_first, pack_bits
from tests.builders.mpq_huffman import Writer, huffman

from lumpyard.archives.mpq.codecs.huffman import decode
from lumpyard.archives.mpq.codecs.weights import WEIGHTS
from lumpyard.errors import MalformedError

KINDS = range(9)
kinds = pytest.mark.parametrize("kind", KINDS)


def packed(raw: bytes, kind: int) -> bytes:
    return huffman(raw, kind, WEIGHTS[kind])


def test_the_weights_are_those_of_the_format() -> None:
    digest = sha256(b"".join(WEIGHTS)).hexdigest()
    assert digest == "b7f6311a178f45b7abea208a42861650faab3fa4c97abe4e9ad251dd031748cd"
    assert [sum(map(bool, weights)) for weights in WEIGHTS] == [2, 256, 98, 256, 16, 64, 18, 34, 66]


@given(st.binary(max_size=60), st.sampled_from(KINDS))
def test_what_is_coded_is_decoded(raw: bytes, kind: int) -> None:
    assert decode(memoryview(packed(raw, kind)), len(raw)) == raw


@kinds
def test_all_bytes_enter_the_tree(kind: int) -> None:
    raw = random.Random(kind).sample(range(256), 256)
    raw += random.Random(kind).choices(range(256), k=200)
    assert decode(memoryview(packed(bytes(raw), kind)), 456) == bytes(raw)


@kinds
def test_sounds_are_decoded(kind: int) -> None:
    """A few bytes that enter, as the first samples of a sector do, and then only such as are in the tree."""
    rng = random.Random(kind)
    known = [value for value in range(256) if WEIGHTS[kind][value]]
    for entering in range(7):
        raw = bytes([*rng.sample(range(0x90, 0x100), entering), *rng.choices(known, k=600)])
        assert decode(memoryview(packed(raw, kind)), len(raw)) == raw


def test_a_byte_that_is_met_often_gets_a_short_code() -> None:
    """Kind 0 adds to the weight of every byte that it meets."""
    assert len(packed(b"\x07" * 800, 0)) < 800 / 8 + 30
    assert decode(memoryview(packed(b"\x07" * 800, 0)), 800) == b"\x07" * 800


@kinds
def test_a_byte_that_enters_twice_is_malformed(kind: int) -> None:
    for again in (0, 3):
        writer = Writer(kind, WEIGHTS[kind])
        for value in [0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6][: again * 2]:
            writer.byte(value)
        known = 0xE2 if again else next(value for value in range(256) if WEIGHTS[kind][value])
        writer.bits += writer.code(257) + low_first(known, 8)
        with pytest.raises(MalformedError, match=f"calls byte 0x{known:02x} new, but its tree has it"):
            decode(memoryview(writer.finish()), 100)


@pytest.mark.parametrize("data", [b"", b"\x09\0\0", b"\x80\0\0", b"\xff"])
def test_an_unknown_kind_is_malformed(data: bytes) -> None:
    with pytest.raises(MalformedError, match="starts with its kind, 0 to 8") as caught:
        decode(memoryview(data), 100)
    assert caught.value.code == "huffman"


@kinds
def test_a_stream_without_its_end_is_malformed(kind: int) -> None:
    writer = Writer(kind, WEIGHTS[kind])
    for value in b"\0\x01\x02" * 30:
        writer.byte(value)
    whole = bytes((kind,)) + pack_bits(writer.bits[: len(writer.bits) & -8])
    with pytest.raises(MalformedError, match="ends early"):
        decode(memoryview(whole), 1000)


@kinds
def test_a_stream_that_holds_more_is_malformed(kind: int) -> None:
    raw = b"\0\x01\x02\x03\x40" * 100
    for limit in (0, 1, 250, 499):
        with pytest.raises(MalformedError, match=f"more than the {limit} raw bytes"):
            decode(memoryview(packed(raw, kind)), limit)


@kinds
def test_what_stands_behind_the_end_is_ignored(kind: int) -> None:
    assert decode(memoryview(packed(b"\0\x01", kind) + b"\xff" * 50), 2) == b"\0\x01"
