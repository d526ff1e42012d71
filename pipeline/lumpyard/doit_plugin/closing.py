"""What is told when a run is over: build/ship.json, and what is left of archives that are gone."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lumpyard.build.release.gone import iter_gone
from lumpyard.build.release.lockfile import drop_gone
from lumpyard.doit_plugin.actions import build
from lumpyard.doit_plugin.interrupts import received
from lumpyard.doit_plugin.progress import get_progress
from lumpyard.doit_plugin.projects import all_projects, get_task
from lumpyard.errors import DiskError, Error, RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.build.project import Project
    from lumpyard.build.release.ship_report import ShipReport


def finish_run(wanted: Iterable[Any]) -> None:
    """Say in build/ship.json what the ship tasks of this run came to, also those that had nothing to do.

    `wanted` are the tasks that the run was to do; where one that ships had no turn, all is not well.
    """
    for manifest, archive_id in (shipped for task in wanted for shipped in _shipped_by(task)):
        get_task(manifest, archive_id, "ship").project.ship_report.want(archive_id)
    for project in all_projects():
        if project.shipped:
            with suppress(Error):  # what is wrong with the lock has failed the tasks
                drop_gone(project)
            _finish(project)


def tell_seen(root: str, asked: Sequence[str]) -> bool:
    """Say in build/ship.json what became of the archives that were asked for; whether any of them had its turn.

    This is for reporters of others, which do not tell us when a run is over.
    """
    for project in all_projects():
        if project.root == root and project.shipped:
            for archive_id in project.manifest.archives:
                if "ship" in asked or f"ship:{archive_id}" in asked:
                    project.ship_report.want(archive_id)
            _finish(project)
            return True
    return False


def warn_of_gone() -> None:
    """Tell of what is left of archives that the manifest has no more."""
    for project in all_projects():
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
                finish_report(project.ship_report, project.root)


def finish_report(report: ShipReport, root: str) -> None:
    """Write a report for the last time; that it can't be written is told here."""
    try:
        report.finish(root)
    except DiskError as error:
        from lumpyard.doit_plugin.failures import said, statuses  # noqa: PLC0415 - not for runs that go well

        if not any(str(error) in text for text in said):  # else a task has failed for it
            said.append(str(error))
            statuses.append(error.exit_status)
            print(f"lumpyard: error: {error}", file=sys.stderr)  # noqa: T201 - the tasks themselves are done


def _finish(project: Project) -> None:
    if number := received():
        project.ship_report.fail(KeyboardInterrupt(number))
    finish_report(project.ship_report, project.root)


def _shipped_by(task: Any) -> list[tuple[str, str]]:
    """Manifest and archive that a task ships, where it ships one."""
    builds = [action.args for action in task.actions if getattr(action, "py_callable", None) is build]
    return [(manifest, archive_id) for manifest, archive_id, profile in builds if profile == "ship"]
