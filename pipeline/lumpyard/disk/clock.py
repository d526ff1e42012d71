"""The time by the file system's own clock."""

from __future__ import annotations

import os
from contextlib import suppress

from lumpyard.disk.folders import make_folders
from lumpyard.disk.paths import native
from lumpyard.disk.refusals import refusing
from lumpyard.disk.temporaries import temporary_name


def file_clock(folder: str) -> int:
    """Nanoseconds since 1970 by the clock that stamps files in a folder (a server's, on a network disk).

    A file whose times are not older than this may have changed since without showing it.
    """
    with refusing("write to", folder or "."):
        make_folders(native(folder))
        path = os.path.join(native(folder), temporary_name(b"clock"))
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            return os.fstat(fd).st_mtime_ns
        finally:
            os.close(fd)
            with suppress(
                FileNotFoundError
            ):  # another process, which has just locked the project, has swept it
                os.unlink(path)
