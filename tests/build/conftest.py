"""Folders for whole builds: in memory where that can be, since each ship waits for the device several times."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY = "/dev/shm"


@pytest.fixture(scope="module")
def module_path() -> Iterator[Path]:
    """A folder for the tests of a module."""
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        yield Path(folder)


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder for one test."""
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        yield Path(folder)
