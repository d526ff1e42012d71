"""Each rule of the specification's section "Validation", by what breaks it, and the order of the checks."""

from __future__ import annotations

import re
import struct
from typing import Any

import pytest
from tests.builders import ewad
from tests.builders.ewad import NO_NAME, Written

from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.verify import load, verify
from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

SOUND = ewad.build([Written(b"one", b"first"), Written(b"two", b"second"), Written(b"three")])
STRIPPED = ewad.build([Written(b"one", b"first"), Written(b"two", b"second"), Written(b"three")], named=False)
SIZE = len(SOUND)
LAST = 2**64 - 1

BROKEN = {
    "input shorter than its header": (SOUND[:63], "header", None),
    "unknown signature": (ewad.with_header(SOUND, signature=b"EWAX"), "signature", None),
    "version before": (ewad.with_header(SOUND, version=1), "version", None),
    "version after": (ewad.with_header(SOUND, version=3), "version", None),
    "alignment zero": (ewad.with_header(SOUND, alignment=0), "alignment", None),
    "alignment no power of two": (ewad.with_header(SOUND, alignment=24), "alignment", None),
    "alignment too big": (ewad.with_header(SOUND, alignment=1 << 31), "alignment", None),
    "reserved header bytes": (ewad.with_header(SOUND, reserved=1 << 63), "reserved", None),
    "directory in the header": (ewad.with_header(SOUND, directory_offset=63), "directory", None),
    "directory past the end": (ewad.with_header(SOUND, directory_offset=SIZE - 167), "directory", None),
    "directory that wraps": (ewad.with_header(SOUND, directory_offset=LAST - 63), "directory", None),
    "more lumps than fit": (ewad.with_header(SOUND, lumps=2**32 - 1), "directory", None),
    "table in the header": (ewad.with_header(SOUND, table_offset=0), "table", None),
    "table past the end": (ewad.with_header(SOUND, table_offset=SIZE), "table", None),
    "table that wraps": (ewad.with_header(SOUND, table_size=LAST), "table", None),
    "header hash": (ewad.with_header(SOUND, rehash=False, header_hash=1), "header-hash", None),
    "reserved entry bytes": (ewad.with_entry(SOUND, 1, reserved=1 << 31), "reserved", 1),
    "keys out of order": (ewad.with_entry(SOUND, 1, key=LAST), "order", 2),
    "keys alike": (ewad.with_entry(SOUND, 1, key=ewad.entry(SOUND, 0, "key")), "order", 1),
    "offset not aligned": (ewad.with_entry(SOUND, 0, offset=ewad.entry(SOUND, 0, "offset") + 8), "offset", 0),
    "lump past the end": (ewad.with_entry(SOUND, 1, offset=SIZE // 16 * 16 + 16), "range", 1),
    "lump that wraps": (ewad.with_entry(SOUND, 1, offset=LAST - 15), "range", 1),
    "lump in the header": (ewad.with_entry(SOUND, 1, offset=48), "offset", 1),
    "name offset outside": (
        ewad.with_entry(SOUND, 2, name_offset=ewad.header(SOUND, "table_size")),
        "name",
        2,
    ),
    "no-name marker with a table": (ewad.with_entry(SOUND, 2, name_offset=NO_NAME), "name", 2),
    "name without its NUL": (
        ewad.with_header(SOUND, table_size=ewad.header(SOUND, "table_size") - 1),
        "name",
        2,
    ),
    "empty name": (ewad.with_entry(SOUND, 1, name_offset=ewad.entry(SOUND, 1, "name_offset") - 1), "name", 1),
    "key of another name": (ewad.with_header(SOUND, seed=1), "key", 0),
    "name offset when stripped": (ewad.with_entry(STRIPPED, 1, name_offset=0), "name", 1),
    "raw size without compression": (ewad.with_entry(SOUND, 0, raw_size=1), "raw", 0),
}


@pytest.mark.parametrize("case", BROKEN)
def test_each_broken_rule_is_malformed_by_its_code_and_entry(case: str) -> None:
    data, code, entry = BROKEN[case]
    for read in (view, load):
        with pytest.raises(MalformedError) as caught:
            read(data)
        assert (caught.value.code, caught.value.entry) == (code, entry)


@pytest.mark.parametrize("case", BROKEN)
def test_messages_are_one_line_and_codes_one_lower_case_word(case: str) -> None:
    data, code, entry = BROKEN[case]
    with pytest.raises(MalformedError) as caught:
        view(data)
    assert "\n" not in str(caught.value)
    assert str(caught.value).isascii()
    assert re.fullmatch(r"[a-z][a-z0-9-]*", code)
    assert entry is None or str(caught.value).startswith(f"entry {entry}")


def test_a_set_reserved_flag_is_unsupported() -> None:
    """ "A set reserved flag bit is SPITWAD_ERR_UNSUPPORTED." """
    for bit in range(1, 16):
        with pytest.raises(UnsupportedError) as caught:
            view(ewad.with_entry(SOUND, 1, flags=1 << bit))
        assert (caught.value.code, caught.value.entry) == ("flags", 1)


def test_a_reserved_flag_is_the_last_rule_checked() -> None:
    flagged = ewad.with_entry(SOUND, 0, flags=2)
    for broken in (
        ewad.with_header(flagged, version=1),
        ewad.with_header(flagged, rehash=False, header_hash=0),
        ewad.with_entry(flagged, 2, reserved=1),
        ewad.with_entry(flagged, 2, raw_size=1),
        ewad.with_entry(flagged, 2, name_offset=NO_NAME),
    ):
        with pytest.raises(MalformedError):
            view(broken)


def test_rules_of_the_header_come_in_the_specifications_order() -> None:
    """Each of these is broken alone first, then with all that come after it."""
    steps: list[tuple[str, dict[str, int | bytes]]] = [
        ("signature", {"signature": b"ewad"}),
        ("version", {"version": 1}),
        ("alignment", {"alignment": 3}),
        ("reserved", {"reserved": 1}),
        ("directory", {"directory_offset": 8}),
        ("table", {"table_offset": 8}),
        ("header-hash", {"header_hash": 0}),
    ]
    broken = ewad.with_entry(SOUND, 0, reserved=1)
    for code, fields in reversed(steps):
        broken = ewad.with_header(broken, rehash=False, **fields)
        with pytest.raises(MalformedError) as caught:
            view(broken)
        assert caught.value.code == code


def test_the_header_hash_is_checked_before_any_entry() -> None:
    with pytest.raises(MalformedError) as caught:
        view(ewad.with_entry(SOUND, 0, rehash=False, reserved=1))
    assert caught.value.code == "header-hash"


def test_an_empty_lump_may_carry_any_aligned_offset_in_range() -> None:
    """Of "any in-range offset, including 0", those that are a multiple of the alignment."""
    index = view(SOUND).find(b"three")
    assert index is not None
    for offset in (0, 16, 48, SIZE // 16 * 16):
        archive = view(ewad.with_entry(SOUND, index, offset=offset))
        assert archive.read(index) == b""
        assert verify(archive) == []
    for offset, code in ((8, "offset"), (SIZE // 16 * 16 + 16, "range")):
        with pytest.raises(MalformedError) as caught:
            view(ewad.with_entry(SOUND, index, offset=offset))
        assert caught.value.code == code


def test_the_content_hash_of_an_empty_lump_is_the_one_of_the_specification() -> None:
    """ "The content hash of an empty lump is 0xEF46DB3751D8E999." """
    index = view(SOUND).find(b"three")
    assert index is not None
    assert view(SOUND).lumps[index].content_hash == 0xEF46DB3751D8E999


@pytest.mark.parametrize("arrangement", ["dsl", "dls", "sdl", "sld", "lds", "lsd"])
@pytest.mark.parametrize("named", [True, False], ids=["named", "stripped"])
def test_any_arrangement_is_read(arrangement: str, named: bool) -> None:
    """ "The reader accepts any arrangement that passes the checks below." """
    lumps = [Written(b"%d" % number, b"lump %d" % number) for number in range(9)]
    data = ewad.build(lumps, arrangement=arrangement, named=named, junk=b"junk!")
    archive = view(data)
    assert verify(archive) == []
    for lump in lumps:
        index = archive.find(lump.name)
        assert index is not None
        assert archive.read(index) == lump.stored


def test_an_empty_directory_must_still_start_after_the_header() -> None:
    empty = ewad.build([])
    for offset in (0, 63, 65):
        for broken in (
            ewad.with_header(empty, directory_offset=offset),
            ewad.with_header(empty, table_offset=offset),
        ):
            with pytest.raises(MalformedError):
                view(broken)


def test_load_refuses_a_stripped_archive_only_when_it_has_lumps() -> None:
    with pytest.raises(UnsupportedError) as caught:
        load(STRIPPED)
    assert caught.value.code == "stripped"
    assert load(ewad.build([], named=False)) == []


def test_nothing_but_the_documented_errors_leaves_the_reader_for_any_header() -> None:
    """Extremes of every field of header and entry, alone, with a fitting hash."""
    extremes = [0, 1, 2, 15, 16, 63, 64, 255, 256, SIZE, SIZE + 1, 2**31, 2**32 - 1, 2**63, LAST]
    for field, (_, code) in ewad.HEADER.items():
        for value in extremes if field != "signature" else []:
            check_refusal(ewad.with_header(SOUND, **fields(field, value, code)))
    for field, (_, code) in ewad.ENTRY.items():
        for value in extremes:
            check_refusal(ewad.with_entry(SOUND, 1, **fields(field, value, code)))


def fields(field: str, value: int, code: str) -> Any:
    """The value, cut to what the field can hold."""
    return {field: value % (1 << 8 * struct.calcsize(code))}


def check_refusal(data: bytes) -> None:
    try:
        archive = view(data)
    except ArchiveError:
        return
    verify(archive)
    assert len(archive.lumps) == len(archive.keys)
