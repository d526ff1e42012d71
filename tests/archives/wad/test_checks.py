"""The specification's checks one by one, what a lenient reading lets pass, and what is odd but legal."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import wad
from tests.builders.wad import Entry

from lumpyard.archives.directory import DirectoryArchive
from lumpyard.archives.flat import check_total
from lumpyard.archives.opening import open_archive
from lumpyard.errors import MalformedError

if TYPE_CHECKING:
    from lumpyard.archives.model import Finding

FORMATS = ("IWAD", "PWAD", "PACK", "WAD2", "WAD3")
ALL = pytest.mark.parametrize("name", FORMATS)


def opened(data: bytes, name: str = "PWAD", *, lenient: bool = False) -> DirectoryArchive:
    archive = open_archive(data, name, lenient=lenient)
    assert isinstance(archive, DirectoryArchive)
    return archive


def refused(data: bytes, name: str = "PWAD") -> MalformedError:
    with pytest.raises(MalformedError) as caught:
        opened(data, name)
    return caught.value


def told(found: list[Finding]) -> list[tuple[str, int | None]]:
    assert all(finding.verdict == "ok" for finding in found)
    return [(finding.code, finding.entry) for finding in found]


def test_one_lump_byte_by_byte() -> None:
    one_lump = bytes.fromhex(
        "50574144"  # signature       PWAD
        "01000000"  # entry count     1
        "0f000000"  # directory at    15
        "616263"  # the lump        abc
        "0c000000 03000000"  # offset 12, size 3
        "5449544c45000000"  # name            TITLE
    )
    archive = opened(one_lump)
    (lump,) = archive.lumps
    assert (lump.name, lump.offset, lump.stored_size, bytes(archive.read(0))) == (b"TITLE", 12, 3, b"abc")
    assert (archive.alignment, archive.seed, archive.stripped, archive.archive_hash) == (
        None,
        None,
        False,
        None,
    )


@ALL
@pytest.mark.parametrize("size", range(4, 12))
def test_a_file_shorter_than_its_header_is_malformed(name: str, size: int) -> None:
    """ "The input must be at least as long as its header." """
    assert refused((name.encode() + bytes(8))[:size], name).code == "header"


@ALL
def test_an_empty_directory_may_stand_anywhere_in_the_file(name: str) -> None:
    """ "A non-empty directory … may not overlap the header." """
    for offset in (0, 4, 12):
        assert opened(wad.build([], name.encode(), directory_offset=offset), name).lumps == []
    assert refused(wad.build([], name.encode(), directory_offset=13), name).code == "directory"


@ALL
def test_a_directory_that_is_not_empty_may_not_start_in_the_header(name: str) -> None:
    error = refused(wad.build([Entry(b"A", bytes(40))], name.encode(), directory_offset=11), name)
    assert (error.code, str(error)) == ("directory", "the directory starts in the header, at byte 11")


@ALL
def test_data_may_not_lie_in_the_header(name: str) -> None:
    """ "Non-empty lump data may not overlap the header." """
    error = refused(wad.build([Entry(b"A", b"abc"), Entry(b"B", b"x", offset=11)], name.encode()), name)
    assert (error.code, error.entry) == ("offset", 1)
    assert str(error) == "entry 1 ('B'): its 1 bytes at 11 lie in the header"


@ALL
def test_empty_lumps_may_have_any_offset_in_the_file(name: str) -> None:
    """ "Empty lumps may carry any in-range offset, including 0, which is common for map markers." """
    size = len(wad.build([Entry(b"A")], name.encode()))
    for offset in (0, 5, 12, size):
        archive = opened(wad.build([Entry(b"A", offset=offset)], name.encode()), name)
        assert (archive.warnings, bytes(archive.read(0))) == ([], b"")


@ALL
def test_an_empty_lump_with_a_wild_offset_is_read_only_when_asked_to_be_lenient(name: str) -> None:
    data = wad.build([Entry(b"A", b"abc"), Entry(b"B", offset=0xFFFFFFF0)], name.encode())
    error = refused(data, name)
    assert (error.code, error.entry) == ("range", 1)
    assert "a lenient reading lets it pass" in str(error)
    archive = opened(data, name, lenient=True)
    assert told(archive.warnings) == [("empty-offset", 1)]
    assert archive.warnings[0].message.startswith("entry 1 ('B'): it is empty, and its offset 4294967280 is")
    assert bytes(archive.read(1)) == b""


@ALL
def test_a_lump_outside_the_file_is_not_read_leniently_either(name: str) -> None:
    data = wad.build([Entry(b"A", b"abc", size=1000)], name.encode())
    with pytest.raises(MalformedError) as caught:
        opened(data, name, lenient=True)
    assert caught.value.code == "range"


@ALL
def test_the_first_entry_that_breaks_a_rule_is_named(name: str) -> None:
    sound = [Entry(b"A%d" % number, b"x") for number in range(70_000)]
    broken = [*sound, Entry(b"IN", b"x", offset=3), Entry(b"OUT", b"x", size=9999999)]
    assert refused(wad.build(broken[-3:], name.encode()), name).entry == 1
    if name == "PWAD":
        assert refused(wad.build(broken, name.encode()), name).entry == 70_000


@ALL
def test_sixteen_times_the_file_is_allowed_and_one_byte_more_is_not(name: str) -> None:
    """ "The sum of all lump sizes may not exceed 16 times the input size." """
    entry_size = 32 if name in {"WAD2", "WAD3"} else 16
    head = 12 + 17 * entry_size
    for more, verdict in ((0, ""), (1, "cap")):
        lump = Entry(b"A", bytes(16 * head + more))
        twins = [Entry(b"B", offset=12, size=len(lump.data)) for _ in range(16)]
        data = wad.build([lump, *twins], name.encode())  # 17 * size against 16 * (head + size)
        assert len(data) == head + len(lump.data)
        if verdict:
            error = refused(data, name)
            assert (error.code, error.entry) == ("cap", None)
        else:
            assert len(opened(data, name).lumps) == 17


def test_the_lumps_together_may_have_four_gibibytes_less_one() -> None:
    """ "For the classic types that sum is also capped at UINT32_MAX." """
    check_total(0xFFFFFFFF, 1 << 30)
    with pytest.raises(MalformedError, match="4294967296 bytes, more than 4294967295") as caught:
        check_total(0x100000000, 1 << 30)
    assert caught.value.code == "cap"


@ALL
def test_a_lump_may_end_with_the_file_and_start_behind_the_directory(name: str) -> None:
    entries = [Entry(b"A", b"abc"), Entry(b"B", b"de"), Entry(b"WILD", offset=1 << 31)]
    data = wad.build(entries, name.encode(), directory_first=True)
    archive = opened(data, name, lenient=True)
    assert [bytes(archive.read(at)) for at in range(3)] == [b"abc", b"de", b""]
    assert archive.lumps[1].offset + 2 == len(data)
    assert told(archive.warnings) == [("empty-offset", 2)]


@ALL
def test_a_lump_may_start_right_behind_the_header(name: str) -> None:
    entries = [Entry(b"A", b"abc"), Entry(b"MARKER", offset=0)]
    assert bytes(opened(wad.build(entries, name.encode()), name).read(0)) == b"abc"


def test_data_inside_the_directory_is_legal_and_odd() -> None:
    data = wad.build([Entry(b"A", b"abc"), Entry(b"B", offset=15, size=5), Entry(b"C", offset=0)])
    archive = opened(data)
    assert told(archive.warnings) == [("overlap", 1)]
    assert archive.warnings[0].message == "entry 1 ('B'): its 5 bytes at 15 overlap the directory at 15"


@ALL
def test_a_big_endian_file_is_refused_and_said_to_be_one(name: str) -> None:
    """ "Refuse, but say 'fits as big-endian'." """
    data = bytearray(wad.build([Entry(b"A", b"abc")], name.encode()))
    count, offset = struct.unpack_from("<II", data, 4)
    struct.pack_into(">II", data, 4, count, offset)
    assert "the header fits as big-endian" in str(refused(bytes(data), name))
    assert "big-endian" not in str(refused(wad.build([], name.encode(), count=7), name))


@pytest.mark.parametrize(
    "data", [b"ZWAD" + bytes(40), b"just a text file named x.wad\n" * 9, b"<!DOCTYPE html><html></html>"]
)
def test_an_unknown_signature_is_said_before_any_number_is_read(data: bytes) -> None:
    for name in ("auto", "PWAD", "WAD2"):
        error = refused(data, name)
        assert error.code == "signature"
        assert repr(data[:4])[1:] in str(error)


def test_one_format_is_not_read_as_another() -> None:
    """ "Exact six signatures; role never inferred." """
    for name in FORMATS:
        for other in FORMATS:
            if other != name:
                assert refused(wad.build([], name.encode()), other).code == "signature"


def test_names_end_at_the_first_nul_and_what_follows_is_kept() -> None:
    """ "Bytes after NUL: ignored for lookup, kept for round trip." """
    archive = opened(wad.build([Entry(b"AB\0junk!"), Entry(b"\0\0x"), Entry(b"EIGHTBYT"), Entry(b"A")]))
    assert [lump.name for lump in archive.lumps] == [b"AB", b"", b"EIGHTBYT", b"A"]
    assert [lump.raw_name for lump in archive.lumps] == [b"AB\0junk!", b"\0\0x", None, None]
    assert archive.find(b"AB") == 0
    assert archive.find(b"AB\0junk!") is None
    assert told(archive.warnings) == [("name-empty", 1)]


def test_an_entry_of_zeros_stays_in_its_place() -> None:
    """ "Never drop entries on read." """
    archive = opened(wad.build([Entry(b"A", b"x"), Entry(b"", offset=0), Entry(b"B", b"y")]))
    assert [lump.name for lump in archive.lumps] == [b"A", b"", b"B"]
    assert archive.find(b"B") == 2


def test_names_are_looked_up_as_they_are_stored() -> None:
    archive = opened(wad.build([Entry(b"map01"), Entry(b"MAP01 L"), Entry(b"\xff\xfe")]))
    assert [archive.find(name) for name in (b"map01", b"MAP01", b"MAP01 L", b"\xff\xfe")] == [0, None, 1, 2]


# a b c, then a copy of three bytes from three back, then the end: distance less one, length less one
LZSS = bytes.fromhex("18") + b"abc" + bytes.fromhex("0022 0000")


def test_a_compressed_lump_of_the_jaguar_is_known_and_left_alone() -> None:
    """ "Flag only if exactly bit 7 of byte 0 is set, and the stream decodes to the stated size." """
    archive = opened(wad.build([Entry(b"\xd4ITLE", LZSS, size=6), Entry(b"NEXT", b"y" * 40)]))
    assert told(archive.warnings) == [("lzss", 0)]
    assert bytes(archive.read(0)) == LZSS[:6]
    assert archive.find(b"\xd4ITLE") == 0


@pytest.mark.parametrize(
    ("name", "data", "size"),
    [
        (b"\xc4ATA", b"plain data", 10),  # such a name for another reason
        (b"\xd4ITLE", LZSS, 7),  # decodes to 6
        (b"TITLE", LZSS, 6),
        (b"\xd4I\xd4LE", LZSS, 6),  # no marks of compression: another byte has the bit too
        (b"\xd4ITLE", b"", 0),
    ],
)
def test_other_lumps_are_not_taken_for_compressed(name: bytes, data: bytes, size: int) -> None:
    assert opened(wad.build([Entry(name, data, size=size)])).warnings == []
