"""build/ship.json is of the last run that was to ship, or it is not there: an old "ok" would mislead a CI."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import LOADER, MANIFEST, TWO_LINES, Repo, SlowTool

if TYPE_CHECKING:
    from pathlib import Path

REPORT = "build/ship.json"
BROKEN = "import nonsense.of.mine\n" + TWO_LINES
IN_CIRCLES = (
    TWO_LINES
    + """
def task_a():
    return {"actions": [], "task_dep": ["b", "ship"]}

def task_b():
    return {"actions": [], "task_dep": ["a"]}
"""
)
OTHER_DATABASE = TWO_LINES + 'DOIT_CONFIG = {**DOIT_CONFIG, "dep_file": "assets.yaml"}\n'
OTHER_REPORTER = TWO_LINES + 'DOIT_CONFIG = {**DOIT_CONFIG, "reporter": "console"}\n'
WAITING = """
def task_wait():
    return {"actions": ["echo waiting; exec sleep 120"], "task_dep": ["ship"], "verbosity": 2}
"""

WAITING_BETWEEN = """
def task_wait():
    return {"actions": ["echo waiting; exec sleep 120"], "verbosity": 2}
"""
GATE = """
def task_gate():
    return {"actions": ["until test -e dist/quick.ewad; do sleep 0.01; done"]}
"""
BREAKING = """
class Break(Exception):
    def __str__(self):
        raise KeyError("broken")

def broken():
    raise Break

def task_breaks():
    return {"actions": [], "uptodate": [broken], "task_dep": ["ship:base"]}
"""


def shipped(folder: Path, *, dodo: str = TWO_LINES, pyproject: str | None = None) -> Repo:
    """A project that was shipped and tells so."""
    repo = Repo(folder, dodo=dodo, pyproject=pyproject)
    assert repo.doit("ship").status == 0
    assert repo.json(REPORT)["result"] == "ok"
    return repo


@pytest.mark.parametrize("loader", [None, LOADER], ids=["two lines", "loader"])
@pytest.mark.parametrize(
    ("dodo", "words"),
    [
        (BROKEN, ["ship"]),
        (BROKEN, ["-n", "2", "ship:base"]),
        (BROKEN, ["run", "--continue", "ship"]),
        ("def broken(:\n", ["ship"]),
        (IN_CIRCLES, ["a", "ship"]),
        (OTHER_DATABASE, ["ship"]),
        (TWO_LINES, ["ship", "nonsense"]),
        (TWO_LINES, ["ship:nonsense"]),
        (TWO_LINES, ["--nonsense", "ship"]),
        (TWO_LINES, ["-f", "nonsense.py", "ship"]),
    ],
)
def test_a_run_that_doit_refuses_leaves_no_report_of_an_earlier_one(
    tmp_path: Path, loader: str | None, dodo: str, words: list[str]
) -> None:
    repo = shipped(tmp_path / "game", pyproject=loader)
    repo.write({"dodo.py": dodo.encode()})
    assert repo.doit(*words).status == 3
    assert not repo.exists(REPORT)
    repo.write({"dodo.py": TWO_LINES.encode()})
    repo.doit("ship").ok()
    assert repo.json(REPORT)["result"] == "ok"


@pytest.mark.parametrize("words", [[], ["nonsense"], ["base"]])
def test_lumpyard_ship_leaves_none_either(tmp_path: Path, words: list[str]) -> None:
    repo = shipped(tmp_path / "game")
    repo.write({"dodo.py": BROKEN.encode()})
    assert repo.lumpyard("ship", *words).status == 2
    assert not repo.exists(REPORT)


def test_an_archive_that_is_not_there_leaves_none(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "game")
    repo.lumpyard("ship").ok()
    assert repo.lumpyard("ship", "nonsense").status == 2
    assert not repo.exists(REPORT)


def test_from_a_folder_below(tmp_path: Path) -> None:
    repo = shipped(tmp_path / "game")
    repo.write({"dodo.py": BROKEN.encode()})
    assert repo.doit("-k", "ship", below="assets").status == 3
    assert not repo.exists(REPORT)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "list",
        "info ship:base",
        "clean --dry-run ship",
        "help ship",
        "forget ship",
        "pack",
        "list nonsense",
    ],
)
def test_what_ships_nothing_leaves_the_report(tmp_path: Path, command: str) -> None:
    repo = shipped(tmp_path / "game")
    before = repo.read(REPORT)
    repo.doit(*command.split())
    repo.write({"dodo.py": BROKEN.encode()})
    assert repo.doit(*command.split()).status == 3
    assert repo.read(REPORT) == before


def test_reports_of_others_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "other"
    (folder / "build").mkdir(parents=True)
    (folder / REPORT).write_text("{}")
    repo = Repo(folder, dodo=BROKEN)
    assert repo.doit("ship").status == 3
    assert repo.read(REPORT) == b"{}"


def test_with_a_reporter_of_others_the_report_is_of_each_run_too(tmp_path: Path) -> None:
    repo = shipped(tmp_path / "game", dodo=OTHER_REPORTER)
    assert [one["changed"] for one in repo.json(REPORT)["archives"]] == [True, True]
    repo.doit("ship").ok()
    assert [one["changed"] for one in repo.json(REPORT)["archives"]] == [False, False]
    assert repo.doit("ship", "nonsense").status == 3
    assert not repo.exists(REPORT)


@pytest.mark.parametrize(
    "options",
    [(), ("-n", "2"), ("-n", "2", "-P", "process")],
    ids=["one by one", "threads", "processes"],
)
def test_a_run_that_was_killed_leaves_none(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Also where some of its archives were done: that they are well says nothing of the others."""
    tool = SlowTool(tmp_path / "tool")
    tool.let_go()
    manifest = tool.manifest().replace('texts/*.txt"', 'texts/*.txt"\n    after: [gate]')
    repo = Repo(tmp_path / "game", dodo=TWO_LINES + GATE, manifest=manifest)
    repo.doit("ship:quick", "ship:slow").ok()
    tool = SlowTool(tmp_path / "tool")
    tool.started.unlink()
    repo.write({"assets/texts/a.txt": b"new"})
    (repo.folder / "dist" / "quick.ewad").unlink()
    run = repo.start("doit", "run", *options, "ship:quick", "ship:slow")
    tool.wait_until_it_runs()
    while not run.first_line().startswith("ship:quick: dist/quick.ewad"):
        pass
    run.signal(signal.SIGKILL, group=True)
    run.wait()
    tool.let_go()  # nobody is left to end it
    assert not repo.exists(REPORT)


