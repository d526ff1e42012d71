"""The projects that the tasks of this process work on, and their archives' tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.project import Project
from lumpyard.build.task import ArchiveTask
from lumpyard.manifest.paths import split_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable

_projects: dict[str, Project] = {}
_tasks: dict[tuple[str, str, str], ArchiveTask] = {}


def keep_project(manifest: str, project: Project) -> None:
    """The project that the tasks of a manifest work on; what earlier tasks knew is forgotten."""
    _projects[manifest] = project
    for key in [key for key in _tasks if key[0] == manifest]:
        del _tasks[key]


def all_projects() -> Iterable[Project]:
    """Those of all manifests that tasks were made of."""
    return _projects.values()


def known_archives() -> list[str]:
    """The archives of all these manifests."""
    return [archive_id for project in _projects.values() for archive_id in project.manifest.archives]


def get_task(manifest: str, archive_id: str, profile: str) -> ArchiveTask:
    """The archive task, one for each name in a process; a worker process opens the project anew."""
    key = (manifest, archive_id, profile)
    if key not in _tasks:
        _tasks[key] = ArchiveTask(project_of(manifest), archive_id, profile)
    return _tasks[key]


def project_of(manifest: str) -> Project:
    """The project of a manifest, opened once."""
    if manifest not in _projects:
        _projects[manifest] = Project(manifest)
    return _projects[manifest]


def root_of(manifest: str) -> str:
    """The folder of a manifest, as doit sees it; "" is the current one."""
    return split_manifest(manifest)[0]
