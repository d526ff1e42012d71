"""The project's archives.lock on disk, and what LUMPYARD_LOCK says is to be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.errors import UsageError
from lumpyard.lock import Lock, parse_lock

if TYPE_CHECKING:
    from lumpyard.build.project import Project

LOCK = "archives.lock"
MODES = ("write", "report", "check")


def lock_mode(project: Project) -> str:
    """What LUMPYARD_LOCK says; UsageError where it says something else."""
    mode = project.environ.get("LUMPYARD_LOCK") or "write"
    if mode not in MODES:
        raise UsageError(f"LUMPYARD_LOCK is {mode!r}; it takes write, report or check")
    return mode


def load_lock(project: Project) -> Lock:
    """The project's archives.lock, or an empty one; ProblemsError where it is not one."""
    data = disk.read_if_there(project.real(LOCK))
    return Lock() if data is None else parse_lock(data, LOCK)
