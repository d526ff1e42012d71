"""How each kind of mount compares names, and what several lumps of one name come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders.mounts import MAKERS, make_ewad, make_mpq, make_pak, write_tree

from lumpyard.errors import DiskError, NotFoundError
from lumpyard.vfs import NAME_RULES, Reading, Vfs


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mounted(kind: str, files: list[tuple[str, bytes]]) -> Vfs:
    vfs = Vfs()
    if kind == "folder":
        write_tree("loose", files)
        vfs.mount("loose")
    else:
        vfs.mount_bytes(MAKERS[kind](files), "archive", reading=Reading(kind))
    return vfs


def test_every_kind_has_a_rule() -> None:
    assert NAME_RULES.keys() == {*MAKERS, "folder"}


@pytest.mark.parametrize("kind", NAME_RULES)
def test_case_counts_or_does_not_by_the_rule_of_the_kind(kind: str) -> None:
    with mounted(kind, [("Wall", b"x")]) as vfs:
        assert vfs.read("Wall") == b"x"
        assert [vfs.exists(name) for name in ("wall", "WALL", "wAlL")] == [NAME_RULES[kind].fold] * 3
        if NAME_RULES[kind].fold:
            assert vfs.stat("wall").path == "Wall"
            assert NAME_RULES[kind].reason in str(vfs.explain("wall").winner)


@pytest.mark.parametrize("kind", ["folder", "EWAD", "PAK", "DAIKATANA", "MPQ"])
def test_a_backslash_is_a_slash_by_the_rule_of_the_kind(kind: str) -> None:
    r"""Case 128: 'entry `models/e2/a.dkm`, look up with \'."""
    with mounted(kind, [("models/e2/a.dkm", b"x")]) as vfs:
        assert vfs.read("models/e2/a.dkm") == b"x"
        assert vfs.exists(r"models\e2\a.dkm") == NAME_RULES[kind].slashes
        assert vfs.exists(r"models\e2/a.dkm") == NAME_RULES[kind].slashes


@pytest.mark.parametrize("kind", ["DAIKATANA", "MPQ"])
def test_a_backslash_may_also_stand_behind_the_place_of_a_mount(kind: str) -> None:
    with Vfs() as vfs:
        vfs.mount_bytes(MAKERS[kind]([("e2/a", b"x")]), "archive", "old/base", reading=Reading(kind))
        assert vfs.read(r"old\base\e2\a") == b"x"
        assert vfs.stat(r"old\base\e2\A").path == "old/base/e2/a"


@pytest.mark.parametrize("kind", ["PAK", "MPQ", "WAD3"])
def test_only_letters_of_ascii_are_folded(kind: str) -> None:
    files = [("\u00c4\u212a", b"x")] if kind != "MPQ" else [("a", b"x")]
    with mounted(kind, files) as vfs:
        assert not vfs.exists("\u00e4\u212a")
        assert not vfs.exists("\u00c4k")


def test_a_name_as_it_is_stored_comes_before_one_of_another_case() -> None:
    with mounted("PAK", [("a", b"small"), ("A", b"big")]) as vfs:
        assert (vfs.read("a"), vfs.read("A")) == (b"small", b"big")
        assert list(vfs) == ["A", "a"]
    with mounted("PAK", [("Ab", b"first"), ("aB", b"second")]) as vfs:
        assert vfs.read("AB") == b"first"
    with mounted("PWAD", [("Ab", b"first"), ("aB", b"second")]) as vfs:
        assert vfs.read("AB") == b"second"


def test_a_mount_without_case_hides_names_of_another_case_below_it() -> None:
    write_tree("loose", [("units/a.txt", b"loose"), ("units/b.txt", b"loose")])
    with Vfs() as vfs:
        vfs.mount("loose")
        vfs.mount_bytes(make_mpq([("Units/A.TXT", b"archive")]), "a.mpq")
        assert vfs.read("units/a.txt") == b"archive"
        assert list(vfs) == ["(listfile)", "Units/A.TXT", "units/b.txt"]
        assert vfs.glob("*nits/*") == ["Units/A.TXT", "units/b.txt"]


