"""One build at a time per project: a second one waits and says who holds the lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import Repo, SlowTool

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tool(tmp_path: Path) -> SlowTool:
    return SlowTool(tmp_path / "tool")


@pytest.fixture
def repo(tmp_path: Path, tool: SlowTool) -> Repo:
    return Repo(tmp_path / "game", manifest=tool.manifest())


def test_the_second_waits_says_for_whom_and_finds_the_work_done(repo: Repo, tool: SlowTool) -> None:
    first = repo.start("doit", "ship:slow")
    tool.wait_until_it_runs()
    second = repo.start("doit", "ship:slow")
    line = second.first_line()
    number = first.process.pid
    assert line == (
        f".lumpyard/lock: warning[W0502]: lumpyard ship:slow, process {number} builds here; waiting until it is done"
    )
    tool.let_go()
    first.wait().ok()
    assert second.wait().ok().lines == ["ship:slow: dist/slow.ewad is as it was"]
    assert repo.doit("ship:slow").ok().lines == ["-- ship:slow"]


def test_with_lumpyard_wait_0_it_fails_at_once(repo: Repo, tool: SlowTool) -> None:
    first = repo.start("doit", "ship:slow")
    tool.wait_until_it_runs()
    second = repo.doit("ship:quick", LUMPYARD_WAIT="0")
    assert (second.status, second.err) == (1, "")
    holder = f"lumpyard ship:slow, process {first.process.pid}"
    assert f"lumpyard: error: cannot lock .lumpyard/lock: it is held by {holder}" in second.lines
    third = repo.lumpyard("ship", "quick", LUMPYARD_WAIT="0")
    assert third.status == 5
    tool.let_go()
    first.wait().ok()


def test_commands_that_only_look_wait_for_nobody(repo: Repo, tool: SlowTool) -> None:
    first = repo.start("doit", "ship:slow")
    tool.wait_until_it_runs()
    for command in ("list --all --status", "info ship:quick", "clean --dry-run"):
        ran = repo.doit(*command.split(), LUMPYARD_WAIT="0")
        assert ran.err == ""
    assert "never built" in repo.doit("info", "ship:quick").out
    repo.lumpyard("plan").ok()
    tool.let_go()
    first.wait().ok()


@pytest.mark.parametrize("how", [("-n", "2"), ("-n", "2", "-P", "process")], ids=["threads", "processes"])
def test_tasks_of_one_doit_do_not_wait_for_each_other_in_public(
    repo: Repo, tool: SlowTool, how: tuple[str, ...]
) -> None:
    tool.let_go()
    ran = repo.doit("run", *how, "pack", "ship", LUMPYARD_WAIT="0").ok()
    assert "warning" not in ran.out


def test_many_at_once_all_come_to_the_same(repo: Repo, tool: SlowTool) -> None:
    tool.let_go()
    runs = [repo.start("doit", *task) for task in (["ship"], ["pack"], ["-n", "2", "ship"], ["ship", "pack"])]
    assert [run.wait().status for run in runs] == [0, 0, 0, 0]
    outputs = [repo.read(path) for path in OUTPUTS]
    assert sorted(repo.json("archives.lock")["archives"]) == ["quick", "slow"]
    assert repo.leftovers() == []
    clean = Repo(repo.folder.parent / "clean", manifest=tool.manifest())
    clean.doit("ship", "pack").ok()
    assert [clean.read(path) for path in OUTPUTS] == outputs


OUTPUTS = ("dist/quick.ewad", "dist/slow.ewad", "build/slow.ewad", "archives.lock", "symbols/slow.ewsym")
