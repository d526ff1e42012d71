"""What earlier ships left of archives that the manifest has no more, or has elsewhere.

`dist/` holds only what players get, so a file that nobody makes any more is worth a word. Nothing is removed: it may be
the one copy of a release.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.build.lockfile import LOCK, load_lock, lock_mode
from lumpyard.errors import DiskError, Place, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.build.project import Project
    from lumpyard.build.record import Record

_SUFFIX = ".rec"


def iter_gone(project: Project) -> Iterator[Problem]:
    """A warning for each archive that a full ship finds left in dist/, or in the lock where that is not written."""
    known = project.manifest.archives
    if not project.shipped.issuperset(known):
        return
    gone = [archive_id for archive_id in _recorded(project) if archive_id not in known]
    if gone:
        yield from _iter_left(project, gone)
    if lock_mode(project) == "write":
        return  # it has dropped them
    for archive_id in sorted(load_lock(project).archives.keys() - known.keys()):
        message = f"still has archive {archive_id}, which the manifest does not"
        yield Problem(Place(LOCK), "W0505", message, f"`doit ship` drops it; then commit {LOCK}")


def _iter_left(project: Project, gone: list[str]) -> Iterator[Problem]:
    from lumpyard.build.record import load_record  # noqa: PLC0415 - not for no-ops

    made = {project.output(archive_id, "ship") for archive_id in project.manifest.archives}
    for archive_id in gone:
        record = load_record(project.record_path(archive_id, "ship"))
        if record is not None and record.path not in made and _is_as_left(project, record):
            yield Problem(
                Place(record.path),
                "W0504",
                f"the manifest has no archive {archive_id} any more, but what it made is still there",
                "remove it and its symbols, or players get it too",
            )


def moved(project: Project, record: Record | None, path: str) -> Problem | None:
    """The warning where an archive is now written elsewhere and what it was lies where it lay."""
    if record is None or record.path == path or not _is_as_left(project, record):
        return None
    return Problem(
        Place(record.path),
        "W0504",
        f"this archive is now written to {path}, but what it was is still there",
        "remove it and its symbols, or players get it too",
    )


def _recorded(project: Project) -> list[str]:
    """Archives that ships of this folder have recorded."""
    with suppress(DiskError):
        names = disk.iter_files(project.own("built/ship"))
        return sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))
    return []


def _is_as_left(project: Project, record: Record) -> bool:
    """Whether a file is the one that a ship has written."""
    with suppress(DiskError):
        stat = disk.stat_file(project.real(record.path))
        return stat is not None and tuple(stat) == tuple(record.stat)
    return False
