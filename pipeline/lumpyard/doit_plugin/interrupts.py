"""Ctrl-C and SIGTERM under doit: state is saved, children end, no traceback."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType, TracebackType

_received: list[int] = []


def end_quietly() -> None:
    """Take SIGTERM as Ctrl-C is taken, which lets doit save its state; and end by the signal, without a traceback."""
    if threading.current_thread() is not threading.main_thread() or sys.excepthook is _end:
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _interrupt)
    _end.previous = sys.excepthook  # type: ignore[attr-defined]
    sys.excepthook = _end


def _interrupt(number: int, _frame: FrameType | None) -> None:
    _received.append(number)
    raise KeyboardInterrupt


def _end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        _end.previous(kind, error, trace)  # type: ignore[attr-defined]
        return
    number = _received[0] if _received else signal.SIGINT
    print("interrupted", file=sys.stderr, flush=True)  # noqa: T201 - the last word of the process
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
