"""docs/vfs.md says what is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.builders.mounts import make_ewad, make_mpq, make_wad, write_tree

from lumpyard.vfs import NAME_RULES
from lumpyard.vfs.explaining import RULES

PAGE = (Path(__file__).parents[2] / "docs" / "vfs.md").read_text("utf-8")
MAP = [(name, b"0123456789") for name in ("MAP01", "THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS")]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the examples read."""
    monkeypatch.chdir(tmp_path)
    write_tree(
        ".",
        [
            ("assets/scripts/main.lua", b"print 'hello'\n"),
            ("vendor/freedoom2.wad", make_wad([*MAP, ("WALL1", b"x")], b"IWAD")),
            ("vendor/base.mpq", make_mpq([("Units/Footman.mdx", b"MDLX and more")])),
            ("vendor/maps.mpq", make_mpq([("maps/inner.mpq", make_mpq([("walls/WALL2", b"y")]))])),
            ("build/base.ewad", make_ewad([("textures/a.png", b"picture")])),
        ],
    )


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_first_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    found: dict[str, object] = {}
    exec(blocks("python")[0], found)
    assert found["text"] == b"print 'hello'\n"
    assert found["magic"] == b"MDLX"
    assert found["first"] == b"0123456789"
    assert found["walls"] == ["WALL1", "walls/WALL2"]
    assert "source='assets/scripts/main.lua'" in capsys.readouterr().out


def test_the_example_of_fsspec_runs() -> None:
    found: dict[str, object] = {}
    exec(blocks("python")[1], found)
    assert found["data"] == b"picture"
    assert found["names"] == sorted(f"MAP01/{name}" for name, _ in MAP)


def test_the_table_of_names_is_the_one_of_the_code() -> None:
    said = {}
    for cells in re.findall(r"^\| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$", PAGE, re.MULTILINE):
        for kind in cells[0].split(", "):
            said[kind] = cells[1:]
    for kind, rule in NAME_RULES.items():
        assert said[kind] == (
            "does not count" if rule.fold else "counts",
            "yes" if rule.slashes else "no",
            rule.reason,
        )


def test_the_rules_of_order_are_told_as_they_are_printed() -> None:
    text = " ".join(PAGE.split())
    assert f"**{RULES['stated'][0].upper()}{RULES['stated'][1:]}.**" in text
    assert RULES["archives first"] in text
