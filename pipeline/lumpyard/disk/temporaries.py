"""The names of files that are not whole yet, and how leftovers of a killed run are found again."""

from __future__ import annotations

import os
import re
from contextlib import suppress

from lumpyard.disk.paths import native
from lumpyard.disk.refusals import ABSENT, refused

_OURS = re.compile(rb"\..*\.[0-9a-f]{16}\.lumpyard-tmp", re.DOTALL)
_NAME_LIMIT = 255 - len("..0123456789abcdef.lumpyard-tmp")  # a file's name may have 255 bytes


def temporary_name(name: bytes) -> bytes:
    """A name for a file that is going to be `name`, in the same folder: `.NAME.<random>.lumpyard-tmp`."""
    return b".%s.%s.lumpyard-tmp" % (name[:_NAME_LIMIT], os.urandom(8).hex().encode())


def is_temporary(name: bytes) -> bool:
    """Whether a name is one that `temporary_name` gives."""
    return _OURS.fullmatch(name) is not None


def sweep_temporaries(folder: str) -> int:
    """Remove what killed runs left in a folder; how many files. Only for who holds the project's lock."""
    swept = 0
    try:
        with os.scandir(native(folder)) as entries:
            for entry in entries:
                if is_temporary(entry.name) and entry.is_file(follow_symlinks=False):
                    with suppress(FileNotFoundError):
                        os.unlink(entry.path)
                        swept += 1
    except OSError as error:
        if error.errno not in ABSENT:
            raise refused("clean up", folder, error) from error
    return swept
