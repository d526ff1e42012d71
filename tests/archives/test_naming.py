"""The paths of entries: one for each, no two alike, safe where names are no paths, the plain one for what is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import plain, wad
from tests.builders.wad import Entry

from lumpyard.archives.model import Lump
from lumpyard.archives.naming import entry_paths
from lumpyard.archives.opening import open_archive

FIVE = ["THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS"]


def paths(names: list[str | bytes], signature: bytes = b"PWAD") -> list[str | None]:
    """The paths of an archive whose lumps have these names."""
    entries = [Entry(name.encode() if isinstance(name, str) else name) for name in names]
    return entry_paths(open_archive(wad.build(entries, signature), signature.decode()))


def test_lumps_of_maps_and_blocks_are_in_folders_and_all_others_are_not() -> None:
    """ "VFS path for map lumps: MAP01/THINGS." """
    names = ["PLAYPAL", "MAP01", *FIVE, "S_START", "TROOA1", "S_END", "G_START", "X", "G_END", "TITLEPIC"]
    assert paths([*names]) == [
        "PLAYPAL",
        "MAP01/MAP01",
        *(f"MAP01/{name}" for name in FIVE),
        "sprites/S_START",
        "sprites/TROOA1",
        "sprites/S_END",
        "G/G_START",
        "G/X",
        "G/G_END",
        "TITLEPIC",
    ]


def test_inner_markers_and_unclosed_blocks_are_where_they_belong() -> None:
    assert paths(["P_START", "P1_START", "A", "P1_END", "P_END"]) == [
        "patches/P_START",
        "patches/P1_START",
        "patches/A",
        "patches/P1_END",
        "patches/P_END",
    ]
    assert paths(["P_START", "A", "F_START", "B", "F_END"]) == [
        "patches/P_START",
        "patches/A",
        "flats/F_START",
        "flats/B",
        "flats/F_END",
    ]


def test_a_map_that_comes_twice_is_plain_where_it_counts() -> None:
    """ "MAP01 twice …: every engine takes the last." """
    found = paths(["MAP01", *FIVE, "MAP01", *FIVE, "MAP01", *FIVE])
    assert found[:2] == ["MAP01~1/MAP01", "MAP01~1/THINGS"]
    assert found[6:8] == ["MAP01~2/MAP01", "MAP01~2/THINGS"]
    assert found[12:14] == ["MAP01/MAP01", "MAP01/THINGS"]


def test_the_last_of_several_lumps_has_the_plain_path() -> None:
    """ "Duplicates addressed by index; last wins for lookup." """
    assert paths(["TITLEPIC", "A", "TITLEPIC", "TITLEPIC"]) == ["TITLEPIC~1", "A", "TITLEPIC~2", "TITLEPIC"]
    assert paths(["F_START", "A", "F_END", "F_START", "A", "F_END"]) == [
        "flats/F_START~1",
        "flats/A~1",
        "flats/F_END~1",
        "flats/F_START",
        "flats/A",
        "flats/F_END",
    ]
    assert paths(["A", "A"], b"WAD3") == ["A~1", "A"]


def test_the_first_of_several_files_of_a_pak_has_the_plain_path() -> None:
    """ "Reader keeps both, lookup first + warning." """
    archive = open_archive(plain.pak([(b"a/b", b"1"), (b"c", b""), (b"a/b", b"2"), (b"a/b", b"3")]), "PAK")
    assert entry_paths(archive) == ["a/b", "c", "a/b~2", "a/b~3"]


def test_numbers_pass_over_names_that_are_there() -> None:
    assert paths(["A", "A~1", "A", "A"]) == ["A~2", "A~1", "A~3", "A"]
    assert paths(["A~1", "A", "A~1", "A"]) == ["A~1~1", "A~2", "A~1", "A"]


def test_no_file_has_the_path_of_a_folder() -> None:
    """ "Path is file and folder" would be an error to extract."""
    found = paths(["MAP01", "sprites", "MAP01", *FIVE, "S_START", "X", "S_END"])
    assert found[:3] == ["MAP01~1", "sprites~1", "MAP01/MAP01"]
    found = paths(["flats", *FIVE, "F_START", "flats", "F_END"])
    assert found[0] == "flats~1/flats"
    assert found[-2] == "flats/flats"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (b"VILE\\1", "VILE%5C1"),
        (b"a/b", "a%2Fb"),
        (b"/etc", "%2Fetc"),
        (b"..", "%2E%2E"),
        (b".", "%2E"),
        (b"...", "..."),
        (b"50%", "50%25"),
        (b"%2F", "%252F"),
        (b"A\nB\x1b\x7f", "A%0AB%1B%7F"),
        (b"", "%"),
        (b"AB\0junk", "AB"),
        (b"\xff\xfeA", "\udcff\udcfeA"),
        ("é".encode(), "é"),
        (b"map01", "map01"),
        (b"MAP01 L", "MAP01 L"),
    ],
)
@pytest.mark.parametrize("signature", [b"PWAD", b"IWAD", b"PACK", b"WAD2", b"WAD3"])
def test_names_of_wads_make_no_folders_and_nothing_unsafe(name: bytes, path: str, signature: bytes) -> None:
    assert paths([name], signature) == [path]


def test_hostile_names_of_maps_make_no_folders_either() -> None:
    assert paths(["../x", *FIVE])[:2] == ["..%2Fx/..%2Fx", "..%2Fx/THINGS"]


class Fake:
    """As little of an archive as naming looks at."""

    def __init__(self, format_name: str, names: list[bytes | None], found: int | None = None) -> None:
        self.format = format_name
        self.lumps = [Lump(name, 0, 0, 0) for name in names]
        self._found = found

    def find(self, name: bytes) -> int | None:
        return self._found


def test_backslashes_are_slashes_where_look_ups_say_so_and_the_unnamed_have_no_path() -> None:
    for format_name in ("MPQ", "DAIKATANA"):
        archive = Fake(format_name, [b"a\\b.txt", None, b"", b"c/d"])
        assert entry_paths(archive) == ["a/b.txt", None, None, "c/d"]  # type: ignore[arg-type]


def test_of_one_name_in_several_languages_that_which_is_found_is_plain() -> None:
    for found, expected in ((2, ["a~1", None, "a", "a~3"]), (None, ["a", None, "a~2", "a~3"])):
        archive = Fake("MPQ", [b"a", None, b"a", b"a"], found)
        assert entry_paths(archive) == expected  # type: ignore[arg-type]


def test_names_that_are_paths_stay_as_they_are() -> None:
    for format_name in ("EWAD", "PAK"):
        archive = Fake(format_name, [b"a/../b", b"\xff", b"x\\y%"])
        assert entry_paths(archive) == ["a/../b", "\udcff", "x\\y%"]  # type: ignore[arg-type]


NAMES = st.sampled_from(
    [
        "A",
        "A~1",
        "A~2",
        "A~1~1",
        "MAP01",
        "MAP01~1",
        "THINGS",
        "LINEDEFS",
        "flats",
        "F_START",
        "F_END",
        "FF_START",
        "FF_END",
        "S_START",
        "S_END",
        "F",
        "G_START",
        "G_END",
        "G",
    ]
).map(str.encode) | st.binary(max_size=8)


@given(st.lists(NAMES, max_size=30), st.sampled_from([b"PWAD", b"PACK", b"WAD2"]))
def test_every_entry_has_a_path_of_its_own_with_one_folder_at_most(
    names: list[bytes], signature: bytes
) -> None:
    found = paths([*names], signature)
    assert len({*found}) == len(names)
    folders = {path.partition("/")[0] for path in found if path and "/" in path}
    assert not folders & {*found}
    for path in found:
        assert path
        parts = path.split("/")
        assert len(parts) <= 2
        assert all(part not in {"", ".", ".."} for part in parts)
        assert not any(ord(letter) < 32 or letter in "\\\x7f" for letter in path)


@given(st.lists(NAMES, max_size=30), st.sampled_from([b"PACK", b"WAD3"]))
def test_the_path_that_is_an_entrys_name_leads_to_the_entry_that_is_found(
    names: list[bytes], signature: bytes
) -> None:
    archive = open_archive(wad.build([Entry(name) for name in names], signature), signature.decode())
    found = entry_paths(archive)
    for name in {lump.name for lump in archive.lumps}:
        if name and name.isalnum():
            assert found.index(name.decode()) == archive.find(name)
