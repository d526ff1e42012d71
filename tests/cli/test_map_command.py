"""`lumpyard map`: what it reads, what it says where there is nothing to say, and mistakes on its command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import doom_map, plain
from tests.builders.map_wads import SMALL

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def test_a_map_that_is_not_there_is_1_and_a_near_name_is_told(run: Run, castle: Path) -> None:
    ran = run("map", castle, "MAP03")
    assert (ran.status, ran.out) == (1, "")
    assert "no map 'MAP03'; " in ran.err
    assert "it has MAP01, MAP02" in run("map", castle, "[").err


def test_a_file_without_maps_is_1(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "no.wad"
    path.write_bytes(plain.wad([(b"TITLEPIC", b"x")]))
    ran = run("map", path)
    assert (ran.status, ran.err) == (1, f"lumpyard: error: {path}: there are no maps in it\n")


def test_what_is_no_archive_is_3(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "no.wad"
    path.write_bytes(b"nothing")
    assert run("map", path).status == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ignore", "line-zero-lenght"], "did you mean 'line-zero-length'"),
        (["--ignore", "line-zero-length@1"], "id@x,y"),
        (["-o", "a.gif"], "a.gif is to be a picture, so its name must end with .svg or .png"),
        (["--build"], "--build needs -o FILE"),
        (["--build", "-o", "a.svg"], "--build writes a WAD, not a.svg"),
        (["--markdown"], "--markdown is for --compare"),
        (["-o", "a.svg", "--skill", "6"], "--skill is 1 to 5, not 6"),
        (
            ["MAP01", "--theme", "dark"],
            "--theme is for pictures, and needs -o FILE, whose name ends with .svg or .png",
        ),
        (["--reject-from", "0"], "--reject-from is for pictures, and needs -o FILE"),
        (["--stats", "--layers", "grid"], "--layers is for pictures"),
        (["--compare", "x.wad", "--size", "800"], "--size is for pictures"),
        (["--build", "-o", "o.wad", "--fill", "tags"], "--fill is for pictures"),
        (["--nodes", "keep"], "--nodes is for --build"),
        (["-o", "a.svg", "MAP01", "--reject", "sight"], "--reject is for --build"),
        (["--record", "-o", "a.svg"], "--record writes a file beside the archive, and goes without -o"),
        (["--record", "--stats"], "--record and --stats do not go together"),
        (["--record", "--format", "sarif"], "--record and --format sarif do not go together"),
        (["-o", "a.svg"], "2 maps do not fit into one picture"),
        (["MAP01", "-o", "a.svg", "--layers", "walls,+grid"], "either all names have + or -"),
        (["MAP01", "-o", "a.svg", "--layers", "wall"], "no layer 'wall'; there are sectors, "),
        (["MAP01", "-o", "a.svg", "--size", "9999999"], "the size of a picture is "),
        (["--target", "quake"], "invalid choice"),
        (
            ["--compare", "x.wad", "--format", "sarif"],
            "--compare goes with --format text and json, and sarif with checks",
        ),
        (
            ["--stats", "--format", "github"],
            "--stats goes with --format text and json, and github with checks",
        ),
        (["--stats", "--format", "sarif"], "--stats and --format sarif do not go together"),
        (["--build", "-o", "o.wad", "--format", "github"], "--build and --format github do not go together"),
        (["MAP01", "-o", "a.svg", "--format", "github"], "-o and --format github do not go together"),
    ],
)
def test_a_usage_mistake_is_2(
    run: Run, castle: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(castle.parent)
    before = sorted(castle.parent.iterdir())
    ran = run("map", castle, *words)
    assert ran.status == 2
    assert message in ran.err
    assert sorted(castle.parent.iterdir()) == before


def test_the_text_of_a_map_is_read_too(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "inn.udmf"
    path.write_bytes(doom_map.udmf_text())
    assert run("map", path, "--json").json[0]["map"] == "INN"
    path.write_bytes(b'namespace = "doom";\n\nthing { x = ; }\n')
    ran = run("map", path, "--format", "github")
    assert f"::error file={path},line=3,title=textmap-syntax::INN: " in ran.out


def test_maps_in_a_pak_are_found_in_folders(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.pak"
    path.write_bytes(plain.pak([(f"maps/MAP05/{name}".encode(), data) for name, data in SMALL.items()]))
    (level,) = run("map", path, "--json").json
    assert (level["map"], level["path"]) == ("MAP05", "maps/MAP05")


def test_symbols_name_the_lumps_of_a_stripped_archive(run: Run, tmp_path: Path) -> None:
    lumps = tmp_path / "a.pak"
    lumps.write_bytes(plain.pak([(f"maps/MAP05/{name}".encode(), data) for name, data in SMALL.items()]))
    assert run("convert", lumps, tmp_path / "a.ewad", "--format", "EWAD").status == 0
    assert run("map", tmp_path / "a.ewad", "--json").json[0]["map"] == "MAP05"
    assert run("convert", tmp_path / "a.ewad", tmp_path / "b.ewad", "--format", "EWAD", "--strip").status == 0
    ran = run("map", tmp_path / "b.ewad")
    assert (ran.status, ran.err.rstrip().partition(": there ")[2]) == (
        1,
        "are no maps in it; it is stripped, and --symbols FILE gives its lumps their names",
    )


def test_a_file_that_cannot_be_read_is_named_once_and_no_other(run: Run, castle: Path) -> None:
    broken = castle.parent / "broken.wad"
    broken.write_bytes(b"PWAD\1\0\0\0\xff\0\0\0")
    for words in ([broken], [castle, "--base", broken], [castle, "--compare", broken]):
        ran = run("map", *words)
        assert ran.status == 3
        assert ran.err.startswith(f"lumpyard: error: {broken}: the directory reaches past the end")
