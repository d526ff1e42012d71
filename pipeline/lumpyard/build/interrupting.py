"""KeyboardInterrupt in threads: Python itself raises it in the main one alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterable


def interrupt_threads(threads: Iterable[threading.Thread]) -> None:
    """Raise KeyboardInterrupt in threads, as soon as each is back in Python code; what they run is then ended."""
    import ctypes  # noqa: PLC0415 - 5 ms, and most runs are not interrupted

    for thread in threads:
        if thread.ident is not None and thread.is_alive():
            raised = ctypes.py_object(KeyboardInterrupt)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), raised)
