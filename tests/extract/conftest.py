"""A folder to extract to, and both ways of going down in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lumpyard.disk import below

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(params=["from open folders", "by whole paths"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of going down to a file: POSIX's and the one for systems without it."""
    monkeypatch.setattr(below, "FROM_OPEN_FOLDERS", request.param == "from open folders")
