"""The progress that this process's builds report to; a reporter of ours sets it, else stderr gets plain lines."""

from __future__ import annotations

import os
import sys
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

    from lumpyard.build.workers.progress import Progress

_lock = Lock()
_current: list[Progress] = []
_streams: list[TextIO] = []
_errors: list[TextIO] = []  # where failures go, when that is not where doit writes


def set_progress(progress: Progress, stream: TextIO) -> None:
    """Report to this from now on; it writes to the stream that doit writes to."""
    _current[:] = [progress]
    _streams[:] = [stream]


def tell_failures(stream: TextIO | None) -> None:
    """Have failures told on this stream; None is where doit writes."""
    _errors[:] = [] if stream is None else [stream]


def failures_stream() -> TextIO | None:
    """Where failures are to be told, or None: where doit writes."""
    return _errors[0] if _errors else None


def has_color() -> bool:
    """Whether what is printed of a failure is read on a terminal with colors."""
    from lumpyard.console.terminal import look_at  # noqa: PLC0415 - only where something failed

    streams = (*_errors, *_streams, sys.stdout)
    return look_at(streams[0], os.environ).color


def get_progress() -> Progress:
    """What to report to."""
    with _lock:  # tasks of several threads begin at once
        if not _current:
            from lumpyard.console.progress import make_progress  # noqa: PLC0415 - no-ops report nothing

            _current.append(make_progress(sys.__stderr__ or sys.stderr, os.environ))
        return _current[0]
