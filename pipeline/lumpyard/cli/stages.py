"""A line that moves while a command works, on a terminal, where that takes long."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lumpyard.console.escape import escape_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lumpyard.cli.output import Output


@contextmanager
def stages(err: Output, label: str, size: int) -> Iterator[Callable[[str, int], None]]:
    """What to tell of the work: the stage that it is in, and how many of `size` bytes are done; 0 is one thing more."""
    if err.stream is None or err.terminal.width is None:
        yield lambda _stage, _size: None
        return
    from lumpyard.console.moving import RichProgress  # noqa: PLC0415 - where somebody looks

    bars, last, safe = RichProgress(err.stream, os.environ), [""], escape_name(label)

    def advance(stage: str, done: int) -> None:
        if last[-1] != stage:
            last.append(stage)
            bars.begin(safe, stage, 0, size if done else 0)
        bars.advance(safe, int(not done), done)

    try:
        yield advance
    finally:
        bars.stop()
