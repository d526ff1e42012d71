"""`lumpyard report`: sizes of what was built, for people, programs, pull requests and browsers; budgets in `check`."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.builders.projects import Game

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

MANIFEST = {
    "sets": {"texts": {"files": "texts/**", "rule": "raw"}, "data": {"files": "data/**", "compress": "none"}},
    "archives": {"base": {"sets": ["texts", "data"]}, "more": {"sets": "texts"}},
}
FILES = {
    "texts/<b>|`.txt": b"text " * 300,
    "texts/sub/two.txt": b"text " * 300,
    "data/d.bin": bytes(range(200)),
}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    made = Game(tmp_path / "game", MANIFEST, **FILES)
    monkeypatch.chdir(made.folder)
    return made


def test_without_a_build_there_is_nothing_to_report(run: Run, game: Game) -> None:
    ran = run("report")
    assert (ran.status, ran.out) == (1, "")
    assert (
        ran.err == "lumpyard: error: nothing was built yet of base, more; `doit ship` or `doit` builds it\n"
    )


def test_the_tables_add_up_as_a_reader_adds_them(run: Run, game: Game) -> None:
    game.ship()
    ran = run("report", "base")
    assert (ran.status, ran.err) == (0, "")
    size = len(game.read("dist/base.ewad"))
    assert ran.out.startswith(
        f"dist/base.ewad: {size:,} bytes, EWAD, 3 lumps\n  it is the release in archives.lock\n"
    )
    tables = re.findall(r"^  (?:set|folder) .*\n((?:  .*\n)+)", ran.out, re.MULTILINE)
    assert len(tables) == 2
    for table in tables:
        rows = [line.split() for line in table.splitlines()]
        in_file = [int(cells[-2].replace(",", "")) for cells in rows]
        assert sum(in_file[:-1]) == in_file[-1] == size
        assert (rows[-1][0], rows[-1][-1]) == ("file", "100.0%")
    assert "compression saves" in ran.out
    assert "duplicates: 1 lump more than once" in ran.out


def test_one_archive_may_be_missing(run: Run, game: Game) -> None:
    game.ship()
    ran = run("report")
    assert ran.status == 0
    assert "more was never built" in ran.out


def test_json_markdown_and_a_page(run: Run, game: Game, tmp_path: Path) -> None:
    game.run("ship:base", "ship:more")
    data = run("report", "--json").json
    assert data["size"] == sum(archive["size"] for archive in data["archives"])
    for archive in data["archives"]:
        assert sum(row["bytes"] for row in archive["rows"]) == archive["size"]
    assert data["duplicates"][0]["lumps"][0] == {"archive": "base", "name": "texts/<b>|`.txt"}
    markdown = run("report", "--markdown").out
    assert markdown.startswith("### `dist/base.ewad`: ")
    assert r"`` texts/<b>\|`.txt ``" in markdown
    ran = run("report", "--html", tmp_path / "r.html")
    assert (ran.status, ran.out) == (0, "")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "texts/&lt;b&gt;|`.txt" in page
    assert "<b>" not in page


def test_a_page_takes_no_archives_place(run: Run, game: Game) -> None:
    game.ship()
    shipped = game.folder / "dist/base.ewad"
    before = shipped.read_bytes()
    assert run("report", "--html", shipped).status == 5
    assert shipped.read_bytes() == before


def test_growth_since_another_release(run: Run, game: Game, tmp_path: Path) -> None:
    game.ship()
    shutil.copytree(game.folder, tmp_path / "released")
    game.write({"data/new.bin": b"n" * 64})
    game.ship()
    assert "it is the release in archives.lock" in run("report", "base").out
    ran = run("report", "--since", tmp_path / "released", "base")
    assert re.search(r"^  \+\d+ bytes \(\+[\d.]+%\) since the release", ran.out, re.MULTILINE)
    assert re.search(r"^  data/new\.bin +\+64  new$", ran.out, re.MULTILINE)
    assert run("report", "--since", tmp_path / "nowhere").status == 5


def test_an_archive_that_is_not_there_is_a_slip(run: Run, game: Game) -> None:
    ran = run("report", "bse")
    assert (ran.status, ran.err) == (
        2,
        "lumpyard: error: the manifest has no archive 'bse'; did you mean 'base'?\n",
    )


def test_check_tells_what_is_over_budget_as_it_was_built_last(run: Run, game: Game) -> None:
    game.set_manifest({**MANIFEST, "budgets": [{"archive": "base", "set": "data", "size": 150}]})
    assert run("check").status == 0  # nothing was built
    game.pack()
    ran = run("check")
    assert (ran.status, ran.out) == (1, "5 lumps of 2 archives checked\n")
    first, *rest = ran.err.splitlines()
    assert first.endswith("error[E0801]: set data in archive base has 200 bytes, 50 over the budget of 150")
    assert rest[0] == "  largest: data/d.bin (200)"
    assert any("^" in line for line in rest)
    assert [problem["code"] for problem in run("check", "--json").json] == ["E0801"]
    ran = run("ship", "base")
    assert ran.status == 1
    assert not (game.folder / "dist/base.ewad").exists()


def test_check_tells_of_budgets_that_count_nothing_before_a_build(run: Run, game: Game) -> None:
    idle = [{"lumps": "texts/*.md", "size": 1}, {"set": "data", "archive": "base", "type": "MUSC", "size": 1}]
    game.set_manifest({**MANIFEST, "budgets": [*idle, {"set": "texts", "size": 90000}, {"size": 90000}]})
    assert run("check", "base").status == 0  # of one archive alone nobody knows
    found = run("check", "--json")
    assert found.status == 1
    assert [(problem["code"], problem["message"]) for problem in found.json] == [
        ("W0804", "no lump of archives base, more counts for this budget (texts/*.md)"),
    ]  # of the other one only cooking knows
