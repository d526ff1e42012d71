"""Progress on a terminal: a line that moves for each task that runs, and one that stays when it ends.

Workers are forked while a build runs, which is not safe beside threads; so nothing here starts one, and what moves is
drawn by the calls themselves, a few times a second.
"""

from __future__ import annotations

import time
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, TextIO

from lumpyard.console.running import Running, Tasks, safe_lines, say
from lumpyard.console.sizes import count_text, size_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lumpyard.errors import Problem

_REDRAW = 0.1  # seconds between drawings: smooth to the eye, and under a thousandth of a build's time
_PATIENCE = (
    0.3  # seconds a task must run before anything moves: quick builds never flicker, and never load rich
)


class RichProgress:
    """One moving line for each running task on a terminal, and one that stays when it ends."""

    def __init__(
        self, stream: TextIO, environ: Mapping[str, str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._environ = environ
        self._tasks = Tasks(clock)
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
            self._take_away(task)
            self._above(f"{task}: {summary}")
            self._close_if_idle()

    def fail(self, task: str) -> None:
        """Take the task's line away."""
        with self._lock:
            self._take_away(task)
            self._close_if_idle()

    def warn(self, problem: Problem) -> None:
        """Say the warning above the moving lines."""
        with self._lock:
            self._above(str(problem))

    def stop(self) -> None:
        """Take all moving lines away, after Ctrl-C."""
        with self._lock:
            self._tasks.running.clear()
            self._close()

    def _take_away(self, task: str) -> None:
        state = self._tasks.running.pop(task, None)
        if self._bars is not None and state is not None and state.row is not None:
            self._bars.remove_task(state.row)

    def _close_if_idle(self) -> None:
        if not self._tasks.running:
            self._close()

    def _draw(self, task: str, state: Running) -> None:
        if self._still:
            return
        try:
            self._update(task, state)
        except (OSError, ValueError):
            self._still, self._bars = True, None

    def _update(self, task: str, state: Running) -> None:
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
            say(self._stream, text)
            return
        plain = {"markup": False, "highlight": False, "emoji": False, "soft_wrap": True}
        with suppress(OSError, ValueError):
            self._bars.console.print(safe_lines(text), **plain)

    def _close(self) -> None:
        if self._bars is not None:
            with suppress(OSError, ValueError):
                self._bars.stop()
            self._bars = None


def _done_text(state: Running) -> str:
    if not state.done_lumps and not state.done_size:
        return "  ".join([count_text(state.lumps, "lump")] * bool(state.lumps) + [size_text(state.size)])
    lumps = [f"{state.done_lumps:,}/{state.lumps:,} lumps"] if state.lumps else []
    return "  ".join([*lumps, size_text(state.done_size)])


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
