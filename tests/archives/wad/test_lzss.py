"""Which lumps are taken for compressed as on the Jaguar: those that say so and decode to exactly their size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import wad
from tests.builders.wad import Entry

from lumpyard.archives.opening import open_archive
from lumpyard.archives.wad.lzss import MAX_RAW_SIZE, MAX_WORK, decodes, is_flagged

Item = bytes | tuple[int, int]  # a literal, or distance and length of a copy


def encode(items: list[Item], *, end: bool = True) -> bytes:
    """The tests' own encoder: eight items behind each byte of flags, lowest bit first; an end is a copy of length 1."""
    all_items: list[Item] = [*items, (1, 1)] if end else [*items]
    out = b""
    for first in range(0, len(all_items), 8):
        flags, body = 0, b""
        for bit, item in enumerate(all_items[first : first + 8]):
            if isinstance(item, bytes):
                body += item
            else:
                flags |= 1 << bit
                body += ((item[0] - 1) << 4 | (item[1] - 1)).to_bytes(2, "big")
        out += bytes([flags]) + body
    return out


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[Item], int]:
    """Items that make sense one after the other, and how many bytes they make."""
    items: list[Item] = []
    size = 0
    for _ in range(draw(st.integers(0, 40))):
        if size and draw(st.booleans()):
            items.append((draw(st.integers(1, min(size, 4096))), draw(st.integers(2, 16))))
            size += items[-1][1]
        else:
            items.append(draw(st.binary(min_size=1, max_size=1)))
            size += 1
    return items, size


@given(streams(), st.binary(max_size=20))
def test_a_stream_decodes_to_its_size_and_no_other_whatever_follows_it(
    stream: tuple[list[Item], int], tail: bytes
) -> None:
    items, size = stream
    data = encode(items)
    assert decodes(memoryview(data + tail), size)
    for other in (size + 1, size - 1, 2 * size + 3):
        assert not decodes(memoryview(data + tail), other)


@given(streams())
def test_every_truncation_decodes_to_nothing(stream: tuple[list[Item], int]) -> None:
    items, size = stream
    data = encode(items)
    for end in range(len(data)):
        assert not decodes(memoryview(data[:end]), size)


@given(st.binary(max_size=60), st.integers(0, 200))
def test_any_bytes_decode_or_do_not(data: bytes, size: int) -> None:
    assert decodes(memoryview(data), size) in {True, False}


def test_a_copy_from_before_the_start_is_no_stream() -> None:
    assert decodes(memoryview(encode([b"a", (1, 2)])), 3)
    assert not decodes(memoryview(encode([b"a", (2, 2)])), 3)
    assert not decodes(memoryview(encode([(1, 2)])), 2)
    far = [b"x"] * 4096
    assert decodes(memoryview(encode([*far, (4096, 16)])), 4112)
    assert not decodes(memoryview(encode([*far[:4095], (4096, 16)])), 4111)


@pytest.mark.parametrize(
    ("name", "flagged"),
    [
        (b"\x80", True),
        (b"\xff", True),
        (b"\x7f", False),
        (b"\xd4ITLE", True),
        (b"\xd4\x7f", True),
        (b"\xd4\x80", False),
        (b"\xd4ITL\xc5", False),
        (b"A\x80", False),
        (b"", False),
    ],
)
def test_a_name_says_it_with_the_highest_bit_of_its_first_byte_alone(name: bytes, flagged: bool) -> None:
    assert is_flagged(name) == flagged


def test_huge_lumps_are_not_decoded_and_nothing_is_for_ever() -> None:
    """A hostile archive of many such lumps takes as long as one of few."""
    assert (MAX_RAW_SIZE, MAX_WORK) == (1 << 20, 1 << 22)
    for size, found in ((MAX_RAW_SIZE, ["lzss"]), (MAX_RAW_SIZE + 16, [])):
        data = encode([b"x"] + [(1, 16)] * ((size - 1) // 16) + [b"y"] * ((size - 1) % 16))
        archive = open_archive(wad.build([Entry(b"\xc1", data + bytes(size - len(data)))]))
        assert [warning.code for warning in archive.warnings] == found
    twins = [Entry(b"\xc1%d" % number, offset=12, size=MAX_RAW_SIZE) for number in range(8)]
    data = encode([b"x"] + [(1, 16)] * ((MAX_RAW_SIZE - 1) // 16) + [b"y"] * 15)
    archive = open_archive(wad.build([Entry(b"A", data + bytes(MAX_RAW_SIZE - len(data))), *twins]))
    assert [warning.entry for warning in archive.warnings] == [1, 2, 3, 4]


def test_empty_lumps_are_not_compressed() -> None:
    assert open_archive(wad.build([Entry(b"\xc1", offset=12), Entry(b"B", encode([]))])).warnings == []


def test_pack_has_such_lumps_too_and_no_namespaces() -> None:
    entries = [Entry(b"\xc1A", encode([b"x"]), size=1), Entry(b"S_START"), Entry(b"A"), Entry(b"MAP01 L")]
    entries += [Entry(name) for name in (b"THINGS", b"LINEDEFS")]
    codes = {
        name: [found.code for found in open_archive(wad.build(entries, name), name.decode()).warnings]
        for name in (b"PACK", b"PWAD")
    }
    assert codes == {b"PACK": ["lzss"], b"PWAD": ["lzss", "block-unclosed", "map-name"]}
