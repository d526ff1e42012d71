"""Reading PAK and DAIKATANA: what both do alike (cases 107 to 128)."""

from __future__ import annotations

import mmap
import struct
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import daikatana, pak
from tests.builders.pak import Packed

from lumpyard.archives import pathed
from lumpyard.archives.opening import open_archive
from lumpyard.archives.pak.reader import view
from lumpyard.archives.verifying import verify_archive
from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lumpyard.archives.model import Archive

BOTH = pytest.mark.parametrize("format_", ["PAK", "DAIKATANA"])
BUILDERS: dict[str, Callable[..., bytes]] = {"PAK": pak.quake, "DAIKATANA": pak.daikatana}
ENTRY = {"PAK": 64, "DAIKATANA": 72}
NAMES = st.binary(min_size=1, max_size=12).filter(lambda name: 0 not in name)
LUMPS = st.lists(st.tuples(NAMES, st.binary(max_size=20)).map(lambda pair: Packed(*pair)), max_size=6)

# One file, as a person writes it: two lumps, the directory behind them.
TWO_FILES = bytes.fromhex(
    "5041434b"  # signature           PACK
    "11000000"  # directory at        17
    "80000000"  # its size            128, two entries
    "61620a"  # the first lump      ab and a line end
    "6364"  # the second lump     cd
    "6d6170732f73746172742e627370" + 42 * "00"  # name maps/start.bsp
    + "0c000000 03000000"  # offset 12, size 3
    "7175616b652e7263" + 48 * "00"  # name quake.rc
    + "0f000000 02000000"  # offset 15, size 2
)  # fmt: skip


def damage(data: bytes, at: int, value: int) -> bytes:
    return data[:at] + struct.pack("<I", value) + data[at + 4 :]


def refusal(data: bytes, format_: str, *, lenient: bool = False) -> tuple[str, int | None]:
    """Code and entry of the error that opening ends with."""
    with pytest.raises(MalformedError) as caught:
        open_archive(data, format_, lenient=lenient)
    return caught.value.code, caught.value.entry


def warned(archive: Archive) -> list[tuple[str, int | None]]:
    assert {warning.verdict for warning in archive.warnings} <= {"ok"}
    return [(warning.code, warning.entry) for warning in archive.warnings]


def test_a_file_written_by_hand_is_read() -> None:
    archive = view(TWO_FILES)
    assert [(lump.name, lump.offset, lump.stored_size, lump.raw_size) for lump in archive.lumps] == [
        (b"maps/start.bsp", 12, 3, 3),
        (b"quake.rc", 15, 2, 2),
    ]
    assert [bytes(archive.read(index)) for index in range(2)] == [b"ab\n", b"cd"]
    assert (archive.find(b"quake.rc"), archive.find(b"QUAKE.RC"), archive.find(b"")) == (1, None, None)
    assert (archive.format, archive.size, archive.alignment, archive.seed) == ("PAK", 145, None, None)
    assert (archive.stripped, archive.archive_hash, archive.warnings) == (False, None, [])


def test_every_truncation_of_a_file_whose_directory_is_last_is_malformed() -> None:
    for end in range(len(TWO_FILES)):
        with pytest.raises(MalformedError):
            view(TWO_FILES[:end])


@BOTH
@given(lumps=LUMPS, front=st.booleans())
def test_what_stands_in_a_file_is_read(format_: str, lumps: list[Packed], front: bool) -> None:
    data = BUILDERS[format_](lumps, front=front)
    archive = open_archive(data, format_, lenient=True)  # random names may clash
    assert [lump.name for lump in archive.lumps] == [lump.name for lump in lumps]
    assert [bytes(archive.read(index)) for index in range(len(lumps))] == [lump.data for lump in lumps]
    assert all(lump.raw_name is None for lump in archive.lumps)
    for lump in lumps:
        assert archive.find(lump.name) is not None


def read_all(data: bytes, format_: str, *, lenient: bool) -> str:
    """Opens and reads everything: each lump has its size or is malformed."""
    try:
        archive = open_archive(data, format_, lenient=lenient)
    except ArchiveError as error:
        return error.code
    for index, lump in enumerate(archive.lumps):
        with suppress(MalformedError):
            assert len(archive.read(index)) == lump.raw_size
    assert len(verify_archive(archive)) + len(archive.warnings) < 100
    return "ok"


