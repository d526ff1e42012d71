"""`doit report` tells how large the archives are that were built last; `doit ship` holds them to their budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import MANIFEST, TWO_LINES, Repo

if TYPE_CHECKING:
    from pathlib import Path

BUDGET = "budgets:\n  - {archive: base, set: texts, size: 10}\n"


@pytest.fixture(params=["loader", "dodo.py"])
def repo(request: pytest.FixtureRequest, tmp_path: Path) -> Repo:
    return Repo(tmp_path / "game", dodo=TWO_LINES) if request.param == "dodo.py" else Repo(tmp_path / "game")


def test_a_report_builds_nothing_and_tells_of_what_was_built(repo: Repo) -> None:
    ran = repo.doit("report")
    assert (ran.status, ran.err) == (1, "")
    assert "nothing was built yet of base, dlc" in ran.out
    assert not repo.exists("build/base.ewad")
    repo.doit().ok()
    assert repo.doit("report").ok().lines[0].startswith("build/base.ewad: ")
    repo.doit("ship:base").ok()
    lines = repo.doit("report").ok().lines
    assert lines[:2] == [
        f"dist/base.ewad: {len(repo.read('dist/base.ewad')):,} bytes, EWAD, 2 lumps",
        "  it is the release in archives.lock",
    ]
    assert any(line.startswith("build/dlc.ewad: ") for line in lines)
    assert not repo.exists("dist/dlc.ewad")


def test_a_release_over_budget_fails_its_task_at_the_place_of_the_budget(repo: Repo) -> None:
    repo.doit("ship").ok()
    before = {path: repo.read(path) for path in ("dist/base.ewad", "symbols/base.ewsym", "archives.lock")}
    repo.write({"assets.yaml": (MANIFEST + BUDGET).encode(), "assets/texts/a.txt": b"longer " * 99})
    ran = repo.doit("ship:base")
    assert (ran.status, ran.err) == (1, "")
    assert "ship:base: failed" in ran.out
    assert "assets.yaml:9:39: error[E0801]: set texts in archive base has" in ran.out
    assert "  9 |   - {archive: base, set: texts, size: 10}" in ran.out
    assert "largest: texts/" in ran.out
    assert {path: repo.read(path) for path in before} == before
    report = repo.json("build/ship.json")
    assert (report["result"], report["exit_status"], report["archives"]) == ("failed", 1, [])
    assert report["problems"][0]["code"] == "E0801"
    repo.doit().ok()  # development goes on


def test_a_task_of_the_project_s_own_takes_its_place(tmp_path: Path) -> None:
    own = '\ndef task_report():\n    return {"actions": [lambda: print("mine")], "verbosity": 2}\n'
    repo = Repo(tmp_path / "game", dodo=TWO_LINES + own)
    assert repo.doit("report").ok().lines == [".  report", "mine"]
