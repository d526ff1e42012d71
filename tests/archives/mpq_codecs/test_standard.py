"""zlib, bzip2 and LZMA: one whole stream of exactly the size, whatever the library would let pass."""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.mpq_packing import lzma_with_end_mark

from lumpyard.archives.mpq.codecs.standard import bunzip2, inflate, unlzma
from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

CODECS: dict[str, tuple[Callable[[bytes], bytes], Callable[[memoryview, int], bytes]]] = {
    "zlib": (zlib.compress, inflate),
    "bzip2": (bz2.compress, bunzip2),
    "lzma": (lzma_with_end_mark, unlzma),
}
codecs = pytest.mark.parametrize("codec", CODECS)
ZEROS_LZMA = bytes.fromhex(  # 3136 zeros, by StormLib: no end mark
    "00 5d 00000001 400c000000000000"  # no filter; lc 3, lp 0, pb 2; dictionary 16 MiB; raw size
    "00006ffdffffa3b7ff473e481572396151b8913abb100000"
)


@given(st.binary(max_size=500) | st.integers(0, 100_000).map(bytes), st.sampled_from(sorted(CODECS)))
def test_what_is_packed_is_unpacked(raw: bytes, codec: str) -> None:
    pack, unpack = CODECS[codec]
    assert unpack(memoryview(pack(raw)), len(raw)) == raw
    assert unpack(memoryview(pack(raw)), len(raw) + 1000) == raw


@codecs
@pytest.mark.parametrize("raw", [b"a", b"abc" * 500, bytes(100_000)])
def test_one_byte_too_many_is_malformed(codec: str, raw: bytes) -> None:
    pack, unpack = CODECS[codec]
    for limit in (0, len(raw) // 2, len(raw) - 1):
        with pytest.raises(MalformedError) as caught:
            unpack(memoryview(pack(raw)), limit)
        assert caught.value.code == codec


@codecs
def test_every_truncation_is_malformed(codec: str) -> None:
    pack, unpack = CODECS[codec]
    packed = pack(b"every truncation " * 5)
    for end in range(len(packed)):
        with pytest.raises(MalformedError) as caught:
            unpack(memoryview(packed[:end]), 85)
        assert caught.value.code == codec


@codecs
def test_what_stands_behind_a_stream_is_ignored(codec: str) -> None:
    pack, unpack = CODECS[codec]
    assert unpack(memoryview(pack(b"hello") + b"\xff" * 100), 5) == b"hello"


@codecs
def test_a_bomb_stops_at_the_size(codec: str) -> None:
    pack, unpack = CODECS[codec]
    packed = pack(bytes(3_000_000))
    with pytest.raises(MalformedError):
        unpack(memoryview(packed), 4096)


def test_lzma_without_an_end_mark_is_read() -> None:
    assert unlzma(memoryview(ZEROS_LZMA), 3136) == bytes(3136)


@pytest.mark.parametrize("size", [0, 1, 3135, 3137, 4096])
def test_a_header_that_says_another_size_is_malformed(size: int) -> None:
    changed = ZEROS_LZMA[:6] + struct.pack("<Q", size) + ZEROS_LZMA[14:]
    with pytest.raises(MalformedError) as caught:
        unlzma(memoryview(changed), 4096)
    assert caught.value.code == "lzma"


def test_a_stated_size_above_what_belongs_here_is_refused_before_memory_is_taken() -> None:
    for size in (3137, 2**40, 2**64 - 1):
        with pytest.raises(MalformedError, match=f"says {size} raw bytes, but at most 3136 belong here"):
            unlzma(memoryview(ZEROS_LZMA[:6] + struct.pack("<Q", size) + ZEROS_LZMA[14:]), 3136)


def test_a_dictionary_of_4_gib_is_not_made() -> None:
    """No more than the raw size is ever looked back on."""
    changed = ZEROS_LZMA[:2] + b"\xff\xff\xff\xff" + ZEROS_LZMA[6:]
    assert unlzma(memoryview(changed), 3136) == bytes(3136)


def test_filters_are_unsupported() -> None:
    for filter_id in (1, 0x5D, 0xFF):
        with pytest.raises(UnsupportedError, match=f"LZMA filter {filter_id} is not read") as caught:
            unlzma(memoryview(bytes((filter_id,)) + ZEROS_LZMA[1:]), 3136)
        assert caught.value.code == "lzma"


def test_every_properties_byte_is_read_or_refused() -> None:
    """(pb * 5 + lp) * 9 + lc, with lc up to 8, lp and pb up to 4; liblzma wants lc + lp to be at most 4."""
    raw = b"properties of LZMA " * 9
    for properties in range(256):
        lc, lp, pb = properties % 9, properties // 9 % 5, properties // 45
        if pb <= 4 and lc + lp <= 4:
            filters = [{"id": lzma.FILTER_LZMA1, "lc": lc, "lp": lp, "pb": pb, "dict_size": 4096}]
            assert unlzma(memoryview(lzma_with_end_mark(raw, filters)), len(raw)) == raw
            continue
        expected = UnsupportedError if pb <= 4 else MalformedError
        with pytest.raises(expected):
            unlzma(memoryview(ZEROS_LZMA[:1] + bytes((properties,)) + ZEROS_LZMA[2:]), 3136)
