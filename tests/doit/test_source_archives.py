"""Archives as sources and as outputs under a real `doit`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.builders import plain
from tests.builders.doits import Repo

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = """\
version: 1
mounts: [vendor/base.pak]
sets:
  texts: {files: "texts/*.txt", rule: text}
  maps: {files: "maps/*.wad", rule: archive, name: "{lump}"}
archives:
  base: {sets: texts}
  mod: {sets: maps, format: PWAD}
"""
LEVEL = [(b"MAP01", b""), (b"THINGS", b"things"), (b"LINEDEFS", b"lines")]
HEAVY = ("lumpyard.archives", "lumpyard.plan", "lumpyard.build.session", "lumpyard.vfs", "lz4", "yaml")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    files = {
        "vendor/base.pak": plain.pak([(b"texts/a.txt", b"of a pak\n"), (b"texts/b.txt", b"too\n")]),
        "maps/one.wad": plain.wad(LEVEL),
        "texts/c.txt": b"a file\n",
    }
    repo = Repo(tmp_path / "game", manifest=MANIFEST, files=files)
    repo.doit("pack", "ship").ok()
    return repo


def settle(repo: Repo) -> None:
    """Until nothing counts as racy any more."""
    while "R" in {state for name, state in repo.states().items() if name.startswith(("pack:", "ship:"))}:
        repo.doit("pack", "ship").ok()


def test_the_archives_are_there_and_verify(repo: Repo) -> None:
    assert (repo.folder / "dist/mod.wad").read_bytes() == plain.wad(LEVEL)
    assert (repo.folder / "build/mod.wad").read_bytes() == plain.wad(LEVEL)
    assert repo.doit("verify").ok().lines == [
        "verify:base: dist/base.ewad is whole",
        "verify:mod: dist/mod.wad is whole",
    ]


def test_a_change_of_an_archive_is_told_by_its_lumps(repo: Repo) -> None:
    settle(repo)
    lumps = [(b"texts/a.txt", b"changed\n"), (b"texts/b.txt", b"too\n")]
    (repo.folder / "vendor/base.pak").write_bytes(plain.pak(lumps))
    assert "texts/a.txt changed" in repo.doit("info", "ship:base").out
    ran = repo.doit("ship").ok()
    assert any(line.endswith("3 lumps, 1 made anew") for line in ran.lines), ran
    assert repo.doit("clean", "ship").ok()
    assert not (repo.folder / "dist/mod.wad").exists()


def test_a_no_op_imports_nothing_that_reads_archives(repo: Repo) -> None:
    settle(repo)
    command = [sys.executable, "-X", "importtime", "-m", "doit", "ship"]
    ran = subprocess.run(command, cwd=repo.folder, capture_output=True, text=True, timeout=120, check=True)
    imported = set(re.findall(r"\| +([\w.]+)$", ran.stderr, re.MULTILINE))
    assert "lumpyard.build.sources.tree" in imported
    assert not {name for name in imported if name.startswith(HEAVY)}


def test_a_no_op_opens_no_archive(repo: Repo) -> None:
    """ "of source archives only the directory", and of those that are as they were not even that."""
    settle(repo)
    trace = repo.folder.parent / "trace"
    words = ["strace", "-f", "-qq", "-e", "trace=openat,open", "-o"]
    allowed = (
        shutil.which("strace")
        and not subprocess.run([*words, "/dev/null", "true"], check=False, capture_output=True).returncode
    )
    if not allowed and os.environ.get("CI") != "true":
        pytest.skip("there is no strace that may trace processes here")
    ran = repo.start("doit", "ship", before=[*words, str(trace)]).wait()
    assert {line[:3] for line in ran.lines} == {"-- "}
    assert "assets.yaml" in trace.read_text()
    assert not re.search(r"base\.pak|one\.wad", trace.read_text())
