"""Placing lumps, sharing equal ones, and all that a writer refuses, at once and with all names."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.archives.opening import FORMATS, open_archive
from lumpyard.archives.writing import WRITERS, NewLump, encode_archive, place_lumps

CLASSIC = ("IWAD", "PWAD", "PACK")
FLAT = (*CLASSIC, "WAD2", "WAD3")
ALL = pytest.mark.parametrize("name", FLAT)


def lump(name: bytes, size: int = 0) -> NewLump:
    return NewLump(name, size, size)


def told(name: str, *lumps: NewLump) -> list[tuple[str, int | None, str]]:
    return [(found.code, found.entry, found.verdict) for found in WRITERS[name].check(lumps)]


def test_there_is_a_writer_for_each_format_but_those_that_are_written_otherwise_or_never() -> None:
    assert {*WRITERS} == {*FORMATS} - {"EWAD", "MPQ"}
    assert len(WRITERS) == 7
    for name, writer in WRITERS.items():
        assert (writer.format, writer.header_size) == (name, 12)
    assert WRITERS.get("MPQ") is None


def test_lumps_stand_back_to_back_from_the_header_and_the_directory_behind() -> None:
    placed = place_lumps(WRITERS["PWAD"], [lump(b"A", 3), lump(b"B"), lump(b"C", 5)])
    assert placed == ([12, 15, 15], 20)


@given(st.lists(st.binary(max_size=3), max_size=60), st.sampled_from(FLAT))
def test_sharing_changes_neither_order_nor_number_nor_bytes(datas: list[bytes], name: str) -> None:
    """ "De-dup is a writer option for all lump kinds, off by default, never changes order or count." """
    lumps = [lump(b"L%d" % number, len(data)) for number, data in enumerate(datas)]
    apart, shared = (encode_archive(WRITERS[name], lumps, datas, dedupe=dedupe) for dedupe in (False, True))
    for made in (apart, shared):
        archive = open_archive(made, name)
        found = [(one.name, bytes(archive.read(at))) for at, one in enumerate(archive.lumps)]
        assert found == [(one.name, data) for one, data in zip(lumps, datas, strict=True)]
    entry_size = 32 if name in {"WAD2", "WAD3"} else 16
    placed = sum(len(data) * -(-datas.count(data) // 16) for data in {*datas})
    assert len(apart) == 12 + sum(map(len, datas)) + entry_size * len(datas)
    assert len(shared) == 12 + placed + entry_size * len(datas)


def test_the_seventeenth_equal_lump_has_bytes_of_its_own_so_that_readers_take_the_archive() -> None:
    data = bytes(100_000)
    lumps = [lump(b"%d" % number, len(data)) for number in range(40)]
    digests = [sha256(data).digest()] * 40
    placed = place_lumps(WRITERS["PWAD"], lumps, digests)
    assert [placed.offsets.count(offset) for offset in sorted({*placed.offsets})] == [16, 16, 8]
    assert len(open_archive(encode_archive(WRITERS["PWAD"], lumps, [data] * 40, dedupe=True)).lumps) == 40


@ALL
def test_all_names_that_do_not_fit_are_told_at_once(name: str) -> None:
    most = 15 if name in {"WAD2", "WAD3"} else 8
    lumps = [
        lump(b"X" * most),
        lump(b"X" * (most + 1)),
        lump(b""),
        lump(b"\0JUNK"),
        lump(b"OK"),
        lump(b"Y" * 99),
    ]
    assert told(name, *lumps) == [
        ("name-length", 1, "malformed"),
        ("name-empty", 2, "malformed"),
        ("name-empty", 3, "malformed"),
        ("name-length", 5, "malformed"),
    ]
    message = WRITERS[name].check(lumps)[0].message
    assert message == f"entry 1 ('{'X' * (most + 1)}'): its name has {most + 1} bytes; the most is {most}"


@ALL
def test_what_follows_the_nul_of_a_name_is_written_and_told(name: str) -> None:
    field = 16 if name in {"WAD2", "WAD3"} else 8
    raw = (b"AB\0" + b"j" * field)[:field]
    assert told(name, lump(raw)) == [("name-nul", 0, "ok")]
    assert open_archive(encode_archive(WRITERS[name], [lump(raw)], [b""]), name).lumps[0].raw_name == raw
    assert told(name, lump(raw + b"j")) == [("name-length", 0, "malformed")]
    assert told(name, lump(b"AB\0\0\0")) == []


@ALL
def test_sizes_are_told_lump_by_lump_and_together(name: str) -> None:
    """ "For the classic types that sum is also capped at UINT32_MAX." """
    most = 0xFFFFFFFF - 12
    assert told(name, lump(b"A", most)) == []
    assert told(name, lump(b"A", most), lump(b"B", 1)) == [("total", None, "malformed")]
    assert told(name, lump(b"A", 0xFFFFFFFF)) == [("total", None, "malformed")]
    assert told(name, lump(b"A", 1 << 32)) == [("size", 0, "malformed"), ("total", None, "malformed")]
    assert told(name, lump(b"A", 1 << 64))[0] == ("size", 0, "malformed")


@ALL
def test_compressed_lumps_are_refused(name: str) -> None:
    assert told(name, NewLump(b"A", 3, 9), NewLump(b"B", 3, 3, compressed=True)) == [
        ("compressed", 0, "malformed"),
        ("compressed", 1, "malformed"),
    ]


def test_more_lumps_than_are_read_back_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lumpyard.archives.flat_writing.MAX_LUMPS", 3)
    assert told("PWAD", *([lump(b"A")] * 3)) == []
    assert told("PWAD", *([lump(b"A")] * 4)) == [("lumps", None, "malformed")]


@pytest.mark.parametrize("name", CLASSIC)
@pytest.mark.parametrize("odd", [b"lower", b"A B", b"\xc4ATA", b"A\n", b"A\xff"])
def test_names_that_engines_or_tools_may_not_take_are_warned_of(name: str, odd: bytes) -> None:
    assert told(name, lump(odd)) == [("name-odd", 0, "ok")]


@pytest.mark.parametrize("name", CLASSIC)
@pytest.mark.parametrize("usual", [b"MAP01", b"VILE\\1", b"VILE[1]", b"A-B_C^D!", b"TROOA2A8"])
def test_usual_names_are_not(name: str, usual: bytes) -> None:
    assert told(name, lump(usual)) == []


@pytest.mark.parametrize("name", ["WAD2", "WAD3"])
def test_names_that_break_the_text_of_a_map_are_warned_of(name: str) -> None:
    """ "Warn on space, quote, brace in names." """
    for odd in (b"my tex", b'a"b', b"a{b", b"a}", b"a\tb"):
        assert told(name, lump(odd)) == [("name-odd", 0, "ok")]
    for usual in (b"{grate1", b"*water", b"+0button", b"!lava", b"~light", b"lower"):
        assert told(name, lump(usual)) == []
