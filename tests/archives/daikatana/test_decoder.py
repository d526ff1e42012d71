"""Daikatana's decompression: each code, each damage, and what programs read in different ways."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import daikatana, pak
from tests.builders.pak import Packed

from lumpyard.archives.daikatana.decoder import decode
from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.errors import MalformedError

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn


def raw(stream: str, size: int, *, lenient: bool = False) -> tuple[bytes, list[str]]:
    """What a stream in hexadecimal makes, and the codes of what is odd."""
    data, notes = decode(bytes.fromhex(stream), size, lenient)
    return data, [code for code, _ in notes]


def refused(stream: str, size: int, what: str, *, lenient: bool = False) -> None:
    with pytest.raises(MalformedError, match=re.escape(what)) as caught:
        decode(bytes.fromhex(stream), size, lenient)
    assert caught.value.code == "codec"


def test_bytes_follow_as_they_are() -> None:
    """ "x < 64: x+1 bytes of uncompressed data follow"."""
    assert raw("04 68656c6c6f ff", 5) == (b"hello", [])
    assert raw("00 41 3f" + 64 * "42" + "ff", 65) == (b"A" + 64 * b"B", [])


def test_zeros_are_one_code() -> None:
    """ "x < 128: write (x - 62) zero-bytes to output"."""
    assert raw("40 7f ff", 67) == (bytes(2 + 65), [])


def test_a_byte_is_repeated() -> None:
    """ "x < 192: read one byte, write it (x-126) times to output"."""
    assert raw("80 41 bf 42 ff", 67) == (b"AA" + 65 * b"B", [])


def test_written_bytes_are_read_again() -> None:
    """ "read (x-190) bytes ..., starting at (offset+2) bytes before the current write position"."""
    assert raw("05 616263646566 c0 04 ff", 8) == (b"abcdefab", [])
    far = bytes(range(256)) + b"!"
    stream = daikatana.literals(far)[:-1] + bytes.fromhex("fd ff ff")  # 63 bytes, 257 back
    assert decode(stream, 257 + 63, False) == (far + far[:63], [])


def test_a_reference_that_overlaps_repeats_bytes_and_is_warned_of() -> None:
    """Case 124: "decode byte by byte, warn"."""
    assert raw("01 6162 c8 00 ff", 12) == (b"ab" * 6, ["reference"])
    assert raw("02 78797a fd 01 ff", 66) == (b"xyz" * 22, ["reference"])
    assert raw("01 6162 c0 00 ff", 4) == (b"abab", [])  # as long as its distance: no overlap


def test_code_254_is_refused_and_a_lenient_reading_skips_it() -> None:
    """Case 125: "strict error, lenient no-op"."""
    refused("01 6162 fe 00 63 ff", 3, "compressed byte 3 is code 254")
    assert raw("01 6162 fe 00 63 ff", 3, lenient=True) == (b"abc", ["code-254"])
    assert raw("fe 01 6162 fe ff", 2, lenient=True) == (b"ab", ["code-254"])


def test_the_end_code_may_be_missing_and_bytes_may_follow_it() -> None:
    """ "I'd also abort once compressed_length bytes are read, to be sure"."""
    assert raw("01 6f6b", 2) == (b"ok", ["no-end"])
    assert raw("01 6f6b ff 6a756e6b", 2) == (b"ok", ["after-end"])
    assert raw("", 0) == (b"", ["no-end"])
    assert raw("ff", 0) == (b"", [])


def test_the_produced_size_is_the_stated_one() -> None:
    """Case 127: "produced size must equal the stated size"."""
    refused("01 6f6b ff", 10, "make 2 raw bytes, not the stated 10")
    refused("01 6f6b ff", 1, "make more than the stated 1 raw bytes")
    refused("01 6f6b", 3, "make 2 raw bytes, not the stated 3")
    refused("01 6f6b 40 ff", 3, "make more than the stated 3 raw bytes")
    refused("00 41 ff", 0, "make more than the stated 0 raw bytes")


def test_a_code_that_is_cut_off_is_refused() -> None:
    for stream, size in (("03 6162", 4), ("00 61 90", 19), ("05 616263646566 c4", 12), ("3f", 64), ("80", 2)):
        refused(stream, size, "end within a code")
        refused(stream, size, "end within a code", lenient=True)


def test_a_reference_to_before_the_start_is_refused() -> None:
    refused("00 61 c0 05 ff", 3, "the reference at compressed byte 2 goes 7 bytes back, after 1 raw bytes")
    refused("c0 00 ff", 2, "the reference at compressed byte 0 goes 2 bytes back, after 0 raw bytes")


def test_an_absurd_size_is_refused_before_any_work() -> None:
    """A code gives at most 65 bytes for each of its own."""
    refused(
        1000 * "7f" + "ff", 0x7FFFFFFF, "1001 compressed bytes cannot hold the stated 2147483647 raw bytes"
    )
    refused("", 1, "0 compressed bytes cannot hold the stated 1 raw bytes")
    refused("7f ff", 131, "cannot hold")
    refused("7f ff", 130, "make 65 raw bytes, not the stated 130")


def test_work_stops_where_there_is_more_than_stated() -> None:
    """A stream of 64 MB of zeros for a lump of one byte makes one code's worth."""
    refused(500_000 * "7f", 1, "make more than the stated 1 raw bytes")


