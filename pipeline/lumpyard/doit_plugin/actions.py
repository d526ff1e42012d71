"""What the tasks do. Actions never raise: what can be expected comes back as a failed task with clean text."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from lumpyard.build.variables import check_variables
from lumpyard.console.escape import escape_name
from lumpyard.console.sizes import count_text, size_text
from lumpyard.doit_plugin.interrupts import interruptible
from lumpyard.doit_plugin.last_word import asked, expect, is_look
from lumpyard.doit_plugin.progress import get_progress
from lumpyard.doit_plugin.projects import get_task, project_of, root_of
from lumpyard.errors import Error, Place, Problem

if TYPE_CHECKING:
    from doit.exceptions import TaskFailed

    from lumpyard.build.outputs import Outcome
    from lumpyard.build.workers.progress import Progress

STAMP = "lumpyard"  # under which doit keeps the stamp of a task's last run


class UpToDate:
    """doit's question to an archive task. Its text is what `doit info` shows."""

    def __init__(self, manifest: str, archive_id: str, profile: str) -> None:
        self.key = (manifest, archive_id, profile)
        self._reasons: tuple[str, ...] | None = None

    def __call__(self, task: object, values: dict[str, Any]) -> bool:  # noqa: ARG002 - doit goes by the names
        """Whether there is nothing to do."""
        archive_task = get_task(*self.key)
        if archive_task.profile == "ship" and not is_look(asked):
            expect(archive_task.project.root)
        fresh = archive_task.is_fresh(values.get(STAMP))
        self._reasons = archive_task.reasons
        return fresh

    def __repr__(self) -> str:
        """Why the task must run."""
        if self._reasons is None:
            return "sources, settings and outputs"
        return "sources, settings and outputs: " + escape_name("; ".join(self._reasons) or "unchanged")


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
        return _failed(error, manifest)
    except KeyboardInterrupt:
        progress.fail(name)
        raise
    progress.end(name, summary(result.outcome, task.project.real(result.outcome.path)))
    return {STAMP: result.stamp}


def _warn_of_store(progress: Progress, text: str) -> None:
    progress.warn(Problem(Place(".lumpyard"), "W0701", text))


def verify(manifest: str, archive_id: str) -> bool | TaskFailed:
    """Check an archive in dist/, else in build/; builds nothing."""
    from lumpyard.build.release.verifying import verify_built  # noqa: PLC0415 - most runs verify nothing

    try:
        project = get_task(manifest, archive_id, "ship").project
        check_variables(project.environ)
        found, problems = verify_built(project, archive_id)
    except Exception as error:  # noqa: BLE001 - actions never raise
        return _failed(error, manifest)
    path = project.real(found)
    if problems:
        from lumpyard.doit_plugin.failures import not_well  # noqa: PLC0415 - rare

        return not_well(f"{path}: {problem}" for problem in problems)
    get_progress().end(f"verify:{archive_id}", f"{path} is whole")
    return True


def report(manifest: str) -> bool | TaskFailed:
    """Print how large the archives are that were built last; builds nothing."""
    from lumpyard.console.running import write  # noqa: PLC0415 - most runs report nothing
    from lumpyard.console.size_report import size_report_text  # noqa: PLC0415
    from lumpyard.console.terminal import look_at  # noqa: PLC0415
    from lumpyard.report.measure import measure  # noqa: PLC0415

    try:
        sizes = measure(project_of(manifest))
    except Exception as error:  # noqa: BLE001 - actions never raise
        return _failed(error, manifest)
    lines = size_report_text(sizes, look_at(sys.stdout, os.environ))
    write(sys.stdout, "\n".join(lines) + "\n")
    return True


def refuse(error: Error, manifest: str, profile: str) -> TaskFailed:
    """The action of tasks whose manifest has problems."""
    if profile == "ship":
        from lumpyard.build.release.ship_report import ShipReport  # noqa: PLC0415 - see _failed
        from lumpyard.doit_plugin.closing import finish_report  # noqa: PLC0415

        report = ShipReport()
        report.fail(error)
        finish_report(report, root_of(manifest))
    return _failed(error, manifest)


def _failed(error: Exception, manifest: str) -> TaskFailed:
    from lumpyard.doit_plugin.failures import failed  # noqa: PLC0415 - most runs go well

    return failed(error, root_of(manifest))


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
