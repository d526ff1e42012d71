"""The tasks that a project has in doit: `pack`, `ship` and `verify`, each a group with a task for each archive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.build.project import PROFILES, Project
from lumpyard.doit_plugin.database import prepare_database, write_calmly
from lumpyard.doit_plugin.interrupts import end_quietly
from lumpyard.doit_plugin.last_word import asked, watch
from lumpyard.errors import Error
from lumpyard.manifest.paths import split_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Tasks = Iterator[dict[str, Any]]

_DOCS = {
    "pack": "build the development archives in build/",
    "ship": "build the release in dist/, with symbols and archives.lock",
    "verify": "check the archives in dist/, else in build/",
    "report": "show how large the archives in dist/ are, else those in build/",
}


def asset_tasks(manifest: str = "assets.yaml") -> dict[str, Any]:
    """Task creators and a DOIT_CONFIG for a project's archives, to be put into a dodo.py's globals.

    A manifest with problems still loads: `pack`, `ship`, `verify` and `report` then fail with them, and all else works.
    Sources are listed when a task's state is asked for, not here, so those that other tasks generate are seen.
    """
    end_quietly()
    from lumpyard.doit_plugin.projects import keep_project  # noqa: PLC0415 - only now a signal may come meanwhile

    root = split_manifest(manifest)[0]
    watch(root)
    database = prepare_database(f"{root}/.lumpyard/doit.db" if root else ".lumpyard/doit.db")
    try:
        project = Project(manifest)
    except Error as error:
        creators = _failing(error, manifest)
    else:
        keep_project(manifest, project)
        creators = _working(manifest, project)
    return {"DOIT_CONFIG": _config(database), **creators}


def _config(database: str) -> dict[str, Any]:
    """sqlite3, because the other backends lose or corrupt their state when doit is killed."""
    from lumpyard.doit_plugin.reporter import Reporter  # noqa: PLC0415 - see above

    return {
        "backend": "sqlite3",
        "dep_file": database,
        "par_type": "thread",
        "reporter": Reporter,
        "default_tasks": ["pack"],
    }


def _working(manifest: str, project: Project) -> dict[str, Callable[[], Any]]:
    def task_pack() -> Tasks:
        yield from _archive_tasks(manifest, project, "pack")

    def task_ship() -> Tasks:
        yield from _archive_tasks(manifest, project, "ship")

    def task_verify() -> Tasks:
        yield {"name": None, "doc": _DOCS["verify"]}
        for archive_id in project.manifest.archives:
            yield _verify_task(manifest, archive_id)

    def task_report() -> dict[str, Any]:
        return _report_task(manifest)

    return {
        "task_pack": task_pack,
        "task_ship": task_ship,
        "task_verify": task_verify,
        "task_report": task_report,
    }


def _failing(error: Error, manifest: str) -> dict[str, Callable[[], Any]]:
    """The same tasks where the manifest has problems.

    Nobody knows which archives there are; so those that the command line names are there, to fail in the same way.
    """
    from lumpyard.doit_plugin.actions import refuse  # noqa: PLC0415 - see asset_tasks

    def tasks(name: str) -> Tasks:
        write_calmly()
        for word in dict.fromkeys([name, *(word for word in asked if word.startswith(f"{name}:"))]):
            yield {
                "basename": word,
                "doc": _DOCS[name],
                "actions": [(refuse, [error, manifest, name])],
                "uptodate": [False],
                **_QUIET,
            }

    def task_pack() -> Tasks:
        yield from tasks("pack")

    def task_ship() -> Tasks:
        yield from tasks("ship")

    def task_verify() -> Tasks:
        yield from tasks("verify")

    def task_report() -> Tasks:
        yield from tasks("report")

    return {
        "task_pack": task_pack,
        "task_ship": task_ship,
        "task_verify": task_verify,
        "task_report": task_report,
    }


# doit swaps sys.stdout for all threads at once, so captured output of two tasks would get mixed up.
_QUIET = {"io": {"capture": False}, "verbosity": 2}


def _archive_tasks(manifest: str, project: Project, profile: str) -> Tasks:
    from lumpyard.doit_plugin.actions import UpToDate, build  # noqa: PLC0415 - see asset_tasks
    from lumpyard.doit_plugin.cleaning import Removal  # noqa: PLC0415

    write_calmly()
    yield {"name": None, "doc": _DOCS[profile]}
    for archive_id in project.manifest.archives:
        targets = [project.output(archive_id, profile)]
        if profile == "ship":
            targets.append(project.symbols(archive_id))
        yield {
            "name": archive_id,
            "doc": project.real(targets[0]),
            "task_dep": _after(project, archive_id),
            "uptodate": [UpToDate(manifest, archive_id, profile)],
            "actions": [(build, [manifest, archive_id, profile])],
            "targets": [project.real(target) for target in targets],
            "clean": [Removal(f"{profile}:{archive_id}", map(project.real, targets))],
            **_QUIET,
        }


def _after(project: Project, archive_id: str) -> list[str]:
    """The doit tasks that must have run before the archive's sets are listed."""
    sets = (project.manifest.sets[named.text] for named in project.archive(archive_id).sets)
    return list(dict.fromkeys(task.text for lump_set in sets for task in lump_set.after))


def _verify_task(manifest: str, archive_id: str) -> dict[str, Any]:
    from lumpyard.doit_plugin.actions import verify  # noqa: PLC0415 - see asset_tasks

    return {
        "name": archive_id,
        "doc": f"check archive {archive_id}",
        "uptodate": [False],
        "actions": [(verify, [manifest, archive_id])],
        **_QUIET,
    }


def _report_task(manifest: str) -> dict[str, Any]:
    from lumpyard.doit_plugin.actions import report  # noqa: PLC0415 - see asset_tasks

    return {"doc": _DOCS["report"], "uptodate": [False], "actions": [(report, [manifest])], **_QUIET}


assert set(PROFILES) < set(_DOCS)
