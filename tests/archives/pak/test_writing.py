"""Writing PAK and DAIKATANA: what the tests' own writer makes, and what neither can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import pak
from tests.builders.pak import Packed

from lumpyard.archives.daikatana.writer import LARGE_DAIKATANA
from lumpyard.archives.opening import open_archive
from lumpyard.archives.pak.writer import LARGE_PAK
from lumpyard.archives.writing import WRITERS, NewLump, encode_archive

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.archives.writing import Writer

BOTH = pytest.mark.parametrize("format_", ["PAK", "DAIKATANA"])
BUILDERS: dict[str, Callable[..., bytes]] = {"PAK": pak.quake, "DAIKATANA": pak.daikatana}
LETTERS = st.binary(min_size=1, max_size=55).map(lambda name: bytes(97 + byte % 26 for byte in name))
DATA = st.dictionaries(LETTERS, st.binary(max_size=30), max_size=6)


def new(name: bytes, size: int = 0) -> NewLump:
    return NewLump(name, size, size)


def told(format_: str, lumps: list[NewLump]) -> list[tuple[str, int | None, str]]:
    return [(finding.code, finding.entry, finding.verdict) for finding in WRITERS[format_].check(lumps)]


@BOTH
@given(DATA)
def test_an_archive_is_what_the_tests_own_writer_makes(format_: str, files: dict[bytes, bytes]) -> None:
    lumps = [new(name, len(data)) for name, data in files.items()]
    assert not WRITERS[format_].check(lumps)
    written = encode_archive(WRITERS[format_], lumps, list(files.values()))
    assert written == BUILDERS[format_]([Packed(name, data) for name, data in files.items()])
    archive = open_archive(written, format_)
    assert {lump.name: bytes(archive.read(index)) for index, lump in enumerate(archive.lumps)} == files
    assert not archive.warnings


def test_a_compressed_lump_has_both_sizes_in_its_entry() -> None:
    stored = b"\x04hello\xff"
    lumps = [NewLump(b"a.wal", 7, 5, compressed=True), new(b"b", 3)]
    written = encode_archive(WRITERS["DAIKATANA"], lumps, [stored, b"raw"])
    assert written == pak.daikatana([Packed(b"a.wal", stored, 5), Packed(b"b", b"raw")])
    assert told("PAK", lumps) == [("compressed", 0, "malformed")]


@BOTH
def test_bytes_after_a_nul_survive_where_the_field_has_room(format_: str) -> None:
    lumps = [new(b"a\0junk"), new(b"b\0" + 54 * b"j")]
    assert not told(format_, lumps)
    archive = open_archive(encode_archive(WRITERS[format_], lumps, [b"", b""]), format_)
    assert [lump.raw_name for lump in archive.lumps] == [lump.name for lump in lumps]
    assert told(format_, [new(b"c\0" + 55 * b"j"), new(b"a\0junk"), new(b"a\0other")]) == [
        ("name", 0, "malformed"),
        ("duplicate", 2, "malformed"),
    ]


@BOTH
def test_all_offending_names_are_told_at_once(format_: str) -> None:
    names = [b"", b"n" * 55, b"n" * 56, b"a\\b", b"x", b"x", b"maps", b"maps/e1m1.bsp", b"folder/"]
    findings = WRITERS[format_].check([new(name) for name in names])
    assert [(finding.code, finding.entry) for finding in findings] == [
        ("name", 0),
        ("name", 2),
        ("name", 3),
        ("duplicate", 5),
        ("clash", 6),
        ("clash", 8),
    ]
    assert {finding.verdict for finding in findings} == {"malformed"}
    messages = [finding.message for finding in findings]
    assert messages[1].endswith("its name has 56 bytes; the most is 55")
    assert messages[2] == "entry 3 ('a\\\\b'): its name has a backslash; with slashes it would be 'a/b'"
    assert messages[3] == "entry 5 ('x'): entry 4 has the same name"


@BOTH
def test_sizes_and_offsets_stay_below_2_gib_unless_asked(format_: str) -> None:
    """Case 116: "writer refuses past 2^31-1 unless asked"."""
    large: Writer = LARGE_PAK if format_ == "PAK" else LARGE_DAIKATANA
    half = [new(b"a", 1 << 30), new(b"b", 1 << 30), new(b"c", 1)]
    (finding,) = WRITERS[format_].check(half)
    assert (finding.code, finding.entry, finding.verdict) == ("size", 1, "malformed")
    assert not large.check(half)
    assert [finding.code for finding in large.check([*half, new(b"d", 1 << 30), new(b"e", 1 << 30)])] == [
        "size"
    ]
    found = [(finding.code, finding.entry) for finding in large.check([new(b"a", 1 << 31)])]
    assert found == [("size", 0)]


@BOTH
def test_the_last_byte_that_every_program_reads_can_be_used(format_: str) -> None:
    entry_size = {"PAK": 64, "DAIKATANA": 72}[format_]
    most = (1 << 31) - 1 - 12 - entry_size
    assert not WRITERS[format_].check([new(b"a", most)])
    assert [finding.entry for finding in WRITERS[format_].check([new(b"a", most + 1)])] == [None]


def test_engines_that_take_fewer_files_are_named() -> None:
    """Case 107: "writer warns at 2048 (Quake) and 4096 (Quake 2)"."""
    for number, warnings in ((2048, 0), (2049, 1), (4096, 1), (4097, 2)):
        findings = WRITERS["PAK"].check([new(b"%d" % index) for index in range(number)])
        assert [(finding.code, finding.verdict) for finding in findings] == [("count", "ok")] * warnings
    findings = WRITERS["DAIKATANA"].check([new(b"%d" % index) for index in range(4097)])
    assert [finding.message for finding in findings] == [
        "there are 4097 files; the Quake 2 engine takes 4096"
    ]
