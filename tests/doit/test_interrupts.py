"""Ctrl-C and SIGTERM: state is saved, tools and workers are gone, no traceback; then the next run is right."""

from __future__ import annotations

import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import PATIENCE, TWO_LINES, Repo, Running, SlowTool
from tests.builders.programs import processes_with

if TYPE_CHECKING:
    from pathlib import Path

    from tests.builders.doits import Ran

SIGNALS = [signal.SIGINT, signal.SIGTERM]
HOWS: dict[str, tuple[str, ...]] = {
    "serial": (),
    "threads": ("-n", "2"),
    "processes": ("-n", "2", "-P", "process"),
}


@pytest.fixture
def tool(tmp_path: Path) -> SlowTool:
    return SlowTool(tmp_path / "tool")


def check_end(ran: Ran, number: int, tool: SlowTool) -> None:
    """It ended as by the signal, with one word, and left no process."""
    assert (ran.status, ran.err) == (-number, "interrupted\n")
    assert "Traceback" not in ran.out
    assert processes_with(tool.program) == []


@pytest.mark.parametrize("group", [False, True], ids=["doit alone", "the whole group"])
@pytest.mark.parametrize("workers", ["serial", "fork:2", "threads:2"])
@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("number", SIGNALS, ids=["SIGINT", "SIGTERM"])
def test_a_signal_while_a_tool_runs_ends_all(
    tmp_path: Path, tool: SlowTool, number: int, how: str, workers: str, group: bool
) -> None:
    repo = Repo(tmp_path / "game", manifest=tool.manifest())
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    run = repo.start("doit", *HOWS[how], "pack:quick", "ship", LUMPYARD_WORKERS=workers, TMPDIR=str(scratch))
    tool.wait_until_it_runs()
    run.signal(number, group=group)
    check_end(run.wait(), number, tool)
    assert list(scratch.iterdir()) == []
    assert not repo.exists("dist/slow.ewad")
    assert repo.leftovers() == []
    report = repo.json("build/ship.json")
    assert (report["result"], report["problems"]) == ("failed", [{"message": "interrupted"}])
    assert report["exit_status"] in {130, 143}
    tool.let_go()
    if how == "serial":  # else doit may not have heard yet that it was done
        assert repo.states()["pack:quick"] == "U"  # what was done before is saved
    assert repo.doit("ship").ok().lines[-1].startswith("ship:slow: dist/slow.ewad")
    assert repo.json("build/ship.json")["result"] == "ok"
    assert repo.doit("ship").ok().lines == ["-- ship:quick", "-- ship:slow"]


@pytest.mark.parametrize("workers", ["serial", "fork:2", "threads:2"])
def test_a_signal_while_lumps_are_packed_leaves_the_old_archive(tmp_path: Path, workers: str) -> None:
    """A rule of the project's own that takes its time stands for a large build."""
    repo = Repo(tmp_path / "game", manifest=SLOW_RULE)
    repo.write({"tools/slow.py": RULE.encode()})
    repo.doit("ship").ok()
    before = {path: repo.read(path) for path in ("dist/base.ewad", "archives.lock", "symbols/base.ewsym")}
    repo.write({"assets/texts/a.txt": b"wait"})
    run = repo.start("doit", "ship", LUMPYARD_WORKERS=workers, SLOW_RULE=str(tmp_path / "rule"))
    wait_for(tmp_path / "rule")
    run.signal(signal.SIGINT)
    ran = run.wait()
    assert (ran.status, ran.err) == (-signal.SIGINT, "interrupted\n")
    assert "Traceback" not in ran.out
    assert {path: repo.read(path) for path in before} == before
    assert repo.leftovers() == []
    assert processes_with(str(repo.folder)) == []
    assert repo.doit("verify").ok()
    ran = repo.doit("ship").ok()
    assert ran.lines[-1].endswith("2 lumps, 1 made anew")
    assert repo.leftovers() == []


