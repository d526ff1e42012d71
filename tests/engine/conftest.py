"""The engine, compiled once a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.engine import Engine, compiled

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """A program that knows EWAD from its specification alone."""
    folder: Path = tmp_path_factory.mktemp("engine")
    return compiled(folder)
