"""WADs that broke other programs: header, directory, names. Each docstring says where that was reported."""

from __future__ import annotations

import mmap
import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import plain, wad
from tests.builders.rewriting import content, rewritten, rewritten_file

from lumpyard.archives.naming import entry_paths
from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.archives.writing import WRITERS, NewLump, encode_archive
from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

    from lumpyard.archives.model import Archive

MAP = [
    *((b"MAP01", b""), (b"THINGS", bytes(10)), (b"LINEDEFS", bytes(14)), (b"SIDEDEFS", bytes(30))),
    *((b"VERTEXES", bytes(8)), (b"SEGS", bytes(12)), (b"SSECTORS", bytes(4)), (b"NODES", bytes(28))),
    *((b"SECTORS", bytes(26)), (b"REJECT", bytes(1)), (b"BLOCKMAP", bytes(12))),
]
BASE = plain.wad(MAP)
TOO_MUCH = 0x7FFFFFFF


def with_header(data: bytes, *, lumps: int | None = None, offset: int | None = None) -> bytes:
    signature, old_lumps, old_offset = struct.unpack_from("<4sII", data)
    new = (old_lumps if lumps is None else lumps, old_offset if offset is None else offset)
    return struct.pack("<4sII", signature, *new) + data[12:]


def refused(data: bytes, *, lenient: bool = False) -> MalformedError:
    with pytest.raises(MalformedError) as caught:
        open_archive(data, lenient=lenient)
    return caught.value


def warned(archive: Archive) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.entry) for finding in archive.warnings]


def names(archive: Archive) -> list[bytes | None]:
    return [lump.name for lump in archive.lumps]


# What entries may share


def test_entries_that_share_an_offset_are_all_kept() -> None:
    """sirjuddington/SLADE#1218: entries with one data offset were dropped on load, and lost on save."""
    data = plain.wad_with([(b"SONG1", 12, 4), (b"SONG2", 12, 4), (b"PART", 13, 3)], b"song")
    archive = open_archive(data)
    assert [bytes(archive.read(index)) for index in range(3)] == [b"song", b"song", b"ong"]
    assert (verify_archive(archive), warned(archive)) == ([], [])
    assert wad.lumps(rewritten_file(data)) == wad.lumps(data)


def test_sharing_is_a_choice_and_never_changes_names_order_or_number() -> None:
    """Doom-Utils/deutex#61, Doom-Utils/deutex#39: levels were left out of what "repeat last lump" shared."""
    twice = [*MAP, (b"MAP02", b""), *MAP[1:]]
    lumps = [NewLump(name, len(raw), len(raw)) for name, raw in twice]
    raws = [raw for _, raw in twice]
    apart = encode_archive(WRITERS["PWAD"], lumps, raws)
    shared = encode_archive(WRITERS["PWAD"], lumps, raws, dedupe=True)
    assert wad.lumps(apart) == wad.lumps(shared) == twice
    assert len(apart) == 12 + 16 * 22 + 2 * sum(map(len, raws[:11]))
    assert len(shared) < len(apart) - 100


# Numbers in the header