def test_of_lumps_of_one_name_a_wad_gives_the_last_and_lists_all() -> None:
    """Case 169: "several lumps of one name: all must be seen". Case 23: "last wins for lookup"."""
    files = [("TITLEPIC", b"first"), ("OTHER", b""), ("TITLEPIC", b"second"), ("TITLEPIC", b"third")]
    with mounted("PWAD", files) as vfs:
        assert vfs.read("titlepic") == b"third"
        assert {name: vfs.read(name) for name in vfs} == {
            "OTHER": b"",
            "TITLEPIC": b"third",
            "TITLEPIC~1": b"first",
            "TITLEPIC~2": b"second",
        }
        found = vfs.explain("TITLEPIC")
        assert found.winner is not None
        assert (found.winner.entry, found.winner.source) == (3, "archive!TITLEPIC")
        assert [(one.entry, one.source) for one in found.shadowed] == [
            (0, "archive!TITLEPIC~1"),
            (2, "archive!TITLEPIC~2"),
        ]
        assert {one.note for one in found.shadowed} == {"has the same name in the same archive"}


def test_of_files_of_one_name_a_pak_gives_the_first() -> None:
    r"""Rule: "duplicates (PAK): reader keeps both, lookup first + warning"."""
    with mounted("PAK", [("a", b"first"), ("a", b"second")]) as vfs:
        assert {name: vfs.read(name) for name in vfs} == {"a": b"first", "a~2": b"second"}
        assert len(vfs.explain("a").shadowed) == 1


def test_names_that_no_tree_can_hold_are_kept_and_stay_out_of_it() -> None:
    names = ["../evil", "/abs", "a//b", "dir/", ".", "ok"]
    with mounted("EWAD", [(name, name.encode()) for name in names]) as vfs:
        assert list(vfs) == ["ok"]
        assert [vfs.read(name) for name in names] == [name.encode() for name in names]
        assert vfs.list_folder().folders == frozenset()


def test_a_lump_without_a_name_is_found_by_none() -> None:
    """Case 13: "empty names are kept on read, never matched by lookup"."""
    with mounted("PWAD", [("", b"x"), ("A", b"y")]) as vfs:
        assert not vfs.exists("")
        assert {name: vfs.read(name) for name in vfs} == {"%": b"x", "A": b"y"}


def test_a_file_and_a_folder_of_one_name_in_one_archive_are_both_there() -> None:
    """Case 122: '"maps" file beside "maps/e1m1": PhysFS hides the children'."""
    with mounted("EWAD", [("maps", b"file"), ("maps/e1m1", b"below")]) as vfs:
        assert {name: vfs.read(name) for name in vfs} == {"maps": b"file", "maps/e1m1": b"below"}


def test_a_stripped_archive_finds_names_that_it_cannot_list() -> None:
    """ "Lookups still work, since they hash the name under the seed" (WAD Format, String table)."""
    with Vfs() as vfs:
        vfs.mount_bytes(make_ewad([("a", b"upper"), ("hidden", b"x")], named=False), "stripped")
        assert list(vfs) == []
        assert (vfs.read("hidden"), vfs.stat("hidden").source) == (b"x", "stripped!hidden")
        assert not vfs.exists("nope")
        found = vfs.explain("hidden").winner
        assert found is not None
        assert found.note == "is found by its name, which the archive does not list"


def test_a_name_that_a_lower_mount_knows_is_listed_though_the_upper_archive_has_it_unnamed() -> None:
    write_tree("loose", [("a", b"loose")])
    with Vfs() as vfs:
        vfs.mount("loose")
        vfs.mount_bytes(make_ewad([("a", b"archive")], named=False), "stripped")
        assert {name: vfs.read(name) for name in vfs} == {"a": b"archive"}


def test_an_mpq_without_its_list_is_searched_by_name_and_listed_by_names_that_are_given() -> None:
    data = make_mpq([("war3map.j", b"x"), ("Units/a.slk", b"y")], listed=False)
    with Vfs() as vfs:
        vfs.mount_bytes(data, "a.w3x")
        assert list(vfs) == []
        assert vfs.read("UNITS/A.SLK") == b"y"
        vfs.mount_bytes(data, "a.w3x", reading=Reading(names=[b"Units\\a.slk", b"gone.txt"]))
        assert list(vfs) == ["Units/a.slk"]


