"""The progress that this process's builds report to; a reporter of ours sets it, else stderr gets plain lines."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lumpyard.build.progress import Progress

_current: list[Progress] = []


def set_progress(progress: Progress) -> None:
    """Report to this from now on."""
    _current[:] = [progress]


def get_progress() -> Progress:
    """What to report to."""
    if not _current:
        from lumpyard.console.progress import make_progress  # noqa: PLC0415 - no-ops report nothing

        _current.append(make_progress(sys.__stderr__ or sys.stderr, os.environ))
    return _current[0]
