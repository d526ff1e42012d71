"""PAKs of Quake and Daikatana that broke other programs. Each docstring says where that was reported."""

from __future__ import annotations

import mmap
import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import plain
from tests.cases.test_wad_files import refused, warned

from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.archives.writing import WRITERS, NewLump
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.vfs import Vfs

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

    from lumpyard.archives.model import Finding

TWO = [(b"maps/e1m1.bsp", b"map"), (b"progs/player.mdl", b"model")]


def faults(names: list[bytes], size: int = 1, format_name: str = "PAK") -> list[Finding]:
    return WRITERS[format_name].check([NewLump(name, size, size) for name in names])


# How many, how large


def test_thousands_of_files_are_read_and_writing_them_warns_for_engines() -> None:
    """yquake2/yquake2#546, PR549: more than 4,096 crashed it; the limit is the engine's, not the format's."""
    lumps = [(b"f/%04d" % number, b"") for number in range(5000)]
    assert len(open_archive(plain.pak(lumps)).lumps) == 5000
    for number, limits in ((2048, []), (2049, ["2048"]), (5000, ["2048", "4096"])):
        told = faults([name for name, _ in lumps[:number]])
        assert [(fault.code, fault.verdict) for fault in told] == [("count", "ok")] * len(limits)
        assert all(limit in fault.message for fault, limit in zip(told, limits, strict=True))


@pytest.mark.parametrize("size", [0x7FFFFFC0, 0xFFFFFFC0])
def test_a_directory_size_that_does_not_fit_the_file_is_refused_before_anything_is_taken(size: int) -> None:
    """sirjuddington/SLADE#278: memory ran away. See tests/hostile for the memory."""
    data = plain.pak(TWO)
    broken = data[:8] + struct.pack("<I", size) + data[12:]
    for format_name in ("PAK", "DAIKATANA"):
        with pytest.raises(MalformedError) as caught:
            open_archive(broken, format_name)
        assert (caught.value.code, caught.value.entry) == ("directory", None)


