"""`(listfile)` and `(attributes)`: what they say, and what is done when they say nonsense."""

from __future__ import annotations

import struct

import pytest
from tests.builders import mpq
from tests.builders.mpq import COMPRESS, ENCRYPTED, Written, build, with_block

from lumpyard.archives.mpq.names import most_names, parse_listfile
from lumpyard.archives.mpq.reader import view
from lumpyard.errors import MalformedError

A, B = Written(b"dir\\a.txt", b"aaa" * 100, COMPRESS | ENCRYPTED), Written(b"b c.txt", b"bbb")


@pytest.mark.parametrize(
    "text",
    [
        b"dir\\a.txt\r\nb c.txt\r\n",
        b"dir\\a.txt\nb c.txt",
        b"\r\n\r\n dir\\a.txt \r\n\tb c.txt\r\n\r\n",
        b"dir\\a.txt;b c.txt",
        b"dir\\a.txt\0b c.txt\0\0",
        b"\xef\xbb\xbfdir\\a.txt\nb c.txt\n",
        b"no.such\r\ndir\\a.txt\r\nDIR\\A.TXT\r\nb c.txt\r\nb c.txt",
    ],
)
def test_a_list_file_has_a_name_a_line(text: bytes) -> None:
    archive = view(build([A, B, Written(b"(listfile)", text)]))
    assert [lump.name for lump in archive.lumps] == [b"dir\\a.txt", b"b c.txt", b"(listfile)"]


def test_names_are_spelt_as_the_list_file_spells_them() -> None:
    archive = view(build([A, Written(b"(listfile)", b"DIR/a.TXT")]), names=[b"dir\\A.txt"])
    assert archive.lumps[0].name == b"DIR/a.TXT"


def test_a_line_with_a_semicolon_may_be_one_name_or_several() -> None:
    assert list(parse_listfile(b"a;b\r\nc")) == [b"a;b", b"a", b"b", b"c"]


@pytest.mark.parametrize("text", [b"", b"\0\xff\r\n;;;\n;", bytes(range(256)) * 8])
def test_a_list_file_of_nonsense_names_nothing(text: bytes) -> None:
    archive = view(build([A, Written(b"(listfile)", text)]))
    assert [lump.name for lump in archive.lumps] == [None, b"(listfile)"]
    assert list(archive.warnings) == []


def test_a_list_file_that_does_not_decode_is_a_warning() -> None:
    lists = Written(b"(listfile)", b"x" * 500, COMPRESS, sectors=(b"\2junk",))
    archive = view(build([A, B, lists]))
    assert [lump.name for lump in archive.lumps] == [None, None, b"(listfile)"]
    (warning,) = archive.warnings
    assert (warning.code, warning.entry, warning.verdict) == ("zlib", 2, "ok")
    assert warning.message.startswith("'(listfile)' is not read, or not whole: ")
    assert archive.find(A.name) == 0
    assert archive.read(0) == A.raw
    with pytest.raises(MalformedError):
        archive.read(2)


def test_a_list_file_that_is_not_there_at_all_is_a_warning() -> None:
    data = with_block(build([A, B, mpq.listfile([A, B])]), 2, position=0x70000000)
    archive = view(data)
    assert [finding.code for finding in archive.warnings] == ["range"]
    with pytest.raises(MalformedError, match=r"^entry 2 \('\(listfile\)'\)"):
        archive.stored(2)


def test_a_bomb_of_a_list_file_is_tried_in_part() -> None:
    most = most_names(3)
    names = b"\n".join(b"%x" % number for number in range(most)) + b"\nb c.txt"
    archive = view(build([A, B, Written(b"(listfile)", names, COMPRESS)]))
    assert [finding.code for finding in archive.warnings] == ["limit"]
    assert [lump.name for lump in archive.lumps] == [None, None, b"(listfile)"]


def told(version: int = 100, which: int = 1, rest: bytes = b"") -> Written:
    return Written(b"(attributes)", struct.pack("<II", version, which) + rest)


@pytest.mark.parametrize(
    ("attributes", "code"),
    [
        (Written(b"(attributes)", b"1234567"), "attributes"),
        (told(version=99, rest=bytes(100)), "attributes"),
        (told(rest=bytes(7)), "attributes"),
        (told(which=5, rest=bytes(39)), "attributes"),
        (Written(b"(attributes)", bytes(300), COMPRESS, sectors=(b"\2junk",)), "zlib"),
    ],
)
def test_attributes_of_nonsense_are_a_warning(attributes: Written, code: str) -> None:
    archive = view(build([A, B, attributes]), names=[A.name])
    (warning,) = archive.warnings
    assert (warning.code, warning.entry, warning.verdict) == (code, 2, "ok")
    assert [archive.read(index) for index in (0, 1)] == [A.raw, B.raw]


@pytest.mark.parametrize("entries", [2, 3, 4])
def test_attributes_may_leave_themselves_out(entries: int) -> None:
    """Archives are about that have one entry less than blocks."""
    crcs = struct.pack("<4I", 0, 1, 0, 0)[: 4 * entries]
    archive = view(build([A, B, told(rest=crcs)]), names=[A.name])
    assert list(archive.warnings) == []
    assert archive.read(0) == A.raw
    with pytest.raises(MalformedError, match="CRC-32 00000001") as caught:
        archive.read(1)
    assert (caught.value.code, caught.value.entry) == ("crc32", 1)


def test_attributes_that_cannot_be_read_keep_no_file_from_being_read() -> None:
    data = with_block(build([A, B, told(rest=bytes(12))]), 2, stored_size=0x7FFFFFFF)
    archive = view(data)
    assert [finding.code for finding in archive.warnings] == ["range"]
    assert archive.find(A.name) == 0
    assert archive.read(0) == A.raw
