"""`verify_archive`: every lump of any format is read once, each bad one is a finding."""

from __future__ import annotations

import struct

from tests.builders import ewad, plain, wad
from tests.builders.wad import Entry

from lumpyard.archives.model import Lump
from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.errors import MalformedError, UnsupportedError


def test_an_ewad_is_verified_by_its_own_rules() -> None:
    data = ewad.build([ewad.Written(b"a", b"data")])
    assert verify_archive(open_archive(data)) == []
    (found,) = verify_archive(open_archive(ewad.flipped(data, (len(data) - 1) * 8)))
    assert (found.code, found.entry) == ("content-hash", 0)


def test_a_wad_is_sound_once_it_is_open_and_progress_covers_it() -> None:
    done: list[tuple[int, int]] = []
    archive = open_archive(wad.build([Entry(b"A", b"abc"), Entry(b"B"), Entry(b"C", b"de")]))
    assert verify_archive(archive, lambda *piece: done.append(piece)) == []
    assert done == [(12, 3), (15, 0), (15, 2)]


def test_each_lump_that_does_not_decode_is_a_finding_and_the_others_are_none() -> None:
    data = plain.daikatana(
        [(b"a.tga", b"\x01ok\xff", 2), (b"b.tga", b"\x01ok\xff", 9), (b"c.tga", b"no", None)]
    )
    findings = verify_archive(open_archive(data, "DAIKATANA"))
    assert [(found.entry, found.verdict) for found in findings] == [(1, "malformed")]
    assert findings[0].message.startswith("entry 1 ('b.tga'): ")


class Counting:
    """An archive that counts what is read of it."""

    def __init__(self, format_name: str, lumps: list[Lump]) -> None:
        self.format = format_name
        self.size = 1000
        self.lumps = lumps
        self.reads: list[int] = []

    def read(self, index: int) -> bytes:
        self.reads.append(index)
        if index == 1:
            raise MalformedError("entry 1: no", "damaged", 1)
        if index == 2:
            raise UnsupportedError("entry 2: not here", "codec", 2)
        return b""


def test_both_verdicts_are_told_with_their_codes() -> None:
    archive = Counting("MPQ", [Lump(b"x", at, 1, 1) for at in range(4)])
    findings = verify_archive(archive)  # type: ignore[arg-type]
    assert [tuple(found) for found in findings] == [
        ("damaged", "entry 1: no", 1, "malformed"),
        ("codec", "entry 2: not here", 2, "unsupported"),
    ]
    assert archive.reads == [0, 1, 2, 3]


def test_a_sound_range_that_many_entries_share_is_decoded_once() -> None:
    lumps = [Lump(b"%d" % at, 12, 9, 9) for at in range(3)]
    archive = Counting("DAIKATANA", lumps)
    assert verify_archive(archive) == []  # type: ignore[arg-type]
    assert archive.reads == [0]
    archive = Counting("MPQ", lumps)  # a name may be the key of an encrypted lump
    assert len(verify_archive(archive)) == 2  # type: ignore[arg-type]


def test_a_directory_of_a_million_twins_is_verified_at_once() -> None:
    twins = struct.pack("<II8s", 0, 0, b"A") * 100_000
    archive = open_archive(struct.pack("<4sII", b"PWAD", 100_000, 12) + twins)
    done: list[tuple[int, int]] = []
    assert verify_archive(archive, lambda *piece: done.append(piece)) == []
    assert done == [(0, 0)]
