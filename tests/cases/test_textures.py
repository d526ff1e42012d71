"""WAD2 and WAD3 that broke other programs. Each docstring says where that was reported."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import plain
from tests.builders.rewriting import rewritten_file
from tests.cases.test_wad_files import warned

from lumpyard.archives.naming import entry_paths
from lumpyard.archives.opening import open_archive
from lumpyard.archives.writing import WRITERS, NewLump
from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.vfs import Vfs

if TYPE_CHECKING:
    from pathlib import Path

TEXTURE = {b"WAD2": 0x44, b"WAD3": 0x43}


def miptex(name: bytes, width: int = 16, height: int = 16, *, palette: int | None = None) -> bytes:
    """A texture and its three smaller pictures; of WAD3, with the count and bytes of its palette and two more."""
    pixels, starts, start = b"", [], 40
    for level in range(4):
        starts.append(start)
        size = (width >> level) * (height >> level)
        pixels += bytes([level + 1]) * size
        start += size
    data = struct.pack("<16sII4I", name, width, height, *starts) + pixels
    return data if palette is None else data + struct.pack("<H", palette) + bytes(3 * palette + 2)


def wad2(*lumps: tuple[bytes, bytes], kind: int = 0x44) -> bytes:
    return plain.wad2(lumps, kind=kind)


def wad3(*lumps: tuple[bytes, bytes], kind: int = 0x43) -> bytes:
    return plain.wad2(lumps, b"WAD3", kind)


def test_the_name_in_the_directory_counts_and_an_empty_one_leads_nowhere() -> None:
    """TrenchBroom/TrenchBroom PR2748 (#2735): the texture calls itself otherwise, or the directory has no name."""
    archive = open_archive(wad2((b"WALL1", miptex(b"OTHER")), (b"", miptex(b"INNER"))))
    assert [lump.name for lump in archive.lumps] == [b"WALL1", b""]
    assert (archive.find(b"WALL1"), archive.find(b"OTHER"), archive.find(b""), archive.find(b"INNER")) == (
        0,
        *[None] * 3,
    )
    assert warned(archive) == [("miptex-name", 0), ("name-empty", 1), ("miptex-name", 1)]


def test_of_two_archives_with_one_texture_the_later_wins_and_the_other_is_listed() -> None:
    """TrenchBroom/TrenchBroom#4754, PR4758."""
    with Vfs() as vfs:
        vfs.mount_bytes(wad2((b"WALL", b"first")), "first.wad")
        vfs.mount_bytes(wad2((b"WALL", b"later")), "later.wad")
        assert vfs.read("WALL") == b"later"
        told = vfs.explain("WALL")
        assert told.winner is not None
        assert told.winner.source == "later.wad!WALL"
        assert [hidden.source for hidden in told.shadowed] == ["first.wad!WALL"]


@pytest.mark.parametrize(("width", "height"), [(704, 16), (16, 2048), (1024, 1024)])
def test_no_small_limit_is_set_to_the_size_of_a_texture(width: int, height: int) -> None:
    """TrenchBroom/TrenchBroom#995: 704 pixels wide was refused, the most being 512."""
    assert warned(open_archive(wad2((b"WIDE", miptex(b"WIDE", width, height))))) == []


@pytest.mark.parametrize(
    ("width", "height", "code"), [(24, 16, "miptex-size"), (1 << 31, 1 << 31, "miptex"), (0, 16, "miptex")]
)
def test_sizes_of_textures_that_cannot_be_are_told_and_no_more(width: int, height: int, code: str) -> None:
    lump = miptex(b"ODD", 24, 16)[:16] + struct.pack("<II", width, height) + miptex(b"ODD", 24, 16)[24:]
    archive = open_archive(wad2((b"ODD", lump)))
    assert warned(archive) == [(code, 0)]
    assert archive.read(0) == lump


def test_a_lump_with_the_type_of_a_texture_need_be_none() -> None:
    """TrenchBroom/TrenchBroom#2599: conchars of gfx.wad is raw, 128 by 128, and crashed the program."""
    raw = bytes(range(256)) * 64
    archive = open_archive(wad2((b"CONCHARS", raw)))
    assert warned(archive) == [("miptex", 0)]
    assert archive.read(0) == raw


@pytest.mark.parametrize("absent", [0, 0xFFFFFFFF])
def test_pictures_that_are_absent_are_not_looked_for(absent: int) -> None:
    """joshuaskelly/vgio#10: an offset of -1."""
    lump = miptex(b"A")[:28] + struct.pack("<I", absent) * 3 + miptex(b"A")[40:]
    assert warned(open_archive(wad2((b"A", lump)))) == []


@pytest.mark.parametrize("kind", [0, 0x40, 0x42, 0x45, 0x46, 0xFF])
def test_lumps_of_any_type_pass_as_bytes_and_keep_it(kind: int) -> None:
    """khanghugo/gchimp#23: tempdecal has 0x40, fonts have 0x46."""
    for data in (wad2((b"A", b"bytes"), kind=kind), wad3((b"A", b"bytes"), kind=kind)):
        archive = open_archive(data)
        assert (archive.lumps[0].kind, bytes(archive.read(0)), warned(archive)) == (kind, b"bytes", [])
        assert rewritten_file(data) == data


def test_a_texture_of_wad3_without_its_palette_is_told() -> None:
    """wootguy/bspguy PR107: its writer forgot the count of 256 colours."""
    assert warned(open_archive(wad3((b"A", miptex(b"A", palette=256))))) == []
    assert warned(open_archive(wad3((b"A", miptex(b"A"))))) == [("miptex-palette", 0)]
    assert warned(open_archive(wad3((b"A", miptex(b"A", palette=256)[:-300])))) == [("miptex-palette", 0)]


@pytest.mark.parametrize("name", [b"my tex", b'a"b', b"a}b"])
def test_names_that_break_the_text_of_a_map_are_told_when_read_and_when_written(name: bytes) -> None:
    """TrenchBroom/TrenchBroom#3951."""
    assert warned(open_archive(wad2((name, miptex(name))))) == [("name-odd", 0)]
    for format_name in ("WAD2", "WAD3"):
        faults = WRITERS[format_name].check([NewLump(name, 1, 1)])
        assert [(fault.code, fault.entry, fault.verdict) for fault in faults] == [("name-odd", 0, "ok")]


def test_an_archive_without_a_palette_is_whole() -> None:
    """LogicAndTrick/sledge PR220: a WAD2 has none inside; it is an input of whoever draws the textures."""
    archive = open_archive(wad2((b"A", miptex(b"A"))))
    assert (warned(archive), entry_paths(archive)) == ([], ["A"])


def test_a_name_that_fills_its_field_is_read_only_when_lenient_and_not_written() -> None:
    """ericwa/ericw-tools warns and takes 16 characters; the specification wants a NUL."""
    name = b"ABCDEFGHIJKLMNOP"
    data = wad2((name, b"x"), kind=0)
    with pytest.raises(MalformedError) as caught:
        open_archive(data)
    assert (caught.value.code, caught.value.entry) == ("name", 0)
    archive = open_archive(data, lenient=True)
    assert archive.find(name) == 0
    assert warned(archive) == [("name-unterminated", 0)]
    faults = WRITERS["WAD2"].check([NewLump(name, 1, 1)])
    assert [(fault.code, fault.entry, fault.verdict) for fault in faults] == [("name-length", 0, "malformed")]


@pytest.mark.parametrize(("at", "value", "found"), [(4, 3, ("4", "3")), (13, 1, ("1",))])
def test_compressed_lumps_are_refused_with_both_sizes(at: int, value: int, found: tuple[str, ...]) -> None:
    """SLADE, TrenchBroom and ericw-tools go by the size on disk; what the other would mean nobody says."""
    data = bytearray(wad2((b"A", b"four")))
    data[-32 + at] = value
    with pytest.raises(UnsupportedError) as caught:
        open_archive(bytes(data))
    assert (caught.value.code, caught.value.entry) == ("compressed", 0)
    assert all(number in str(caught.value) for number in found)


@pytest.mark.parametrize("signature", [b"wad2", b"Wad3", b"WAD4"])
def test_signatures_are_exact(signature: bytes, tmp_path: Path) -> None:
    """TrenchBroom takes any case."""
    with pytest.raises(MalformedError) as caught:
        open_archive(signature + wad2((b"A", b"x"))[4:])
    assert caught.value.code == "signature"
