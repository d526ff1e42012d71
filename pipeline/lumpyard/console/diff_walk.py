"""A diff of two archives from top to bottom, for text and Markdown; how a part looks is the renderer's.

What differs as a whole comes first, then the totals, the lumps status by status, the maps, and what could not be found
out.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lumpyard.console.diff_maps import is_long, short_changes
from lumpyard.console.diff_words import LABELS, fact_text, headline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.report.changes import ArchiveDiff, Change
    from lumpyard.report.map_changes import MapChange

_SILENT = "moved"  # what is only counted, unless all are shown


class Group(NamedTuple):
    """The lumps of one status."""

    status: str
    shown: list[Change]
    left_out: int  # how many more there are

    @property
    def title(self) -> str:
        """The status in words, and how many lumps have it."""
        return f"{LABELS[self.status]} ({len(self.shown) + self.left_out:,})"


class Renderer(Protocol):
    """How the parts look: lines, which may be none."""

    def head(self, diff: ArchiveDiff, headline: str) -> Iterable[str]:
        """The two archives, and the whole in one line."""
        ...

    def facts(self, facts: Sequence[tuple[str, str]]) -> Iterable[str]:
        """What differs as a whole, and how."""
        ...

    def totals(self, diff: ArchiveDiff) -> Iterable[str]:
        """The table that adds up."""
        ...

    def group(self, diff: ArchiveDiff, group: Group) -> Iterable[str]:
        """The lumps of one status."""
        ...

    def maps(self, names: Sequence[str], words: str) -> Iterable[str]:
        """Some maps, and the little that there is to say of them."""
        ...

    def changed_map(self, change: MapChange) -> Iterable[str]:
        """What changed in a map that means something else than it did."""
        ...

    def note(self, note: str) -> Iterable[str]:
        """What could not be found out."""
        ...


def diff_lines(
    diff: ArchiveDiff, maps: Sequence[MapChange], draw: Renderer, most: int | None
) -> Iterator[str]:
    """Lines, with an empty one between the parts; `most` lumps of a status, or all."""
    for number, part in enumerate(_parts(diff, maps, draw, most)):
        if number:
            yield ""
        yield from part


def _parts(
    diff: ArchiveDiff, maps: Sequence[MapChange], draw: Renderer, most: int | None
) -> Iterator[Iterable[str]]:
    yield draw.head(diff, headline(diff))
    if diff.facts:
        yield draw.facts(list(map(fact_text, diff.facts)))
    if diff.differs():
        yield draw.totals(diff)
    for group in groups(diff, most):
        if group.status != _SILENT or most is None:
            yield draw.group(diff, group)
    for words, names in short_changes(maps).items():
        yield draw.maps(names, words)
    yield from map(draw.changed_map, filter(is_long, maps))
    yield from map(draw.note, diff.notes)


def groups(diff: ArchiveDiff, most: int | None) -> Iterator[Group]:
    """The lumps status by status, of each as many as are to be shown: those that weigh most, then by name."""
    for status, found in groupby(diff.changes, key=lambda change: change.status):
        shown = changes = list(found)
        if most is not None and len(changes) > most:
            shown = sorted(changes, key=lambda change: (-abs(change.delta), change.name))[:most]
        yield Group(status, shown, len(changes) - len(shown))