@pytest.mark.parametrize("config", ["", 'DOIT_CONFIG = {**DOIT_CONFIG, "reporter": "console"}\n'])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_ends_between_two_archives_does_not_tell_of_the_first_as_of_all(
    tmp_path: Path, config: str, number: int
) -> None:
    """ "ok" is said of what a run was to make, not of what it has made so far."""
    repo = shipped(tmp_path / "game", dodo=TWO_LINES + config + WAITING_BETWEEN)
    repo.write({"assets/texts/a.txt": b"new", "assets/blobs/x.bin": b"new"})
    before = repo.read("dist/base.ewad")
    run = repo.start("doit", "ship:base", "wait", "ship:dlc")
    while run.first_line() != "waiting":
        pass
    assert repo.read("dist/base.ewad") != before
    assert not repo.exists(REPORT)
    run.signal(number, group=True)
    assert run.wait().status == -number
    if number == signal.SIGKILL:
        assert not repo.exists(REPORT)
    else:
        assert repo.json(REPORT)["result"] == "failed"


@pytest.mark.parametrize("options", [(), ("-n", "2"), ("-n", "2", "-P", "process")])
def test_a_run_in_which_doit_itself_breaks_leaves_none(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Here while it asks a task of the project whether it is up to date, after the first archive."""
    repo = shipped(tmp_path / "game")
    manifest = MANIFEST.replace('blobs/*.bin"', 'blobs/*.bin", after: [breaks]')
    repo.write({"dodo.py": (TWO_LINES + BREAKING).encode(), "assets.yaml": manifest.encode()})
    repo.write({"assets/texts/a.txt": b"new"})
    assert repo.doit("run", *options, "ship").status not in {0, 1}
    assert repo.json("archives.lock")["archives"]["base"]["raw_size"] == 103
    assert not repo.exists(REPORT)


@pytest.mark.parametrize("options", [(), ("-n", "2"), ("-n", "2", "-P", "process")])
def test_a_ship_that_nobody_named_is_told_of_when_it_is_over(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    dodo = TWO_LINES + '\ndef task_release():\n    return {"actions": [], "task_dep": ["ship"]}\n'
    repo = Repo(tmp_path / "game", dodo=dodo)
    repo.doit("run", *options, "release").ok()
    assert [one["id"] for one in repo.json(REPORT)["archives"]] == ["base", "dlc"]
    repo.write({"dodo.py": (OTHER_REPORTER + dodo.removeprefix(TWO_LINES)).encode()})
    (repo.folder / REPORT).unlink()
    repo.doit("forget", "ship")
    assert repo.doit("release").status == 0
    assert [one["id"] for one in repo.json(REPORT)["archives"]] == ["base", "dlc"]


def test_a_run_that_was_interrupted_after_all_had_their_turn_is_not_told_as_if_it_went_well(
    tmp_path: Path,
) -> None:
    repo = shipped(tmp_path / "game", dodo=TWO_LINES + WAITING)
    run = repo.start("doit", "ship", "wait")
    while run.first_line() != "waiting":
        pass
    run.signal(signal.SIGINT, group=True)
    assert run.wait().status == -signal.SIGINT
    report = repo.json(REPORT)
    assert (report["result"], report["exit_status"]) == ("failed", 130)
