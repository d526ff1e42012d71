"""What the tasks do. Actions never raise: what can be expected comes back as a failed task with clean text."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from doit.exceptions import TaskFailed

from lumpyard import disk
from lumpyard.build.gone import iter_gone
from lumpyard.build.lockfile import drop_gone
from lumpyard.build.project import Project
from lumpyard.build.ship_report import ShipReport
from lumpyard.build.task import ArchiveTask
from lumpyard.build.variables import check_variables
from lumpyard.console.escape import escape_name
from lumpyard.console.problems import render_problems
from lumpyard.console.sizes import count_text, size_text
from lumpyard.doit_plugin.interrupts import interruptible
from lumpyard.doit_plugin.progress import get_progress, has_color
from lumpyard.errors import DiskError, Error, Place, Problem, ProblemsError, RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.build.outputs import Outcome
    from lumpyard.build.progress import Progress

STAMP = "lumpyard"  # under which doit keeps the stamp of a task's last run
said: list[str] = []  # what went wrong in this run, in words
statuses: list[int] = []  # exit statuses of what went wrong in this process, for `lumpyard ship`


class UpToDate:
    """doit's question to an archive task. Its text is what `doit info` shows."""

    def __init__(self, manifest: str, archive_id: str, profile: str) -> None:
        self.key = (manifest, archive_id, profile)
        self._reasons: tuple[str, ...] | None = None

    def __call__(self, task: object, values: dict[str, Any]) -> bool:  # noqa: ARG002 - doit goes by the names
        """Whether there is nothing to do."""
        archive_task = get_task(*self.key)
        fresh = archive_task.is_fresh(values.get(STAMP))
        self._reasons = archive_task.reasons
        return fresh

    def __repr__(self) -> str:
        """Why the task must run."""
        if self._reasons is None:
            return "sources, settings and outputs"
        return "sources, settings and outputs: " + escape_name("; ".join(self._reasons) or "unchanged")


_projects: dict[str, Project] = {}
_tasks: dict[tuple[str, str, str], ArchiveTask] = {}


def keep_project(manifest: str, project: Project) -> None:
    """The project that the tasks of a manifest work on; what earlier tasks knew is forgotten."""
    _projects[manifest] = project
    for key in [key for key in _tasks if key[0] == manifest]:
        del _tasks[key]


def known_archives() -> list[str]:
    """The archives of all manifests that tasks were made of."""
    return [archive_id for project in _projects.values() for archive_id in project.manifest.archives]


def get_task(manifest: str, archive_id: str, profile: str) -> ArchiveTask:
    """The archive task, one for each name in a process; a worker process opens the project anew."""
    key = (manifest, archive_id, profile)
    if key not in _tasks:
        _tasks[key] = ArchiveTask(_project_of(manifest), archive_id, profile)
    return _tasks[key]


def _project_of(manifest: str) -> Project:
    if manifest not in _projects:
        _projects[manifest] = Project(manifest)
    return _projects[manifest]


def build(manifest: str, archive_id: str, profile: str) -> dict[str, Any] | TaskFailed:
    """Build an archive; the values that doit keeps, or the failure."""
    progress = get_progress()
    name = f"{profile}:{archive_id}"
    try:
        with interruptible():
            task = get_task(manifest, archive_id, profile)
            task.project.warn = partial(_warn_of_store, progress)
            result = task.build(progress)
    except Exception as error:  # noqa: BLE001 - actions never raise
        progress.fail(name)
        return failed(error, root_of(manifest))
    except KeyboardInterrupt:
        progress.fail(name)
        raise
    progress.end(name, summary(result.outcome, task.project.real(result.outcome.path)))
    return {STAMP: result.stamp}


def _warn_of_store(progress: Progress, text: str) -> None:
    progress.warn(Problem(Place(".lumpyard"), "W0701", text))


def verify(manifest: str, archive_id: str) -> bool | TaskFailed:
    """Check an archive in dist/, else in build/; builds nothing."""
    from lumpyard.build.verifying import verify_built  # noqa: PLC0415 - most runs verify nothing

    try:
        project = get_task(manifest, archive_id, "ship").project
        check_variables(project.environ)
        found, problems = verify_built(project, archive_id)
    except Exception as error:  # noqa: BLE001 - actions never raise
        return failed(error, root_of(manifest))
    path = project.real(found)
    if problems:
        statuses.append(1)
        return TaskFailed("\n".join(f"{path}: {problem}" for problem in problems))
    get_progress().end(f"verify:{archive_id}", f"{path} is whole")
    return True


def report(manifest: str) -> bool | TaskFailed:
    """Print how large the archives are that were built last; builds nothing."""
    from lumpyard.console.running import write  # noqa: PLC0415 - most runs report nothing
    from lumpyard.console.size_report import size_report_text  # noqa: PLC0415
    from lumpyard.console.terminal import look_at  # noqa: PLC0415
    from lumpyard.report.measure import measure  # noqa: PLC0415

    try:
        sizes = measure(_project_of(manifest))
    except Exception as error:  # noqa: BLE001 - actions never raise
        return failed(error, root_of(manifest))
    lines = size_report_text(sizes, look_at(sys.stdout, os.environ))
    write(sys.stdout, "\n".join(lines) + "\n")
    return True


