"""What judges need more than once in a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import packages
from tests.cli.conftest import run

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["run"]


@pytest.fixture(scope="session")
def fetched(request: pytest.FixtureRequest) -> dict[str, Path]:
    """Packages with WADs, by name; kept in pytest's cache folder (`.pytest_cache`)."""
    cache = request.config.cache
    assert cache is not None
    return packages.fetched(cache.mkdir("packages"))
