"""A real `doit` in a project folder of its own: what it prints and leaves."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import TWO_LINES, Repo

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Two archives, and a pyproject.toml that names the loader; no dodo.py."""
    return Repo(tmp_path / "game")


@pytest.fixture
def dodo_repo(tmp_path: Path) -> Repo:
    """The same with a dodo.py of two lines."""
    return Repo(tmp_path / "game", dodo=TWO_LINES)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Repo]:
    """A project with another dodo.py, manifest or sources."""
    return lambda **more: Repo(tmp_path / "game", **more)


@pytest.fixture
def unprivileged(tmp_path: Path) -> list[str]:
    """Words before a command, under which the rights of files count: root would have all of them."""
    if os.geteuid() != 0:
        return []
    powers = ",".join(f"-{power}" for power in ("dac_override", "dac_read_search", "fowner"))
    words = ["setpriv", f"--bounding-set={powers}", f"--inh-caps={powers}"]
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    with suppress(OSError):  # root without these powers is refused like anybody
        if subprocess.run([*words, "mkdir", locked / "new"], capture_output=True, check=False).returncode:
            return words
    pytest.skip("root cannot do without its powers here")
