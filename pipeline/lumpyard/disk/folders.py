"""Making and removing folders, removing files, and finding programs."""

from __future__ import annotations

import errno
import os

from lumpyard.disk.paths import from_native, native
from lumpyard.disk.refusals import ABSENT, refused, refusing


def make_folder(path: str) -> None:
    """Make a folder, and those that it lies in, where they are not there yet."""
    with refusing("make folder", path):
        make_folders(native(path))


def make_folders(path: bytes) -> list[bytes]:
    """Make a folder and those above it; those that were made, the highest first. OSError as it comes."""
    missing: list[bytes] = []
    while not os.path.isdir(path or b"."):
        missing.append(path)
        path = os.path.dirname(path)
        if path == missing[-1]:
            break
    made: list[bytes] = []
    for folder in reversed(missing):
        try:
            os.mkdir(folder)
            made.append(folder)
        except FileExistsError:
            if not os.path.isdir(folder):  # else another process was quicker
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
    return made


def remove_file(path: str) -> bool:
    """Remove a file, or a link and not what it leads to; whether it was there."""
    try:
        os.unlink(native(path))
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in ABSENT:
            return False
        raise refused("remove", path, error) from error
    return True


def remove_folder_tree(path: str) -> bool:
    """Remove a folder and all that is below it, no link followed; whether it was there."""
    import shutil  # noqa: PLC0415 - 5 ms, and seldom needed

    with refusing("remove", path):
        if not os.path.lexists(native(path)):
            return False
        try:
            shutil.rmtree(native(path))
        except FileNotFoundError:  # another process removes it too
            if os.path.lexists(native(path)):
                raise
    return True


def find_program(name: str) -> str | None:
    """The absolute path of a program, by PATH unless `name` has a slash; None when it is not there."""
    import shutil  # noqa: PLC0415 - 5 ms, and only tools need it

    try:
        found = shutil.which(native(name))
    except ValueError:
        return None
    return None if found is None else from_native(os.path.abspath(found))
