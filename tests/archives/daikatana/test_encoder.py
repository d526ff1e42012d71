"""Daikatana's compression: it decodes, it is as short as can be, and nothing that readers disagree on is written."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.builders import daikatana

from lumpyard.archives.daikatana import encoder
from lumpyard.archives.daikatana.copies import longest_copies
from lumpyard.archives.daikatana.encoder import encode
from lumpyard.archives.daikatana.short_copies import short_copies
from lumpyard.archives.daikatana.writer import is_compressible, pack_lump

KINDS = ("flat", "gradient", "stone", "brick", "noise")

# Few different bytes, runs, and copies of what was there before.
PIECES = st.one_of(
    st.binary(max_size=20),
    st.text("ab", max_size=70).map(str.encode),
    st.tuples(st.sampled_from([b"\0", b"a", b"\0a", b"abc"]), st.integers(1, 140)).map(
        lambda pair: pair[0] * pair[1]
    ),
)
TEXTS = st.lists(PIECES, max_size=6).flatmap(
    lambda pieces: st.lists(st.sampled_from(pieces or [b""]), max_size=6).map(
        lambda again: b"".join(pieces + again)
    )
)


def decoded(stream: bytes) -> bytes:
    """What the tests' decoder makes of a stream that holds no code 254; no reference may overlap."""
    raw, overlaps = daikatana.decode(stream)
    assert not overlaps
    return raw


@given(TEXTS)
@example(bytes(66))
@example(bytes(131))
@example(b"\0\0a\0\0\0a\0\0\0\0")
@example(b"ab" * 100)
@example(bytes(range(256)) + b"x" + bytes(range(256)))
def test_what_is_encoded_decodes_and_has_no_overlapping_reference(data: bytes) -> None:
    assert decoded(encode(data)) == data


def small_texts() -> list[bytes]:
    """Some hundred bytes each of all that files are made of."""
    dice = random.Random(7)
    texts = [daikatana.picture(24, 14, seed, kind) for kind in KINDS for seed in range(3)]
    for alphabet in (b"\0", b"\0\1", b"ab", b"\0abc", bytes(range(16))):
        texts += [bytes(dice.choices(alphabet, k=size)) for size in (1, 2, 3, 65, 66, 67, 130, 131, 240)]
    for _ in range(12):
        pieces = [bytes([dice.randrange(3)]) * dice.randrange(1, 80) for _ in range(4)] + [dice.randbytes(5)]
        texts.append(b"".join(dice.choices(pieces, k=8)))
    return texts


def test_no_stream_is_shorter() -> None:
    """The encoder against a search of all codes at all places."""
    for text in small_texts():
        assert len(encode(text)) == daikatana.fewest(text)


@settings(max_examples=30)
@given(TEXTS)
def test_no_stream_of_any_text_is_shorter(text: bytes) -> None:
    assert len(encode(text)) == daikatana.fewest(text)


@pytest.mark.parametrize("kind", KINDS)
def test_the_longest_copies_are_found(kind: str) -> None:
    for text in (daikatana.picture(64, 12, 1, kind), daikatana.picture(300, 3, 2, kind) + bytes(70)):
        expected = [max(daikatana.longest(text, place)) for place in range(len(text))]
        expected = [length if length > 1 else 0 for length in expected]
        short, limit = short_copies(text)
        assert limit >= 6
        assert list(short) == [min(length, limit) for length in expected]
        assert list(longest_copies(text, 0)) == expected
        assert list(longest_copies(text, 257))[257:] == expected[257:]


@settings(max_examples=40)
@given(TEXTS)
def test_the_longest_copies_of_any_text_are_found(text: bytes) -> None:
    expected = [max(daikatana.longest(text, place)) for place in range(len(text))]
    assert list(longest_copies(text, 0)) == [length if length > 1 else 0 for length in expected]


def test_the_stream_of_a_small_text_can_be_checked_by_hand() -> None:
    assert encode(b"").hex(" ") == "ff"
    assert encode(b"hello").hex(" ") == "04 68 65 6c 6c 6f ff"
    assert encode(bytes(65)).hex(" ") == "7f ff"
    assert encode(b"abcdefab").hex(" ") == "05 61 62 63 64 65 66 c0 04 ff"
    assert encode(b"abcdefabcd").hex(" ") == "05 61 62 63 64 65 66 c2 04 ff"
    assert encode(b"AA" + 65 * b"B").hex(" ") == "80 41 bf 42 ff"


@pytest.mark.parametrize("block", [7, 64, 300])
def test_blocks_only_cut_codes(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = daikatana.picture(70, 20, 3, "brick") + daikatana.picture(70, 10, 3, "flat")
    whole = encode(text)
    monkeypatch.setattr(encoder, "BLOCK", block)
    assert decoded(encode(text)) == text
    assert len(whole) <= len(encode(text))


def test_a_text_of_several_blocks_decodes() -> None:
    text = b"".join(daikatana.picture(256, 100, seed, kind) for seed, kind in enumerate(KINDS))
    assert len(text) > encoder.BLOCK
    assert decoded(encode(text)) == text


def test_noise_takes_one_byte_in_64_more() -> None:
    noise = random.Random(1).randbytes(6400)
    assert len(encode(noise)) == 6400 + 100 + 1


def test_only_pictures_and_maps_are_compressed() -> None:
    """ "Only the following file types: .tga .bmp .wal .pcx .bsp"; "when packing, only compress those"."""
    names = [b"a.tga", b"b/c.bmp", b"d.wal", b"e.pcx", b"maps/F.BSP"]
    assert all(map(is_compressible, names))
    assert not any(map(is_compressible, [b"a.dkm", b"bsp", b"a.wal.txt", b"", b"a.tg", b"wav"]))
    text = bytes(1000)
    for name in names:
        stored, compressed = pack_lump(name, text)
        assert compressed
        assert decoded(bytes(stored)) == text
    assert pack_lump(b"a.cfg", text) == (text, False)


def test_what_gets_no_smaller_is_stored_as_it_is() -> None:
    for raw in (b"", b"a", b"hello", bytes(2), random.Random(2).randbytes(500)):
        assert pack_lump(b"a.wal", raw) == (raw, False)
    assert pack_lump(b"a.wal", bytes(3)) == (b"\x41\xff", True)