@st.composite
def streams(draw: DrawFn) -> bytes:
    """A valid stream: any codes, references anywhere in what was written, overlapping or not."""
    stream, size = b"", 0
    for kind in draw(st.lists(st.sampled_from("lzrc"), max_size=12)):
        if kind == "l":
            data = draw(st.binary(min_size=1, max_size=64))
            stream += bytes([len(data) - 1]) + data
            size += len(data)
        elif kind == "z" or size < 2:
            number = draw(st.integers(2, 65))
            stream += bytes([62 + number])
            size += number
        elif kind == "r":
            number = draw(st.integers(2, 65))
            stream += bytes([126 + number, draw(st.integers(0, 255))])
            size += number
        else:
            number, distance = draw(st.integers(2, 63)), draw(st.integers(2, min(257, size)))
            stream += bytes([190 + number, distance - 2])
            size += number
    return stream + b"\xff"


@given(streams())
def test_any_valid_stream_decodes_as_the_text_says(stream: bytes) -> None:
    expected, overlaps = daikatana.decode(stream)
    assert raw(stream.hex(), len(expected)) == (expected, ["reference"] if overlaps else [])
    assert raw(stream[:-1].hex(), len(expected))[0] == expected  # without the end code
    for size in {len(expected) + 1, len(expected) - 1} - {-1}:
        with pytest.raises(MalformedError):
            raw(stream.hex(), size)


@given(streams())
def test_every_truncation_of_a_stream_is_malformed(stream: bytes) -> None:
    expected, _ = daikatana.decode(stream)
    for end in range(len(stream) - 1):
        with pytest.raises(MalformedError):
            raw(stream[:end].hex(), len(expected))


@given(st.binary(max_size=80), st.integers(0, 300), st.booleans())
def test_any_bytes_decode_to_the_stated_size_or_are_malformed(
    stream: bytes, size: int, lenient: bool
) -> None:
    try:
        data, _ = decode(stream, size, lenient)
    except MalformedError:
        return
    assert len(data) == size


def test_a_damaged_lump_fails_alone_and_is_named() -> None:
    lumps = [
        Packed(b"good.wal", b"\x01ok\xff", 2),
        Packed(b"bad.wal", b"\x01ok\xff", 10),
        Packed(b"huge.wal", b"\x01ok\xff", 0x7FFFFFFF),
        Packed(b"odd.wal", b"\x01ok\xfe\xff", 2),
    ]
    archive = open_archive(pak.daikatana(lumps), "DAIKATANA")
    assert bytes(archive.read(0)) == b"ok"
    with pytest.raises(
        MalformedError, match=r"entry 1 \('bad.wal'\): the 4 compressed bytes make 2"
    ) as caught:
        archive.read(1)
    assert (caught.value.code, caught.value.entry) == ("codec", 1)
    assert [(finding.code, finding.entry) for finding in verify_archive(archive)] == [
        ("codec", 1),
        ("codec", 2),
        ("codec", 3),
    ]
    lenient = open_archive(pak.daikatana(lumps), "DAIKATANA", lenient=True)
    assert bytes(lenient.read(3)) == bytes(lenient.read(3)) == b"ok"
    assert [(warning.code, warning.entry) for warning in lenient.warnings] == [("code-254", 3)]
    assert (
        lenient.warnings[0].message == "entry 3 ('odd.wal'): codes 254, which mean nothing and are skipped: 1"
    )