def test_a_directory_beyond_256_mib_is_read(tmp_path: Path) -> None:
    """Doom-Utils/deutex#77: its offset was compared with a constant, not with the file's size."""
    path = tmp_path / "big.wad"
    start = 300 << 20
    with path.open("wb") as file:
        file.write(struct.pack("<4sII", b"PWAD", 1, start))
        file.seek(start)
        file.write(struct.pack("<II8s", 12, start - 12, b"MUSIC"))
    with path.open("rb") as file:
        archive = open_archive(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    assert [(lump.name, lump.raw_size) for lump in archive.lumps] == [(b"MUSIC", start - 12)]


@pytest.mark.parametrize("lumps", [len(MAP) + 1000, TOO_MUCH, 0xFFFFFFFF])
def test_a_count_that_does_not_fit_the_file_is_refused_by_the_numbers_found(lumps: int) -> None:
    """rheit/zdoom PR592: an absurd count made it take as much memory. See tests/hostile for the memory."""
    error = refused(with_header(BASE, lumps=lumps))
    assert (error.code, error.entry) == ("directory", None)
    assert str(lumps) in str(error)
    assert str(len(BASE)) in str(error)


@pytest.mark.parametrize("offset", [len(BASE), TOO_MUCH, 0xFFFFFFF0])
def test_a_directory_behind_the_file_is_refused_though_a_sum_of_32_bits_would_fit(offset: int) -> None:
    """kraflab/dsda-doom and others keep these numbers signed; here they are unsigned, and sums are exact."""
    assert refused(with_header(BASE, offset=offset)).code == "directory"


def test_a_big_endian_header_is_refused_with_a_hint() -> None:
    """ZDoom/gzdoom and Doom-Utils/deutex read such files."""
    data = b"PWAD" + struct.pack(">II", 1, 12) + struct.pack(">II8s", 12, 0, b"A")
    assert "fits as big-endian" in str(refused(data))


# Signatures


@pytest.mark.parametrize(
    "text", [b"bind w +forward\n", b"<!DOCTYPE html><html>not found</html>", b"PWA", b""]
)
def test_what_is_no_archive_is_no_empty_archive(text: bytes) -> None:
    """fabiangreffrath/woof PR1357 took numbers from any file.

    isl-org/DirectFuturePrediction#3: an HTML page was saved as a WAD, and nobody saw that another map was played.
    """
    assert refused(text).code == "signature"


def test_a_signature_of_another_game_is_unknown_rather_than_damaged() -> None:
    """sirjuddington/SLADE#699: ZWAD, of Sonic Robo Blast 2."""
    error = refused(b"Z" + BASE[1:])
    assert error.code == "signature"
    assert "'ZWAD'" in str(error)


@pytest.mark.parametrize("signature", [b"IWAD", b"PWAD"])
def test_the_signature_is_kept_and_says_nothing_about_what_is_inside(
    signature: bytes, run: Run, tmp_path: Path
) -> None:
    """odamex/odamex PR264, GitExl/WhackEd4#38: whole games have PWAD, maps have IWAD."""
    data = signature + BASE[4:]
    assert rewritten_file(data) == data
    (tmp_path / "in.wad").write_bytes(data)
    assert run("convert", tmp_path / "in.wad", tmp_path / "x.ewad", "--format", "EWAD").status == 0
    for target in (b"IWAD", b"PWAD"):
        out = tmp_path / target.decode()
        assert run("convert", tmp_path / "x.ewad", out, "--format", target.decode()).status == 0
        assert out.read_bytes() == target + BASE[4:]


# Names


def test_a_marker_with_more_behind_its_name_is_another_name_and_said_to_be() -> None:
    """Spectere/Wadinator#4: "MAP01 L" was not seen as a map; vanilla Doom goes by the first characters."""
    archive = open_archive(plain.wad([(b"MAP01 L", b""), *MAP[1:]]))
    assert archive.find(b"MAP01") is None
    assert archive.find(b"MAP01 L") == 0
    assert warned(archive) == [("map-name", 0)]


def test_map_lumps_of_one_name_are_told_by_place_and_name() -> None:
    """Spectere/Wadinator#6: an old tool called SSECTORS and NODES SEGS; engines that go by place play it."""
    lumps = [(b"SEGS" if name in {b"SSECTORS", b"NODES"} else name, raw) for name, raw in MAP]
    archive = open_archive(plain.wad(lumps))
    assert warned(archive) == [("map-repeat", 6), ("map-repeat", 7)]
    assert [archive.warnings[0].message[:15], *entry_paths(archive)[5:8]] == [
        "entry 6 ('SEGS'",
        *("MAP01/SEGS~1", "MAP01/SEGS~2", "MAP01/SEGS"),
    ]
    assert wad.lumps(rewritten_file(plain.wad(lumps))) == lumps


def test_an_empty_name_is_kept_but_never_found_nor_written() -> None:
    """fabiangreffrath/woof PR525: a lump with a name of zeros answered to the name ""."""
    archive = open_archive(plain.wad([(b"A", b"a"), (b"", b"nameless"), (b"B", b"b")]))
    assert names(archive) == [b"A", b"", b"B"]
    assert bytes(archive.read(1)) == b"nameless"
    assert archive.find(b"") is None
    assert warned(archive) == [("name-empty", 1)]
    assert rewritten(archive) is None
    faults = WRITERS["PWAD"].check([NewLump(b"A", 1, 1), NewLump(b"", 8, 8)])
    assert [(fault.code, fault.entry, fault.verdict) for fault in faults] == [("name-empty", 1, "malformed")]


def test_an_entry_of_zeros_keeps_its_place() -> None:
    """MTrop/DoomStruct skipped it, so that all indices behind it were wrong."""
    archive = open_archive(plain.wad_with([(b"A", 12, 1), (b"B", 13, 1), (b"", 0, 0), (b"C", 14, 1)], b"abc"))
    assert names(archive) == [b"A", b"B", b"", b"C"]
    assert archive.find(b"C") == 3


def test_what_follows_the_end_of_a_name_is_no_part_of_it_but_kept() -> None:
    data = plain.wad([(b"MAP01\0L!", b"x")])
    archive = open_archive(data)
    assert (names(archive), archive.find(b"MAP01")) == ([b"MAP01"], 0)
    assert rewritten_file(data) == data


def test_names_in_lower_case_are_kept_as_they_are() -> None:
    """Engines fold them; glbsp finds "No levels"."""
    data = plain.wad([(name.lower(), raw) for name, raw in MAP])
    archive = open_archive(data)
    assert archive.find(b"things") == 1
    assert entry_paths(archive)[:2] == ["map01/map01", "map01/things"]
    assert rewritten_file(data) == data


# Compression that a name claims


def jaguar(text: bytes) -> bytes:
    """Text as literals of the Jaguar's LZSS, eight behind each flag byte, and its end code."""
    assert len(text) % 8 == 0
    return b"".join(b"\0" + text[at : at + 8] for at in range(0, len(text), 8)) + b"\1\0\0"


def test_lumps_of_the_jaguar_are_left_as_they_are_and_told() -> None:
    """sirjuddington/SLADE#1052: they were expanded on read, saved so, and the file had three times its size."""
    raw = b"sixteen letters."
    stream = jaguar(raw)
    data = plain.wad_with([(b"\xd4ITLE", 12, len(raw)), (b"END", 12 + len(stream), 0)], stream)
    archive = open_archive(data)
    assert warned(archive) == [("lzss", 0)]
    assert bytes(archive.read(0)) == stream[: len(raw)]
    assert archive.lumps[0].name == b"\xd4ITLE"
    faults = WRITERS["PWAD"].check([NewLump(b"A", 19, 16, compressed=True)])
    assert [fault.code for fault in faults] == ["compressed"]


def test_a_name_with_the_high_bit_alone_is_a_name() -> None:
    """ZDoom/gzdoom PR2192: the bit was taken for compression in WADs that use such names for other reasons."""
    data = plain.wad([(b"\xc4ATA", b"plain data, not a stream \xff\xff\xff\xff\xff\xff")])
    archive = open_archive(data)
    assert (names(archive), warned(archive)) == ([b"\xc4ATA"], [])
    assert rewritten_file(data) == data


# What lumps are


def test_small_and_empty_lumps_are_lumps(run: Run, tmp_path: Path) -> None:
    """Doom-Utils/deutex#84: lumps of less than 16 bytes were taken for labels, and not extracted."""
    (tmp_path / "x.wad").write_bytes(plain.wad([(b"COMPLVL", b"MBF21\n"), (b"DSDAPREF", b""), (b"A", b"1")]))
    assert run("extract", tmp_path / "x.wad", "-C", tmp_path / "out", "--no-sidecar").status == 0
    found = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert found == {"COMPLVL": b"MBF21\n", "DSDAPREF": b"", "A": b"1"}


def test_lumps_of_one_name_are_all_there_and_the_last_is_found(run: Run, tmp_path: Path) -> None:
    """Doom-Utils/deutex#82: two pictures TITLEPIC, a PNG and a Doom picture, were mixed up."""
    path = tmp_path / "x.wad"
    path.write_bytes(plain.wad([(b"TITLEPIC", b"\x89PNG"), (b"A", b""), (b"TITLEPIC", b"patch")]))
    archive = open_archive(path.read_bytes())
    assert archive.find(b"TITLEPIC") == 2
    assert entry_paths(archive) == ["TITLEPIC~1", "A", "TITLEPIC"]
    for argv, raw in (
        (["TITLEPIC"], b"patch"),
        (["TITLEPIC~1"], b"\x89PNG"),
        (["--entry", "0"], b"\x89PNG"),
        (["--entry", "2"], b"patch"),
    ):
        assert run("cat", path, *argv).stdout == raw


@pytest.mark.parametrize("name", [b"ARCHVILE", b"PLAYPAL", b"TEXTURE1", b"DECORATE", b"TEXTMAP"])
def test_an_empty_lump_of_a_reserved_name_is_only_empty(name: bytes, run: Run, tmp_path: Path) -> None:
    """fabiangreffrath/woof#2656: a marker of that name was parsed as a script."""
    (tmp_path / "x.wad").write_bytes(plain.wad([(name, b""), (b"A", b"1")]))
    for command in ("info", "ls", "verify"):
        assert run(command, tmp_path / "x.wad").status == 0
    assert run("cat", tmp_path / "x.wad", name.decode()).stdout == b""


def test_of_two_copies_the_content_hash_tells_which_lump_has_rotted(run: Run, tmp_path: Path) -> None:
    """chocolate-doom/chocolate-doom#1254: a crash was a bit of a CD; a WAD cannot tell, an EWAD can."""
    (tmp_path / "good.wad").write_bytes(plain.wad([(b"A", b"first lump"), (b"B", b"second lump")]))
    assert run("convert", tmp_path / "good.wad", tmp_path / "x.ewad", "--format", "EWAD").status == 0
    data = (tmp_path / "x.ewad").read_bytes().replace(b"second", b"sekond")
    (tmp_path / "x.ewad").write_bytes(data)
    ran = run("verify", tmp_path / "x.ewad", "--json")
    assert ran.status == 1
    assert [problem["code"] for problem in ran.json[0]["problems"]] == ["content-hash"]
    assert "'B'" in ran.json[0]["problems"][0]["message"]


# Where lumps lie


@pytest.mark.parametrize("size", [1, TOO_MUCH, 0xFFFFFFFF])
def test_a_lump_that_reaches_past_the_end_is_named(size: int) -> None:
    """SLADE refuses the archive, ZDoom/gzdoom, omgifol and PhysFS open it, kraflab/dsda-doom reads short."""
    error = refused(plain.wad_with([(b"OK", 12, 0), (b"LONG", 44, size)]))
    assert (error.code, error.entry) == ("range", 1)
    assert str(error).startswith("entry 1 ('LONG'): ")


def test_an_empty_lump_may_lie_at_0_and_when_lenient_anywhere() -> None:
    """All engines take it; in most real files it is 0."""
    assert warned(open_archive(plain.wad_with([(b"MAP01", 0, 0)]))) == []
    wild = plain.wad_with([(b"MAP01", 0xFFFFFFF0, 0)])
    assert (refused(wild).code, refused(wild).entry) == ("range", 0)
    assert warned(open_archive(wild, lenient=True)) == [("empty-offset", 0)]


def test_a_lump_in_the_header_is_refused_and_one_in_the_directory_told() -> None:
    error = refused(plain.wad_with([(b"A", 12, 1), (b"B", 4, 8)], b"a"))
    assert (error.code, error.entry) == ("offset", 1)
    archive = open_archive(plain.wad_with([(b"A", 12, 1), (b"B", 13, 16)], b"a"))
    assert warned(archive) == [("overlap", 1)]
    assert len(archive.read(1)) == 16


def test_the_lumps_together_may_have_16_times_the_bytes_of_the_file_and_no_more() -> None:
    data = bytes(1000)
    sound = plain.wad_with([(b"A", 12, 1000)] * 20, data)
    assert len(sound) * 16 > 20 * 1000
    open_archive(sound)
    assert refused(plain.wad_with([(b"A", 12, 1000)] * 30, data)).code == "cap"


def test_what_is_read_and_written_is_the_same_in_all_that_a_wad_says() -> None:
    """devinacker/omgifol: writing a game back lost twelve markers and made a PWAD of it."""
    data = plain.wad(
        [(b"P_START", b""), (b"P1_START", b""), (b"P1_END", b""), (b"P_END", b""), *MAP], b"IWAD"
    )
    archive = open_archive(data)
    assert content(open_archive(rewritten_file(data))) == content(archive)
    assert rewritten_file(data) == data


def test_what_is_not_read_here_is_unsupported_and_not_malformed() -> None:
    """More lumps than a machine can list: legal in a sparse file of some GiB."""
    with pytest.raises(UnsupportedError) as caught:
        open_archive(struct.pack("<4sII", b"PWAD", (1 << 22) + 1, 12) + bytes(16 * ((1 << 22) + 1)))
    assert caught.value.code == "limit"
