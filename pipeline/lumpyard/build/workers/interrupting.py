"""KeyboardInterrupt in threads: Python itself raises it in the main one alone."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class InterruptibleThread(threading.Thread):
    """A thread that is interrupted in its work, and never in what Python does around it, where nobody could catch it.

    It ends when its work is done and it was released.
    """

    def __init__(self, work: Callable[[], None], name: str) -> None:
        super().__init__(name=name)
        self._work = work
        self._inside = threading.Event()
        self._released = threading.Event()

    def run(self) -> None:
        """Do the work, and wait."""
        with suppress(KeyboardInterrupt):  # when the work was done already
            self._inside.set()
            self._work()
            self._released.wait()

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in the work, if it has begun."""
        if self._inside.is_set() and not self._released.is_set():
            interrupt_threads([self])

    def release(self) -> None:
        """Let it end; it is not interrupted any more."""
        self._released.set()


def interrupt_threads(threads: Iterable[threading.Thread]) -> None:
    """Raise KeyboardInterrupt in threads, as soon as each is back in Python code; what they run is then ended."""
    import ctypes  # noqa: PLC0415 - 5 ms, and most runs are not interrupted

    for thread in threads:
        if thread.ident is not None and thread.is_alive():
            raised = ctypes.py_object(KeyboardInterrupt)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), raised)
