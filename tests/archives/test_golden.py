"""Archives that a person can check by hand, and the laws over all their prefixes and bits."""

from __future__ import annotations

import pytest

from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.records import StoredLump
from lumpyard.archives.ewad.verify import load, verify
from lumpyard.archives.ewad.writer import write_ewad
from lumpyard.archives.model import Lump
from lumpyard.errors import MalformedError

EMPTY = bytes.fromhex(
    "45574144"  # signature           EWAD
    "02000000"  # version             2
    "00000000"  # lumps               0
    "10000000"  # alignment           16
    "0000000000000000"  # seed        0
    "4000000000000000"  # directory   at 64
    "4000000000000000"  # string table at 64
    "0000000000000000"  # its size    0
    "4a523a97a47cbccf"  # header hash
    "0000000000000000"  # reserved
)

TWO = bytes.fromhex(
    "45574144"  # signature           EWAD
    "02000000"  # version             2
    "02000000"  # lumps               2
    "08000000"  # alignment           8
    "0700000000000000"  # seed        7
    "4000000000000000"  # directory   at 64
    "b000000000000000"  # string table at 64 + 2 * 56 = 176
    "0800000000000000"  # its size    8
    "e9b658a7fa5423af"  # header hash
    "0000000000000000"  # reserved
    # entry 0
    "8324596d5e56e587"  # key         XXH64 of b.txt under seed 7
    "b800000000000000"  # offset      184, a multiple of 8
    "0b00000000000000"  # stored size 11
    "2800000000000000"  # raw size    40
    "a1bed4a821256e1e"  # content hash
    "00000000"  # fourcc              none
    "00000000"  # name                at 0
    "0000"  # schema version          0
    "0100"  # flags                   LZ4
    "00000000"  # reserved
    # entry 1
    "65f9e089d44963dc"  # key         XXH64 of a under seed 7
    "c800000000000000"  # offset      200, the next multiple of 8 after 195
    "0500000000000000"  # stored size 5
    "0500000000000000"  # raw size    5
    "a36d9f887d82c726"  # content hash
    "54455854"  # fourcc              TEXT
    "06000000"  # name                at 6
    "0300"  # schema version          3
    "0000"  # flags                   none
    "00000000"  # reserved
    "622e74787400"  # b.txt
    "6100"  # a
    "1f 61 0100 0f"  # LZ4: 1 literal "a", then 15 + 15 + 4 bytes from 1 back
    "50 6161616161"  # and 5 literals
    "0000000000"  # padding
    "68656c6c6f"  # hello
)

STRIPPED_HASH = bytes.fromhex("e9bde33997ed194c")

LUMPS = [
    StoredLump(b"a", b"hello", 5, fourcc=int.from_bytes(b"TEXT", "little"), schema=3),
    StoredLump(b"b.txt", bytes.fromhex("1f6101000f506161616161"), 40, flags=1),
]


def stripped() -> bytes:
    """TWO without its string table: 8 bytes less in front of each lump."""
    head = TWO[:40] + bytes(8) + STRIPPED_HASH + bytes(8)
    first = TWO[64:72] + (176).to_bytes(8, "little") + TWO[80:108] + b"\xff" * 4 + TWO[112:120]
    second = TWO[120:128] + (192).to_bytes(8, "little") + TWO[136:164] + b"\xff" * 4 + TWO[168:176]
    return head + first + second + TWO[184:]


def test_an_archive_without_lumps_is_a_header() -> None:
    assert write_ewad([]) == EMPTY
    archive = view(EMPTY)
    assert (archive.lumps, load(EMPTY), verify(archive)) == ([], [], [])
    assert archive.stripped  # its string table has size 0


def test_the_writer_makes_the_golden_archive_whatever_the_order_given() -> None:
    """ "Identical lumps produce identical bytes whatever order they were added in." """
    assert write_ewad(LUMPS, alignment=8, seed=7) == TWO
    assert write_ewad(LUMPS[::-1], alignment=8, seed=7) == TWO


def test_the_writer_makes_the_golden_archive_without_names() -> None:
    assert write_ewad(LUMPS, alignment=8, seed=7, named=False) == stripped()


def test_a_view_shows_what_the_golden_archive_says() -> None:
    archive = view(TWO)
    assert (archive.format, archive.size, archive.alignment, archive.seed, archive.stripped) == (
        "EWAD",
        205,
        8,
        7,
        False,
    )
    assert archive.archive_hash == int.from_bytes(TWO[48:56], "little")
    key, content_hash = (int.from_bytes(TWO[at : at + 8], "little") for at in (120, 152))
    assert archive.lumps[1] == Lump(b"a", 200, 5, 5, key, 0x54584554, 3, 0, content_hash)
    assert (archive.find(b"a"), archive.find(b"b.txt"), archive.find(b"c")) == (1, 0, None)
    assert archive.find_key(key) == 1
    assert (archive.read(0), archive.read(1)) == (b"a" * 40, b"hello")
    assert (bytes(archive.stored(0)), archive.name(0)) == (LUMPS[1].stored, b"b.txt")


def test_a_stripped_view_shows_all_but_the_names() -> None:
    archive = view(stripped())
    assert archive.stripped
    assert [lump.name for lump in archive.lumps] == [None, None]
    assert (archive.find(b"a"), archive.find(b"b.txt"), archive.find(b"c")) == (1, 0, None)
    assert (archive.read(0), archive.read(1)) == (b"a" * 40, b"hello")


def test_load_gives_back_what_was_written() -> None:
    assert load(TWO) == LUMPS[::-1]


@pytest.mark.parametrize("data", [EMPTY, TWO, stripped()], ids=["empty", "named", "stripped"])
def test_every_truncation_is_malformed(data: bytes) -> None:
    for end in range(len(data)):
        with pytest.raises(MalformedError):
            view(data[:end])


@pytest.mark.parametrize("data", [EMPTY, TWO, stripped()], ids=["empty", "named", "stripped"])
def test_bytes_after_the_end_belong_to_no_field_and_are_fine(data: bytes) -> None:
    for more in range(1, 65):
        assert verify(view(data + b"x" * more)) == []


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview], ids=["bytes", "bytearray", "memoryview"])
def test_any_buffer_will_do(wrap: type) -> None:
    assert view(wrap(TWO)).read(1) == b"hello"
    assert load(wrap(TWO)) == LUMPS[::-1]
