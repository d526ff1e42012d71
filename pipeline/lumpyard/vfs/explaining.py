"""Which of several files of one name is taken, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.vfs.layer import Found, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.vfs.state import Mounted, Order

RULES: dict[Order, str] = {
    "stated": "of all mounts that have a name, the latest is taken",
    "archives first": "of all mounts that have a name, the latest archive is taken, else the latest folder",
}


class Candidate(NamedTuple):
    """What one mount has of a name."""

    source: str  # its path on disk, or `ARCHIVE!LUMP`
    mount: str  # the mount's path as given
    at: str  # where that is mounted; "" is the top
    kind: str  # of mount: `folder`, or the archive's format
    path: str  # the name as the mount spells it, seen from the top of the file system
    size: int | None  # bytes, decompressed; None where it is no file
    stored_size: int | None = None  # bytes in an archive
    entry: int | None = None  # directory index in an archive
    note: str = ""  # how the name led there, or what is odd about it


class Explanation(NamedTuple):
    """All that has a name, and what comes of it."""

    name: str  # as asked for
    rule: str  # one line
    winner: Candidate | None  # None where nothing has the name, or what has it first is no file
    shadowed: tuple[Candidate, ...]  # the rest, uppermost first


def explain(name: str, order: Order, mounts: Sequence[Mounted]) -> Explanation:
    """What of a name is taken, and all that it hides; the mounts' uppermost comes first."""
    found = [candidate for mounted in mounts for candidate in _candidates(mounted, name)]
    winner = found[0] if found and found[0].size is not None else None
    return Explanation(name, RULES[order], winner, tuple(found[1 if winner else 0 :]))


def _candidates(mounted: Mounted, name: str) -> Iterator[Candidate]:
    """What a mount has of a name: the file that it would give, then others of the name in the same archive."""
    layer, answer = mounted.layer, mounted.look(name)
    below = mounted.below(name)
    if isinstance(answer, Found):
        yield _candidate(mounted, answer, _note(mounted, answer, below or ""))
        for twin in layer.twins(answer):
            yield _candidate(mounted, twin, "has the same name in the same archive")
    elif answer is not None:
        source = layer.label if below is None else layer.source(below)
        yield Candidate(source, layer.label, mounted.at, layer.kind, name, None, note=f"is {answer.what}")


def _candidate(mounted: Mounted, found: Found, note: str) -> Candidate:
    layer, path = mounted.layer, joined(mounted.at, found.path)
    source = layer.source(found.path)
    return Candidate(
        source, layer.label, mounted.at, layer.kind, path, found.size, found.stored_size, found.entry, note
    )


def _note(mounted: Mounted, found: Found, asked: str) -> str:
    if found.path != asked:
        return f"is spelled so; {mounted.layer.rule.reason}"
    if found.entry is not None and not mounted.layer.names(found):
        return "is found by its name, which the archive does not list"
    return ""
