"""The project's archives.lock on disk, and what LUMPYARD_LOCK says is to be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.build.variables import variable
from lumpyard.lock import Lock, drop_blocks, parse_lock, render_lock

if TYPE_CHECKING:
    from lumpyard.build.project import Project

LOCK = "archives.lock"


def lock_mode(project: Project) -> str:
    """What LUMPYARD_LOCK says; UsageError where it says something else."""
    return variable(project.environ, "LUMPYARD_LOCK")


def load_lock(project: Project) -> Lock:
    """The project's archives.lock, or an empty one; ProblemsError where it is not one."""
    data = disk.read_if_there(project.real(LOCK))
    return Lock() if data is None else parse_lock(data, LOCK)


def drop_gone(project: Project) -> None:
    """After a full ship, drop the blocks of archives that the manifest no longer has.

    The last task of a ship does so too; but under `doit -n 2 -P process` none of them knows of all others.
    """
    known = project.manifest.archives
    if lock_mode(project) != "write" or not project.shipped.issuperset(known):
        return
    if load_lock(project).archives.keys() <= known.keys():
        return
    with project.locked("lumpyard ship", lambda _: None):
        lock = drop_blocks(load_lock(project), known)
        disk.write_if_changed(project.real(LOCK), render_lock(lock))
