"""doit's own database, looked at before doit opens it: what it would stumble over means a rebuild, not an error.

What stops doit, each tried: a folder that is not there, a file that is no database of its sqlite3, a row that is not
JSON, a database that another process keeps locked, one that cannot be written or made.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

from lumpyard import disk
from lumpyard.disk.moving import move_file
from lumpyard.doit_plugin.cleaning import unremoved
from lumpyard.doit_plugin.last_word import asked
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Callable

IN_MEMORY = ":memory:"  # sqlite3's name for a database that is gone when doit ends
_REFUSED = (
    ["BUSY"],
    ["LOCKED"],
    ["READONLY"],
    ["PERM"],
    ["CANTOPEN"],
    ["IOERR"],
    ["FULL"],
)  # it may well be good
_WRITERS = {"forget", "clean", "ignore", "reset-dep"}  # commands of doit; no task can be called so
_FORGETTERS = {"forget", "--forget", "ignore", "reset-dep"}
_PATIENCE = (
    2.0  # seconds that a lock of another process may last; a doit that saves its state takes milliseconds
)


def prepare_database(path: str) -> str:
    """What doit is to open: the database at `path`, where it is good or there is none yet.

    One that is broken is set aside; where that cannot be, doit gets one in memory, and everything counts as forgotten.
    """
    try:
        disk.make_folder(disk.parent(path))
        trouble = _trouble(path)
        if trouble.startswith("is no"):
            move_file(path, path + ".broken")
            _say(f"{path} {trouble}; it is {path}.broken now")
            return path
    except DiskError as error:
        return _in_memory(str(error))
    return _in_memory(f"{path} {trouble}") if trouble else path


def _in_memory(trouble: str) -> str:
    """Doit's database where it can have no other; what is asked to forget there has nothing to forget."""
    if _FORGETTERS.intersection(asked):
        raise _refusal(trouble)
    _say(f"{trouble}; what this run finds out is not kept")
    return IN_MEMORY


def write_calmly() -> None:
    """Have doit go on where its database, which it has opened by now, cannot be written any more, as on a full disk.

    It would end with a traceback, and not tell what went wrong in the tasks. One line is said, once. Commands that do
    nothing but write there fail with the line, as doit fails for what it was asked wrongly.
    """
    from doit.globals import Globals  # noqa: PLC0415 - as it happens, doit is there

    manager: Any = Globals.dep_manager
    if manager is None or hasattr(manager, "commit"):
        return  # nobody runs anything, or it is so already
    said: list[str] = []

    def calm(write: Callable[..., None]) -> Callable[..., None]:
        def write_or_say(*args: Any) -> None:
            try:
                write(*args)
            except Exception as error:
                if not isinstance(error, OSError) and type(error).__module__ != "sqlite3":
                    raise
                text = f"{manager.name} cannot be written ({error})"
                if _WRITERS.intersection(asked):
                    raise _refusal(text) from error
                if not said:
                    said.append(text)
                    _say(f"{text}; what this run finds out is not kept")

        return write_or_say

    def close_and_tell() -> None:
        close()
        if unremoved:
            raise _refusal("; ".join(unremoved))

    for name in ("remove", "remove_all"):
        setattr(manager, name, calm(getattr(manager, name)))
    close = calm(manager.close)
    manager.close = close_and_tell
    connection = getattr(manager.backend, "_conn", None)
    manager.commit = calm(connection.commit) if connection is not None else _nothing


def _refusal(text: str) -> Exception:
    from doit.exceptions import InvalidCommand  # noqa: PLC0415 - as it happens, doit is there

    refusal: Exception = InvalidCommand(text)
    return refusal


def _nothing() -> None:
    """Other backends hold nothing that others wait for."""


def _trouble(path: str) -> str:
    """What is wrong with a database, or ""; "is no ..." where it is none that doit could use.

    Where there is none it is made, which may be what a full disk refuses.
    """
    import sqlite3  # noqa: PLC0415 - where there is a database, doit imports it too

    try:
        uri = f"file:{_quoted(path)}?mode=rwc"
        with closing(sqlite3.connect(uri, uri=True, timeout=_PATIENCE, isolation_level=None)) as connection:
            connection.execute("begin immediate")
            connection.execute(
                "create table if not exists doit (task_id text not null primary key, task_data json)"
            )
            # sqlite3 begins even where it can only read, and refuses this, which changes nothing
            connection.execute("delete from doit where 0")
            rows = connection.execute("select task_id, task_data from doit").fetchall()
            connection.execute("commit")
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "").split("_")[1:2] in _REFUSED:
            return f"cannot be used ({error})"
        return "is no database of doit's sqlite3 backend"
    if all(isinstance(task_id, str) and _is_json_map(data) for task_id, data in rows):
        return ""
    return "is no database that doit can read"


def _say(text: str) -> None:
    print(f"lumpyard: {text}", file=sys.stderr)  # noqa: T201 - doit has not begun yet


def _quoted(path: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415 - sqlite3 takes options in a URI alone

    return quote(path, errors="surrogateescape")


def _is_json_map(data: object) -> bool:
    try:
        return isinstance(data, str | bytes) and isinstance(json.loads(data), dict)
    except ValueError:
        return False
