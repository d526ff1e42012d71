"""A disk without any room: one line says so, whatever is written in vain, and what was there stays."""

from __future__ import annotations

import dbm
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from tests.builders.disks import small_file_system
from tests.builders.doits import TWO_LINES, Repo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OUTPUTS = ("dist/base.ewad", "dist/dlc.ewad", "symbols/base.ewsym", "archives.lock")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Repo]:
    """A project on a file system of 2 MiB that was shipped."""
    folder = tmp_path / "small"
    with small_file_system(folder, 2):
        repo = Repo(folder / "game", dodo=TWO_LINES)
        repo.doit("ship").ok()
        yield repo


def fill(repo: Repo) -> None:
    with suppress(OSError), open(repo.folder / "ballast", "wb", buffering=0) as ballast:
        while True:
            ballast.write(b"x" * 4096)


FORGETTING = ("forget ship", "forget --all", "clean --forget ship", "ignore ship:base", "reset-dep")


@pytest.mark.parametrize("command", FORGETTING)
def test_what_cannot_be_forgotten_is_an_error_of_one_line(small: Repo, command: str) -> None:
    fill(small)
    ran = small.doit(*command.split())
    assert ran.status == 3
    assert ran.err == "ERROR: .lumpyard/doit.db cannot be written (database or disk is full)\n"
    (small.folder / "ballast").unlink()
    small.doit(*command.split()).ok()


OTHERS = (
    '{"reporter": "console"}',
    '{"reporter": "console", "backend": "dbm", "dep_file": "own.db"}',
    '{"reporter": "console", "backend": "json", "dep_file": "own.json"}',
)


@pytest.mark.parametrize("config", OTHERS)
def test_with_reporters_and_databases_of_others_one_line_says_so_too(small: Repo, config: str) -> None:
    small.write({"dodo.py": f"{TWO_LINES}DOIT_CONFIG = {{**DOIT_CONFIG, **{config}}}\n".encode()})
    small.doit("list").ok()
    fill(small)
    ran = small.doit("ship")
    assert ran.status in (0, 1), ran  # a task of ours may need more room than there is
    # Berkeley DB, behind ndbm on some systems, may have room in its file, or says so itself and to nobody else.
    is_ndbm = "dbm" in config and dbm.whichdb(str(small.folder / "own.db")) == "dbm.ndbm"
    told = ran.err.count("what this run finds out is not kept\n")
    assert told == 1 or (is_ndbm and not told)
    assert "Traceback" not in ran.out + ran.err


@pytest.mark.parametrize("command", ["list", "ship", "forget ship", "verify"])
def test_where_there_is_no_state_and_no_room_for_any_one_line_says_so(small: Repo, command: str) -> None:
    shutil.rmtree(small.folder / ".lumpyard")
    fill(small)
    ran = small.doit(*command.split())
    # `forget` does nothing but write the database.
    assert ran.status == {"ship": 1, "forget ship": 3}.get(command, 0), ran
    assert "No space left on device" in ran.out or "disk is full" in ran.err
    assert "Traceback" not in ran.out + ran.err


@pytest.mark.parametrize("command", [("doit", "ship"), ("lumpyard", "ship"), ("doit", "-n", "2", "ship")])
def test_a_disk_without_any_room_is_told_in_words(small: Repo, command: tuple[str, ...]) -> None:
    before = {path: small.read(path) for path in OUTPUTS}
    small.write({"assets/texts/a.txt": b"changed"})
    fill(small)
    ran = small.start(*command).wait()
    assert ran.status == (5 if command[0] == "lumpyard" else 1), ran
    assert "No space left on device" in (ran.err if command[0] == "lumpyard" else ran.out)
    for word in ("Traceback", "internal error"):
        assert word not in ran.out + ran.err
    assert {path: small.read(path) for path in OUTPUTS} == before
    (small.folder / "ballast").unlink()
    small.doit("ship").ok()
    assert small.states() | {"ship:base": "U", "ship:dlc": "U"} == small.states()
