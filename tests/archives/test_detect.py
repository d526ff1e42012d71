"""Which of its three formats a PACK has (cases 110 and 112; design.md, section 11)."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import pak
from tests.builders.pak import Packed

from lumpyard.archives.detect import view_pack
from lumpyard.archives.opening import open_archive
from lumpyard.errors import MalformedError, UnsupportedError

NAMES = st.text("abcdefgh/._0123456789", min_size=1, max_size=40).map(str.encode)
FILES = st.lists(
    st.tuples(NAMES, st.binary(min_size=1, max_size=30)), min_size=1, max_size=30, unique_by=lambda x: x[0]
)


def classic(lumps: list[tuple[bytes, bytes]]) -> bytes:
    """The specification's PACK: data behind the header, the directory behind the data."""
    data = directory = b""
    for name, contents in lumps:
        directory += struct.pack("<II8s", 12 + len(data), len(contents), name)
        data += contents
    return struct.pack("<4sII", b"PACK", len(lumps), 12 + len(data)) + data + directory


def doubtful(first: Packed) -> bytes:
    """A DAIKATANA of eight entries that is a PAK of nine, too, as far as ranges go.

    Zeros behind a name read as an empty lump at offset 0. Just the eighth name is where a PAK's entry has its offset:
    it is short enough to be one in the file.
    """
    return pak.daikatana([first, *(Packed(b"f%d" % index) for index in range(1, 7)), Packed(b"f")])


def found(data: bytes, *, lenient: bool = False) -> str:
    return open_archive(data, lenient=lenient).format


@given(FILES)
def test_quakes_and_daikatanas_are_told_apart(files: list[tuple[bytes, bytes]]) -> None:
    lumps = [Packed(name.strip(b"/") or b"x", data) for name, data in files]
    assert found(pak.quake(lumps), lenient=True) == "PAK"  # names may clash
    assert found(pak.daikatana(lumps), lenient=True) == "DAIKATANA"


@pytest.mark.parametrize("number", [8, 9, 16, 18, 72])
def test_directories_whose_length_fits_both_are_told_apart_by_their_names(number: int) -> None:
    """Case 112: 72- and 64-byte directories cannot be told apart by divisibility."""
    lumps = pak.plain(*(b"maps/e%dm1.bsp" % index for index in range(number)))
    assert found(pak.quake(lumps)) == "PAK"
    assert found(pak.daikatana(lumps)) == "DAIKATANA"
    empty = [Packed(b"f%d" % index) for index in range(number)]
    assert found(pak.quake(empty)) == "PAK"
    assert found(pak.daikatana(empty)) == "DAIKATANA"


def test_where_both_readings_hold_by_their_ranges_the_names_tell() -> None:
    data = doubtful(Packed(b"f0"))
    for format_ in ("PAK", "DAIKATANA"):
        assert open_archive(data, format_).format == format_
    assert found(data) == "DAIKATANA"


def test_a_file_that_is_two_formats_is_ambiguous_and_can_be_said_to_be_either() -> None:
    directory = bytearray(576)
    for entry_size in (64, 72):
        for place in range(0, 576, entry_size):
            directory[place : place + 1] = b"n"
    # Each reading has an "n" within some name of the other, so neither is padded with zeros.
    data = struct.pack("<4sII", b"PACK", 12, 576) + bytes(directory)
    with pytest.raises(UnsupportedError, match="PAK and DAIKATANA; say which with --format") as caught:
        view_pack(data)
    assert (caught.value.code, caught.value.entry) == ("ambiguous", None)
    assert open_archive(data, "PAK").format == "PAK"
    assert open_archive(data, "DAIKATANA").format == "DAIKATANA"


@given(
    st.lists(
        st.tuples(st.text("ABC123", min_size=1, max_size=8).map(str.encode), st.binary(max_size=9)),
        max_size=20,
    )
)
def test_the_classic_layout_is_a_pack(lumps: list[tuple[bytes, bytes]]) -> None:
    assert found(classic(lumps)) == "PACK"


def test_the_classic_vectors_are_packs() -> None:
    from tests.builders import vectors

    sound = [name for name in vectors.names("pack") if vectors.expectations()[name]["load"] == "ok"]
    assert len(sound) > 6
    assert {name: found(vectors.read(name)) for name in sound} == dict.fromkeys(sound, "PACK")


def test_an_archive_without_entries_is_a_pak() -> None:
    assert found(b"PACK" + bytes(8)) == "PAK"
    assert found(struct.pack("<4sII", b"PACK", 12, 0)) == "PAK"
    assert (
        found(struct.pack("<4sII", b"PACK", 0, 12)) == "PACK"
    )  # as a PAK its directory would be in the header


def test_what_no_reading_takes_gets_the_classic_verdict_and_all_reasons() -> None:
    for data in (b"PACK", pak.quake(pak.plain(b"a"))[:-1], pak.daikatana([Packed(b"a", size=0xFFFFFFFF)])):
        with pytest.raises(
            MalformedError, match=r"^it cannot be read: as PACK, .*; as PAK, .*; as DAIKATANA, "
        ) as auto:
            view_pack(data)
        with pytest.raises(MalformedError) as named:
            open_archive(data, "PACK")
        assert (auto.value.code, auto.value.entry) == (named.value.code, named.value.entry)


def test_a_lenient_reading_is_tried_where_no_strict_one_holds() -> None:
    lumps = pak.plain(b"a", b"b")
    trailing = pak.quake(lumps, length=128 + 17) + bytes(17)
    with pytest.raises(MalformedError):
        view_pack(trailing)
    archive = view_pack(trailing, lenient=True)
    assert archive.format == "PAK"
    assert [warning.code for warning in archive.warnings] == ["directory"]
    # Leniently this is a PAK too, of one entry and 8 bytes too many.
    assert found(pak.daikatana([Packed(b"a")]), lenient=True) == "DAIKATANA"


@pytest.mark.parametrize("number", [1, 2, 3, 7])
def test_no_lenient_reading_makes_a_broken_archive_one_of_the_other_size(number: int) -> None:
    """A directory of whole entries of one size is none of the other size with some bytes left over."""
    lumps = [Packed(b"f%d" % index, size=0xFFFF) for index in range(number)]
    for data in (pak.quake(lumps), pak.daikatana(lumps)):
        with pytest.raises(MalformedError):
            view_pack(data, lenient=True)


def test_lumps_are_read_leniently_too() -> None:
    archive = view_pack(pak.daikatana([Packed(b"a.wal", b"\x01ab\xfe\xff", 2)]), lenient=True)
    assert bytes(archive.read(0)) == b"ab"


@pytest.mark.parametrize("change", ["flag", "name", "padding", "overlap"])
def test_a_directory_must_look_like_one_where_two_readings_hold(change: str) -> None:
    """ "Names printable and NUL-padded, ranges inside file, no overlap with directory, flag 0/1"."""
    first = {
        "flag": Packed(b"f0", flag=2),
        "name": Packed(b"f\xff"),
        "padding": Packed(b"f\0x"),
        "overlap": Packed(b"f0", offset=12, size=4),
    }[change]
    data = doubtful(first)
    open_archive(data, "PAK")
    open_archive(data, "DAIKATANA")
    with pytest.raises(UnsupportedError, match="--format"):
        view_pack(data)
    assert found(pak.daikatana([first])) == "DAIKATANA"  # where only one reading holds, looks do not count
