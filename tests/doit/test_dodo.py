"""In a dodo.py of people's own there are other tasks, another DOIT_CONFIG, and sources that tasks generate."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import TWO_LINES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.builders.doits import Repo

    Make = Callable[..., Repo]

OWN_TASK = '''
def task_hello():
    """greet"""
    return {"actions": ["echo hello from the shell"], "verbosity": 2}
'''

GENERATED = """\
version: 1
sets:
  texts: {root: assets, files: "texts/*.txt", rule: text}
  tables: {files: "gen/*.bin", after: [tables]}
archives:
  base: {sets: [texts]}
  gen: {sets: [texts, tables]}
"""
GENERATOR = '''
import pathlib

def generate():
    """One table for each line of the list."""
    pathlib.Path("gen").mkdir(exist_ok=True)
    for name in pathlib.Path("tables.lst").read_text().split():
        pathlib.Path(f"gen/{name}.bin").write_bytes(name.encode() * 100)

def task_tables():
    """generate the tables"""
    return {"actions": [generate], "file_dep": ["tables.lst"]}
'''


@pytest.mark.parametrize("dodo", ["", TWO_LINES], ids=["loader", "two lines"])
def test_the_first_run_sees_what_a_task_generates_and_an_edit_of_its_input_ships_anew(
    make: Make, dodo: str
) -> None:
    """`after` names become `task_dep`s of every task that uses the set: "doit runs them first and the plan sees"."""
    repo = make(dodo=dodo + GENERATOR, manifest=GENERATED, pyproject=None if dodo else LOADER)
    repo.write({"tables.lst": b"one two"})
    assert repo.doit("ship").ok().lines[3:5] == [".  tables", "ship:gen: pack 4 lumps, 840 B"]
    names = [lump["name"] for lump in listed(repo)]
    assert names == ["gen/one.bin", "gen/two.bin", "texts/a.txt", "texts/b.txt"]
    assert repo.doit("ship").ok().lines == ["-- ship:base", "-- tables", "-- ship:gen"]
    repo.write({"tables.lst": b"one two three"})
    ran = repo.doit("ship").ok()
    assert ran.lines[:2] == ["-- ship:base", ".  tables"]
    assert ran.lines[-1].endswith("5 lumps, 1 made anew")
    assert "gen/three.bin" in [lump["name"] for lump in listed(repo)]
    ran = repo.lumpyard("ship", "gen").ok()
    assert ran.lines == ["-- tables", "-- ship:gen"]
    repo.write({"tables.lst": b"one two three four"})
    assert repo.lumpyard("ship", "gen").ok().lines[-1].endswith("6 lumps, 1 made anew")


def listed(repo: Repo) -> list[dict[str, str]]:
    ran = repo.lumpyard("ls", "--json", "--symbols", "symbols/gen.ewsym", "dist/gen.ewad").ok()
    return sorted(json.loads(ran.out), key=lambda lump: str(lump["name"]))


@pytest.mark.parametrize("how", [["-n", "2"], ["-n", "2", "-P", "process"]], ids=["threads", "processes"])
def test_generated_sources_are_awaited_also_by_tasks_that_run_beside_each_other(
    make: Make, how: list[str]
) -> None:
    repo = make(dodo=TWO_LINES + GENERATOR, manifest=GENERATED)
    repo.write({"tables.lst": b"one"})
    repo.doit("run", *how, "pack", "ship").ok()
    assert len(listed(repo)) == 3
    assert repo.states()["ship:gen"] == "U"


def test_an_after_that_names_no_task_is_doits_error(make: Make) -> None:
    repo = make(dodo=TWO_LINES, manifest=GENERATED)
    ran = repo.doit("ship")
    assert ran.status == 3
    assert "Task dependency 'tables' does not exist" in ran.err
    assert "Traceback" not in ran.err
    ran = repo.lumpyard("ship")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("lumpyard: error: ")
    assert ran.err.endswith(":gen. Task dependency 'tables' does not exist.\n")


@pytest.mark.parametrize(
    "config",
    [
        'DOIT_CONFIG = {**DOIT_CONFIG, "default_tasks": ["ship"], "verbosity": 2}',
        'DOIT_CONFIG = {**DOIT_CONFIG, "default_tasks": ["ship"], "num_process": 2}',
        'DOIT_CONFIG = {**DOIT_CONFIG, "default_tasks": ["ship"], "reporter": "executed-only"}',
        'DOIT_CONFIG = {"default_tasks": ["ship"]}',
        'DOIT_CONFIG = {"default_tasks": ["ship"], "backend": "json", "reporter": "json"}',
        'DOIT_CONFIG = {"default_tasks": ["ship"], "backend": "dbm", "reporter": "zero"}',
        'DOIT_CONFIG = {"default_tasks": ["ship"], "num_process": 2, "par_type": "process", "reporter": "error-only"}',
        'DOIT_CONFIG = {"default_tasks": ["ship"], "num_process": 2, "par_type": "thread", "backend": "sqlite3"}',
    ],
)
def test_a_doit_config_of_ones_own_builds_right(make: Make, config: str) -> None:
    """Merged, or in place of ours: "still builds right, on any backend, reporter or par_type"."""
    repo = make(dodo=TWO_LINES + OWN_TASK + config + "\n")
    assert repo.doit().status == 0
    first = {path: repo.read(path) for path in ("dist/base.ewad", "dist/dlc.ewad", "archives.lock")}
    assert repo.states() | {"ship:base": "U", "ship:dlc": "U"} == repo.states()
    assert repo.doit("hello").status == 0
    repo.write({"assets/blobs/x.bin": b"other"})
    assert repo.states()["ship:dlc"] == "R"
    assert repo.doit().status == 0
    assert repo.read("dist/base.ewad") == first["dist/base.ewad"]
    assert repo.read("dist/dlc.ewad") != first["dist/dlc.ewad"]
    assert repo.states()["ship:dlc"] == "U"
    assert repo.json("build/ship.json")["result"] == "ok"


@pytest.mark.parametrize("reporter", ["console", "executed-only", "json", "zero", "error-only", "lumpyard"])
def test_under_any_reporter_a_failure_fails_without_a_traceback(make: Make, reporter: str) -> None:
    repo = make(dodo=TWO_LINES + f'DOIT_CONFIG = {{"reporter": "{reporter}"}}\n', manifest=BROKEN)
    repo.write({"assets/json/a.json": b"{]"})
    ran = repo.doit("ship")
    assert ran.status == 1
    assert "Traceback" not in ran.out + ran.err
    if reporter != "zero":
        assert "assets/json/a.json:1:2: error[E" in ran.out
    assert not repo.exists("dist/base.ewad")
    report = repo.json("build/ship.json")
    assert (report["result"], report["exit_status"]) == ("failed", 6)
    repo.write({"assets/json/a.json": b"{}"})
    assert repo.doit("ship").status == 0
    assert repo.json("build/ship.json")["result"] == "ok"


def test_with_dbm_all_states_are_kept(make: Make) -> None:
    repo = make(dodo=TWO_LINES + 'DOIT_CONFIG = {"backend": "dbm", "dep_file": "state"}\n')
    assert repo.doit("pack", "ship").status == 0
    states = repo.states()
    assert [states[name] for name in ("pack:base", "pack:dlc", "ship:base", "ship:dlc")] == ["U"] * 4


def test_own_tasks_run_beside_ours_and_may_depend_on_them(make: Make) -> None:
    dodo = (
        OWN_TASK
        + TWO_LINES
        + """
