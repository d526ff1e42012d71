"""SIGTERM as an exception, so that what is half done is cleaned up as Ctrl-C has it."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


class Terminated(KeyboardInterrupt):
    """SIGTERM came; whatever handles Ctrl-C handles this."""


@contextmanager
def terminable() -> Iterator[None]:
    """While this is open, SIGTERM raises Terminated; a process that was told to ignore it still does."""
    try:
        ours = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        if ours:
            signal.signal(signal.SIGTERM, _raise)
    except ValueError:  # not the main thread: whoever started it has the signals
        ours = False
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _raise(_number: int, _frame: FrameType | None) -> None:
    raise Terminated
