"""What goes wrong in tasks, as people should see it: a failed task with clean text, and an exit status."""

from __future__ import annotations

import os
import traceback
from functools import partial
from typing import TYPE_CHECKING

from doit.exceptions import TaskFailed

from lumpyard import disk
from lumpyard.console.escape import escape_name
from lumpyard.console.problems import render_problems
from lumpyard.doit_plugin.progress import has_color
from lumpyard.errors import Error, ProblemsError

if TYPE_CHECKING:
    from collections.abc import Iterable

said: list[str] = []  # what went wrong in this run, in words
statuses: list[int] = []  # exit statuses of what went wrong in this process, for `lumpyard ship`


def failed(error: Exception, root: str) -> TaskFailed:
    """The failed task that an error is; `root` is the project folder."""
    statuses.append(error.exit_status if isinstance(error, Error) else Error.exit_status)
    text = error_text(error, root)
    said.append(text)
    return TaskFailed(text)


def not_well(lines: Iterable[str]) -> TaskFailed:
    """The failed task of a check whose answer is no."""
    statuses.append(1)
    return TaskFailed("\n".join(lines))


def error_text(error: Exception, root: str) -> str:
    """An error as people should see it."""
    if not isinstance(error, Error):
        where = (
            "".join(traceback.format_exception(error)) if os.environ.get("LUMPYARD_TRACEBACK") == "1" else ""
        )
        text = f"lumpyard: internal error: {type(error).__name__}: {error}; please report"
        return f"{where}{text} (LUMPYARD_TRACEBACK=1 shows where)"
    if isinstance(error, ProblemsError):
        return render_problems(error.problems, partial(_read_text, root), color=has_color()).rstrip("\n")
    return escape_name(f"lumpyard: error: {error}")


def _read_text(root: str, path: str) -> str:
    return disk.read_file(f"{root}/{path}" if root else path, limit=1 << 22).decode(
        "utf-8", "surrogateescape"
    )
