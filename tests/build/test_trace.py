"""The same laws as in test_crash.py, seen from outside: a whole `lumpyard ship`, doit and its database included.

strace says what the process asks of the system, and kills it there.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.build.test_crash import EDIT, FILES, MANIFEST, SHIPS
from tests.builders.projects import Game, clean_build, leftovers

if TYPE_CHECKING:
    from pathlib import Path

CHANGING = (
    "write,pwrite64,pwritev,fsync,fdatasync,rename,renameat,renameat2,unlink,mkdir,ftruncate,copy_file_range"
)
COMMAND = [sys.executable, "-m", "lumpyard.cli.main", "ship"]
ENVIRON = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "LUMPYARD_WORKERS": "serial"}
CALL = re.compile(r"^\d+ +(\w+)\((.*)$", re.MULTILINE)
PATH = re.compile(r'<(/[^>]*)>|"(/?[^"]*)"')


@pytest.fixture(scope="module", autouse=True)
def strace() -> None:
    if shutil.which("strace") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("strace is not installed")
        pytest.skip("strace is not installed")


@pytest.fixture(scope="module")
def start(module_path: Path) -> Path:
    """A project that was shipped, and edited since."""
    game = Game(module_path / "start", MANIFEST)
    game.write(FILES)
    subprocess.run(COMMAND, cwd=game.folder, env=ENVIRON, check=True, capture_output=True, timeout=100)
    game.write(EDIT)
    return game.folder


class Traced(NamedTuple):
    """A call, and the paths in its arguments, seen from the project folder."""

    name: str
    paths: list[str]


def ship(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = ["strace", "-f", "-y", "-qq", "-s", "0", "-o", f"{folder}/../trace", *options, *COMMAND]
    return subprocess.run(
        command, cwd=folder, env=ENVIRON, capture_output=True, text=True, check=False, timeout=100
    )


def traced(start: Path, folder: Path) -> list[Traced]:
    """What a ship asks of the system that changes something in the project."""
    shutil.copytree(start, folder)
    ran = ship(folder, "-e", f"trace={CHANGING},openat")
    assert (ran.returncode, ran.stderr) == (0, "")
    calls = []
    for name, rest in CALL.findall((folder.parent / "trace").read_text(errors="replace")):
        paths = [left or right for left, right in PATH.findall(rest)]
        inside = [path.removeprefix(f"{folder}/") for path in paths if path]
        if name != "openat" or re.search("O_WRONLY|O_RDWR|O_CREAT", rest):
            calls.append(Traced(name, [path for path in inside if not path.startswith("/")]))
    return [call for call in calls if call.paths]


def test_no_final_file_is_opened_to_be_written_and_each_is_flushed_before_it_gets_its_name(
    start: Path, tmp_path: Path
) -> None:
    last: dict[str, str] = {}  # half-written file -> the last call on it
    renamed = []
    for name, paths in traced(start, tmp_path / "game"):
        path = paths[-1]
        released = path.startswith(("dist/", "symbols/", "archives.lock"))
        if name == "openat" and released:
            assert path.endswith(".lumpyard-tmp"), path
        elif name.startswith("rename") and released:
            renamed.append(path)
            assert last[paths[0]] == "fsync", f"{path} is not flushed before it gets its name"
        elif name in ("fsync", "pwritev", "ftruncate", "copy_file_range", "write"):
            last[path] = name
    assert renamed == [
        "symbols/base.ewsym", "dist/base.ewad", "archives.lock",
        "symbols/deep/extra.ewsym", "dist/deep/extra.ewad", "archives.lock",
    ]  # fmt: skip


def test_a_process_that_is_killed_anywhere_leaves_old_or_new_and_the_next_is_right(
    start: Path, tmp_path: Path
) -> None:
    """Ten points of some hundreds, of every kind of call; doit's own writes to its database are among them."""
    wanted = clean_build(start, tmp_path / "clean", *SHIPS)
    old = Game(start, MANIFEST).outputs()
    calls = [call.name for call in traced(start, tmp_path / "traced")]
    rng = random.Random(1)
    kinds = sorted(set(calls) - {"openat"})
    points = [(name, rng.randint(1, calls.count(name))) for name in (kinds * 10)[:10]]
    found = []
    for number, (name, when) in enumerate(points):
        folder = tmp_path / f"game-{number}"
        shutil.copytree(start, folder)
        killed = ship(folder, "-e", f"trace={name}", "-e", f"inject={name}:signal=KILL:when={when}")
        assert killed.returncode in (-9, 137), f"{name} {when}: {killed.returncode} {killed.stderr}"
        made = Game(folder, MANIFEST).outputs()
        mixed = [path for path in made if path != "archives.lock" and not path.endswith(".lumpyard-tmp")]
        found += [
            f"{name} {when}: {path}" for path in mixed if made[path] not in (old.get(path), wanted[path])
        ]
        again = subprocess.run(COMMAND, cwd=folder, env=ENVIRON, capture_output=True, text=True, check=False)
        made = {path: data for path, data in Game(folder, MANIFEST).outputs().items() if "build/" not in path}
        if (again.returncode, made) != (0, wanted):
            found.append(f"{name} {when}: the next ends with {again.returncode}: {again.stderr}")
        found += [f"{name} {when}: {path} is left" for path in leftovers(folder)]
    assert found == []
