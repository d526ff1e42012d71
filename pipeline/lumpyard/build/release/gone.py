"""What earlier ships left of archives that the manifest has no more, or has elsewhere.

`dist/` holds only what players get, so a file that nobody makes any more is worth a word. Nothing is removed: it may be
the one copy of a release.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.build.release.lockfile import LOCK, load_lock, lock_mode
from lumpyard.build.statefile import load_state, save_state
from lumpyard.errors import DiskError, Place, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.build.earlier.record import Record
    from lumpyard.build.project import Project

_SUFFIX = ".rec"
_MOVED = "built/moved"  # what archives were that are now written elsewhere
_MAGIC = b"lumpyard moved 1\n"


def iter_gone(project: Project) -> Iterator[Problem]:
    """A warning for each archive that ships find left in dist/, or in the lock where that is not written.

    Of an archive that the manifest has no more a full ship tells; of one that is now written elsewhere each of its own.
    """
    yield from _iter_moved(project)
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
    from lumpyard.build.earlier.record import load_record  # noqa: PLC0415 - not for no-ops

    made = {project.output(archive_id, "ship") for archive_id in project.manifest.archives}
    for archive_id in gone:
        record = load_record(project.record_path(archive_id, "ship"))
        if record is not None and record.path not in made and _is_as_left(project, record.path, record.stat):
            message = f"the manifest has no archive {archive_id} any more, but what it made is still there"
            yield _left(record.path, message)


def keep_moved(project: Project, archive_id: str, record: Record | None, path: str) -> None:
    """Remember what an archive was, where it is now to be written elsewhere and its file lies where it lay."""
    if record is None or record.path == path or not _is_as_left(project, record.path, record.stat):
        return
    with project.guard:
        others = [
            left
            for left in _load_moved(project)
            if left[1] != record.path and _is_as_left(project, *left[1:])
        ]
        save_state(project.own(_MOVED), _MAGIC, ((*others, (archive_id, record.path, tuple(record.stat))),))


def _iter_moved(project: Project) -> Iterator[Problem]:
    known = project.manifest.archives
    made = {project.output(archive_id, "ship") for archive_id in known}
    for archive_id, path, stat in _load_moved(project):
        if path in made or not _is_as_left(project, path, stat):
            continue
        if archive_id in project.shipped and archive_id in known:
            now = project.output(archive_id, "ship")
            yield _left(path, f"archive {archive_id} is now written to {now}, but what it was is still there")
        elif archive_id not in known and project.shipped.issuperset(known):
            yield _left(
                path, f"the manifest has no archive {archive_id} any more, but what it was is still there"
            )


def _load_moved(project: Project) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    """Archive, path and stat of what archives were before they were written elsewhere."""
    found = load_state(project.own(_MOVED), _MAGIC, 1)
    return () if found is None else found[0]


def _left(path: str, message: str) -> Problem:
    return Problem(Place(path), "W0504", message, "remove it and its symbols, or players get it too")


def _recorded(project: Project) -> list[str]:
    """Archives that ships of this folder have recorded."""
    with suppress(DiskError):
        names = disk.iter_files(project.own("built/ship"))
        return sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))
    return []


def _is_as_left(project: Project, path: str, stat: tuple[int, ...]) -> bool:
    """Whether a file is the one that a ship has written."""
    with suppress(DiskError):
        found = disk.stat_file(project.real(path))
        return found is not None and tuple(found) == tuple(stat)
    return False
