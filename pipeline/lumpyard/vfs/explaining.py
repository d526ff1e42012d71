"""Which of several files of one name is taken, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.vfs.layer import Found, joined, path_bytes
from lumpyard.vfs.namerules import NAME_RULES, fold
from lumpyard.vfs.state import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.vfs.state import Mounted, Order, State

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
    winner: Candidate | None  # None where nothing has the name, or what has it uppermost is no file
    shadowed: tuple[
        Candidate, ...
    ]  # the rest, uppermost first; without a winner, first what is no file and hides them


def explain(name: str, order: Order, mounts: Sequence[Mounted]) -> Explanation:
    """What of a name is taken, and all that it hides; the mounts' uppermost comes first."""
    found = [candidate for mounted in mounts for candidate in _candidates(mounted, name)]
    winner = found[0] if found and found[0].size is not None else None
    if winner is not None:
        found += _otherwise_spelled(winner, mounts, name)
    return Explanation(name, RULES[order], winner, tuple(found[1 if winner else 0 :]))


def conflicts(order: Order, state: State) -> Iterator[Explanation]:
    """An explanation of each file that hides others in mounts below it, and of each that something else hides.

    Sorted by name. Lumps that share a name in one archive are no conflict: each has a path of its own.
    """
    hidden: dict[str, list[Candidate]] = {}
    winners: dict[str, Candidate] = {}
    for mounted in state.mounts:
        for path in mounted.paths():
            answer = state.search(path)
            own = mounted.look(path)
            if answer is None or answer.mounted is mounted or not isinstance(own, Found):
                continue
            if isinstance(answer, Hit):
                name = answer.path
                winners[name] = _candidate(answer.mounted, answer.found, "")
            else:
                name = path
                hidden.setdefault(name, list(_candidates(answer.mounted, name)))
            hidden.setdefault(name, []).append(_candidate(mounted, own, ""))
    for name in sorted(hidden, key=path_bytes):
        yield Explanation(name, RULES[order], winners.get(name), tuple(hidden[name]))


def _otherwise_spelled(winner: Candidate, mounts: Sequence[Mounted], name: str) -> Iterator[Candidate]:
    """What a winner of a mount that folds case hides in mounts that don't: files that differ in case from it."""
    if not NAME_RULES[winner.kind].fold:
        return
    is_below = False
    for mounted in mounts:
        if is_below and not mounted.layer.rule.fold:
            for path in mounted.paths():
                found = mounted.look(path) if path != name and fold(path) == fold(winner.path) else None
                if isinstance(found, Found):
                    yield _candidate(mounted, found, "is spelled so")
        is_below = is_below or (mounted.layer.label, mounted.at) == (winner.mount, winner.at)


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
