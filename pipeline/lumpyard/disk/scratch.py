"""A scratch folder, outside of the project, that is gone when its work is done."""

from __future__ import annotations

import contextlib
import os
import stat as modes
from typing import TYPE_CHECKING

from lumpyard.disk.paths import from_system, native
from lumpyard.disk.refusals import refusing
from lumpyard.disk.stats import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator


class Scratch:
    """A folder with three more in it. Paths are seen from `work`."""

    def __init__(self, top: str) -> None:
        self.work = f"{top}/work"  # where files are put and taken
        self.home = f"{top}/home"
        self.temporary = f"{top}/temporary"
        for folder in (self.work, self.home, self.temporary):
            os.mkdir(native(folder))

    def put(self, path: str, data: bytes) -> None:
        """Write a file, with the folders above it."""
        self.make_room(path)
        with refusing("write", path), open(native(f"{self.work}/{path}"), "xb") as file:
            file.write(data)

    def make_room(self, path: str) -> None:
        """Make the folders above a file."""
        folder = os.path.dirname(native(f"{self.work}/{path}"))
        with refusing("make the folder of", path):
            os.makedirs(folder, exist_ok=True)

    def kind(self, path: str) -> str | None:
        """What is at a path: None for nothing, "" for a plain file, else "a folder", "a link" and such."""
        current = self.work
        parts = path.split("/")
        for number, part in enumerate(parts):
            current = f"{current}/{part}"
            try:
                mode = os.lstat(native(current)).st_mode
            except (FileNotFoundError, NotADirectoryError):
                return None
            last = number == len(parts) - 1
            if last:
                return "" if modes.S_ISREG(mode) else kind_of(mode)
            if modes.S_ISLNK(mode):
                return "behind a link"
        return None

    def take(self, path: str) -> bytes:
        """The bytes of a file that `kind` says is plain."""
        with refusing("read", path), open(native(f"{self.work}/{path}"), "rb") as file:
            return file.read()


@contextlib.contextmanager
def scratch_folder() -> Iterator[Scratch]:
    """A new scratch folder in the system's place for such; it is removed whatever happens."""
    import tempfile  # noqa: PLC0415 - only builds with tools pay for it

    with refusing("make a scratch folder in", "the folder for temporary files"):
        top = tempfile.mkdtemp(prefix="lumpyard-")
    try:
        with refusing("make a folder in", top):
            scratch = Scratch(from_system(os.path.realpath(top)))
        yield scratch
    finally:
        _remove(top)


def _remove(top: str) -> None:
    """Remove a folder with all in it, also where a tool took the right to."""
    import shutil  # noqa: PLC0415 - only builds with tools pay for it

    shutil.rmtree(top, ignore_errors=True)
    if os.path.lexists(top):
        for folder, _, _ in os.walk(top):
            with contextlib.suppress(OSError):
                os.chmod(folder, 0o700)
        shutil.rmtree(top, ignore_errors=True)
