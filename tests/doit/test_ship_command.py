"""`lumpyard ship` runs the tasks of `doit ship`, dodo.py and all, and gives our exit status."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import MANIFEST, TWO_LINES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.builders.doits import Ran, Repo

    Make = Callable[..., Repo]


@pytest.fixture(params=["", TWO_LINES], ids=["no dodo.py", "dodo.py"])
def repo(request: pytest.FixtureRequest, make: Make) -> Repo:
    return make(dodo=request.param)


def check(ran: Ran, status: int, *texts: str) -> None:
    assert ran.status == status, ran
    assert "Traceback" not in ran.out + ran.err
    for text in texts:
        assert text in ran.out + ran.err


def test_0_when_all_is_shipped_and_when_it_was(repo: Repo) -> None:
    assert repo.lumpyard("ship").ok().lines[-1].startswith("ship:dlc: dist/dlc.ewad")
    assert repo.lumpyard("ship").ok().lines == ["-- ship:base", "-- ship:dlc"]
    assert repo.doit("ship").ok().lines == ["-- ship:base", "-- ship:dlc"]
    assert repo.lumpyard("ship", "dlc").ok().lines == ["-- ship:dlc"]


def test_2_for_the_command_line_and_the_manifest(repo: Repo) -> None:
    check(repo.lumpyard("ship", "bas"), 2, "lumpyard: error: ", "'bas'", "did you mean 'base'?")
    check(repo.lumpyard("ship", "-m", "other.yaml"), 2, "other.yaml")
    repo.write({"assets.yaml": MANIFEST.replace("schema", "shema").encode()})
    for archives in ((), ("base",), ("nothing",)):
        ran = repo.lumpyard("ship", *archives)
        check(ran, 2, "assets.yaml:3:", "error[E0120]", "did you mean 'schema'?")
    assert repo.json("build/ship.json")["exit_status"] == 2


def test_5_for_what_the_file_system_refuses(repo: Repo) -> None:
    (repo.folder / "dist" / "base.ewad").mkdir(parents=True)
    ran = repo.lumpyard("ship")
    check(ran, 5, "lumpyard: error: ", "dist/base.ewad")
    assert repo.exists("dist/dlc.ewad")
    assert repo.json("build/ship.json")["exit_status"] == 5


def test_6_for_what_does_not_cook_and_the_highest_of_several(repo: Repo) -> None:
    repo.write({"assets.yaml": MANIFEST.replace("rule: text, ", "rule: json, ").encode()})
    check(repo.lumpyard("ship"), 6, "assets/texts/a.txt:1:1: error[", "ship:base: failed")
    assert repo.exists("dist/dlc.ewad")
    (repo.folder / "dist" / "dlc.ewad").unlink()
    (repo.folder / "dist" / "dlc.ewad").mkdir()
    ran = repo.lumpyard("ship")
    check(ran, 6, "assets/texts/a.txt:1:1: error[", "dist/dlc.ewad")
    assert repo.json("build/ship.json")["exit_status"] == 6


def test_7_when_the_lock_differs_and_then_nothing_is_written_below_dist(repo: Repo) -> None:
    check(repo.lumpyard("ship", LUMPYARD_LOCK="check"), 7, "archives.lock")
    assert not repo.exists("dist/base.ewad")
    repo.lumpyard("ship").ok()
    repo.lumpyard("ship", LUMPYARD_LOCK="check").ok()
    before = repo.read("dist/base.ewad")
    repo.write({"assets/texts/a.txt": b"other"})
    ran = repo.lumpyard("ship", LUMPYARD_LOCK="check")
    check(ran, 7, "archives.lock differs: ", "texts/a.txt")
    assert repo.read("dist/base.ewad") == before
    check(repo.doit("ship", LUMPYARD_LOCK="check"), 1, "archives.lock differs: ", "texts/a.txt")
    assert repo.json("build/ship.json")["exit_status"] == 7


def test_a_word_that_lumpyard_lock_does_not_take_is_refused(repo: Repo) -> None:
    check(
        repo.lumpyard("ship", LUMPYARD_LOCK="chekc"),
        2,
        "LUMPYARD_LOCK is 'chekc'; it takes write, report or check",
    )
    check(repo.lumpyard("ship", LUMPYARD_WORKERS="lots"), 2, "LUMPYARD_WORKERS is 'lots'")


@pytest.mark.parametrize(
    ("dodo", "text"),
    [
        (TWO_LINES + "print(nothing)\n", "dodo.py:3: NameError: name 'nothing' is not defined"),
        (TWO_LINES + "def task_x(:\n", "dodo.py:3: SyntaxError: "),
        (TWO_LINES + "import json\njson.loads('[')\n", "dodo.py:4: JSONDecodeError: "),
        (TWO_LINES + "def task_x():\n    return {'actions': 3}\n", "Task 'x' attribute 'actions' must be"),
        (TWO_LINES + "def task_x():\n    return 1 / 0\n", "dodo.py:4: ZeroDivisionError: division by zero"),
        (TWO_LINES + "DOIT_CONFIG = {**DOIT_CONFIG, 'reporter': 'x'}\n", ""),
    ],
)
def test_a_mistake_in_a_dodo_file_is_one_line(make: Make, dodo: str, text: str) -> None:
    ran = make(dodo=dodo).lumpyard("ship")
    if text:
        check(ran, 2, f"lumpyard: error: {text}")
        assert (ran.out, ran.err.count("\n")) == ("", 1)
    assert "Traceback" not in ran.err


def test_tasks_that_fail_before_ours_are_6(make: Make) -> None:
    dodo = TWO_LINES + '\ndef task_gen():\n    return {"actions": ["echo broken >&2; false"]}\n'
    manifest = MANIFEST.replace('"texts/*.txt",', '"texts/*.txt", after: [gen],')
    repo = make(dodo=dodo, manifest=manifest)
    ran = repo.lumpyard("ship")
    check(ran, 6, "taskid:gen", "ship:base: not done, because of gen")
    assert repo.exists("dist/dlc.ewad")
    assert not repo.exists("dist/base.ewad")


@pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
def test_a_reader_that_goes_away_stops_no_ship(repo: Repo) -> None:
    run = repo.start("lumpyard", "ship")
    assert run.process.stdout is not None
    run.process.stdout.close()
    run.process.wait(timeout=120)
    assert repo.exists("dist/dlc.ewad")
    assert run.process.stderr is not None
    assert run.process.stderr.read() == b""
    run.process.stderr.close()


def test_what_went_wrong_is_on_standard_error_and_what_was_done_is_not(repo: Repo) -> None:
    """ "Errors go to stderr", as of all commands; doit has all in one place."""
    manifest = MANIFEST.replace("rule: text, ", "rule: json, ")
    repo.write({"assets.yaml": manifest.encode()})
    ran = repo.lumpyard("ship")
    assert ran.err.startswith("ship:base: failed\n\nassets/texts/a.txt:1:1: error[")
    assert ran.err.endswith("ship: not complete, because of ship:base\n")
    assert ran.lines[-1].startswith("ship:dlc: dist/dlc.ewad")
    assert "error" not in ran.out
    repo.write({"assets.yaml": MANIFEST.replace("schema", "shema").encode()})
    ran = repo.lumpyard("ship")
    assert ran.out == ""
    assert "assets.yaml:3:" in ran.err
    ran = repo.doit("ship")
    assert ran.err == ""
    assert "assets.yaml:3:" in ran.out


def test_failures_of_a_projects_own_tasks_are_on_standard_error_too(make: Make) -> None:
    dodo = (
        TWO_LINES
        + """
def task_gen_texts():
    return {"actions": ["echo it went wrong >&2; exit 3"]}
"""
    )
    after = MANIFEST.replace("rule: text, ", "rule: text, after: gen_texts, ", 1)
    ran = make(dodo=dodo, manifest=after).lumpyard("ship")
    assert "gen_texts" in ran.err
    assert "returned 3" in ran.err
    assert "returned 3" not in ran.out
