"""What only WAD2 and WAD3 have: types, compression, names of 16 bytes, textures."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import wad
from tests.builders.wad import Entry

from lumpyard.archives.directory import DirectoryArchive
from lumpyard.archives.opening import open_archive
from lumpyard.archives.wad2.miptex import miptex_oddities
from lumpyard.errors import MalformedError, UnsupportedError

BOTH = pytest.mark.parametrize("name", ["WAD2", "WAD3"])
TEXTURE = {"WAD2": 0x44, "WAD3": 0x43}


def opened(entries: list[Entry], name: str, *, lenient: bool = False) -> DirectoryArchive:
    archive = open_archive(wad.build(entries, name.encode()), name, lenient=lenient)
    assert isinstance(archive, DirectoryArchive)
    return archive


def told(entries: list[Entry], name: str, *, lenient: bool = False) -> list[tuple[str, int | None]]:
    found = opened(entries, name, lenient=lenient).warnings
    assert all(finding.verdict == "ok" for finding in found)
    return [(finding.code, finding.entry) for finding in found]


def miptex(
    name: bytes, width: int = 16, height: int = 16, *, palette: bool, starts: tuple[int, ...] = ()
) -> bytes:
    """A texture as the tools of the games make it."""
    sizes = [(width >> level) * (height >> level) for level in range(4)]
    if not starts:
        starts = tuple(40 + sum(sizes[:level]) for level in range(4))
    head = struct.pack("<16sII4I", name, width, height, *starts)
    tail = struct.pack("<H768s2s", 256, bytes(range(256)) * 3, b"") if palette else b""
    return head + bytes(sum(sizes)) + tail


def test_one_lump_byte_by_byte() -> None:
    one_lump = bytes.fromhex(
        "57414432"  # signature       WAD2
        "01000000"  # entry count     1
        "0f000000"  # directory at    15
        "616263"  # the lump        abc
        "0c000000 03000000 03000000"  # offset 12, size on disk 3, uncompressed 3
        "40 00 ffff"  # type 0x40, no compression, padding that nobody reads
        "5449544c45000000 6a756e6b00000000"  # name TITLE, and what follows its NUL
    )
    archive = open_archive(one_lump)
    (lump,) = archive.lumps
    assert (lump.name, lump.offset, lump.raw_size, lump.kind) == (b"TITLE", 12, 3, 0x40)
    assert lump.raw_name == b"TITLE\0\0\0junk"
    assert (bytes(archive.read(0)), archive.find(b"TITLE"), archive.warnings) == (b"abc", 0, [])


@BOTH
def test_compression_is_unsupported_and_the_message_shows_what_was_found(name: str) -> None:
    """ "A nonzero compression byte, or sizes that disagree, fails with SPITWAD_ERR_UNSUPPORTED." """
    for entry in (Entry(b"B", b"abc", compression=1), Entry(b"B", b"abc", raw_size=9)):
        for lenient in (False, True):
            with pytest.raises(UnsupportedError) as caught:
                opened([Entry(b"A", b"x"), entry], name, lenient=lenient)
            assert (caught.value.code, caught.value.entry) == ("compressed", 1)
            shown = f"compression {entry.compression}, size on disk 3, uncompressed {entry.raw_size or 3}"
            assert str(caught.value) == f"entry 1 ('B'): compressed lumps are not read ({shown})"


@BOTH
def test_the_first_entry_decides_between_malformed_and_unsupported(name: str) -> None:
    packed, outside = Entry(b"P", b"x", compression=1), Entry(b"O", b"x", size=9999)
    with pytest.raises(UnsupportedError):
        opened([packed, outside], name)
    with pytest.raises(MalformedError):
        opened([outside, packed], name)


@BOTH
def test_a_name_of_sixteen_bytes_without_a_nul_is_read_only_when_asked_to_be_lenient(name: str) -> None:
    """ "Reader accepts 16 with warning (spitwad: NUL required)." """
    entries = [Entry(b"A"), Entry(b"ABCDEFGHIJKLMNOP", b"x"), Entry(b"ABCDEFGHIJKLMNO")]
    with pytest.raises(MalformedError, match="a lenient reading lets it pass") as caught:
        opened(entries, name)
    assert (caught.value.code, caught.value.entry) == ("name", 1)
    archive = opened(entries, name, lenient=True)
    assert [(found.code, found.entry) for found in archive.warnings] == [("name-unterminated", 1)]
    assert archive.find(b"ABCDEFGHIJKLMNOP") == 1


@BOTH
def test_a_last_byte_behind_the_nul_is_no_part_of_the_name(name: str) -> None:
    archive = opened([Entry(b"A\0" + b"j" * 14)], name)
    assert (archive.lumps[0].name, archive.warnings) == (b"A", [])


@BOTH
def test_unknown_types_are_bytes(name: str) -> None:
    """ "Unknown type passes as bytes": tempdecal 0x40, fonts 0x46."""
    entries = [Entry(b"L%d" % kind, b"%d" % kind, kind=kind) for kind in range(256) if kind != TEXTURE[name]]
    archive = opened(entries, name)
    assert [(lump.kind, bytes(archive.read(at))) for at, lump in enumerate(archive.lumps)] == [
        (entry.kind, entry.data) for entry in entries
    ]
    assert archive.warnings == []


@BOTH
def test_an_empty_name_is_kept_and_noted(name: str) -> None:
    """ "Empty name skipped + noted." """
    archive = opened([Entry(b"", b"x"), Entry(b"A")], name)
    assert [(found.code, found.entry) for found in archive.warnings] == [("name-empty", 0)]
    assert archive.find(b"") is None


@BOTH
def test_names_that_break_a_map_are_told(name: str) -> None:
    """ "Warn on space, quote, brace in names." """
    entries = [Entry(b"my tex"), Entry(b'a"'), Entry(b"a{"), Entry(b"{fence"), Entry(b"*water")]
    assert told(entries, name) == [("name-odd", 0), ("name-odd", 1), ("name-odd", 2)]


@BOTH
@pytest.mark.parametrize("size", [(16, 16), (704, 16), (16, 1024), (32, 48)])
def test_textures_of_any_multiple_of_sixteen_are_right(name: str, size: tuple[int, int]) -> None:
    """ "No small fixed cap; width/height multiple of 16, product bounded." """
    data = miptex(b"WALL1", *size, palette=name == "WAD3")
    assert told([Entry(b"WALL1", data, kind=TEXTURE[name])], name) == []
    assert told([Entry(b"wall1", data, kind=TEXTURE[name])], name) == []


@BOTH
def test_a_texture_of_another_size_or_name_is_told(name: str) -> None:
    palette = name == "WAD3"
    kind = TEXTURE[name]
    entries = [
        Entry(b"A", miptex(b"A", 24, 16, palette=palette), kind=kind),
        Entry(b"WALL1", miptex(b"OTHER", palette=palette), kind=kind),
    ]
    assert told(entries, name) == [("miptex-size", 0), ("miptex-name", 1)]
    assert "calls itself 'OTHER'" in opened(entries, name).warnings[1].message


@BOTH
def test_conchars_has_the_type_of_a_texture_and_is_none(name: str) -> None:
    """ "Type byte is a hint; size check before miptex parse": 16384 raw bytes."""
    for data in (
        bytes(16384),
        b"\x7f" * 16384,
        bytes(39),
        b"",
        struct.pack("<16sII", b"", 1 << 31, 2) + bytes(16),
    ):
        archive = opened([Entry(b"CONCHARS", data, kind=TEXTURE[name])], name)
        assert [(found.code, found.entry) for found in archive.warnings] == [("miptex", 0)]
        assert bytes(archive.read(0)) == data


def test_a_texture_may_be_its_header_and_its_pixels_and_no_byte_more() -> None:
    whole = miptex(b"A", palette=False)
    assert told([Entry(b"A", whole, kind=0x44)], "WAD2") == []
    assert told([Entry(b"A", whole[:-1], kind=0x44)], "WAD2") == [("miptex-range", 0)]
    header = struct.pack("<16sII4I", b"A", 16, 2, 0, 0, 0, 0)  # 32 pixels, fewer than the header's 40 bytes
    assert told([Entry(b"A", header, kind=0x44)], "WAD2") == [("miptex-size", 0)]
    assert told([Entry(b"A", header[:39], kind=0x44)], "WAD2") == [("miptex", 0)]
    for width, height in ((40, 1), (8, 5), (1, 40)):  # as many pixels as bytes
        data = struct.pack("<16sII4I", b"A", width, height, 0, 0, 0, 0)
        assert told([Entry(b"A", data, kind=0x44)], "WAD2") == [("miptex-size", 0)]
    for width, height in ((41, 1), (7, 6), (1, 41), (0, 16), (16, 0)):
        data = struct.pack("<16sII4I", b"A", width, height, 0, 0, 0, 0)
        assert told([Entry(b"A", data, kind=0x44)], "WAD2") == [("miptex", 0)]


@BOTH
def test_pictures_that_are_absent_are_no_fault_and_those_outside_are(name: str) -> None:
    """ "-1 = absent"."""
    palette = name == "WAD3"
    for absent in (0, 0xFFFFFFFF):
        data = miptex(b"A", palette=palette, starts=(40, 296, absent, absent))
        if palette:
            data = data[: 40 + 256 + 64] + data[40 + 256 + 64 + 16 + 4 :]
        assert told([Entry(b"A", data, kind=TEXTURE[name])], name) == []
    for outside in (39, 5000, 0xFFFFFFFE):
        data = miptex(b"A", palette=palette, starts=(40, outside, 0, 0))
        assert told([Entry(b"A", data, kind=TEXTURE[name])], name) == [("miptex-range", 0)]


def test_a_texture_of_wad3_has_a_palette_behind_a_count_of_256() -> None:
    """ "WAD3 miptex = header+4 mips+u16 256+768+2 pad": the pad is missing in some."""
    whole = miptex(b"A", palette=True)
    cut = [
        (whole, []),
        (whole[:-2], []),
        (whole[:-3], ["miptex-palette"]),
        (whole[:-771], ["miptex-palette"]),
    ]
    for data, codes in [*cut, (miptex(b"A", palette=False), ["miptex-palette"])]:
        assert [code for code, _ in told([Entry(b"A", data, kind=0x43)], "WAD3")] == codes
    assert told([Entry(b"A", whole, kind=0x44)], "WAD2") == []


@given(
    st.binary(max_size=60)
    | st.binary(max_size=200).map(lambda tail: struct.pack("<16sII", b"A", 16, 16) + tail)
)
def test_any_bytes_may_be_looked_at_as_a_texture(data: bytes) -> None:
    for name in ("WAD2", "WAD3"):
        found = [code for code, _ in miptex_oddities(memoryview(data), b"A", name)]
        assert len(found) <= 3
