"""A manifest with problems still loads: the tasks that need it fail with them, and all else works."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import MANIFEST, TWO_LINES, Repo

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = {
    "mistakes": (
        MANIFEST.replace('files: "blobs/*.bin"', "filez: 3").replace("schema: 2", "schema: two"),
        ["assets.yaml:3:", "assets.yaml:4:", "did you mean 'files'?"],
    ),
    "no YAML": ("version: 1\nsets: [\n", ["assets.yaml:"]),
    "no text": ("\x00\x01", ["assets.yaml"]),
    "nothing": ("", ["assets.yaml"]),
}
OTHER = '\ndef task_other():\n    return {"actions": [lambda: print("other ran")], "verbosity": 2}\n'


@pytest.fixture(params=["loader", "dodo.py"])
def repo(request: pytest.FixtureRequest, tmp_path: Path) -> Repo:
    if request.param == "loader":
        return Repo(tmp_path / "game")
    return Repo(tmp_path / "game", dodo=TWO_LINES + OTHER)


@pytest.mark.parametrize("broken", BROKEN)
def test_all_problems_are_told_and_nothing_else_is_harmed(repo: Repo, broken: str) -> None:
    repo.doit("ship").ok()
    before = {path: repo.read(path) for path in ("dist/base.ewad", "dist/dlc.ewad", "archives.lock")}
    manifest, expected = BROKEN[broken]
    repo.write({"assets.yaml": manifest.encode()})
    for task in ("", "ship", "verify", "report", "ship:base", "pack:dlc"):
        ran = repo.doit(*task.split())
        assert (ran.status, ran.err) == (1, ""), task
        assert [text for text in expected if text not in ran.out] == [], task
        assert "Traceback" not in ran.out
        assert ran.lines[0] == f"{task or 'pack'}: failed"
    report = repo.json("build/ship.json")
    assert (report["result"], report["exit_status"], report["archives"]) == ("failed", 2, [])
    assert {problem["path"] for problem in report["problems"]} == {"assets.yaml"}
    names = [line.split()[0] for line in repo.doit("list").ok().lines]
    assert names == ["other", "pack", "report", "ship", "verify"][-len(names) :]
    if len(names) == 5:
        assert repo.doit("other").ok().lines == [".  other", "other ran"]
    for command in ("list --all --status", "clean", "clean ship", "forget", "forget ship"):
        repo.doit(*command.split()).ok()
    assert {path: repo.read(path) for path in before} == before
    repo.write({"assets.yaml": MANIFEST.encode()})
    repo.doit("ship").ok()
    assert {path: repo.read(path) for path in before} == before


def test_what_only_the_file_system_shows_fails_its_archive_alone(tmp_path: Path) -> None:
    """A pattern that matches nothing is known when the archive's files are listed, and not before."""
    manifest = MANIFEST.replace("texts/*.txt", "text/*.txt")
    repo = Repo(tmp_path / "game", manifest=manifest)
    ran = repo.doit("run", "--continue", "ship:base", "ship:dlc")
    assert (ran.status, ran.err) == (1, "")
    assert "assets.yaml:3:32: error[E02" in ran.out
    assert "text/*.txt" in ran.out
    assert repo.exists("dist/dlc.ewad")
    assert repo.json("build/ship.json")["exit_status"] == 2
    info = repo.doit("info", "ship:base")
    assert (info.status, info.err) == (1, "")
    assert "never built" in info.out


def test_the_tasks_of_a_project_without_a_manifest_say_how_to_get_one(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "game")
    (repo.folder / "assets.yaml").unlink()
    ran = repo.doit("ship")
    assert (ran.status, ran.err) == (1, "")
    assert "there is no such manifest" in ran.out
    assert "`lumpyard init` makes one" in ran.out


