"""The one interface through which a build says what it is doing; rich, plain text and JSON implement it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lumpyard.errors import Problem


class Progress(Protocol):
    """Calls come from the thread that runs the task; several tasks may run at once under `doit -n`."""

    def begin(self, task: str, stage: str, lumps: int, size: int) -> None:
        """A stage ("cook", "pack", "verify" ...) of a task ("ship:base") starts: so many lumps, so many raw bytes."""

    def advance(self, task: str, lumps: int, size: int) -> None:
        """So many more lumps and raw bytes are done."""

    def end(self, task: str, summary: str) -> None:
        """The task is done; one line says what it did ("3 of 20,000 lumps made anew, 146.2 MB")."""

    def fail(self, task: str) -> None:
        """The task failed, or was cut short; what went wrong is told by whoever runs it."""

    def warn(self, problem: Problem) -> None:
        """A warning that does not stop the build."""


class Silent:
    """Progress that nobody sees."""

    def begin(self, task: str, stage: str, lumps: int, size: int) -> None:
        """Nothing."""

    def advance(self, task: str, lumps: int, size: int) -> None:
        """Nothing."""

    def end(self, task: str, summary: str) -> None:
        """Nothing."""

    def fail(self, task: str) -> None:
        """Nothing."""

    def warn(self, problem: Problem) -> None:
        """Nothing."""
