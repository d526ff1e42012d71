"""The tasks that run and how far they are: what every kind of progress keeps, and how each writes a line."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from lumpyard.console.escape import escape_name
from lumpyard.console.terminal import encodable

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(slots=True)
class Running:
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
class Tasks:
    """The tasks that run, by name; what the three kinds of progress share."""

    clock: Callable[[], float]
    running: dict[str, Running] = field(default_factory=dict)

    def begin(self, task: str, stage: str, lumps: int, size: int) -> Running:
        """The task, at the start of this stage."""
        now = self.clock()
        state = self.running.setdefault(task, Running(now))
        state.stage, state.lumps, state.size = stage, lumps, size
        state.done_lumps = state.done_size = 0
        state.stage_started = now
        return state

    def advance(self, task: str, lumps: int, size: int) -> Running:
        """The task, so much further."""
        state = self.running.get(task) or self.begin(task, "", 0, 0)
        state.done_lumps += lumps
        state.done_size += size
        return state

    def due(self, state: Running, step: float) -> bool:
        """Whether the task was last shown longer ago than `step`; then it counts as shown now."""
        now = self.clock()
        if now - state.shown < step:
            return False
        state.shown = now
        return True

    def rate(self, state: Running) -> float:
        """Raw bytes a second in this stage so far."""
        spent = self.clock() - state.stage_started
        return state.done_size / spent if spent > 0 else 0.0


def safe_lines(text: str) -> str:
    """A message made safe; what a tool said below its first line stays below it, and apart."""
    return "\n  ".join(map(escape_name, text.split("\n")))


def say(stream: TextIO, text: str) -> None:
    """Write a message and a line end."""
    write(stream, safe_lines(text) + "\n")


def write(stream: TextIO, text: str) -> None:
    """Write what the stream's encoding can hold; a reader that has gone away stops no build."""
    with suppress(OSError, ValueError):
        encoding = stream.encoding or "utf-8"
        stream.write(encodable(text, encoding).decode(encoding))
        stream.flush()
