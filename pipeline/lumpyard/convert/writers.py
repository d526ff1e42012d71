"""Which writer writes a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.writing import WRITERS

if TYPE_CHECKING:
    from lumpyard.archives.writing import Writer

TARGETS = (*WRITERS, "EWAD")


def writer_of(format_name: str, *, large: bool = False) -> Writer:
    """The writer of a format other than EWAD; a large PAK or DAIKATANA may be bigger than all programs can read."""
    if large and format_name == "PAK":
        from lumpyard.archives.pak.writer import LARGE_PAK  # noqa: PLC0415 - only where it is asked for

        return LARGE_PAK
    if large and format_name == "DAIKATANA":
        from lumpyard.archives.daikatana.writer import LARGE_DAIKATANA  # noqa: PLC0415 - as above

        return LARGE_DAIKATANA
    return WRITERS[format_name]
