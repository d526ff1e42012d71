"""A world with a tool, and a folder for temporary files that must be empty at the end."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

import pytest
from tests.builders.programs import a_tool
from tests.builders.world import MemoryWorld
from tests.cooking.tools import FILES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def scratch_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The system's folder for temporary files, for this test alone; empty again at its end."""
    folder = tmp_path / "system"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def world(tmp_path: Path) -> MemoryWorld:
    """A world with the files and a tool `cooker`, whose program each test writes."""
    return MemoryWorld(FILES, tools={"cooker": a_tool("bin/cooker")}, root=str(tmp_path))
