"""Opening by signature: what is read, what is not read here, and what is no archive."""

from __future__ import annotations

import struct
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import ewad, plain, vectors, wad
from tests.builders.ewad import Written
from tests.builders.wad import Entry

from lumpyard.archives.model import Archive, shown
from lumpyard.archives.opening import FORMATS, open_archive
from lumpyard.errors import ArchiveError, MalformedError, UsageError

SOUND = ewad.build([Written(b"a", b"data")])


def test_an_ewad_is_known_by_its_signature_or_by_name() -> None:
    for archive in (
        open_archive(SOUND),
        open_archive(SOUND, "EWAD"),
        open_archive(memoryview(SOUND), format="auto"),
    ):
        opened: Archive = archive
        assert (opened.format, opened.read(0)) == ("EWAD", b"data")


@pytest.mark.parametrize(
    "data", [b"", b"E", b"EWA", b"ewad" + SOUND[4:], b"\0" * 100, b"<!DOCTYPE html>", b"ZWAD" * 9]
)
def test_no_known_signature_is_malformed(data: bytes) -> None:
    """ "No known signature, or a file too short for one, is malformed." """
    with pytest.raises(MalformedError, match="not an archive") as caught:
        open_archive(data)
    assert caught.value.code == "signature"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not an archive: it is empty, and a signature has 4 bytes"),
        (b"EWA", "not an archive: its size is 3, and a signature has 4 bytes"),
        (b"\x1bWAE", r"not an archive: it starts with '\x1bWAE', not with one of EWAD, IWAD"),
    ],
)
def test_what_is_no_archive_is_said_in_words_of_people(data: bytes, says: str) -> None:
    with pytest.raises(MalformedError) as caught:
        open_archive(data)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "EWAD"])
def test_another_format_by_name_does_not_take_an_ewad(name: str) -> None:
    with pytest.raises(MalformedError) as caught:
        open_archive(SOUND, name)
    assert caught.value.code == "signature"


@pytest.mark.parametrize("name", ["iwad-good", "pwad-good", "pack-good", "wad2-good", "wad3-good"])
def test_other_formats_are_known_by_their_signature(name: str) -> None:
    assert open_archive(vectors.read(name)).format == name[:4].upper()


def test_a_lenient_reading_is_passed_on_to_every_format_that_has_one() -> None:
    wild = [Entry(b"A", offset=1 << 31)]
    for signature in (b"IWAD", b"PWAD", b"PACK", b"WAD2", b"WAD3"):
        data = wad.build(wild, signature)
        with pytest.raises(MalformedError):
            open_archive(data, signature.decode())
        assert open_archive(data, signature.decode(), lenient=True).warnings
    odd = plain.pak([(b"a", b"x")])
    odd = odd[:8] + struct.pack("<I", 81) + odd[12:] + bytes(17)
    with pytest.raises(MalformedError):
        open_archive(odd, "PAK")
    assert open_archive(odd, "PAK", lenient=True).warnings
    assert open_archive(SOUND, lenient=True).warnings == ()


def test_opening_an_archive_imports_no_other_formats_reader() -> None:
    """Commands read one or two formats, and start often."""
    program = (
        "import sys, lumpyard.archives.opening as opening\n"
        "opening.open_archive(b'IWAD' + bytes(8))\n"
        "print(*sorted(name for name in sys.modules if name.startswith('lumpyard.archives.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    packages = {name.split(".")[2] for name in done.stdout.split()}
    assert {"opening", "wad", "flat"} <= packages
    assert not packages & {"wad2", "pak", "daikatana", "mpq", "ewad", "detect"}


def test_another_file_opened_as_an_ewad_is_malformed() -> None:
    with pytest.raises(MalformedError) as caught:
        open_archive(vectors.read("iwad-good"), "EWAD")
    assert caught.value.code == "signature"


def test_a_format_that_nobody_knows_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(UsageError, match="unknown archive format 'zip'"):
        open_archive(SOUND, "zip")


@given(st.binary(max_size=200) | st.binary(max_size=200).map(lambda data: b"EWAD\2\0\0\0" + data))
def test_nothing_but_the_documented_errors_leaves_any_bytes(data: bytes) -> None:
    with pytest.raises(ArchiveError):
        open_archive(data)


def test_names_in_messages_are_quoted_printable_and_short() -> None:
    assert shown(b"a/b.png") == "'a/b.png'"
    assert shown(b"it's") == '"it\'s"'
    assert shown("é\n".encode()) == r"'\xc3\xa9\n'"
    assert len(shown(b"x" * 255)) == 80
