"""How a build says what it is doing: moving lines on a terminal, plain ones in CI, JSON for programs.

All three implement `build.progress.Progress`, may be called from several tasks at once, and write to one
stream. None starts a thread: workers are forked while a build runs, so what moves is drawn by the calls
themselves, a few times a second. A stream that refuses what is written stops no build.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, TextIO

from lumpyard.build.progress import Progress, Silent
from lumpyard.console.escape import escape_name
from lumpyard.console.sizes import count_text, size_text
from lumpyard.console.terminal import encodable, is_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lumpyard.errors import Problem

_REDRAW = 0.1  # seconds between drawings: smooth to the eye, and under a thousandth of a build's time
_PATIENCE = (
    0.3  # seconds a task must run before anything moves: quick builds never flicker, and never load rich
)
_JSON_STEP = 0.5  # seconds between two "advance" lines of a task

KINDS = ("auto", "rich", "plain", "json", "none")


def make_progress(stream: TextIO, environ: Mapping[str, str]) -> Progress:
    """The progress for a stream: what LUMPYARD_PROGRESS says, else rich on a terminal and plain elsewhere."""
    kind = environ.get("LUMPYARD_PROGRESS", "auto")
    if kind == "auto" or kind not in KINDS:
        moving = is_terminal(stream) and environ.get("TERM") != "dumb" and not environ.get("CI")
        kind = "rich" if moving else "plain"
    if kind == "rich":
        return RichProgress(stream, environ)
    if kind == "json":
        return JsonProgress(stream)
    return Silent() if kind == "none" else PlainProgress(stream)


@dataclass(slots=True)
class _Running:
    """What is known of a task that runs."""

    started: float
    stage: str = ""
    lumps: int = 0  # of the stage, in all
    size: int = 0  # raw bytes of the stage, in all
    done_lumps: int = 0
    done_size: int = 0
    stage_started: float = 0.0
    shown: float = 0.0
    row: Any = None  # rich's id of its line


@dataclass(slots=True)
class _Tasks:
    """The tasks that run, by name; what the three kinds of progress share."""

    clock: Callable[[], float]
    running: dict[str, _Running] = field(default_factory=dict)

    def begin(self, task: str, stage: str, lumps: int, size: int) -> _Running:
        """The task, at the start of this stage."""
        now = self.clock()
        state = self.running.setdefault(task, _Running(now))
        state.stage, state.lumps, state.size = stage, lumps, size
        state.done_lumps = state.done_size = 0
        state.stage_started = now
        return state

    def advance(self, task: str, lumps: int, size: int) -> _Running:
        """The task, so much further."""
        state = self.running.get(task) or self.begin(task, "", 0, 0)
        state.done_lumps += lumps
        state.done_size += size
        return state

    def due(self, state: _Running, step: float) -> bool:
        """Whether the task was last shown longer ago than `step`; then it counts as shown now."""
        now = self.clock()
        if now - state.shown < step:
            return False
        state.shown = now
        return True

    def rate(self, state: _Running) -> float:
        """Raw bytes a second in this stage so far."""
        spent = self.clock() - state.stage_started
        return state.done_size / spent if spent > 0 else 0.0


class PlainProgress:
    """A line when a stage of a task begins, and one when the task ends."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._tasks = _Tasks(clock)
        self._lock = Lock()

    def begin(self, task: str, stage: str, lumps: int, size: int) -> None:
        """Write what the stage has before it."""
        with self._lock:
            self._tasks.begin(task, stage, lumps, size)
            _say(self._stream, f"{task}: {stage} {amount_text(lumps, size)}".rstrip())

    def advance(self, task: str, lumps: int, size: int) -> None:
        """Nothing: a log has no use for it."""

    def end(self, task: str, summary: str) -> None:
        """Write what the task did."""
        with self._lock:
            self._tasks.running.pop(task, None)
            _say(self._stream, f"{task}: {summary}")

    def warn(self, problem: Problem) -> None:
        """Write the warning on a line."""
        with self._lock:
            _say(self._stream, str(problem))


