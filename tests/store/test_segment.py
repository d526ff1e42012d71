"""Segments: the format to the byte, and what is left of one that was cut or damaged."""

from __future__ import annotations

import pytest
from tests.builders.segments import BLOCK, MARK, NAME, RAW, SIZE, record, segment, segment_header, sha

from lumpyard.errors import UnsupportedError
from lumpyard.hashing import digest
from lumpyard.store.records import Kind
from lumpyard.store.segment import (
    Found,
    Gap,
    decode_segment_header,
    encode_record_header,
    encode_segment_header,
    scan,
    segment_name,
    sequence_of,
)

RECORDS = [
    (RAW, sha(b"one"), b"one"),
    (BLOCK, b"k" * 32, b""),
    (SIZE, b"l" * 32, bytes(8)),
    (RAW, sha(MARK * 3), MARK * 3),
]

ONE_RECORD = bytes.fromhex(
    "4c5953544f52450a"  # magic        LYSTORE\n
    "01000000 00000000"  # version 1, reserved
    "0123456789abcdef"  # mark
    "5c762a729c79390f"  # check
    "0123456789abcdef"  # mark
    "03000000"  # kind         BLOCK
    "2ffc84d7"  # CRC-32 of this header
    "0300000000000000"  # size         3
    "6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b"  # key
    "5b523f94d2453907785f4404adb00ffc825b5e1f08b233abdf3e77ca927a999a"  # bound
    "616263"  # payload      abc
)


def scanned(data: bytes) -> list[Found | Gap]:
    return list(scan(lambda offset, size: data[offset : offset + size], MARK, 32, len(data)))


def found_in(data: bytes) -> list[tuple[int, bytes, bytes]]:
    return [
        (one.kind, one.key, data[one.payload : one.end]) for one in scanned(data) if isinstance(one, Found)
    ]


def test_one_record_is_these_bytes() -> None:
    written = (
        encode_segment_header(MARK)
        + encode_record_header(MARK, Kind.BLOCK, b"k" * 32, 3, digest(b"abc"))
        + b"abc"
    )
    assert written.hex() == ONE_RECORD.hex()
    assert written == segment([(BLOCK, b"k" * 32, b"abc")])


def test_a_scan_finds_what_was_written() -> None:
    assert found_in(segment(RECORDS)) == RECORDS


def test_every_truncation_leaves_the_records_before_it() -> None:
    """A record whose payload reaches past the end of the file is torn: it does not exist yet."""
    whole = segment(RECORDS)
    ends = [32]
    for one in RECORDS:
        ends.append(ends[-1] + 88 + len(one[2]))
    for size in range(32, len(whole) + 1):
        complete = sum(end <= size for end in ends) - 1
        assert found_in(whole[:size]) == RECORDS[:complete]
        gaps = [one for one in scanned(whole[:size]) if isinstance(one, Gap)]
        assert gaps == ([] if size in ends else [Gap(ends[complete], size, torn=True)])


def test_every_flipped_bit_loses_at_most_the_record_it_is_in() -> None:
    """After a damaged record header reading goes on at the next mark whose check holds."""
    whole = segment(RECORDS)
    offset = 32
    for number, one in enumerate(RECORDS):
        for at in range(offset, offset + 88):
            for bit in range(8):
                damaged = bytearray(whole)
                damaged[at] ^= 1 << bit
                assert found_in(bytes(damaged)) == RECORDS[:number] + RECORDS[number + 1 :]
        offset += 88 + len(one[2])


def test_a_damaged_range_of_any_length_is_searched_through() -> None:
    before, after = segment(RECORDS[:1]), record(*RECORDS[1])
    for length in (1, 7, 65527, 65528, 65529, 65536, 65537, 200_000):
        junk = b"\x01" * length
        assert found_in(before + junk + after) == RECORDS[:2]
        assert scanned(before + junk + after)[1] == Gap(len(before), len(before) + length, torn=False)


def test_a_record_inside_a_payload_is_not_found_by_another_mark() -> None:
    inner = record(*RECORDS[0], b"othermrk")
    damaged = bytearray(segment([(BLOCK, b"k" * 32, inner)]))
    damaged[40] ^= 1
    assert found_in(bytes(damaged)) == []


@pytest.mark.parametrize("at", range(32))
def test_a_segment_header_with_any_bit_flipped_is_no_segment(at: int) -> None:
    for bit in range(8):
        damaged = bytearray(segment_header())
        damaged[at] ^= 1 << bit
        assert decode_segment_header(bytes(damaged), "p") == b""


def test_a_segment_header_gives_its_mark() -> None:
    assert decode_segment_header(segment_header(), "p") == MARK
    for size in range(32):
        assert decode_segment_header(segment_header()[:size], "p") == b""


def test_another_version_is_unsupported_and_says_what_to_do() -> None:
    with pytest.raises(UnsupportedError) as caught:
        decode_segment_header(segment_header(version=2), "store/x.seg")
    assert caught.value.exit_status == 4
    assert str(caught.value) == (
        "store/x.seg: this store has version 2, and only version 1 is known here; "
        "upgrade lumpyard, or set LUMPYARD_STORE to another folder"
    )


def test_names_hold_age_and_mark() -> None:
    assert segment_name(7, MARK) == NAME
    assert sequence_of(NAME) == 7
    for name in ("", "7-0123456789abcdef.seg", NAME + "x", NAME.upper(), "index-1", NAME + "\n"):
        assert sequence_of(name) is None
