"""What a manifest may say that isn't built yet: it is read and checked, and refused here alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import Problem
from lumpyard.manifest.codes import FORMAT_LATER, MOUNT_LATER
from lumpyard.manifest.nodes import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lumpyard.errors import Place
    from lumpyard.manifest.model import Mount

_ARCHIVE_SUFFIXES = (".ewad", ".iwad", ".wad", ".pak", ".mpq")


def iter_refused(formats: Iterable[tuple[str, Place]], mounts: Iterable[Mount]) -> Iterator[Problem]:
    """A problem for each format that can't be written, and each archive that can't be mounted."""
    for name, place in formats:
        if name != "EWAD":
            yield Problem(
                place, FORMAT_LATER, f"{name} archives can't be written yet", "EWAD is the one format so far"
            )
    for mount in mounts:
        if mount.path.lower().endswith(_ARCHIVE_SUFFIXES):
            message = f"archives can't be mounted yet: '{shorten(mount.path)}'"
            yield Problem(mount.place, MOUNT_LATER, message, "extract it into a folder, and mount that")
