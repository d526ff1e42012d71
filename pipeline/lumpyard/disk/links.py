"""Where a symbolic link leads: inside the project it is followed, everything else is said."""

from __future__ import annotations

import errno
import os
import stat as modes

from lumpyard.disk.paths import is_below
from lumpyard.disk.refusals import ABSENT
from lumpyard.disk.stats import kind_of

LOOP = "a link loop"
DANGLING = "a dangling link"
LEAVES = "a link that leaves the project"
BARRED = "a link to what may not be looked at"


def follow(link: bytes, folder: bytes, project: bytes) -> os.stat_result | str:
    """Stat of the file or folder that a link in `folder` leads to, or else what is odd about it."""
    try:
        result = os.stat(link)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return LOOP
        return DANGLING if error.errno in ABSENT else BARRED
    target = os.path.realpath(link)
    if not is_below(target, os.path.realpath(project)):
        return LEAVES
    if modes.S_ISDIR(result.st_mode):
        return LOOP if _leads_back(target, folder, project) else result
    return result if modes.S_ISREG(result.st_mode) else f"a link to {kind_of(result.st_mode)}"


def _leads_back(target: bytes, folder: bytes, project: bytes) -> bool:
    """Whether a link's target holds a folder that the scan came through: following it would never end.

    An endless descent must pass some link a second time, and then its target is one of the folders passed.
    """
    current, top = os.path.normpath(folder), os.path.normpath(project)
    while True:
        if is_below(os.path.realpath(current), target):
            return True
        above = os.path.dirname(current) or b"."
        if current in {top, above}:
            return False
        current = above
