"""doit's reporter for projects of ours: doit's own lines, and progress within a task.

doit imports every reporter on every run, so nothing heavy is imported here.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager, suppress
from io import StringIO
from threading import Lock
from typing import TYPE_CHECKING, Any

from doit.exceptions import UnmetDependency
from doit.globals import Globals
from doit.reporter import ConsoleReporter

from lumpyard.doit_plugin.interrupts import stop_if_interrupted
from lumpyard.doit_plugin.progress import failures_stream, set_progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.build.workers.progress import Progress
    from lumpyard.errors import Problem

_ACTIONS = "lumpyard.doit_plugin.actions"

if any(word.startswith("ship") for word in sys.argv):  # before any dodo.py, which may not load
    from lumpyard.doit_plugin.last_word import watch

    watch()


class Reporter(ConsoleReporter):  # type: ignore[misc]
    """One moving line for each running task on a terminal, plain lines elsewhere; failures as their text alone."""

    outstream: Any
    desc = "progress within tasks of Lumpyard; otherwise as console"

    def __init__(self, outstream: Any, options: Any) -> None:
        """A process without standard output has its lines go nowhere."""
        super().__init__(StringIO() if outstream is None else outstream, options)

    def initialize(self, tasks: Any, selected_tasks: Any) -> None:
        """Let builds report to where doit prints."""
        super().initialize(tasks, selected_tasks)
        self._tasks, self._selected = tasks, list(selected_tasks)
        self._ignored: set[str] = set()
        self._progress = _Late(self.outstream)
        set_progress(self._progress, self.outstream)

    def write(self, text: str) -> None:
        """Write what the stream's encoding can hold."""
        try:
            super().write(text)
        except UnicodeError:
            from lumpyard.console.running import write  # noqa: PLC0415 - hardly ever needed

            write(self.outstream, text)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """Write no more to a stream that refuses it: that a reader has gone away, or a log is full, stops no build."""
        from lumpyard.console.terminal import abandon  # noqa: PLC0415 - hardly ever needed

        abandon(self.outstream)
        if isinstance(error, BrokenPipeError):
            return  # whoever read has seen enough
        from lumpyard.doit_plugin.failures import statuses  # noqa: PLC0415
        from lumpyard.errors import DiskError  # noqa: PLC0415

        statuses.append(DiskError.exit_status)
        with suppress(OSError, ValueError):
            print(f"lumpyard: error: cannot write what is done: {error.strerror}", file=sys.stderr)  # noqa: T201

    def execute_task(self, task: Any) -> None:
        """Say that a task runs; those of ours say it themselves, with what they do."""
        if not _is_own(task):
            super().execute_task(task)

    def skip_ignore(self, task: Any) -> None:
        """Know what people had doit ignore."""
        self._ignored.add(task.name)
        super().skip_ignore(task)

    def add_failure(self, task: Any, fail: Any) -> None:
        """Tell what went wrong, and let other runs have the database: doit would keep it locked until the end."""
        with self._failing():
            super().add_failure(task, fail)
        if _is_own(task):
            from lumpyard.doit_plugin.failures import said  # noqa: PLC0415 - loaded by now

            said.append(fail.get_msg())
        commit = getattr(Globals.dep_manager, "commit", None)  # of database.write_calmly
        if commit is not None:
            commit()

    def complete_run(self) -> None:
        """The run is over."""
        stop_if_interrupted()
        from lumpyard.doit_plugin.closing import finish_run, tell_undone, warn_of_gone  # noqa: PLC0415 - now there may be something to say

        if not self.failures:
            warn_of_gone()
        self._progress.stop()
        with self._failing():
            super().complete_run()

        failed = [
            result["task"] for result in self.failures if not isinstance(result["exception"], UnmetDependency)
        ]
        if failed:
            tell_undone(self._wanted(), failed)
        finish_run(task for task in self._wanted() if task.name not in self._ignored)
        try:
            self.outstream.flush()
        except OSError as error:
            self._give_up(error)
        gc.freeze()  # what is left need not be looked through when the interpreter ends: a tenth of a no-op

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Within, what is written is a failure."""
        usual, stream = self.outstream, failures_stream()
        if stream is not None:
            with suppress(OSError, ValueError):  # nobody may read it
                usual.flush()  # what was done before comes before, where both are read in one place
            self.outstream = stream
        try:
            yield
        finally:
            self.outstream = usual

    def _wanted(self) -> list[Any]:
        """The tasks of this run: those that were asked for, and all that they need."""
        names = [name for name in self._selected if name in self._tasks]
        for name in names:  # which grows meanwhile
            names += [
                need for need in self._tasks[name].task_dep if need not in names and need in self._tasks
            ]
        return [self._tasks[name] for name in names]

    def _write_failure(self, result: dict[str, Any], write_exception: bool = True) -> None:
        task, fail = result["task"], result["exception"]
        if task.has_subtask and isinstance(fail, UnmetDependency):
            self.write(f"{task.name}: not complete, because of {', '.join(fail.message.split())}\n")
        elif _is_own(task) and isinstance(fail, UnmetDependency):
            self.write(f"{task.name}: not done, because of {', '.join(fail.message.split())}\n")
        elif _is_own(task):
            self.write(f"{task.name}: failed\n\n{fail.get_msg().rstrip()}\n\n")
        else:
            super()._write_failure(result, write_exception)


def _is_own(task: Any) -> bool:
    """Whether a task is one of ours, whatever it is called."""
    functions = (getattr(action, "py_callable", None) for action in task.actions)
    return any(getattr(function, "__module__", "") == _ACTIONS for function in functions)


class _Late:
    """A progress that is made when it is first told something, since most runs have nothing to tell."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._lock = Lock()
        self._made: Progress | None = None

    def begin(self, task: str, stage: str, lumps: int, size: int) -> None:
        """As Progress says; and so are the others."""
        self._progress().begin(task, stage, lumps, size)

    def advance(self, task: str, lumps: int, size: int) -> None:
        """See begin."""
        self._progress().advance(task, lumps, size)

    def end(self, task: str, summary: str) -> None:
        """See begin."""
        self._progress().end(task, summary)

    def fail(self, task: str) -> None:
        """See begin."""
        self._progress().fail(task)

    def warn(self, problem: Problem) -> None:
        """See begin."""
        self._progress().warn(problem)

    def stop(self) -> None:
        """Leave nothing that moves."""
        stop = getattr(self._made, "stop", None)
        if stop is not None:
            stop()

    def _progress(self) -> Progress:
        with self._lock:  # tasks of several threads begin at once
            if self._made is None:
                from lumpyard.console.progress import make_progress  # noqa: PLC0415 - only when there is need

                self._made = make_progress(self._stream, os.environ)
            return self._made
