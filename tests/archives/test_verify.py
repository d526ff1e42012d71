"""`verify`: the 16-fold cap, every content hash, every LZ4 block; `load`: what it refuses."""

from __future__ import annotations

import struct

import pytest
from tests.builders import ewad
from tests.builders.ewad import Written
from xxhash import xxh64_intdigest

from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.verify import load, verify
from lumpyard.archives.model import Finding
from lumpyard.errors import MalformedError
from lumpyard.hashing import PIECE


def sharing(entries: int, size: int) -> bytes:
    """An archive whose entries all hold the same range, at the end of the file."""
    data = bytearray(ewad.build([Written(b"%d" % number) for number in range(entries)]))
    offset = len(data)
    data += b"x" * size
    shared = struct.pack("<QQQQ", offset, size, size, xxh64_intdigest(bytes(data[offset:])))
    for at in range(64, 64 + 56 * entries, 56):
        data[at + 8 : at + 40] = shared
    return ewad.rehashed(data)


def test_exactly_sixteen_times_the_file_is_allowed_and_one_byte_more_is_not() -> None:
    """ "The sum of all lump sizes may not exceed 16 times the input size." """
    head = len(sharing(17, 0))
    fitting, over = sharing(17, 16 * head), sharing(17, 16 * head + 1)  # 17 * size against 16 * (head + size)
    assert 17 * 16 * head == 16 * len(fitting)
    assert verify(view(fitting)) == []
    assert len(load(fitting)) == 17
    (found,) = verify(view(over))
    assert (found.code, found.entry, found.verdict) == ("cap", None, "malformed")
    assert str(17 * (16 * head + 1)) in found.message
    with pytest.raises(MalformedError) as caught:
        load(over)
    assert caught.value.code == "cap"


def test_ten_thousand_entries_onto_one_mebibyte_are_refused_without_reading_it() -> None:
    data = sharing(10_000, 1 << 20)
    pieces: list[tuple[int, int]] = []
    assert [finding.code for finding in verify(view(data), lambda *piece: pieces.append(piece))] == ["cap"]
    assert pieces == []


def test_bytes_that_entries_share_are_read_once() -> None:
    data = sharing(16, 5000)
    pieces: list[tuple[int, int]] = []
    assert verify(view(data), lambda *piece: pieces.append(piece)) == []
    assert pieces == [(view(data).lumps[0].offset, 5000)]


def test_damage_in_shared_bytes_is_a_problem_of_each_entry() -> None:
    data = sharing(4, 5000)
    damaged = ewad.flipped(data, (len(data) - 1) * 8)
    assert [(found.code, found.entry) for found in verify(view(damaged))] == [
        ("content-hash", at) for at in range(4)
    ]


def test_big_lumps_are_read_in_pieces_and_each_byte_once() -> None:
    sizes = [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 7]
    data = ewad.build([Written(b"%d" % size, bytes(size)) for size in sizes])
    pieces: list[tuple[int, int]] = []
    assert verify(view(data), lambda *piece: pieces.append(piece)) == []
    assert max(size for _, size in pieces) == PIECE
    covered = sorted((offset, offset + size) for offset, size in pieces if size)
    expected = sorted((lump.offset, lump.stored_size) for lump in view(data).lumps)
    assert sum(end - start for start, end in covered) == sum(sizes)
    assert all(any(start <= offset < end for start, end in covered) for offset, size in expected if size)


def test_all_that_is_wrong_is_found_in_directory_order_once_for_each_entry() -> None:
    lumps = [Written(b"%d" % number, b"lump %d" % number) for number in range(20)]
    lumps.append(Written(b"block", b"no block", 4))
    data = ewad.build(lumps)
    broken = view(data).find(b"block")
    damaged = ewad.flipped(
        ewad.flipped(data, ewad.entry(data, 3, "offset") * 8), ewad.entry(data, 9, "offset") * 8
    )
    expected = {3: "content-hash", 9: "content-hash"}
    assert broken is not None
    expected.setdefault(broken, "lz4")
    assert [(found.entry, found.code) for found in verify(view(damaged))] == sorted(expected.items())


def test_findings_say_entry_name_and_both_hashes() -> None:
    data = ewad.build([Written(b"a/b", b"data")])
    (found,) = verify(view(ewad.flipped(data, ewad.entry(data, 0, "offset") * 8)))
    assert isinstance(found, Finding)
    assert found.message.startswith("entry 0 ('a/b'): the content hash is ")
    (stripped,) = verify(view(ewad.flipped(ewad.build([Written(b"x", b"data")], named=False), 128 * 8)))
    assert stripped.message.startswith("entry 0 (key 5c80c09683041123): ")
