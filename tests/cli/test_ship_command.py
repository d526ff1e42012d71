"""`lumpyard ship` in a real process: what `doit ship` does, with our exit status."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    assert run("init", tmp_path / "game").status == 0
    return tmp_path / "game"


def ship(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lumpyard.cli.main", "ship", *argv]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_a_new_project_ships_at_once(run: Run, project: Path) -> None:
    ran = ship(project)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert {path.name for path in (project / "dist").iterdir()} == {"base.ewad"}
    info = run("info", "--json", project / "dist" / "base.ewad").json
    assert (info["lumps"], info["stripped"]) == (5, True)
    symbols = project / "symbols" / "base.ewsym"
    names = run("ls", "--symbols", symbols, project / "dist" / "base.ewad").out.split()
    assert "scripts/main.lua" in names
    before = (project / "dist" / "base.ewad").stat()
    assert ship(project).returncode == 0
    assert (project / "dist" / "base.ewad").stat().st_mtime_ns == before.st_mtime_ns


def test_a_source_that_does_not_cook_is_6_and_keeps_the_old_archive(project: Path) -> None:
    assert ship(project).returncode == 0
    before = (project / "dist" / "base.ewad").read_bytes()
    (project / "assets" / "text" / "en.json").write_text("{]")
    ran = ship(project)
    assert ran.returncode == 6
    assert "assets/text/en.json:1:2: error[" in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stdout + ran.stderr
    assert (project / "dist" / "base.ewad").read_bytes() == before


def test_problems_of_the_manifest_are_2(project: Path) -> None:
    (project / "assets.yaml").write_text("version: 1\nset: {}\n")
    ran = ship(project)
    assert ran.returncode == 2
    assert "assets.yaml:2:1: error[" in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stdout + ran.stderr


def test_an_archive_that_is_not_there_is_2(project: Path) -> None:
    ran = ship(project, "bas")
    assert ran.returncode == 2
    assert "bas" in ran.stderr
    assert "Traceback" not in ran.stdout + ran.stderr


def test_a_manifest_that_is_named_beats_the_one_of_the_dodo_file(project: Path) -> None:
    text = (project / "assets.yaml").read_text()
    (project / "other.yaml").write_text(text.replace("  base:\n", "  other:\n"))
    assert ship(project, "-m", "other.yaml").returncode == 0
    assert {path.name for path in (project / "dist").iterdir()} == {"other.ewad"}
    assert ship(project).returncode == 0
    assert {path.name for path in (project / "dist").iterdir()} == {"other.ewad", "base.ewad"}


def test_a_project_without_a_dodo_file_ships_from_anywhere(project: Path) -> None:
    (project / "dodo.py").unlink()
    assert ship(project.parent, "-m", "game/assets.yaml", "base").returncode == 0
    assert (project / "dist" / "base.ewad").is_file()


def test_plan_says_why_the_next_ship_has_work(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert run("plan", "--ship").out.splitlines()[1] == "  to build: never built"
    assert ship(project).returncode == 0
    assert run("plan", "--ship").out.splitlines()[1] == "  as it was built"
    assert run("plan", "--ship", "--json").json[0]["reasons"] == []
    (project / "assets" / "scripts" / "main.lua").write_text("-- other\n")
    line = run("plan", "--ship").out.splitlines()[1]
    assert line == "  to build: scripts/main.lua changed (going by times; contents not read)"
    assert run("plan", "--ship", "--json").json[0]["reasons"] == ["scripts/main.lua changed"]
    (answer,) = run("why", "--ship", "--json", "scripts/main.lua").json
    assert answer["state"].startswith("changed: ")
    assert answer["stored"]["raw_size"] > 0
    assert run("why", "--ship", "--json", "text/en.json").json[0]["state"] == "as it was built"


def test_why_knows_lumps_whose_names_are_known_after_cooking(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    (project / "split.py").write_text(
        "from lumpyard.rule import Product, Rule\n"
        "def cook(sources, options):\n"
        "    return [Product(b'x', name=f'cut/{word}') for word in sources[0].data.decode().split()]\n"
        "RULE = Rule(kind='split', version=1, cook=cook, products=lambda name, options: None)\n"
    )
    (project / "words.txt").write_text("one two\n")
    sets = "sets: {cut: {files: words.txt, rule: split}}\narchives: {base: {sets: [cut]}}\n"
    (project / "assets.yaml").write_text("version: 1\nrules: [split.py]\n" + sets)
    assert [answer["name"] for answer in run("why", "--ship", "--json", "words.txt").json] == ["words.txt"]
    assert ship(project).returncode == 0
    (answer,) = run("why", "--ship", "--json", "cut/two").json
    assert (answer["name"], answer["state"]) == ("cut/two", "as it was built")
    names = [answer["name"] for answer in run("why", "--ship", "--json", "words.txt").json]
    assert sorted(names) == ["cut/one", "cut/two"]


def test_trim_drops_what_no_plan_uses_first(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    manifest = project / "assets.yaml"
    manifest.write_text(manifest.read_text() + "defaults: {compress: lz4hc}\n")
    (project / "assets" / "scripts" / "main.lua").write_text("-- old old old old old old old old old\n" * 50)
    assert ship(project).returncode == 0
    (project / "assets" / "scripts" / "main.lua").write_text("-- new new new new new new new new new\n" * 50)
    assert ship(project).returncode == 0
    before = run("store", "info", "--json").json
    assert before["records"]["block"] > 1
    assert run("store", "trim", "--max-size", before["size"] - 1).status == 0
    after = run("store", "info", "--json").json
    assert 0 < after["records"]["block"] < before["records"]["block"]
    assert run("plan", "--ship").out.splitlines()[1] == "  as it was built"
    assert run("store", "verify").out.endswith(": ok\n")
