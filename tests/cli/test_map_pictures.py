"""`lumpyard map -o`: pictures of maps, and the names of their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.map_wads import HOSTILE, SMALL, map_wad

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def test_a_picture_is_drawn(run: Run, castle: Path, tmp_path: Path) -> None:
    for name, start in (("a.svg", b"<svg"), ("a.PNG", b"\x89PNG")):
        out = tmp_path / name
        ran = run(
            "map", castle, "MAP01", "-o", out, "--size", 320, "--layers", "+grid,-things", "--theme", "dark"
        )
        assert ran.status == 0
        assert start in out.read_bytes()[:200]
        assert ran.out.startswith(f"{out}: MAP01, ")


def test_a_picture_of_each_map(run: Run, castle: Path, tmp_path: Path) -> None:
    assert run("map", castle, "-o", tmp_path / "{map}.svg", "--size", 320).status == 0
    assert {path.name for path in tmp_path.glob("*.svg")} == {"MAP01.svg", "MAP02.svg"}
    again = run("map", castle, "MAP02", "-o", tmp_path / "{map}.svg", "--size", 320, "--json").json
    assert again == [{"map": "MAP02", "picture": str(tmp_path / "MAP02.svg")}]


def test_maps_of_one_name_have_pictures_of_two(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "twice.wad"
    path.write_bytes(map_wad({"MAP01": SMALL, b"map01": SMALL}))
    assert run("map", path, "-o", tmp_path / "{map}.svg", "--size", 320).status == 0
    assert {each.name for each in tmp_path.glob("*.svg")} == {"MAP01.svg", "map01~2.svg"}


def test_names_of_maps_do_nothing_to_terminals_files_and_pictures(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "hostile.wad"
    path.write_bytes(map_wad({HOSTILE: SMALL, b"../../x": SMALL, b"CON": SMALL}))
    ran = run("map", path, "--level", "info")
    assert b"\x1b" not in ran.stdout + ran.stderr
    assert "\\x1b[31m\\xff`: Doom format" in ran.out
    folder = tmp_path / "pictures"
    folder.mkdir()
    assert run("map", path, "-o", folder / "{map}.svg", "--size", 320).status == 0
    assert {each.name for each in folder.iterdir()} == {
        "%1B[31m%FF`.svg",
        "%2E%2E%2F%2E%2E%2Fx.svg",
        "%43ON.svg",
    }
    assert all(b"\x1b" not in each.read_bytes() for each in folder.iterdir())
    for words in (["--stats"], ["--json"], ["--format", "github"], ["--format", "sarif"]):
        assert b"\x1b" not in run("map", path, *words).stdout


@pytest.mark.parametrize("compared", [False, True])
def test_reject_from_a_sector_that_is_not_there_is_1_and_draws_nothing(
    run: Run, castle: Path, tmp_path: Path, *, compared: bool
) -> None:
    many = len(SMALL["SECTORS"]) // 26
    more = ["--compare", castle] if compared else []
    pictures = tmp_path / "{map}.svg"
    ran = run("map", castle, *more, "-o", pictures, "--reject-from", many)
    assert (ran.status, ran.out) == (1, "")
    has = f"MAP01 has no such sector; its sectors are 0 to {many - 1}"
    assert ran.err == f"lumpyard: error: --reject-from {many}: {has}\n"
    assert list(tmp_path.glob("*.svg")) == []
    assert run("map", castle, *more, "-o", pictures, "--reject-from", many - 1).status == 0
    assert len(list(tmp_path.glob("*.svg"))) == 2
