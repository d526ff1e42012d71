"""What is odd but legal in a WAD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.flat import range_warnings

if TYPE_CHECKING:
    from lumpyard.archives.flat import FlatArchive
    from lumpyard.archives.model import Finding


def warnings_of(archive: FlatArchive) -> list[Finding]:
    """All warnings about the entries of a WAD."""
    return list(range_warnings(archive))
