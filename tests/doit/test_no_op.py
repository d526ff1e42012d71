"""Nothing to do: nothing heavy is imported, no source is opened, nothing is written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import TWO_LINES, Repo

if TYPE_CHECKING:
    from collections.abc import Callable

# "Nothing heavy (yaml, lz4, rich, thread pools) is imported until something must be built"
HEAVY = (
    *("yaml", "lz4", "lz4.block", "rich", "concurrent.futures", "concurrent.futures.thread", "ctypes"),
    *("multiprocessing.pool", "lumpyard_rules", "lumpyard.build.session", "lumpyard.plan", "lumpyard.cli"),
)
IMPORTED = """\
import sys
from doit.doit_cmd import DoitMain
before = set(sys.modules)  # of doit alone
status = DoitMain().run(sys.argv[1:])
print("MODULES", *sorted(set(sys.modules) - before))
raise SystemExit(status)
"""


@pytest.fixture(params=["loader", "dodo.py"])
def built(request: pytest.FixtureRequest, make: Callable[..., Repo]) -> Repo:
    repo = make(dodo="" if request.param == "loader" else TWO_LINES, manifest=MANIFEST)
    repo.write({"assets/json/a.json": b"{}"})
    repo.doit("pack", "ship").ok()
    settle(repo)
    return repo


def settle(repo: Repo) -> None:
    """Run once more: what was touched just before the first look counts as racy, and is read again."""
    while "R" in {state for name, state in repo.states().items() if name.startswith(("pack:", "ship:"))}:
        repo.doit("pack", "ship").ok()
    repo.doit("pack", "ship").ok()  # build/ship.json says that nothing changed


def test_it_imports_nothing_heavy(built: Repo) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTED, "pack", "ship"],
        cwd=built.folder,
        check=True,
        capture_output=True,
        text=True,
    )
    *lines, modules = ran.stdout.splitlines()
    assert all(line.startswith("-- ") for line in lines)
    loaded = set(modules.split())
    assert "lumpyard.build.task" in loaded
    assert loaded.isdisjoint(HEAVY), loaded.intersection(HEAVY)


def test_it_opens_no_source_and_writes_nothing(built: Repo) -> None:
    """ "a no-op reads no contents": the system calls say so."""
    stamps = {path: path.stat().st_mtime_ns for path in built.folder.rglob("*") if path.is_file()}
    del stamps[built.folder / ".lumpyard/doit.db"]  # doit saves each time that groups were run
    trace = built.folder.parent / "trace"
    words = [
        "strace",
        "-f",
        "-qq",
        "-e",
        "trace=openat,open,creat,rename,renameat,renameat2,unlink,link",
        "-o",
    ]
    allowed = (
        shutil.which("strace")
        and not subprocess.run([*words, "/dev/null", "true"], check=False, capture_output=True).returncode
    )
    if not allowed and os.environ.get("CI") != "true":
        pytest.skip("there is no strace that may trace processes here")
    ran = built.start("doit", "pack", "ship", before=[*words, str(trace)]).wait()
    assert ran.status == 0
    assert {line[:3] for line in ran.lines} == {"-- "}
    opened = re.findall(r'\w+\((?:AT_FDCWD|\d+), "([^"]*)", ([A-Z_|]+)', trace.read_text())
    assert opened
    sources = [path for path, how in opened if "assets/" in path and "O_DIRECTORY" not in how]
    assert sources == []
    archives = [path for path, _ in opened if path.endswith((".ewad", ".ewsym"))]
    assert archives == []
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


def test_what_is_only_touched_is_read_once_and_then_no_more(built: Repo) -> None:
    for path in (built.folder / "assets").rglob("*.txt"):
        path.touch()
    assert all(line.startswith("-- ") for line in built.doit("pack", "ship").ok().lines)
    test_it_imports_nothing_heavy(built)


MANIFEST = """\
version: 1
sets:
  texts: {root: assets, files: "texts/*.txt", rule: text, type: TEXT, schema: 2}
  blobs: {root: assets, files: ["blobs/*.bin", "json/*.json"]}
archives:
  base: {sets: [texts]}
  dlc: {sets: [blobs]}
"""
