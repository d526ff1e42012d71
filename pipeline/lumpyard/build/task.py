"""What a task runner asks of an archive: is it up to date, and build it (design.md, sections 4 and 9)."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.build.memory import without_collector
from lumpyard.build.release.lockfile import load_lock, lock_mode
from lumpyard.build.release.reports import archive_entry, tells_of
from lumpyard.build.sources.scouting import Scout, are_as_left, sources_of
from lumpyard.build.sources.tree import RACY
from lumpyard.build.state import (
    BuildState,
    load_build_state,
    plain_stamp,
    save_build_state,
    stats_of,
    versions_of,
)
from lumpyard.build.variables import check_variables
from lumpyard.errors import DiskError, Error, Place, Problem
from lumpyard.hashing import digest

if TYPE_CHECKING:
    from lumpyard.build.earlier.record import Record
    from lumpyard.build.outputs import Outcome
    from lumpyard.build.project import Project
    from lumpyard.build.session import Session
    from lumpyard.build.sources.tree import ScannedTree
    from lumpyard.build.state import Stats
    from lumpyard.build.workers.progress import Progress
    from lumpyard.lock import Lock

ENVIRONMENT = ("LUMPYARD_LOCK",)


class Result(NamedTuple):
    """What became of a task."""

    task: str  # "ship:base"
    reasons: tuple[str, ...]  # why it ran
    outcome: Outcome
    stamp: str  # for the task runner to keep


class ArchiveTask:
    """One archive in one profile, as a task runner sees it."""

    def __init__(self, project: Project, archive_id: str, profile: str) -> None:
        self.project = project
        self.id = archive_id
        self.profile = profile
        self.name = f"{profile}:{archive_id}"
        self.reasons: tuple[str, ...] = ()
        self._session: Session | None = None
        self._tree: ScannedTree | None = None  # what the last check has scanned already

    def is_fresh(self, stamp: str | None) -> bool:
        """Whether nothing has to be done; `reasons` says why something has. `stamp` is what the last run gave.

        When all stats agree no contents are read. Else what looks changed is read, and where it is the same after all
        the new stats are kept. Problems of the manifest's making are left for `build` to report.
        """
        self._drop_session()
        state = load_build_state(self.project.state_path(self.id, self.profile))
        if state is None:
            self.reasons = ("never built",)
        elif stamp != state.stamp:
            self.reasons = ("forgotten, or the last run failed or was cut short",)
        else:
            self.reasons = ()
            try:
                check_variables(self.project.environ)
                with without_collector():
                    if not self._looks_unchanged(state):
                        self._look_closer(state)
            except Error as error:
                self._drop_session()
                self.reasons = (str(error).partition("\n")[0],)
        if self.profile == "ship":
            self._note_shipped(state.archive if state else ("", 0, ""))
        return not self.reasons

    def build(self, progress: Progress) -> Result:
        """Bring the archive, and for `ship` all that goes with it, to where the manifest wants it.

        Raises errors.Error; nothing that was there before is then lost or half replaced.
        """
        report, ship = self.project.ship_report, self.profile == "ship"
        try:
            with without_collector():
                result = self._build(progress)
        except (Exception, KeyboardInterrupt) as error:
            if ship:
                report.fail(error)
                with suppress(DiskError):  # the error at hand says more
                    report.keep(self.project.root)
            raise
        if ship:
            archive = _summary(result.outcome.record)
            report.add(self.id, *archive, changed=result.outcome.changed, reasons=self.reasons)
            report.keep(self.project.root)
        return result

    def _note_shipped(self, archive: tuple[str, int, str]) -> None:
        """Know of it for archives.lock and build/ship.json."""
        self.project.shipped.add(self.id)
        self.project.ship_report.want(self.id)
        if not self.reasons:
            self.project.ship_report.add(self.id, *archive, changed=False, reasons=())

    def _build(self, progress: Progress) -> Result:
        check_variables(self.project.environ)
        with self.project.locked(f"lumpyard {self.name}", partial(_say_waiting, progress)) as waited:
            if waited:
                self._drop_session()
            try:
                if self.profile == "ship":
                    self.project.ship_report.begin(self.project.root)
                    # what is wrong with the lock is told before hours of work
                    lock_mode(self.project)
                    load_lock(self.project)
                session = self._get_session()
                for warning in session.plan.warnings:
                    progress.warn(warning)
                from lumpyard.build.outputs import write_outputs  # noqa: PLC0415 - a no-op writes none

                outcome = write_outputs(session, self.name, progress)
                stamp = os.urandom(8).hex()
                self._save(session, stamp, self._outputs_as_left(session, outcome.record))
                return Result(self.name, self.reasons, outcome, stamp)
            finally:
                self._drop_session()
                self.project.close_store()

    def _get_session(self) -> Session:
        if self._session is None:
            tree = self._tree
            if tree is None:
                tree = self.project.tree()
                with Scout(self.project, sources_of(self.project, self.id)) as scout:
                    self._load()
                    scout.report(tree)
            from lumpyard.build.session import Session  # noqa: PLC0415 - a no-op opens none

            self._session = Session(self.project, self.id, self.profile, tree)
            self._tree = None
        return self._session

    def _load(self) -> None:
        """Load what a session needs, in the time that it takes to look at the sources."""
        # A no-op needs none of it.
        import lumpyard.archives.ewad.writer  # noqa: PLC0415
        import lumpyard.build.outputs  # noqa: PLC0415
        import lumpyard.build.session  # noqa: PLC0415
        import lumpyard.manifest.options  # noqa: F401, PLC0415

        self.project.rules()

    def _drop_session(self) -> None:
        self._tree = None
        if self._session is not None:
            self._session.close()
            self._session = None

    def _looks_unchanged(self, state: BuildState) -> bool:
        """Whether stats, versions and digests all agree with the state; no file's contents are read."""
        project = self.project
        if state.manifest != project.manifest.digest or state.environment != self._environment():
            return False
        if state.versions != versions_of(state.distributions):
            return False
        if stats_of(project, [path for path, _ in state.files]) != state.files:
            return False
        if stats_of(project, [path for path, _ in state.outputs]) != state.outputs:
            return False
        if not self._told_as_left(state):
            return False
        if not (self._tools_unchanged(state) and self._answers_unchanged(state)):
            return False
        if RACY in state.folders.values():
            return False
        self._tree = project.tree()
        return are_as_left(project, self._tree, list(state.folders.items()))

    def _answers_unchanged(self, state: BuildState) -> bool:
        """Whether the variables that rules asked for are as they were."""
        if not state.asked:
            return True
        from lumpyard.build.asks import variable_answer  # noqa: PLC0415 - few rules ask for any

        return all(variable_answer(os.environ.get(name)) == answer for name, answer in state.asked.items())

    def _tools_unchanged(self, state: BuildState) -> bool:
        if not state.tools:
            return True
        from lumpyard.build.tools.resolving import stamp_tool  # noqa: PLC0415 - most projects have no tools

        tools = self.project.manifest.tools
        return all(
            tool_id in tools and plain_stamp(stamp_tool(tools[tool_id], self.project.root or ".")) == stamp
            for tool_id, stamp in state.tools.items()
        )

    def _look_closer(self, state: BuildState) -> None:
        """Set `reasons` by contents; without any, keep the new stats."""
        from lumpyard.build.outputs import why_stale  # noqa: PLC0415 - a no-op needs none of it

        session = self._get_session()
        session.look(read=True)
        outputs = stats_of(self.project, session.output_paths())  # before they are read
        self.reasons = why_stale(session)
        if not self.reasons:
            self._save(session, state.stamp, outputs)
            self._drop_session()

    def _outputs_as_left(self, session: Session, record: Record) -> Stats:
        """Stats of what was built; the archive's own is from when it was finished, so that what changes it is seen."""
        archive, *others = session.output_paths()
        return (archive, tuple(record.stat)), *stats_of(self.project, others)

    def _told_as_left(self, state: BuildState) -> bool:
        """Whether archives.lock, or build/archives.json, tells of the archive what it did after the last build.

        While the lock has archives that are gone, and under `report` while it may differ, a ship has something to do.
        """
        if self.profile == "pack":
            return tells_of(self.project, state.told)
        lock, mode = load_lock(self.project), lock_mode(self.project)
        gone = mode == "write" and not lock.archives.keys() <= self.project.manifest.archives.keys()
        return mode != "report" and not gone and _told_by(lock, self.id) == state.told

    def _told(self, record: Record) -> str:
        if self.profile == "pack":
            return archive_entry(self.project, self.id, record)
        return _told_by(load_lock(self.project), self.id)

    def _environment(self) -> dict[str, str]:
        return {name: self.project.environ.get(name, "") for name in ENVIRONMENT}

    def _save(self, session: Session, stamp: str, outputs: Stats) -> None:
        project, rules, record = self.project, self.project.rules(), session.record
        assert record is not None  # built, or looked at
        asked = session.look_for_answers(record)
        save_build_state(
            project.state_path(self.id, self.profile),
            BuildState(
                stamp,
                project.manifest.digest,
                versions_of(rules.distributions),
                project.rule_stats(),
                {tool_id: plain_stamp(tool.stamp) for tool_id, tool in session.tools.items()},
                session.snapshot(),
                outputs,
                self._environment(),
                asked,
                self._told(record),
                _summary(record),
            ),
        )
        session.keep_fingerprints()


def _say_waiting(progress: Progress, holder: str) -> None:
    progress.warn(
        Problem(Place(".lumpyard/lock"), "W0502", f"{holder} builds here; waiting until it is done")
    )


def _told_by(lock: Lock, archive_id: str) -> str:
    """A digest of what a lock says of an archive."""
    return digest(repr(lock.archives.get(archive_id)).encode()).hex()


def _summary(record: Record) -> tuple[str, int, str]:
    """What reports say of an archive: path, archive hash, content id."""
    return record.path, record.archive_hash, record.content_id
