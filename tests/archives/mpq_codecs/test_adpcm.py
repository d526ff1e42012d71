"""ADPCM: what the plain model plays is what comes out."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import mpq_adpcm
from tests.builders.mpq_adpcm import LOUDER, REPEAT

from lumpyard.archives.mpq.codecs.adpcm import decode
from lumpyard.errors import MalformedError, UnsupportedError

channels_of = pytest.mark.parametrize("channels", [1, 2])
codes_of = st.lists(st.integers(0, 0x7F) | st.sampled_from([REPEAT, LOUDER]), max_size=80).map(bytes)
sample_of = st.integers(-32768, 32767)


@given(codes_of, st.lists(sample_of, min_size=1, max_size=2), st.integers(0, 31))
def test_any_codes_play_as_the_plain_model_says(codes: bytes, firsts: list[int], shift: int) -> None:
    expected = mpq_adpcm.played(codes, firsts, shift)
    stream = mpq_adpcm.stream(codes, firsts, shift)
    assert decode(memoryview(stream), len(expected), len(firsts)) == expected


@channels_of
@pytest.mark.parametrize("shift", [0, 1, 5, 14, 15, 16, 31])
def test_every_code_at_every_step_plays_as_the_plain_model_says(channels: int, shift: int) -> None:
    for code in (*range(0x80), REPEAT):
        codes = bytes([REPEAT] * 44 * channels + [code, 1, REPEAT, 2, LOUDER, 0x40] * 30)
        expected = mpq_adpcm.played(codes, [100] * channels, shift)
        assert (
            decode(memoryview(mpq_adpcm.stream(codes, [100] * channels, shift)), 10_000, channels) == expected
        )


@channels_of
@pytest.mark.parametrize("shift", [2, 5, 7])
def test_a_sound_comes_back_about_as_it_was(channels: int, shift: int) -> None:
    """It is lossy: the samples that come out are those that its writer says, and near those that went in."""
    samples = [round(9000 * math.sin(at / 9) * math.sin(at / 70)) for at in range(300 * channels)]
    stream, expected = mpq_adpcm.encode(samples, channels, shift)
    raw = decode(memoryview(stream), 2 * len(samples), channels)
    assert raw == expected
    errors = [abs(a - b) for a, b in zip(samples, struct.unpack(f"<{len(samples)}h", raw), strict=True)]
    assert sum(errors[50:]) / len(errors[50:]) < 700


@channels_of
def test_samples_stay_within_16_bits(channels: int) -> None:
    up = mpq_adpcm.stream(bytes([0x3F] * 200), [32000] * channels, 2)
    down = mpq_adpcm.stream(bytes([0x7F] * 200), [-32000] * channels, 2)
    assert decode(memoryview(up), 1000, channels).endswith(b"\xff\x7f" * 100)
    assert decode(memoryview(down), 1000, channels).endswith(b"\x00\x80" * 100)


def test_the_channels_take_turns_but_for_the_code_that_yields_no_sample() -> None:
    """0x81 raises the step of the channel whose turn it is, and the next code is of the same channel."""
    stream = mpq_adpcm.stream(bytes([LOUDER, REPEAT, LOUDER, LOUDER, REPEAT, REPEAT]), [10, -10], 5)
    assert struct.unpack("<5h", decode(memoryview(stream), 10, 2)) == (10, -10, 10, -10, 10)


@channels_of
def test_a_cut_header_is_malformed(channels: int) -> None:
    header = mpq_adpcm.stream(b"", [1] * channels, 5)
    assert len(decode(memoryview(header), 100, channels)) == 2 * channels
    for end in range(len(header)):
        with pytest.raises(MalformedError, match="too few for an ADPCM header") as caught:
            decode(memoryview(header[:end]), 100, channels)
        assert caught.value.code == "adpcm"


@channels_of
def test_shifts_that_no_32_bit_number_has_are_malformed(channels: int) -> None:
    for shift in (32, 100, 255):
        with pytest.raises(MalformedError, match=f"shifts steps by {shift}"):
            decode(memoryview(mpq_adpcm.stream(b"", [1] * channels, shift)), 100, channels)


@channels_of
def test_codes_that_readers_take_for_different_things_are_unsupported(channels: int) -> None:
    for code in range(0x82, 0x100):
        with pytest.raises(UnsupportedError, match=f"code 0x{code:02x} is not read"):
            decode(memoryview(mpq_adpcm.stream(bytes([1, code, 1]), [1] * channels, 5)), 100, channels)


@channels_of
def test_more_samples_than_belong_here_are_malformed(channels: int) -> None:
    stream = mpq_adpcm.stream(bytes([1, REPEAT, LOUDER, 2]), [1] * channels, 5)
    size = 2 * (channels + 3)
    assert len(decode(memoryview(stream), size, channels)) == size
    with pytest.raises(MalformedError, match=f"take {size} bytes, but at most {size - 1} belong here"):
        decode(memoryview(stream), size - 1, channels)