def test_offsets_beyond_2_gib_are_read_and_not_written(tmp_path: Path) -> None:
    """Shpoike/Quakespasm#48, LumixEngine#1110: seeks behind 2 GiB fail in some engines and not in others."""
    path, offset = tmp_path / "big.pak", 0x80000010
    with path.open("wb") as file:
        file.write(struct.pack("<4sII", b"PACK", offset + 4, 64))
        file.seek(offset)
        file.write(b"far!" + struct.pack("<56sII", b"far.lmp", offset, 4))
    with path.open("rb") as file:
        archive = open_archive(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    assert (archive.format, bytes(archive.read(0))) == ("PAK", b"far!")
    told = faults([b"a", b"b", b"c"], 0x40000000)
    assert [(fault.code, fault.entry, fault.verdict) for fault in told] == [("size", 1, "malformed")]
    assert "entry 1 ('b')" in told[0].message


def test_a_negative_size_is_refused() -> None:
    """PhysFS shows it as 4 GiB, joshuaskelly/vgio as -1."""
    error = refused(plain.pak_with([(b"ok", 12, 0), (b"neg", 12, 0xFFFFFFFF)]))
    with pytest.raises(MalformedError) as caught:
        open_archive(plain.pak_with([(b"ok", 12, 0), (b"neg", 12, 0xFFFFFFFF)]), "PAK")
    assert (caught.value.code, caught.value.entry) == ("size", 1)
    assert "as PAK, entry 1 ('neg'): its size -1 is negative" in str(error)


# Which format it is


def test_archives_of_sin_are_not_read_as_if_their_entries_were_half_as_long() -> None:
    """craftablescience/VPKEdit#262: SPAK has entries of 128 bytes; read as 64 it was half the files, none usable."""
    for format_name in ("auto", "PAK"):
        with pytest.raises(MalformedError) as caught:
            open_archive(b"SPAK" + plain.pak(TWO)[4:], format_name)
        assert caught.value.code == "signature"
        assert "SPAK" in str(caught.value)


def test_directories_whose_length_fits_both_are_told_apart_by_what_is_in_them() -> None:
    """yquake2/pakextract: 72 and 64 bytes an entry have 576 in common."""
    names = [b"dir/name%d.tga" % number for number in range(9)]
    quake = plain.pak([(name, name) for name in names])
    daikatana = plain.daikatana([(name, name, None) for name in names[:8]])
    assert (len(quake) - 12 - 9 * 13, len(daikatana) - 12 - 8 * 13) == (576, 576)
    for data, format_name, number in ((quake, "PAK", 9), (daikatana, "DAIKATANA", 8)):
        archive = open_archive(data)
        assert (archive.format, len(archive.lumps)) == (format_name, number)
        assert [lump.name for lump in archive.lumps] == names[:number]


def test_a_directory_that_is_good_as_both_must_be_told_which() -> None:
    """All names empty, all lumps empty: there is nothing to go by."""
    data = struct.pack("<4sII", b"PACK", 12, 576) + bytes(576)
    with pytest.raises(UnsupportedError) as caught:
        open_archive(data)
    assert (caught.value.code, caught.value.entry) == ("ambiguous", None)
    assert "--format" in str(caught.value)
    assert len(open_archive(data, "PAK").lumps) == 9
    assert len(open_archive(data, "DAIKATANA").lumps) == 8


def test_bytes_left_over_in_the_directory_are_refused_and_when_lenient_ignored() -> None:
    """PhysFS, DarkPlaces and vgio refuse; TrenchBroom, SLADE and GZDoom drop them."""
    data = plain.pak_with([(b"a", 12, 1)], b"a", more=bytes(17))
    with pytest.raises(MalformedError) as caught:
        open_archive(data, "PAK")
    assert (caught.value.code, caught.value.entry) == ("directory", None)
    assert "17 bytes are left over" in str(caught.value)
    archive = open_archive(data, "PAK", lenient=True)
    assert [lump.name for lump in archive.lumps] == [b"a"]
    assert warned(archive) == [("directory", None)]


# Names


def test_a_name_that_fills_its_field_is_read_whole_and_not_written() -> None:
    """DarkPlaces cuts it to 55 bytes, PhysFS and vgio keep 56."""
    name = b"n" * 56
    archive = open_archive(plain.pak([(name, b"x")]))
    assert archive.find(name) == 0
    assert warned(archive) == [("name", 0)]
    for format_name in ("PAK", "DAIKATANA"):
        assert faults([name[:55]], format_name=format_name) == []
        told = faults([b"short", name], format_name=format_name)
        assert [(fault.code, fault.entry, fault.verdict) for fault in told] == [("name", 1, "malformed")]


@pytest.mark.parametrize(("names", "entry"), [([b"maps", b"maps/e1m1"], 0), ([b"x/y", b"maps/"], 1)])
def test_a_path_that_is_a_file_and_a_folder_is_refused_and_when_lenient_told(
    names: list[bytes], entry: int
) -> None:
    """PhysFS hides what is in the folder."""
    data = plain.pak([(name, b"x") for name in names])
    with pytest.raises(MalformedError) as caught:
        open_archive(data, "PAK")
    assert (caught.value.code, caught.value.entry) == ("clash", entry)
    assert warned(open_archive(data, "PAK", lenient=True)) == [("clash", entry)]
    assert ("clash", entry) in [(fault.code, fault.entry) for fault in faults(names)]


def test_of_two_files_of_one_name_the_first_is_found_and_two_are_not_written() -> None:
    """DarkPlaces takes the first, PhysFS, vgio and TrenchBroom the last."""
    archive = open_archive(plain.pak([(b"a", b"first"), (b"b", b""), (b"a", b"last")]))
    assert archive.find(b"a") == 0
    assert [bytes(archive.read(index)) for index in (0, 2)] == [b"first", b"last"]
    assert warned(archive) == [("duplicate", 2)]
    told = faults([b"a", b"b", b"a"])
    assert [(fault.code, fault.entry, fault.verdict) for fault in told] == [("duplicate", 2, "malformed")]


def test_daikatanas_paths_are_found_with_either_slash_and_written_with_one() -> None:
    """TrenchBroom/TrenchBroom#1304: "models\\e2\\.."."""
    archive = open_archive(
        plain.daikatana([(b"models/e2/a.dkm", b"x", None), (b"models\\e2\\b.dkm", b"y", None)])
    )
    for index, name in enumerate((b"a", b"b")):
        assert archive.find(b"models/e2/" + name + b".dkm") == index
        assert archive.find(b"models\\e2\\" + name + b".dkm") == index
    for format_name in ("PAK", "DAIKATANA"):
        told = faults([b"models\\e2\\a.dkm"], format_name=format_name)
        assert [(fault.code, fault.entry, fault.verdict) for fault in told] == [("name", 0, "malformed")]
        assert "'models/e2/a.dkm'" in told[0].message


# Daikatana's codec


def compressed(stream: str, raw_size: int) -> bytes:
    data = bytes.fromhex(stream)
    return plain.daikatana(
        [(b"before.tga", b"raw", None), (b"a.tga", data, raw_size), (b"after.tga", b"raw", None)]
    )


def failed(data: bytes, *, lenient: bool = False) -> MalformedError:
    """The error of reading entry 1; the archive opens all the same, and its other lumps are read."""
    archive = open_archive(data, "DAIKATANA", lenient=lenient)
    assert [bytes(archive.read(index)) for index in (0, 2)] == [b"raw", b"raw"]
    with pytest.raises(MalformedError) as caught:
        archive.read(1)
    assert caught.value.entry == 1
    assert [finding.entry for finding in verify_archive(archive)] == [1]
    return caught.value


def test_a_back_reference_that_overlaps_what_it_writes_repeats_it_and_is_told() -> None:
    """yquake2/pakextract writes zeros, DaiPak repeats, TrenchBroom stops."""
    archive = open_archive(compressed("01 61 62 C8 00 FF", 12))
    assert archive.read(1) == b"ab" * 6
    assert [(finding.code, finding.entry) for finding in archive.warnings] == [("reference", 1)]


def test_the_code_that_nobody_defines_is_refused_and_when_lenient_ignored() -> None:
    """pakextract, DaiPak and TrenchBroom pass over 254."""
    assert "254" in str(failed(compressed("01 61 62 FE 00 63 FF", 3)))
    archive = open_archive(compressed("01 61 62 FE 00 63 FF", 3), lenient=True)
    assert archive.read(1) == b"abc"
    assert [(finding.code, finding.entry) for finding in archive.warnings] == [("code-254", 1)]


def test_a_stream_that_stops_at_its_size_without_the_end_code_is_read_and_told() -> None:
    archive = open_archive(compressed("01 6F 6B", 2))
    assert archive.read(1) == b"ok"
    assert [(finding.code, finding.entry) for finding in archive.warnings] == [("no-end", 1)]


@pytest.mark.parametrize(
    ("stream", "raw_size"),
    [
        ("01 6F 6B FF", 10),  # less than stated, which all three fill up with zeros
        ("01 6F 6B FF", 1),  # more, which they cut
        ("03 61 62", 4),  # an end within a literal
        ("C0 04 FF", 2),  # bytes before the first
        ("05 61 62 63 64 65 66 C0 05 FF", 8),
        ("", 1),
    ],
)
def test_a_stream_that_does_not_give_exactly_its_size_is_refused(stream: str, raw_size: int) -> None:
    failed(compressed(stream, raw_size))


def test_a_damaged_lump_writes_no_byte(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.pak").write_bytes(compressed("01 6F 6B FF", 10))
    ran = run("cat", tmp_path / "x.pak", "a.tga")
    assert (ran.status, ran.stdout) == (3, b"")
    assert "entry 1 ('a.tga')" in ran.err
    assert run("cat", tmp_path / "x.pak", "after.tga").stdout == b"raw"


# Where it is found


def test_an_upper_case_file_name_is_found(tmp_path: Path) -> None:
    """Novum/vkQuake#235, tyrquake#41, ezquake#637: PAK0.PAK was not found on Linux."""
    (tmp_path / "PAK0.PAK").write_bytes(plain.pak(TWO))
    with Vfs() as vfs:
        vfs.mount(str(tmp_path / "pak0.pak"))
        assert vfs.read("maps/e1m1.bsp") == b"map"
    with Vfs() as vfs:
        assert len(vfs.mount_archives(str(tmp_path))) == 1


@pytest.mark.parametrize("order", ["stated", "archives first"])
def test_whether_a_loose_file_or_the_one_in_a_pak_is_taken_is_stated_and_told(
    order: str, tmp_path: Path
) -> None:
    """Novum/vkQuake#271, neogeographica/quakestarter#46: it differs by engine."""
    (tmp_path / "id1/maps").mkdir(parents=True)
    (tmp_path / "id1/maps/e1m1.bsp").write_bytes(b"loose")
    (tmp_path / "pak0.pak").write_bytes(plain.pak(TWO))
    loose, packed = str(tmp_path / "id1/maps/e1m1.bsp"), f"{tmp_path}/pak0.pak!maps/e1m1.bsp"
    winner, shadowed = (loose, packed) if order == "stated" else (packed, loose)
    with Vfs("archives first" if order == "archives first" else "stated") as vfs:
        vfs.mount(str(tmp_path / "pak0.pak"))
        vfs.mount(str(tmp_path / "id1"))
        assert vfs.read("maps/e1m1.bsp") == (b"loose" if order == "stated" else b"map")
        told = vfs.explain("maps/e1m1.bsp")
        assert told.winner is not None
        assert (told.winner.source, [other.source for other in told.shadowed]) == (winner, [shadowed])
        assert told.rule == vfs.rule
        assert "\n" not in told.rule