def task_sums():
    return {"actions": ["cksum dist/*.ewad > sums"], "file_dep": ["dist/base.ewad", "dist/dlc.ewad"],
            "targets": ["sums"]}

def task_play():
    return {"actions": ["test -e build/base.ewad"], "task_dep": ["pack"]}
"""
    )
    repo = make(dodo=dodo)
    assert "hello from the shell" in repo.doit("hello").ok().lines
    assert repo.doit("sums").ok().lines[-1] == ".  sums"  # doit finds who makes its dependencies
    assert sorted(repo.doit("sums").ok().lines) == ["-- ship:base", "-- ship:dlc", "-- sums"]
    first = repo.read("sums")
    repo.write({"assets/texts/new.txt": b"new"})
    assert repo.doit("sums").ok().lines[-1] == ".  sums"
    assert repo.read("sums") != first
    assert repo.doit("play").ok().lines[-1] == ".  play"


@pytest.mark.parametrize("dodo", ["", TWO_LINES], ids=["loader", "two lines"])
def test_a_task_of_ones_own_may_take_the_name_of_one_of_ours(make: Make, dodo: str) -> None:
    own = '\ndef task_pack():\n    return {"actions": ["echo mine"], "verbosity": 2}\n'
    repo = make(dodo=dodo + own, pyproject=None if dodo else LOADER)
    assert repo.doit().ok().lines == [".  pack", "mine"]
    assert repo.doit("ship").ok().lines[-1].startswith("ship:dlc: dist/dlc.ewad")
    assert not repo.exists("build/base.ewad")


def test_a_name_that_two_tasks_have_is_doits_error(make: Make) -> None:
    clash = '\ndef task_more():\n    yield {"basename": "ship:base", "actions": ["true"]}\n'
    ran = make(dodo=TWO_LINES + clash).doit("ship")
    assert (ran.status, ran.out) == (3, "")
    assert "Task names must be unique. ship:base" in ran.err
    assert "Traceback" not in ran.err


def test_a_target_that_two_tasks_have_is_doits_error(make: Make) -> None:
    clash = '\ndef task_more():\n    return {"targets": ["dist/base.ewad"], "actions": ["true"]}\n'
    ran = make(dodo=TWO_LINES + clash).doit("ship")
    assert (ran.status, ran.out) == (3, "")
    assert "'dist/base.ewad' is a target for" in ran.err


def test_two_manifests_of_one_repository_have_tasks_of_their_own(make: Make) -> None:
    """`asset_tasks` gives a dict like any other: a dodo.py may rename what is in it."""
    dodo = """\
