"""PKWARE DCL: what the tests' own writer says comes back, and only that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import implode

from lumpyard.archives.mpq.codecs.chain import imploded
from lumpyard.archives.mpq.codecs.explode import explode
from lumpyard.errors import MalformedError

MODES = [(coded, low_bits) for coded in (False, True) for low_bits in (4, 5, 6)]
modes = pytest.mark.parametrize(("coded", "low_bits"), MODES)


def repetitive(parts: list[bytes], picks: list[int]) -> bytes:
    return b"".join(parts[pick % len(parts)] for pick in picks) if parts else b""


raw_bytes = st.one_of(
    st.binary(max_size=300),
    st.builds(
        repetitive, st.lists(st.binary(min_size=1, max_size=20)), st.lists(st.integers(0, 50), max_size=60)
    ),
    st.integers(0, 2000).map(bytes),
)


@given(raw_bytes, st.sampled_from(MODES))
def test_what_is_imploded_is_exploded(raw: bytes, mode: tuple[bool, int]) -> None:
    packed = implode.implode(raw, coded=mode[0], low_bits=mode[1])
    assert imploded(packed, len(raw)) == raw
    assert imploded(memoryview(b"x" + packed)[1:], len(raw)) == raw


@modes
def test_every_literal_has_a_code_of_its_own(coded: bool, low_bits: int) -> None:
    tokens = list(range(256))
    assert imploded(implode.stream(tokens, coded=coded, low_bits=low_bits), 256) == bytes(tokens)


@modes
def test_every_length_is_copied(coded: bool, low_bits: int) -> None:
    tokens: list[implode.Token] = [*b"abcdefg", *((length, 5) for length in range(2, 519))]
    raw = implode.played(tokens)
    assert imploded(implode.stream(tokens, coded=coded, low_bits=low_bits), len(raw)) == raw


@modes
def test_every_distance_of_the_dictionary_is_reached(coded: bool, low_bits: int) -> None:
    tokens: list[implode.Token] = [number * number % 251 for number in range(64 << low_bits)]
    tokens += [(3, distance) for distance in range(1, (64 << low_bits) + 1)]
    tokens += [(2, distance) for distance in range(1, 257)]
    raw = implode.played(tokens)
    assert imploded(implode.stream(tokens, coded=coded, low_bits=low_bits), len(raw)) == raw


@given(st.lists(st.tuples(st.integers(2, 518), st.integers(1, 4096)), max_size=40), st.sampled_from(MODES))
def test_a_match_means_what_copying_byte_by_byte_gives(
    matches: list[implode.Match], mode: tuple[bool, int]
) -> None:
    """A match that is longer than its distance repeats what it has just written."""
    tokens: list[implode.Token] = list(b"ABCDEFGHIJK")
    for length, distance in matches:
        so_far = len(implode.played(tokens))
        most = min(so_far, 256 if length == 2 else 64 << mode[1])
        tokens.append((length, (distance - 1) % most + 1))
    raw = implode.played(tokens)
    assert imploded(implode.stream(tokens, coded=mode[0], low_bits=mode[1]), len(raw)) == raw


@modes
def test_a_distance_before_the_first_byte_is_malformed(coded: bool, low_bits: int) -> None:
    for distance in (4, 5, 100, 64 << low_bits):
        packed = implode.stream([1, 2, 3, (3, distance), 4], coded=coded, low_bits=low_bits)
        with pytest.raises(MalformedError, match=f"copies from {distance} bytes back, but has only 3"):
            imploded(packed, 7)


@pytest.mark.parametrize("header", [b"", b"\0", b"\x02\x06", b"\0\x03", b"\0\x07", b"\xff\xff", b"\x06\0"])
def test_any_other_header_is_malformed(header: bytes) -> None:
    with pytest.raises(MalformedError, match="starts with 0 or 1") as caught:
        imploded(header + bytes(10), 5) if len(header) == 2 else imploded(header, 5)
    assert caught.value.code == "pkware"


@modes
def test_a_stream_without_its_end_code_is_malformed(coded: bool, low_bits: int) -> None:
    for raw in (b"", b"a", b"abcabcabc" * 20):
        packed = implode.stream(implode.tokens_of(raw, low_bits), coded=coded, low_bits=low_bits, end=False)
        with pytest.raises(MalformedError) as caught:
            imploded(packed, len(raw))
        assert caught.value.code in {"pkware", "size"}


def test_what_stands_behind_the_end_code_is_ignored() -> None:
    """All readers of the format stop at the end code, so none of them would refuse such a file."""
    assert imploded(implode.implode(b"hello hello hello") + b"\xff" * 100, 17) == b"hello hello hello"


def test_a_bomb_stops_at_the_size() -> None:
    packed = implode.stream([0, *[(518, 1)] * 10_000])
    for size in (0, 1, 4096):
        with pytest.raises(MalformedError, match=f"more than the {size} raw bytes"):
            explode(memoryview(packed), size)
