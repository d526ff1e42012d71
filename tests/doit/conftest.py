"""A real `doit` in a project folder of its own: what it prints and leaves."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import TWO_LINES, Repo

if TYPE_CHECKING:
    from collections.abc import Callable


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
    base = Path(tempfile.gettempdir())
    for path in (tmp_path, *tmp_path.parents):  # pytest's own folders are for their owner alone
        if base in path.parents:
            path.chmod(0o755)
    words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    tried = subprocess.run([*words, sys.executable, "-c", ""], capture_output=True, check=False)
    if tried.returncode:  # as where it is installed below root's own folder
        pytest.skip("nobody else can run this Python")
    return words
