"""How a build says what it is doing: moving lines on a terminal, plain ones in CI, JSON for programs.

All implement `build.progress.Progress`, may be called from several tasks at once, and write to one stream. A stream
that refuses what is written stops no build.
"""

from __future__ import annotations

import json
import time
from threading import Lock
from typing import TYPE_CHECKING, TextIO

from lumpyard.build.workers.progress import Progress, Silent
from lumpyard.console.moving import RichProgress
from lumpyard.console.running import Tasks, say, write
from lumpyard.console.sizes import count_text, size_text
from lumpyard.console.terminal import is_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lumpyard.errors import Problem

_JSON_STEP = 0.5  # seconds between two "advance" lines of a task

KINDS = ("rich", "plain", "json", "none")


def make_progress(stream: TextIO, environ: Mapping[str, str]) -> Progress:
    """The progress for a stream: what LUMPYARD_PROGRESS says, else rich on a terminal and plain elsewhere.

    What the variable cannot say (build.variables) fails tasks, and here is no reason to tell of that in no way.
    """
    kind = environ.get("LUMPYARD_PROGRESS")
    if kind not in KINDS:
        moving = is_terminal(stream) and environ.get("TERM") != "dumb" and not environ.get("CI")
        kind = "rich" if moving else "plain"
    if kind == "rich":
        return RichProgress(stream, environ)
    if kind == "json":
        return JsonProgress(stream)
    return Silent() if kind == "none" else PlainProgress(stream)


class PlainProgress:
    """A line when a stage of a task begins, and one when the task ends."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._tasks = Tasks(clock)
        self._lock = Lock()

    def begin(self, task: str, stage: str, lumps: int, size: int) -> None:
        """Write what the stage has before it, where it has anything."""
        with self._lock:
            self._tasks.begin(task, stage, lumps, size)
            if amount := amount_text(lumps, size):
                say(self._stream, f"{task}: {stage} {amount}")

    def advance(self, task: str, lumps: int, size: int) -> None:
        """Nothing: a log has no use for it."""

    def end(self, task: str, summary: str) -> None:
        """Write what the task did."""
        with self._lock:
            self._tasks.running.pop(task, None)
            say(self._stream, f"{task}: {summary}")

    def fail(self, task: str) -> None:
        """Nothing: what went wrong follows."""
        with self._lock:
            self._tasks.running.pop(task, None)

    def warn(self, problem: Problem) -> None:
        """Write the warning on a line."""
        with self._lock:
            say(self._stream, str(problem))


class JsonProgress:
    """One JSON object a line; `event` is begin, advance (twice a second at most), end, failed or warning."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._tasks = Tasks(clock)
        self._lock = Lock()

    def begin(self, task: str, stage: str, lumps: int, size: int) -> None:
        """Write the stage and how much there is to do."""
        with self._lock:
            state = self._tasks.begin(task, stage, lumps, size)
            state.shown = state.stage_started
            self._emit(event="begin", task=task, stage=stage, lumps=lumps, size=size)

    def advance(self, task: str, lumps: int, size: int) -> None:
        """Write how much of the stage is done, now and then."""
        with self._lock:
            state = self._tasks.advance(task, lumps, size)
            if self._tasks.due(state, _JSON_STEP):
                done = {"done_lumps": state.done_lumps, "done_size": state.done_size}
                self._emit(
                    event="advance", task=task, stage=state.stage, lumps=state.lumps, size=state.size, **done
                )

    def end(self, task: str, summary: str) -> None:
        """Write what the task did."""
        with self._lock:
            self._tasks.running.pop(task, None)
            self._emit(event="end", task=task, summary=summary)

    def fail(self, task: str) -> None:
        """Write that the task failed."""
        with self._lock:
            self._tasks.running.pop(task, None)
            self._emit(event="failed", task=task)

    def warn(self, problem: Problem) -> None:
        """Write the warning."""
        place = problem.place
        with self._lock:
            self._emit(
                event="warning",
                path=place.path,
                line=place.line,
                column=place.column,
                code=problem.code,
                message=problem.message,
                hint=problem.hint,
            )

    def _emit(self, **fields: object) -> None:
        write(self._stream, json.dumps(fields) + "\n")


def amount_text(lumps: int, size: int) -> str:
    """What a stage has before it: `20,000 lumps, 170 MB`."""
    parts = [count_text(lumps, "lump")] if lumps else []
    return ", ".join([*parts, size_text(size)] if size else parts)
