"""build/ship.json after a run that was to ship: it is of this run, or it is gone.

doit itself may refuse before any task of ours has its turn: for a dodo.py that does not load, a task that is not there,
tasks that wait for each other. A report of an earlier run that stayed would say that all went well.
"""

from __future__ import annotations

import atexit
import sys
from contextlib import suppress

from lumpyard.build.release.ship_report import drop_report, is_told
from lumpyard.build.runs import is_worker
from lumpyard.disk import is_there
from lumpyard.errors import DiskError

asked: list[str] = sys.argv[1:]  # what doit is to run: words of its command line
_SHIPS = ".lumpyard/built/ship"  # only where something was shipped a report can be of an earlier run
_OTHERS = frozenset(
    ("help", "list", "info", "clean", "forget", "ignore", "dumpdb", "strace", "tabcompletion", "reset-dep")
)  # doit's commands that ship nothing; no task can be called so
_watched: set[str] = set()


def watch(root: str = "") -> None:
    """Where the command line asks for ships, look at the report below a project folder when this process ends.

    The folder is seen from where doit is then; "" is the current one.
    """
    if is_ship(asked):
        expect(root)


def expect(root: str) -> None:
    """The same where something is shipped, whoever asked for it."""
    if root in _watched or is_worker():
        return
    if not _watched:
        atexit.register(settle)
    _watched.add(root)


def is_ship(words: list[str]) -> bool:
    """Whether doit's command line names tasks that ship."""
    return not is_look(words) and any(word == "ship" or word.startswith("ship:") for word in words)


def is_look(words: list[str]) -> bool:
    """Whether doit's command line is of a command that runs no task."""
    return not _OTHERS.isdisjoint(words)


def settle() -> None:
    """Say what became of the archives that had their turn, where nobody has; else remove reports of earlier runs."""
    while _watched:
        root = _watched.pop()
        if not is_told(root) and not _tell_seen(root):
            forget(root)


def _tell_seen(root: str) -> bool:
    if "lumpyard.doit_plugin.projects" not in sys.modules:
        return False
    from lumpyard.doit_plugin.closing import tell_seen  # noqa: PLC0415 - where our reporter did not

    return tell_seen(root, asked)


def forget(root: str) -> None:
    """Remove the report of an earlier run below a folder, where one can be of ours."""
    with suppress(DiskError):
        if is_there(f"{root}/{_SHIPS}" if root else _SHIPS):
            drop_report(root)