@BOTH
@pytest.mark.parametrize("lenient", [False, True])
def test_every_changed_byte_gives_an_archive_or_a_documented_error(format_: str, lenient: bool) -> None:
    lumps = [*pak.plain(b"maps/e1m1.bsp", b"gfx.wad", b"empty"), Packed(b"a.wal", b"\x01ab\xc0\x00\xff", 4)]
    data = BUILDERS[format_](lumps)
    found = {
        read_all(data[:at] + bytes([byte]) + data[at + 1 :], format_, lenient=lenient)
        for at in range(len(data))
        for byte in (data[at] ^ 1, data[at] ^ 0x80, data[at] ^ 0xFF, 0, 0xFE, 0xFF)
    }
    assert {"ok", "signature", "directory", "range", "size", "offset"} <= found
    assert found <= {"ok", "signature", "directory", "range", "size", "offset", "cap", "clash", "limit"}


@BOTH
@given(st.binary(max_size=300).map(lambda tail: b"PACK" + tail))
def test_any_bytes_give_an_archive_or_a_documented_error(format_: str, data: bytes) -> None:
    for lenient in (False, True):
        read_all(data, format_, lenient=lenient)
        read_all(data, "auto", lenient=lenient)


@BOTH
def test_header_and_directory_must_be_in_the_file(format_: str) -> None:
    """ "The directory and every lump range must fit the input." """
    data = BUILDERS[format_](pak.plain(b"a", b"b"))
    size = ENTRY[format_]
    assert refusal(data[:11], format_) == ("header", None)
    assert refusal(data[:3], format_) == ("signature", None)
    assert refusal(b"pack" + data[4:], format_) == ("signature", None)
    assert refusal(damage(data, 8, 3 * size), format_) == ("directory", None)
    assert refusal(damage(data, 8, 0x7FFFFFC0), format_) == ("directory", None)  # case 109
    assert refusal(damage(data, 4, 0xFFFFFFFF), format_) == ("directory", None)
    assert refusal(damage(data, 4, 11), format_) == ("directory", None)


@BOTH
def test_a_header_that_fits_as_big_endian_is_said_to(format_: str) -> None:
    data = BUILDERS[format_](pak.plain(b"a", b"b"))
    swapped = data[:4] + struct.pack(">II", *struct.unpack("<II", data[4:12])) + data[12:]
    with pytest.raises(MalformedError, match="big-endian"):
        open_archive(swapped, format_)


@BOTH
def test_a_directory_of_17_bytes_more_is_an_error_and_a_lenient_reading_leaves_them_out(format_: str) -> None:
    """Case 118: "reader error 'trailing n bytes'; tolerant mode floors"."""
    lumps = pak.plain(b"a", b"b")
    data = BUILDERS[format_](lumps, length=2 * ENTRY[format_] + 17) + bytes(17)
    with pytest.raises(MalformedError, match="17 bytes are left over") as caught:
        open_archive(data, format_)
    assert caught.value.code == "directory"
    archive = open_archive(data, format_, lenient=True)
    assert [lump.name for lump in archive.lumps] == [b"a", b"b"]
    assert warned(archive) == [("directory", None)]
    less_than_one = BUILDERS[format_](pak.plain(b"a"), length=ENTRY[format_] - 1)
    assert refusal(less_than_one, format_, lenient=True) == ("directory", None)


def test_a_directory_for_the_other_format_is_called_so() -> None:
    """Case 110: "entry size is part of the format"."""
    with pytest.raises(MalformedError, match="those of DAIKATANA would fit"):
        open_archive(pak.daikatana(pak.plain(b"a")), "PAK")
    with pytest.raises(MalformedError, match="those of PAK would fit"):
        open_archive(pak.quake(pak.plain(b"a")), "DAIKATANA")
    with pytest.raises(MalformedError, match="SiN's archives, whose entries have 128 bytes") as caught:
        open_archive(b"SPAK" + pak.quake(pak.plain(b"a"))[4:], "PAK")
    assert caught.value.code == "signature"


