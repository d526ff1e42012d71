"""Ctrl-C and SIGTERM: while a command works they are exceptions, so that what is half done is cleaned up.

Before and after there is nothing to clean up, and an exception would come out of half an import, or as "ignored" out of
the interpreter's end; so the process ends at once.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_ENDING = (signal.SIGINT, signal.SIGTERM)
_USUAL = (signal.default_int_handler, signal.SIG_DFL)  # all else, SIG_IGN too, is somebody's wish


class Terminated(KeyboardInterrupt):
    """SIGTERM came; whatever handles Ctrl-C handles this."""


@contextmanager
def leaving(*, for_good: bool = False) -> Iterator[None]:
    """While this is open, or from now on, the signals end the process with 130 or 143 and a word.

    A process that was told to ignore a signal still does.
    """
    before = {number: signal.getsignal(number) for number in _ENDING}
    ours = [number for number in _ENDING if before[number] in _USUAL]
    try:
        for number in ours:
            signal.signal(number, _leave)
    except ValueError:  # not the main thread: whoever started it has the signals
        ours = []
    try:
        yield
    finally:
        for number in [] if for_good else ours:
            signal.signal(number, before[number])


@contextmanager
def interruptible() -> Iterator[None]:
    """While this is open within `leaving`, they raise KeyboardInterrupt and Terminated."""
    ours = [number for number in _ENDING if signal.getsignal(number) is _leave]
    try:
        for number in ours:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else _terminate)
        yield
    finally:
        for number in ours:
            signal.signal(number, _leave)


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise Terminated


def _leave(number: int, _frame: FrameType | None) -> None:
    try:
        os.write(2, b"\ninterrupted\n" if os.isatty(2) else b"interrupted\n")
    finally:
        os._exit(128 + number)