from lumpyard.doit_plugin import asset_tasks
globals().update(asset_tasks("assets.yaml"))
for name, value in asset_tasks("tools/more.yaml").items():
    if name.startswith("task_"):
        globals()[name + "_more"] = value
"""
    repo = make(dodo=dodo)
    repo.write({"tools/more.yaml": MORE.encode(), "tools/art/x.bin": b"x"})
    assert repo.doit("ship", "ship_more").ok().lines[-1].startswith("ship:more: tools/dist/more.ewad")
    assert repo.doit("ship", "ship_more").ok().lines == ["-- ship:base", "-- ship:dlc", "-- ship_more:more"]
    assert {path.name for path in (repo.folder / "dist").iterdir()} == {"base.ewad", "dlc.ewad"}


LOADER = '[tool.doit]\nloader = "lumpyard"\n'
MORE = 'version: 1\nsets: {art: {files: "art/*"}}\narchives: {more: {sets: [art]}}\n'
BROKEN = 'version: 1\nsets: {json: {root: assets, files: "json/*"}}\narchives: {base: {sets: [json]}}\n'


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_worker_processes_may_be_started_anew(make: Make, method: str) -> None:
    """As on macOS and Windows, and everywhere from Python 3.14 on."""
    start = f"import multiprocessing\nmultiprocessing.set_start_method({method!r}, force=True)\n"
    repo = make(dodo=start + TWO_LINES)
    assert repo.doit("-n", "2", "-P", "process", "pack", "ship").status == 0
    assert repo.states() | {"ship:base": "U", "pack:dlc": "U"} == repo.states()
    assert [each["id"] for each in repo.json("build/ship.json")["archives"]] == ["base", "dlc"]
    repo.write({"assets.yaml": b"version: 1\nsetz: {}\n"})
    ran = repo.doit("-n", "2", "-P", "process", "ship")
    assert ran.status == 1
    assert "did you mean 'sets'?" in ran.out
