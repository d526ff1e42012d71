"""What a page is made of: open archives, and what their lumps are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lumpyard.archives.model import Archive


def never() -> bool:
    """No: what is in memory does not change."""
    return False


class Subject(NamedTuple):
    """An archive that a page shows. Names have bytes that are not UTF-8 as surrogate escapes."""

    path: str  # as given
    archive: Archive
    names: Sequence[str | None]  # of each lump, as stored or as symbols say; None where nothing names it
    paths: Sequence[str]  # of each lump, no two alike, with forward slashes; its key where nothing names it
    has_changed: Callable[[], bool] = (
        never  # whether its file is another one now, so that a look at it may end badly
    )


class Located(NamedTuple):
    """A lump of one of several archives."""

    subject: Subject
    entry: int  # in its archive's directory


def locate(subjects: Sequence[Subject], row: int) -> Located | None:
    """The lump in a row, counted over all archives in their order; None where there is no such row."""
    if row < 0:
        return None
    for subject in subjects:
        if row < len(subject.paths):
            return Located(subject, row)
        row -= len(subject.paths)
    return None
