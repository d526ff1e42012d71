"""The progress that this process's builds report to; a reporter of ours sets it, else stderr gets plain lines."""

from __future__ import annotations

import os
import sys
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

    from lumpyard.build.progress import Progress

_lock = Lock()
_current: list[Progress] = []
_streams: list[TextIO] = []


def set_progress(progress: Progress, stream: TextIO) -> None:
    """Report to this from now on; it writes to the stream that doit writes to."""
    _current[:] = [progress]
    _streams[:] = [stream]


def has_color() -> bool:
    """Whether what doit prints of a failure is read on a terminal with colors."""
    from lumpyard.console.terminal import look_at  # noqa: PLC0415 - only where something failed

    return look_at(_streams[0] if _streams else sys.stdout, os.environ).color


def get_progress() -> Progress:
    """What to report to."""
    with _lock:  # tasks of several threads begin at once
        if not _current:
            from lumpyard.console.progress import make_progress  # noqa: PLC0415 - no-ops report nothing

            _current.append(make_progress(sys.__stderr__ or sys.stderr, os.environ))
        return _current[0]
