"""A store's folder, and what it warns of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return f"{tmp_path}/project/.lumpyard/store"


@pytest.fixture
def warnings() -> list[str]:
    return []