def test_warnings_are_told_beside_the_work(tmp_path: Path) -> None:
    manifest = MANIFEST.replace('"texts/*.txt"', '["texts/*.txt", "!texts/*.wip.txt"]')
    ran = Repo(tmp_path / "game", manifest=manifest).doit("ship").ok()
    assert [line for line in ran.lines if "warning[W" in line and "wip" in line]
    assert ran.lines[-1].startswith("ship:dlc: dist/dlc.ewad")


def test_an_archive_of_nothing_is_built_without_odd_lines(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "game", manifest=MANIFEST.replace('"blobs/*.bin"', '"none/*", optional: true'))
    lines = repo.doit("ship").ok().lines
    assert [line for line in lines if "ship:dlc" in line] == [
        "ship:dlc: verify 64 B",
        "ship:dlc: dist/dlc.ewad, 64 B: no lumps",
    ]


def test_a_manifest_in_a_subfolder_shows_its_lines_too(tmp_path: Path) -> None:
    """Paths are as seen from the project folder, wherever doit runs."""
    repo = Repo(tmp_path / "top" / "game", manifest=BROKEN["mistakes"][0])
    top = Repo(
        tmp_path / "top", dodo=TWO_LINES.replace("assets.yaml", "game/assets.yaml"), manifest="", files={}
    )
    ran = top.doit("ship")
    assert ran.status == 1
    assert "assets.yaml:4:" in ran.out
    assert "  4 |   blobs: {root: assets, filez: 3}" in ran.lines
    assert repo.json("build/ship.json")["exit_status"] == 2
    assert not top.exists("build")


@pytest.mark.parametrize("options", [(), ("-n", "2", "-P", "process"), ("--continue",)])
def test_the_report_tells_of_a_release_that_never_had_its_turn(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    """A report of an earlier run that stays would say that all went well."""
    failing = '\ndef task_gen_texts():\n    return {"actions": ["false"]}\n'
    repo = Repo(tmp_path / "game", dodo=TWO_LINES)
    repo.doit("ship").ok()
    after = MANIFEST.replace("rule: text, ", "rule: text, after: gen_texts, ", 1)
    assert after != MANIFEST
    repo.write({"dodo.py": (TWO_LINES + failing).encode(), "assets.yaml": after.encode()})
    assert repo.doit("run", *options, "ship").status in (1, 2)
    report = repo.json("build/ship.json")
    assert (report["result"], report["exit_status"]) == ("failed", 6)
    assert {"message": "ship:base: not done, because of gen_texts"} in report["problems"]
    assert repo.lumpyard("ship").status == 6
    report = repo.json("build/ship.json")
    assert (report["result"], report["exit_status"]) == ("failed", 6)
    repo.write({"dodo.py": TWO_LINES.encode(), "assets.yaml": MANIFEST.encode()})
    repo.doit("ship").ok()
    assert repo.json("build/ship.json")["result"] == "ok"


@pytest.mark.parametrize("options", [(), ("-n", "2", "-P", "process")], ids=["alone", "processes"])
def test_a_report_that_cannot_be_written_is_told_by_the_tasks_alone(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    repo = Repo(tmp_path / "game", dodo=TWO_LINES)
    repo.write({"build": b"a file"})
    ran = repo.doit("run", "--continue", *options, "ship")
    line = "lumpyard: error: cannot write build/ship.json: "
    assert ran.status in (1, 2)
    assert (ran.out.count(line), ran.err) == (2, ""), ran  # once for each archive


def test_where_no_task_can_tell_of_it_a_line_does(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "game", dodo=TWO_LINES)
    repo.doit("ship").ok()
    shutil.rmtree(repo.folder / "build")
    repo.write({"build": b"a file"})
    ran = repo.doit("ship")
    assert ran.lines == ["-- ship:base", "-- ship:dlc"]
    assert ran.err.startswith("lumpyard: error: cannot write build/ship.json: ")
    assert len(ran.err.splitlines()) == 1
    again = repo.lumpyard("ship")
    assert (again.status, again.out, again.err) == (5, ran.out, ran.err)
