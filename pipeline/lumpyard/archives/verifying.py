"""Verifying an archive of any format: all its data is read, every compressed lump is decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.cap import cap_finding
from lumpyard.archives.model import Finding
from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.archives.model import Archive

    Done = Callable[[int, int], None]


def verify_archive(archive: Archive, progress: Done | None = None) -> list[Finding]:
    """What is wrong with the lumps of an open archive, in directory order, at most one finding a lump.

    An EWAD has its own rules (`ewad.verify`); of all others each lump is decoded once. Where an MPQ's lumps share so
    many bytes that this would take for ever (code `cap`), none is. `progress` is called with offset and stored size of
    what has been read. The archive's `warnings` are not repeated here.
    """
    if archive.format == "EWAD":
        from lumpyard.archives.ewad.reader import EwadView  # noqa: PLC0415 - only where there is one
        from lumpyard.archives.ewad.verify import verify  # noqa: PLC0415

        assert isinstance(archive, EwadView)
        return verify(archive, progress)
    if archive.format == "MPQ":
        total = sum(
            lump.stored_size for lump in archive.lumps if lump.offset + lump.stored_size <= archive.size
        )
        capped = cap_finding(total, archive.size)
        if capped is not None:
            return [capped]
    findings = []
    passed: set[tuple[int | None, ...]] = set()
    for index, lump in enumerate(archive.lumps):
        # Many entries may share one range; where the bytes alone decide, they are decoded once.
        deciding = (lump.offset, lump.stored_size, lump.raw_size, lump.flags)
        if deciding not in passed:
            found = _check_lump(archive, index)
            if found is not None:
                findings.append(found)
            elif archive.format != "MPQ":  # there, the name is the key of an encrypted lump
                passed.add(deciding)
            if progress:
                progress(lump.offset, lump.stored_size)
    return findings


def _check_lump(archive: Archive, index: int) -> Finding | None:
    try:
        archive.read(index)
    except MalformedError as error:
        return Finding(error.code, str(error), index)
    except UnsupportedError as error:
        return Finding(error.code, str(error), index, "unsupported")
    return None