def refuse(error: Error, manifest: str, profile: str) -> TaskFailed:
    """The action of tasks whose manifest has problems."""
    if profile == "ship":
        report = ShipReport()
        report.fail(error)
        _write_report(report, root_of(manifest))
    return failed(error, root_of(manifest))


def finish_run(signal: int = 0) -> None:
    """Say in build/ship.json what the ship tasks of this run came to, also those that had nothing to do.

    `signal` is the one that has ended the run early, if any.
    """
    for project in _projects.values():
        if project.shipped:
            if signal:
                project.ship_report.fail(KeyboardInterrupt(signal))
            with suppress(Error):  # what is wrong with the lock has failed the tasks
                drop_gone(project)
            _write_report(project.ship_report, project.root)


def tell_seen(root: str, asked: Sequence[str]) -> bool:
    """Say in build/ship.json what became of the archives that were asked for; whether each of them had its turn.

    This is for reporters of others, which do not tell us when a run is over.
    """
    for project in _projects.values():
        wanted = [archive_id for archive_id in project.manifest.archives if f"ship:{archive_id}" in asked]
        if "ship" in asked:
            wanted = list(project.manifest.archives)
        if project.root == root and project.shipped and project.shipped.issuperset(wanted):
            _write_report(project.ship_report, root)
            return True
    return False


def warn_of_gone() -> None:
    """Tell of what is left of archives that the manifest has no more."""
    for project in _projects.values():
        if project.shipped:
            with suppress(Error):  # what is wrong with the lock has failed the tasks
                for warning in iter_gone(project):
                    get_progress().warn(warning)


def tell_undone(tasks: Iterable[Any], failed_tasks: Sequence[Any]) -> None:
    """Say in build/ship.json that archives were not shipped, because of other tasks that failed before their turn.

    What a ship task itself came to has been told by it.
    """
    if any(map(_shipped_by, failed_tasks)):
        return
    cause = ", ".join(task.name for task in failed_tasks)
    for task in tasks:
        for manifest, archive_id in _shipped_by(task):
            project = get_task(manifest, archive_id, "ship").project
            if archive_id not in project.shipped:
                project.ship_report.fail(RuleError(f"{task.name}: not done, because of {cause}"))
                _write_report(project.ship_report, project.root)


def _shipped_by(task: Any) -> list[tuple[str, str]]:
    """Manifest and archive that a task ships, where it ships one."""
    builds = [action.args for action in task.actions if getattr(action, "py_callable", None) is build]
    return [(manifest, archive_id) for manifest, archive_id, profile in builds if profile == "ship"]


def _write_report(report: ShipReport, root: str) -> None:
    try:
        report.finish(root)
    except DiskError as error:
        if not any(str(error) in text for text in said):  # else a task has failed for it
            said.append(str(error))
            statuses.append(error.exit_status)
            print(f"lumpyard: error: {error}", file=sys.stderr)  # noqa: T201 - the tasks themselves are done


def root_of(manifest: str) -> str:
    """The folder of a manifest, as doit sees it; "" is the current one."""
    return manifest.replace("\\", "/").rpartition("/")[0]


def failed(error: Exception, root: str) -> TaskFailed:
    """The failed task that an error is; `root` is the project folder."""
    statuses.append(error.exit_status if isinstance(error, Error) else Error.exit_status)
    text = error_text(error, root)
    said.append(text)
    return TaskFailed(text)


def error_text(error: Exception, root: str) -> str:
    """An error as people should see it."""
    if not isinstance(error, Error):
        where = (
            "".join(traceback.format_exception(error)) if os.environ.get("LUMPYARD_TRACEBACK") == "1" else ""
        )
        text = f"lumpyard: internal error: {type(error).__name__}: {error}; please report"
        return f"{where}{text} (LUMPYARD_TRACEBACK=1 shows where)"
    if isinstance(error, ProblemsError):
        return render_problems(error.problems, partial(_read_text, root), color=has_color()).rstrip("\n")
    return escape_name(f"lumpyard: error: {error}")


def _read_text(root: str, path: str) -> str:
    return disk.read_file(f"{root}/{path}" if root else path, limit=1 << 22).decode(
        "utf-8", "surrogateescape"
    )


def summary(outcome: Outcome, path: str) -> str:
    """One line on what a build did; `path` is where the archive is, as seen by who reads the line."""
    if not outcome.changed:
        return f"{path} is as it was"
    size = size_text(outcome.record.stat[0])
    if not outcome.lumps:
        return f"{path}, {size}: no lumps"
    made = outcome.lumps - outcome.kept
    work = " made anew" if made == outcome.lumps else f", {made:,} made anew" if made else ", none made anew"
    return f"{path}, {size}: {count_text(outcome.lumps, 'lump')}{work}"