@BOTH
def test_sizes_are_no_negative_numbers(format_: str) -> None:
    """Case 121: "size 0xffffffff" is an error."""
    for size in (0xFFFFFFFF, 0x80000000):
        with pytest.raises(MalformedError, match=f"its size -{(1 << 32) - size} is negative") as caught:
            open_archive(BUILDERS[format_]([Packed(b"ok"), Packed(b"a", b"x", size=size)]), format_)
        assert (caught.value.code, caught.value.entry) == ("size", 1)
        assert str(caught.value).startswith("entry 1 ('a'): ")


@BOTH
def test_lumps_lie_in_the_file_and_behind_the_header(format_: str) -> None:
    build = BUILDERS[format_]
    assert refusal(build([Packed(b"ok"), Packed(b"a", b"x", size=200)]), format_) == ("range", 1)
    assert refusal(build([Packed(b"a", b"x", offset=1 << 31)]), format_) == ("range", 0)
    assert refusal(build([Packed(b"ok"), Packed(b"a", b"x", offset=11)]), format_) == ("offset", 1)


@BOTH
def test_an_empty_lump_lies_in_the_file_or_a_lenient_reading_ignores_its_offset(format_: str) -> None:
    """ "Empty lumps may carry any in-range offset, including 0"."""
    for offset in (0, 5, 12 + ENTRY[format_]):
        assert not open_archive(BUILDERS[format_]([Packed(b"a", offset=offset)]), format_).warnings
    for offset in (13 + ENTRY[format_], 0xFFFFFFF0):
        data = BUILDERS[format_]([Packed(b"a", offset=offset)])
        assert refusal(data, format_) == ("range", 0)
        archive = open_archive(data, format_, lenient=True)
        assert warned(archive) == [("empty-offset", 0)]
        assert bytes(archive.read(0)) == b""


def test_offsets_behind_2_gib_are_unsigned(tmp_path: Path) -> None:
    """Case 116: an entry at 0x80000010, in a sparse file."""
    with (tmp_path / "far.pak").open("wb+") as file:
        file.write(pak.quake([Packed(b"far", b"", offset=0x80000010, size=5)]))
        file.seek(0x80000010)
        file.write(b"there")
        file.flush()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            assert bytes(view(data).read(0)) == b"there"


@BOTH
def test_lumps_may_share_bytes_up_to_16_times_the_file(format_: str) -> None:
    shared = [Packed(b"%d" % number, offset=12, size=60) for number in range(4)]
    data = BUILDERS[format_](shared, front=True)
    assert warned(open_archive(data, format_)) == [("overlap", index) for index in range(4)]
    many = [Packed(b"%d" % number, offset=0, size=0) for number in range(40)]
    size = len(BUILDERS[format_](many))
    many = [lump._replace(offset=12, size=size - 12) for lump in many]
    assert refusal(BUILDERS[format_](many), format_) == ("cap", None)


@BOTH
def test_a_name_may_fill_its_field_and_is_warned_of(format_: str) -> None:
    """Case 119: "reader accepts 56 with warning"."""
    archive = open_archive(BUILDERS[format_]([Packed(b"n" * 55), Packed(b"n" * 56)]), format_)
    assert [lump.name for lump in archive.lumps] == [b"n" * 55, b"n" * 56]
    assert warned(archive) == [("name", 1)]
    assert archive.find(b"n" * 56) == 1


@BOTH
def test_bytes_after_the_names_nul_are_kept_but_do_not_count(format_: str) -> None:
    archive = open_archive(
        BUILDERS[format_]([Packed(b"a\0junk"), Packed(b"b\0" + 53 * b"j" + b"\0")]), format_
    )
    assert [lump.name for lump in archive.lumps] == [b"a", b"b"]
    assert [lump.raw_name for lump in archive.lumps] == [b"a\0junk", b"b\0" + 53 * b"j"]
    assert archive.find(b"a") == 0
    assert archive.label(0) == "entry 0 ('a')"


@BOTH
def test_of_two_lumps_of_one_name_look_ups_find_the_first(format_: str) -> None:
    """ "Reader keeps both, lookup first + warning"."""
    archive = open_archive(BUILDERS[format_]([*pak.plain(b"a", b"b"), Packed(b"a", b"other")]), format_)
    assert archive.find(b"a") == 0
    assert bytes(archive.read(2)) == b"other"
    assert warned(archive) == [("duplicate", 2)]


