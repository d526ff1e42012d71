"""File systems that are soon full."""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def small_file_system(folder: Path, mebibytes: int) -> Iterator[None]:
    """A file system at a new folder; where nothing can be mounted the test is skipped, in CI it fails."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "none", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        if os.environ.get("CI") == "true":
            pytest.fail("no file system can be mounted here")
        pytest.skip("no file system can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)
