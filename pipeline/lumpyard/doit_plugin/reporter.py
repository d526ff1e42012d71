"""doit's reporter for projects of ours: doit's own lines, and progress within a task.

doit imports every reporter on every run, so nothing heavy is imported here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from doit.reporter import ConsoleReporter

from lumpyard.doit_plugin.progress import set_progress

if TYPE_CHECKING:
    from lumpyard.build.progress import Progress

OWN_TASKS = ("pack:", "ship:", "verify:")


class Reporter(ConsoleReporter):  # type: ignore[misc]
    """One moving line for each running task on a terminal, plain lines elsewhere; failures as their text alone."""

    desc = "progress within tasks of Lumpyard; otherwise as console"

    def initialize(self, tasks: Any, selected_tasks: Any) -> None:
        """Let builds report to where doit prints."""
        super().initialize(tasks, selected_tasks)
        set_progress(_Late(self.outstream))

    def execute_task(self, task: Any) -> None:
        """Say that a task runs; those of ours say it themselves, with what they do."""
        if not task.name.startswith(OWN_TASKS):
            super().execute_task(task)

    def complete_run(self) -> None:
        """The run is over."""
        super().complete_run()
        from lumpyard.doit_plugin.actions import finish_run  # noqa: PLC0415 - loaded by now where there is anything to say

        finish_run()

    def _write_failure(self, result: dict[str, Any], write_exception: bool = True) -> None:
        task = result["task"]
        if task.name.partition(":")[0] + ":" in OWN_TASKS:
            self.write(f"{task.name} failed\n\n{result['exception'].get_msg()}\n\n")
        else:
            super()._write_failure(result, write_exception)


class _Late:
    """A progress that is made when it is first told something, since most runs have nothing to tell."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._made: Progress | None = None

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            from lumpyard.console.progress import make_progress  # noqa: PLC0415 - only when there is something to say

            self._made = make_progress(self._stream, os.environ)
        return getattr(self._made, name)
