"""doit's own database, checked before doit opens it: a broken one means a rebuild, not an error.

What stops doit, each tried: a folder that is not there, a file that is no database, a row that is not JSON.
"""

from __future__ import annotations

import json
from contextlib import closing

from lumpyard import disk
from lumpyard.disk.moving import move_file
from lumpyard.errors import DiskError


def prepare_database(path: str) -> None:
    """Make the folder, and set a database aside that doit would stumble over."""
    disk.make_folder(disk.parent(path))
    if disk.is_there(path) and not _is_good(path):
        try:
            move_file(path, path + ".broken")
        except DiskError:
            return  # doit says what is wrong with it


def _is_good(path: str) -> bool:
    import sqlite3  # noqa: PLC0415 - where there is a database, doit imports it too

    try:
        with closing(sqlite3.connect(f"file:{_quoted(path)}?mode=ro", uri=True, timeout=1)) as connection:
            rows = connection.execute("select task_id, task_data from doit").fetchall()
    except sqlite3.OperationalError as error:
        return "locked" in str(error) or "no such table" in str(
            error
        )  # another doit is at work, or a new one
    except sqlite3.Error:
        return False
    return all(isinstance(task_id, str) and _is_json_map(data) for task_id, data in rows)


def _quoted(path: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415 - sqlite3 takes options in a URI alone

    return quote(path, errors="surrogateescape")


def _is_json_map(data: object) -> bool:
    try:
        return isinstance(data, str | bytes) and isinstance(json.loads(data), dict)
    except ValueError:
        return False