def test_lumps_of_maps_and_namespaces_have_paths_of_their_own() -> None:
    """Case 173: "WAD as flat folder: 32 x THINGS, only the last reachable"; expected `MAP01/THINGS`."""
    lumps = [
        entry
        for number in (1, 2)
        for entry in [
            (f"MAP0{number}", b""),
            *((name, b"%d" % number) for name in ("THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS")),
        ]
    ]
    lumps += [("S_START", b""), ("TROOA1", b"sprite"), ("S_END", b""), ("TROOA1", b"other")]
    with mounted("IWAD", lumps) as vfs:
        assert (vfs.read("MAP01/THINGS"), vfs.read("map02/things")) == (b"1", b"2")
        assert vfs.glob("*/THINGS") == ["MAP01/THINGS", "MAP02/THINGS"]
        assert not vfs.exists("THINGS")
        assert (vfs.read("sprites/TROOA1"), vfs.read("TROOA1")) == (b"sprite", b"other")


@pytest.mark.parametrize("spelling", ["PAK0.PAK", "pak0.pak", "Pak0.pak"])
def test_the_file_of_an_archive_is_found_whatever_its_case(spelling: str) -> None:
    """Case 113: "PAK0.PAK not found on Linux"; expected "file name case-blind on host"."""
    write_tree("id1", [("PAK0.PAK", make_pak([("a/b", b"x")]))])
    with Vfs() as vfs:
        vfs.mount(f"id1/{spelling}")
        assert vfs.stat("a/b").source == "id1/PAK0.PAK!a/b"


def test_of_two_files_that_it_could_be_neither_is_guessed() -> None:
    write_tree("id1", [("PAK0.PAK", make_pak([])), ("Pak0.pak", make_pak([]))])
    with Vfs() as vfs:
        with pytest.raises(DiskError, match=r"it could be any of PAK0\.PAK, Pak0\.pak"):
            vfs.mount("id1/pak0.pak")
        vfs.mount("id1/Pak0.pak")


class TestNested:
    """ "Nested archives mount from memory", by the spelling that manifests use: `ARCHIVE!LUMP`."""

    INNER = make_ewad([("deep/a", b"inner")])

    @pytest.mark.parametrize("kind", ["EWAD", "MPQ", "PAK"])
    def test_an_archive_in_an_archive_is_mounted(self, kind: str) -> None:
        Path("outer").write_bytes(MAKERS[kind]([("maps/inner.ewad", self.INNER)]))
        with Vfs() as vfs:
            vfs.mount("outer!maps/inner.ewad", "in", reading=Reading("EWAD"))
            assert vfs.read("in/deep/a") == b"inner"
            assert vfs.stat("in/deep/a").source == "outer!maps/inner.ewad!deep/a"

    def test_a_compressed_one_too_and_three_deep(self) -> None:
        middle = make_mpq([("in!ner.ewad", self.INNER)], packed=True)
        Path("ou!ter").write_bytes(make_ewad([("m.mpq", middle)], compressed=True))
        with Vfs() as vfs:
            vfs.mount("ou!ter!m.mpq!in!ner.ewad")
            assert vfs.read("deep/a") == b"inner"
            vfs.mount("ou!ter!/M.MPQ", "x") if vfs.exists("M.MPQ") else vfs.mount("ou!ter!/m.mpq", "x")
            assert vfs.exists("x/in!ner.ewad")

    def test_what_is_not_there_is_said_with_the_archive_it_is_not_in(self) -> None:
        Path("outer").write_bytes(make_ewad([("a.mpq", make_mpq([("b", b"")])), ("text", b"no")]))
        with Vfs() as vfs:
            with pytest.raises(NotFoundError, match=r"^outer: no lump 'gone'$"):
                vfs.mount("outer!gone!x")
            with pytest.raises(NotFoundError, match=r"^outer!a\.mpq: no lump 'c'$"):
                vfs.mount("outer!a.mpq!c")
            with pytest.raises(Exception, match=r"^outer!text: not an archive"):
                vfs.mount("outer!text")
            with pytest.raises(DiskError, match="cannot mount gone!x: there is no file or folder gone"):
                vfs.mount("gone!x")
            assert vfs.mounts == ()

    def test_an_archive_of_the_tree_is_mounted_by_its_bytes(self) -> None:
        with Vfs() as vfs:
            vfs.mount_bytes(make_ewad([("inner.ewad", self.INNER)]), "outer")
            vfs.mount_bytes(vfs.read("inner.ewad"), "outer!inner.ewad", "in")
            assert vfs.read("in/deep/a") == b"inner"