def test_a_killed_run_leaves_nothing_that_hinders_the_next(tmp_path: Path) -> None:
    """SIGKILL: no state is saved, and half-written files stay until the next build sweeps them."""
    repo = Repo(tmp_path / "game", manifest=SLOW_RULE)
    repo.write({"tools/slow.py": RULE.encode(), "assets/texts/a.txt": b"wait"})
    run = repo.start("doit", "ship", LUMPYARD_WORKERS="serial", SLOW_RULE=str(tmp_path / "rule"))
    wait_for(tmp_path / "rule")
    run.signal(signal.SIGKILL)
    assert run.wait().status == -signal.SIGKILL
    assert repo.leftovers() != []
    repo.doit("ship").ok()
    assert repo.leftovers() == []
    assert repo.doit("ship").ok().lines == ["-- ship:base"]


@pytest.mark.parametrize("number", SIGNALS, ids=["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("config", ["", 'DOIT_CONFIG = {"num_process": 2, "par_type": "process"}\n'])
def test_lumpyard_ship_ends_with_130_or_143(tmp_path: Path, tool: SlowTool, number: int, config: str) -> None:
    repo = Repo(tmp_path / "game", dodo=TWO_LINES + config, manifest=tool.manifest())
    run = repo.start("lumpyard", "ship", LUMPYARD_WORKERS="threads:2")
    tool.wait_until_it_runs()
    run.signal(number)
    ran = run.wait()
    assert ran.status == 128 + number
    assert "Traceback" not in ran.out + ran.err
    assert processes_with(tool.program) == []
    tool.let_go()
    assert repo.lumpyard("ship").status == 0


def test_a_signal_while_tasks_of_ones_own_run_is_quiet_too(tmp_path: Path) -> None:
    started = tmp_path / "started"
    dodo = f'\ndef task_play():\n    return {{"actions": ["touch {started}; exec sleep 600"]}}\n'
    repo = Repo(tmp_path / "game", dodo=TWO_LINES + dodo)
    run = repo.start("doit", "pack", "play")
    wait_for(started)
    run.signal(signal.SIGINT, group=True)
    ran = run.wait()
    assert (ran.status, ran.err) == (-signal.SIGINT, "interrupted\n")
    assert repo.states()["pack:base"] == "U"


IMPORTS = """
import os, signal, sys
from importlib.abc import MetaPathFinder

FIRST = {"lumpyard", "lumpyard.doit_plugin", "lumpyard.doit_plugin.interrupts", "lumpyard.doit_plugin.loader"}
AT, *sys.argv[1:] = sys.argv[1:]

class Signal(MetaPathFinder):
    seen = 0

    def find_spec(self, name, path, target=None):
        self.seen += name.startswith("lumpyard.") and name not in FIRST
        if self.seen == int(AT):
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, finder := Signal())
from doit.__main__ import main
try:
    main()
finally:
    print(finder.seen)
"""


@pytest.mark.parametrize("dodo", ["", TWO_LINES], ids=["loader", "dodo.py"])
def test_ctrl_c_while_we_are_loaded_is_quiet_too(tmp_path: Path, dodo: str) -> None:
    """What doit itself loads before, nobody but doit can speak for."""
    repo = Repo(tmp_path / "game", dodo=dodo)

    def load(at: int) -> Ran:
        return Running(repo.folder, [sys.executable, "-c", IMPORTS, str(at), "list"], {}).wait()

    repo.doit("list").ok()  # which makes the database
    imports = int(load(-1).ok().lines[-1])
    assert imports > 30
    for at in [1, 2, *range(3, imports, 9), imports]:
        ran = load(at)
        assert (at, ran.status, ran.err) == (at, -signal.SIGINT, "interrupted\n")


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


SLOW_RULE = """\
version: 1
rules: [tools/slow.py]
sets: {texts: {root: assets, files: "texts/*.txt", rule: slow}}
archives: {base: {sets: [texts]}}
"""
RULE = """\
import os, pathlib, time
from lumpyard.rule import Product, Rule

def cook(sources, options):
    data = sources[0].data
    if data == b"wait" and "SLOW_RULE" in os.environ:
        pathlib.Path(os.environ["SLOW_RULE"]).touch()
        while True:
            time.sleep(0.01)
    yield Product(data)

RULE = Rule(kind="slow", version=1, cook=cook)
"""
