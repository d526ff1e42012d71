"""Ctrl-C and SIGTERM under doit: state is saved, all that builds started ends, and there is no traceback."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType, TracebackType

_PARTING = 10.0  # seconds that builds get to end what they run
_PATIENCE = 0.2  # seconds after which worker processes of doit are told again
_GLANCE = 0.02  # seconds between looks at whether they have
_received: list[int] = []  # signals, in order
_building: set[threading.Thread] = set()  # those of `doit -n`


def end_quietly() -> None:
    """Take SIGTERM as Ctrl-C is taken, which lets doit save its state; and end by the signal, without a traceback."""
    if threading.current_thread() is not threading.main_thread() or sys.excepthook is _end:
        return
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
    _end.previous = sys.excepthook  # type: ignore[attr-defined]
    sys.excepthook = _end


@contextmanager
def quick_to_end() -> Iterator[None]:
    """While this is open, Ctrl-C ends doit by the signal with one word: half an import is nothing to clean up.

    Programs that use doit as a library have their own ways, and so have projects that are not ours.
    """
    main = getattr(sys.modules.get("__main__"), "__spec__", None)
    is_doit = "doit.__main__" in sys.modules or getattr(main, "name", "") == "doit.__main__"
    if (
        not is_doit
        or threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    signal.signal(signal.SIGINT, _end_at_once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end_at_once(number: int, _frame: FrameType | None) -> None:
    try:
        os.write(2, b"\ninterrupted\n" if os.isatty(2) else b"interrupted\n")  # not behind the ^C
    finally:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


@contextmanager
def interruptible() -> Iterator[None]:
    """Around a build: `stop_builds` can end it, where doit runs it in a thread of its own."""
    thread = threading.current_thread()
    if thread is threading.main_thread():
        yield
        return
    _building.add(thread)
    try:
        yield
    finally:
        _building.discard(thread)


def stop_builds() -> None:
    """End the builds that still run in other threads and processes of this one, and wait until they are gone."""
    deadline = time.monotonic() + _PARTING
    if _building:
        from lumpyard.build.workers.interrupting import interrupt_threads  # noqa: PLC0415 - hardly ever needed

        interrupt_threads(list(_building))
        while _building and time.monotonic() < deadline:
            time.sleep(_GLANCE)
    if "multiprocessing" in sys.modules:
        from multiprocessing import active_children  # noqa: PLC0415 - only where doit uses it

        while (children := active_children()) and time.monotonic() < deadline:
            children[0].join(_PATIENCE)
            for child in children:  # again: a signal that another thread of it took does not end a read
                child.terminate()
        for child in active_children():
            child.kill()


def stop_if_interrupted() -> None:
    """The same where Ctrl-C or SIGTERM came."""
    if _received:
        stop_builds()


def received() -> int:
    """The signal that ended the run, or 0."""
    return _received[0] if _received else 0


def _interrupt(number: int, _frame: FrameType | None) -> None:
    _received.append(number)
    raise KeyboardInterrupt(number)


def _terminate(number: int, frame: FrameType | None) -> None:
    """As Ctrl-C; but what a first signal has begun to clean up is not cut short by doit, which sends one to workers."""
    if not _received:
        _interrupt(number, frame)


def _end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        _end.previous(kind, error, trace)  # type: ignore[attr-defined]
        return
    from lumpyard.console.terminal import is_terminal  # noqa: PLC0415 - most runs reach their end

    number = _received[0] if _received else signal.SIGINT
    try:
        stop_builds()
        if "lumpyard.doit_plugin.last_word" in sys.modules:
            from lumpyard.doit_plugin.last_word import settle  # noqa: PLC0415 - not in a project of others

            settle()
        line = (
            "\ninterrupted" if sys.stderr and is_terminal(sys.stderr) else "interrupted"
        )  # not behind the ^C
        print(line, file=sys.stderr, flush=True)  # noqa: T201 - the last word of the process
    finally:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