class JsonProgress:
    """One JSON object a line; `event` is begin, advance (twice a second at most), end or warning."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._tasks = _Tasks(clock)
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
        _write(self._stream, json.dumps(fields) + "\n")


class RichProgress:
    """One moving line for each running task on a terminal, and one that stays when it ends."""

    def __init__(
        self, stream: TextIO, environ: Mapping[str, str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._environ = environ
        self._tasks = _Tasks(clock)
        self._lock = Lock()
        self._bars: Any = None  # rich's Progress, while something moves
        self._still = False  # the terminal went away: nothing is drawn any more

    def begin(self, task: str, stage: str, lumps: int, size: int) -> None:
        """Start the stage's bar."""
        with self._lock:
            state = self._tasks.begin(task, stage, lumps, size)
            if self._bars is not None:
                self._draw(task, state)

    def advance(self, task: str, lumps: int, size: int) -> None:
        """Move the task's line."""
        with self._lock:
            state = self._tasks.advance(task, lumps, size)
            if self._tasks.clock() - state.started >= _PATIENCE and self._tasks.due(state, _REDRAW):
                self._draw(task, state)

    def end(self, task: str, summary: str) -> None:
        """Take the task's line away and say what it did."""
        with self._lock:
            state = self._tasks.running.pop(task, None)
            if self._bars is not None and state is not None and state.row is not None:
                self._bars.remove_task(state.row)
            self._above(f"{task}: {summary}")
            if not self._tasks.running:
                self._close()

    def warn(self, problem: Problem) -> None:
        """Say the warning above the moving lines."""
        with self._lock:
            self._above(str(problem))

    def stop(self) -> None:
        """Take all moving lines away, after a failure or Ctrl-C."""
        with self._lock:
            self._tasks.running.clear()
            self._close()

    def _draw(self, task: str, state: _Running) -> None:
        if self._still:
            return
        try:
            self._update(task, state)
        except (OSError, ValueError):
            self._still, self._bars = True, None

    def _update(self, task: str, state: _Running) -> None:
        if self._bars is None:
            self._bars = _rich_bars(self._stream, self._environ)
            self._bars.start()
            self._bars.console.show_cursor(True)  # a killed process could not bring it back
        if state.row is None:
            state.row = self._bars.add_task(task, total=None, start=False, amount="", rate="")
        # a stage of empty lumps has no bytes to count
        done, total = (state.done_size, state.size) if state.size else (state.done_lumps, state.lumps)
        speed = self._tasks.rate(state)
        self._bars.update(
            state.row,
            description=f"{task} {state.stage}",
            completed=done,
            total=total or None,
            amount=_done_text(state),
            rate=f"{size_text(int(speed))}/s" if speed >= 1 else "",
        )
        self._bars.refresh()

    def _above(self, text: str) -> None:
        if self._bars is None:
            _say(self._stream, text)
            return
        plain = {"markup": False, "highlight": False, "emoji": False, "soft_wrap": True}
        with suppress(OSError, ValueError):
            self._bars.console.print(escape_name(text), **plain)

    def _close(self) -> None:
        if self._bars is not None:
            with suppress(OSError, ValueError):
                self._bars.stop()
            self._bars = None


def _rich_bars(stream: TextIO, environ: Mapping[str, str]) -> Any:
    """Rich's progress display, drawn by us alone: no thread, and gone when it stops."""
    from rich.console import Console  # noqa: PLC0415 - 60 ms, only where something moves
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

    console = Console(
        file=stream,
        force_terminal=True,
        no_color=bool(environ.get("NO_COLOR")),
        emoji=False,
        _environ=environ,
    )
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[amount]}", markup=False),
        TextColumn("{task.fields[rate]}", markup=False),
        console=console,
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def _done_text(state: _Running) -> str:
    lumps = [f"{state.done_lumps:,}/{state.lumps:,} lumps"] if state.lumps else []
    return "  ".join([*lumps, size_text(state.done_size)])


def amount_text(lumps: int, size: int) -> str:
    """What a stage has before it: `20,000 lumps, 170 MB`."""
    parts = [count_text(lumps, "lump")] if lumps else []
    return ", ".join([*parts, size_text(size)] if size else parts)


def _say(stream: TextIO, text: str) -> None:
    _write(stream, escape_name(text) + "\n")


def _write(stream: TextIO, text: str) -> None:
    """Write what the stream's encoding can hold; a reader that has gone away stops no build."""
    with suppress(OSError, ValueError):
        encoding = stream.encoding or "utf-8"
        stream.write(encodable(text, encoding).decode(encoding))
        stream.flush()