@BOTH
@pytest.mark.parametrize(
    ("names", "entry"),
    [
        ([b"x", b"maps", b"maps/e1m1.bsp"], 1),
        ([b"maps/e1m1.bsp", b"maps"], 1),
        ([b"maps/"], 0),
        ([b"a/b/c/d", b"a/b"], 1),
        ([b"maps/", b"maps", b"maps/e1m1"], 0),
    ],
)
def test_a_path_is_no_file_and_folder_at_once(format_: str, names: list[bytes], entry: int) -> None:
    """Case 122: "error: path is file and folder"."""
    data = BUILDERS[format_](pak.plain(*names))
    assert refusal(data, format_) == ("clash", entry)
    archive = open_archive(data, format_, lenient=True)
    assert warned(archive)[0] == ("clash", entry)
    assert [lump.name for lump in archive.lumps] == names


@BOTH
def test_names_that_only_begin_alike_are_no_clash(format_: str) -> None:
    names = [b"maps", b"maps2/e1m1", b"map", b"/maps", b"a/maps", b"e1m1"]
    assert warned(open_archive(BUILDERS[format_](pak.plain(*names)), format_)) == []


def test_daikatana_look_ups_take_both_slashes_and_quake_look_ups_do_not() -> None:
    r"""Case 128: "look-ups accept both slashes, stored names use /"."""
    lumps = pak.plain(b"models/e2/a.dkm", b"old\\b.dkm")
    archive = open_archive(pak.daikatana(lumps), "DAIKATANA")
    assert archive.find(b"models\\e2\\a.dkm") == archive.find(b"models/e2\\a.dkm") == 0
    assert archive.find(b"old/b.dkm") == archive.find(b"old\\b.dkm") == 1
    quake = open_archive(pak.quake(lumps), "PAK")
    assert (quake.find(b"models\\e2\\a.dkm"), quake.find(b"old/b.dkm"), quake.find(b"old\\b.dkm")) == (
        None,
        None,
        1,
    )


def test_daikatana_slashes_of_both_kinds_can_make_twins_and_clashes() -> None:
    twins = open_archive(pak.daikatana(pak.plain(b"a/b", b"a\\b")), "DAIKATANA")
    assert warned(twins) == [("duplicate", 1)]
    assert refusal(pak.daikatana(pak.plain(b"a", b"a\\b")), "DAIKATANA") == ("clash", 0)


def test_the_compressed_length_of_what_is_not_compressed_means_nothing() -> None:
    """ "is_compressed: 0: uncompressed, else compressed"; "file_length: ... (else size in pak)"."""
    lumps = [
        Packed(b"a", b"plain", field=b"\xff\xff\xff\xff"),
        Packed(b"b.wal", daikatana.literals(b"hello"), 5),
        Packed(b"c.wal", daikatana.literals(b"world"), 5, flag=7),
    ]
    archive = open_archive(pak.daikatana(lumps), "DAIKATANA")
    assert [bytes(archive.read(index)) for index in range(3)] == [b"plain", b"hello", b"world"]
    assert [(lump.stored_size, lump.raw_size, lump.flags) for lump in archive.lumps] == [
        (5, 5, 0),
        (7, 5, 1),
        (7, 5, 7),
    ]
    assert warned(archive) == [("flag", 2)]


@BOTH
def test_there_is_no_limit_of_some_thousand_files(format_: str) -> None:
    """Case 107: "no limit in reader"."""
    archive = open_archive(BUILDERS[format_]([Packed(b"f%d" % number) for number in range(5000)]), format_)
    assert (len(archive.lumps), archive.find(b"f4999"), archive.warnings) == (5000, 4999, [])


@BOTH
def test_more_lumps_than_memory_holds_are_unsupported(format_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pathed, "MAX_LUMPS", 3)
    open_archive(BUILDERS[format_](pak.plain(b"a", b"b", b"c")), format_)
    with pytest.raises(UnsupportedError) as caught:
        open_archive(BUILDERS[format_](pak.plain(b"a", b"b", b"c", b"d")), format_)
    assert caught.value.code == "limit"


@BOTH
def test_of_thousands_of_warnings_alike_a_hundred_are_told(format_: str) -> None:
    archive = open_archive(BUILDERS[format_]([Packed(b"")] * 3000), format_)
    assert len(archive.warnings) == 101
    assert archive.warnings[-1].message == "and 2900 more such entries"
    assert archive.find(b"") is None
