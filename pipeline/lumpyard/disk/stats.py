"""What the file system says of a file without reading it."""

from __future__ import annotations

import errno
import os
import stat as modes
from typing import NamedTuple

from lumpyard.disk.paths import native
from lumpyard.disk.refusals import ABSENT, refused

# Windows has the time of creation in st_ctime, and no inode where a folder is listed.
CHANGES_ARE_STAMPED = os.name != "nt"


class Stat(NamedTuple):
    """What must agree for a file to be taken as unchanged; each fits a signed 64-bit integer."""

    size: int  # bytes
    mtime_ns: int
    ctime_ns: int  # 0 where the platform has no time of change
    inode: int  # 0 where the platform has none; from 2**63 on less 2**64


def to_stat(result: os.stat_result) -> Stat:
    """The four values that count, out of an os.stat_result."""
    if not CHANGES_ARE_STAMPED:
        return Stat(result.st_size, result.st_mtime_ns, 0, 0)
    inode = result.st_ino if result.st_ino < 1 << 63 else result.st_ino - (1 << 64)
    return Stat(result.st_size, result.st_mtime_ns, result.st_ctime_ns, inode)


def stat_file(path: str) -> Stat | None:
    """Stat of a regular file, links followed; None when there is none (a folder or a FIFO is none)."""
    try:
        result = os.stat(native(path))
    except (OSError, ValueError) as error:
        if isinstance(error, ValueError) or error.errno in ABSENT:
            return None
        raise refused("look at", path, error) from error
    return to_stat(result) if modes.S_ISREG(result.st_mode) else None


def is_there(path: str) -> bool:
    """Whether anything at all has this path: a file, a folder, a link that leads nowhere."""
    try:
        os.lstat(native(path))
    except (OSError, ValueError) as error:
        if isinstance(error, ValueError) or error.errno in ABSENT:
            return False
        raise refused("look at", path, error) from error
    return True


def what_is(path: str) -> str:
    """What there is at a path, links followed, for a message: "a folder"; "" where there is nothing."""
    try:
        return kind_of(os.stat(native(path) or b".").st_mode)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == errno.ELOOP:
            return "a link loop"
        return "a dangling link" if is_there(path) else ""


def kind_of(mode: int) -> str:
    """What there is at a path, for a message: "a FIFO"."""
    for test, kind in (
        (modes.S_ISREG, "a file"),
        (modes.S_ISDIR, "a folder"),
        (modes.S_ISFIFO, "a FIFO"),
        (modes.S_ISSOCK, "a socket"),
        (modes.S_ISLNK, "a link"),
    ):
        if test(mode):
            return kind
    return "a device"
