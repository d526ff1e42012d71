"""Which lumps of an archive patterns mean, and what to say of a pattern that means none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.cli.archive_file import key_text, name_bytes
from lumpyard.console.suggest import guess_name
from lumpyard.globs import GlobError, parse_glob

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lumpyard.cli.archive_file import ArchiveFile

_KEY = re.compile(r"[0-9A-Fa-f]{16}")


class Selection(NamedTuple):
    """What patterns came to."""

    indices: Sequence[int]  # in directory order
    complaints: list[str]  # one for each pattern that matched nothing


class Candidates(NamedTuple):
    """What one name came to."""

    entry: int  # the lump that it leads to, by the format's rule
    all: Sequence[int]  # all that have it


def select_lumps(file: ArchiveFile, patterns: Sequence[str]) -> Selection:
    """The lumps that any pattern matches, all of them without patterns.

    A pattern is a glob over names, over keys where nothing gives a name, and over the paths that extract would
    write; or a whole name as stored, whatever it would mean as a glob. A whole name also leads where the format's
    own look-up does: in a stripped archive by its hash, in an MPQ whatever its case.
    """
    if not patterns:
        return Selection(range(len(file.names)), [])
    labels = [file.label(index) for index in range(len(file.names))]
    paths = [] if file.archive.format == "EWAD" else file.filled_paths()
    chosen: set[int] = set()
    complaints = []
    for pattern in patterns:
        found = _matches(file, labels, pattern) | _matching(paths, pattern)
        chosen.update(found)
        if not found:
            complaints.append(f"{file.path}: no lump matches '{pattern}'{_hint(pattern, labels)}")
    return Selection(sorted(chosen), complaints)


def _matches(file: ArchiveFile, labels: Sequence[str], pattern: str) -> set[int]:
    found = {index for index, label in enumerate(labels) if label == pattern}
    try:
        glob = parse_glob(pattern)
    except GlobError:
        found |= _looked_up(file, pattern)
        if found:
            return found
        raise
    if glob.is_literal:
        return found | _looked_up(file, pattern)
    return found | {index for index, label in enumerate(labels) if glob.matches(label)}


def _looked_up(file: ArchiveFile, name: str) -> set[int]:
    index = file.archive.find(name_bytes(name))
    return set() if index is None else {index}


def _matching(paths: Sequence[str], pattern: str) -> set[int]:
    """Indices of the paths that a pattern matches."""
    try:
        glob = parse_glob(pattern)
    except GlobError:
        return set()  # it was a whole name, or it was refused before
    return {index for index, path in enumerate(paths) if path == pattern or glob.matches(path)}


def _hint(pattern: str, labels: Sequence[str]) -> str:
    deeper = f"**/{pattern}"
    try:
        glob = parse_glob(deeper)
    except GlobError:
        return ""
    if any(map(glob.matches, labels)):
        return f"; did you mean '{deeper}'?"
    return guess_text(pattern, labels)


def guess_text(name: str, labels: Iterable[str]) -> str:
    """The end of a message on a name that is not there."""
    guess = guess_name(name, labels)
    return f"; {guess}" if guess else ""


def find_lump(file: ArchiveFile, name: str) -> Candidates | None:
    """The lump that a name as stored leads to, else a 16-digit key, else a path that extract would write."""
    index = file.archive.find(name_bytes(name))
    if index is not None:
        stored = file.archive.lumps[index].name
        twins = [at for at, lump in enumerate(file.archive.lumps) if lump.name == stored]
        return Candidates(index, (index,) if stored is None else twins)
    if _KEY.fullmatch(name):
        wanted = name.lower()
        index = next((at for at, lump in enumerate(file.archive.lumps) if key_text(lump.key) == wanted), None)
    if index is None and file.archive.format != "EWAD":
        index = next((at for at, path in enumerate(file.filled_paths()) if path == name), None)
    return None if index is None else Candidates(index, (index,))
