"""Any bytes give a documented error or exactly the size: every truncation, every flipped byte of every method."""

from __future__ import annotations

import math
import random
import struct
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import mpq_adpcm
from tests.builders.implode import implode
from tests.builders.mpq_huffman import huffman
from tests.builders.mpq_packing import lzma_with_end_mark, pack

from lumpyard.archives.mpq.codecs.chain import decompress, imploded
from lumpyard.archives.mpq.codecs.weights import WEIGHTS
from lumpyard.errors import MalformedError, UnsupportedError

TEXT = b"It is the same old song, the same old song again and again. " * 2 + bytes(40)
SOUND = [round(5000 * math.sin(at / 5)) for at in range(90)]
CODES = {"zlib", "bzip2", "lzma", "pkware", "huffman", "adpcm", "sparse", "method", "size"}


def samples() -> dict[str, tuple[bytes, int, int]]:
    """By name: a sector, its size, the format version."""
    made = {
        f"0x{mask:02x}": (pack(TEXT, mask), len(TEXT), 1)
        for mask in (0x01, 0x02, 0x08, 0x10, 0x20, 0x22, 0x28)
    }
    made["lzma"] = (b"\x12" + lzma_with_end_mark(TEXT), len(TEXT), 2)
    made["growing tree"] = (b"\x01" + huffman(TEXT, 0, WEIGHTS[0]), len(TEXT), 1)
    made["coded literals"] = (b"\x08" + implode(TEXT, coded=True, low_bits=4), len(TEXT), 1)
    for mask, channels in ((0x40, 1), (0x80, 2)):
        stream, raw = mpq_adpcm.encode(SOUND, channels, 5)
        made[f"0x{mask:02x}"] = (bytes((mask,)) + stream, len(raw), 1)
        made[f"0x{mask | 1:02x}"] = (bytes((mask | 1,)) + huffman(stream, 7, WEIGHTS[7]), len(raw), 1)
        made[f"0x{mask | 8:02x}"] = (bytes((mask | 8,)) + implode(stream), len(raw), 1)
    return made


SAMPLES = samples()
names = pytest.mark.parametrize("name", SAMPLES)


def exact_or_error(sector: bytes, size: int, version: int) -> bool:
    """Whether it decodes; then to exactly the size."""
    try:
        raw = decompress(sector, size, version=version)
    except (MalformedError, UnsupportedError) as error:
        found = error
    else:
        assert len(raw) == size
        return True
    assert found.code in CODES
    assert "\n" not in str(found)
    return False


@names
def test_the_samples_are_sound(name: str) -> None:
    assert exact_or_error(*SAMPLES[name])


@names
def test_every_truncation_is_an_error(name: str) -> None:
    sector, size, version = SAMPLES[name]
    for end in range(len(sector)):
        assert not exact_or_error(sector[:end], size, version)


@names
def test_every_flipped_byte_gives_an_error_or_exactly_the_size(name: str) -> None:
    sector, size, version = SAMPLES[name]
    for place in range(len(sector)):
        for change in (0x01, 0x10, 0x80):
            flipped = bytearray(sector)
            flipped[place] ^= change
            exact_or_error(bytes(flipped), size, version)


@names
def test_many_wrong_bytes_give_an_error_or_exactly_the_size(name: str) -> None:
    sector, size, version = SAMPLES[name]
    rng = random.Random(name)
    for _ in range(100):
        changed = bytearray(sector)
        for _ in range(rng.randrange(2, 9)):
            changed[rng.randrange(1, len(changed))] = rng.randrange(256)
        exact_or_error(bytes(changed), rng.choice([size, rng.randrange(9000)]), version)


@given(st.binary(max_size=200), st.integers(0, 255), st.integers(0, 10_000), st.sampled_from([1, 2, 4]))
def test_any_bytes_give_an_error_or_exactly_the_size(data: bytes, mask: int, size: int, version: int) -> None:
    exact_or_error(bytes((mask,)) + data, size, version)


@given(st.sampled_from([b"\0", b"\1"]), st.sampled_from([b"\4", b"\5", b"\6"]), st.binary(max_size=100))
def test_any_imploded_bytes_give_an_error_or_a_size(coded: bytes, dictionary: bytes, data: bytes) -> None:
    for size in (0, 100, 20_000):
        with suppress(MalformedError):
            assert len(imploded(coded + dictionary + data, size)) == size


@given(st.integers(0, 8), st.binary(max_size=300))
def test_any_codes_of_any_tree_give_an_error_or_at_most_the_limit(kind: int, data: bytes) -> None:
    for size in (0, 100, 20_000):
        exact_or_error(bytes((0x01, kind)) + data, size, 1)


@pytest.mark.parametrize(
    "sector",
    [
        b"\x40\0\x05\0\0" + b"\x81" * 60_000,
        b"\x80\0\x05\0\0\0\0" + b"\x81\x81\x01" * 30_000,
        b"\x01\0" + bytes(60_000),
        b"\x01\x02" + b"\xff" * 60_000,
        b"\x01\x06" + random.Random(1).randbytes(60_000),
        b"\x08\0\6" + bytes(60_000),
        b"\x08\1\6" + b"\xff" * 60_000,
        b"\x08\0\6" + random.Random(2).randbytes(60_000),
        b"\x20" + struct.pack(">I", 240_000) + b"\x80\x01" * 60_000,
        b"\x20" + struct.pack(">I", 240_000) + b"\0" * 60_000,
    ],
)
def test_long_streams_of_odd_bytes_take_no_longer_than_sound_ones(sector: bytes) -> None:
    """Twenty times as many bytes take twenty times as long: the whole list takes about a second."""
    exact_or_error(sector, 240_000, 1)
    exact_or_error(sector, 1_000_000_000, 1)
