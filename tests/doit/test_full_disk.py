"""A disk without any room: one line says so, whatever is written in vain, and what was there stays."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import TWO_LINES, Repo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OUTPUTS = ("dist/base.ewad", "dist/dlc.ewad", "symbols/base.ewsym", "archives.lock")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Repo]:
    """A project on a file system of 2 MiB that was shipped."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        if os.environ.get("CI") == "true":
            pytest.fail("no file system can be mounted here")
        pytest.skip("no file system can be mounted here")
    try:
        repo = Repo(folder / "game", dodo=TWO_LINES)
        repo.doit("ship").ok()
        yield repo
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(repo: Repo) -> None:
    with suppress(OSError), open(repo.folder / "ballast", "wb", buffering=0) as ballast:
        while True:
            ballast.write(b"x" * 4096)


@pytest.mark.parametrize("command", [("doit", "ship"), ("lumpyard", "ship"), ("doit", "-n", "2", "ship")])
def test_a_disk_without_any_room_is_told_in_words(small: Repo, command: tuple[str, ...]) -> None:
    before = {path: small.read(path) for path in OUTPUTS}
    small.write({"assets/texts/a.txt": b"changed"})
    fill(small)
    ran = small.start(*command).wait()
    assert ran.status == (5 if command[0] == "lumpyard" else 1), ran
    assert "No space left on device" in ran.out
    for word in ("Traceback", "internal error"):
        assert word not in ran.out + ran.err
    assert {path: small.read(path) for path in OUTPUTS} == before
    (small.folder / "ballast").unlink()
    small.doit("ship").ok()
    assert small.states() | {"ship:base": "U", "ship:dlc": "U"} == small.states()
