"""The methods of a sector in the order of the format, and exactly the size of the sector."""

from __future__ import annotations

import bz2
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import mpq_adpcm
from tests.builders.implode import implode
from tests.builders.mpq_packing import (
    BZIP2,
    HUFFMAN,
    LZMA,
    MONO,
    ORDER,
    PACK,
    PKWARE,
    SPARSE,
    STEREO,
    ZLIB,
    lzma_with_end_mark,
    pack,
)

from lumpyard.archives.mpq.codecs.chain import decompress, imploded
from lumpyard.errors import MalformedError, UnsupportedError

VERSIONS = (1, 2, 3, 4)
SOUND = MONO | STEREO
SILENCE = struct.pack("<hh", 5, 5) * 40  # samples that ADPCM keeps as they are
# A sparse stream of 65537 zeros (00 01 00 01) by runs of 3 and 4, which is the sample 256 again and again.
ZEROS = bytes(65537)
ZEROS_AS_SAMPLES = b"\0\1" * 9365


@pytest.mark.parametrize("mask", [mask for mask in range(1, 256) if not mask & 4 and mask & SOUND != SOUND])
def test_every_set_of_methods_is_undone_from_bzip2_to_sparse(mask: int) -> None:
    """Sector 0 is zlib, "later sectors use adaptive Huffman followed by mono ADPCM (0x41; stereo is 0x81)"."""
    if mask & SPARSE and mask & SOUND:
        raw, packed = ZEROS, bytes((mask,)) + pack(ZEROS_AS_SAMPLES, mask & ~SPARSE)[1:]
    else:
        raw, packed = SILENCE, pack(SILENCE, mask)
    for version in VERSIONS:
        if mask != LZMA or version == 1:
            assert decompress(packed, len(raw), version=version) == raw


plain_methods = st.sets(st.sampled_from([method for method in ORDER if not method & SOUND]), min_size=1).map(
    sum
)


@given(st.binary(max_size=200), st.sampled_from(VERSIONS), plain_methods)
def test_what_is_packed_is_unpacked(raw: bytes, version: int, mask: int) -> None:
    if mask == LZMA and version > 1:
        return
    assert decompress(pack(raw, mask), len(raw), version=version) == raw
    assert decompress(memoryview(b"x" + pack(raw, mask))[1:], len(raw), version=version) == raw


@pytest.mark.parametrize("version", [2, 3, 4])
def test_0x12_alone_is_lzma_from_version_2_on(version: int) -> None:
    assert decompress(b"\x12" + lzma_with_end_mark(b"hello" * 9), 45, version=version) == b"hello" * 9
    with pytest.raises(UnsupportedError, match="LZMA filter 66"):
        decompress(pack(b"hello" * 9, LZMA), 45, version=version)


def test_0x12_is_zlib_within_bzip2_in_version_1() -> None:
    assert decompress(b"\x12" + bz2.compress(zlib.compress(b"hello" * 9)), 45, version=1) == b"hello" * 9
    with pytest.raises(MalformedError, match="bzip2"):
        decompress(b"\x12" + lzma_with_end_mark(b"hello" * 9), 45, version=1)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("mask", [0x04, 0x05, 0x06, 0x14, 0x44, 0x84, 0xFF])
def test_unknown_methods_are_unsupported(version: int, mask: int) -> None:
    with pytest.raises(UnsupportedError, match=f"methods 0x{mask:02x}: 0x04 is none that is known") as caught:
        decompress(bytes((mask,)) + zlib.compress(b"hello"), 5, version=version)
    assert caught.value.code == "method"


@pytest.mark.parametrize("data", [b"", b"\0", b"\0hello"])
def test_a_sector_that_names_no_method_is_malformed(data: bytes) -> None:
    with pytest.raises(MalformedError) as caught:
        decompress(data, 5, version=1)
    assert caught.value.code == "method"


@pytest.mark.parametrize(
    "mask", [BZIP2, PKWARE, ZLIB, HUFFMAN, STEREO, MONO, SPARSE, 0x41, 0x81, 0x22, 0x28, 0x48]
)
def test_any_other_size_is_malformed_never_a_prefix_never_padding(mask: int) -> None:
    """Every sector decodes to exactly its size: never a prefix, never zeros."""
    raw = SILENCE if not mask & SPARSE else bytes(160)
    packed = pack(raw, mask)
    for size in (0, 1, 4, 100, 159, 161, 162, 164, 4096, 2**30):
        with pytest.raises(MalformedError):
            decompress(packed, size, version=1)


@pytest.mark.parametrize("size", [0, 3, 5, 4096])
def test_an_imploded_sector_has_exactly_its_size(size: int) -> None:
    assert imploded(implode(b"abcd"), 4) == b"abcd"
    with pytest.raises(MalformedError):
        imploded(implode(b"abcd"), size)


def test_absurd_sizes_are_unsupported() -> None:
    for size in (2**30 + 1, 2**32, 2**63, 2**64):
        with pytest.raises(UnsupportedError, match="is not read") as caught:
            decompress(pack(b"", ZLIB), size, version=4)
        assert caught.value.code == "size"
        with pytest.raises(UnsupportedError):
            imploded(implode(b""), size)


@pytest.mark.parametrize("mask", [BZIP2 | ZLIB | HUFFMAN, PKWARE | SPARSE, ZLIB | HUFFMAN, ZLIB | MONO])
def test_what_passes_between_methods_is_bounded(mask: int) -> None:
    """A small sector cannot make a large one on the way."""
    first = next(method for method in reversed(ORDER) if mask & method)
    for size in (10, 4096):
        bomb = bytes((mask,)) + PACK[first](bytes(3 * size + 1025))
        with pytest.raises(MalformedError, match=f"more than the {2 * size + 1024} raw bytes"):
            decompress(bomb, size, version=1)


def test_codes_that_yield_no_samples_do_not_pass_for_them() -> None:
    stream = mpq_adpcm.stream(bytes([mpq_adpcm.LOUDER] * 100), [7], 5)
    with pytest.raises(MalformedError, match="the sector decodes to 2 bytes, not to the 202"):
        decompress(bytes((MONO,)) + stream, 202, version=1)
