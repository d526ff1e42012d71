"""Lumps of which an archive has several of one name, in one folder: those of equal content belong together.

Their paths differ in a number that says how many were before (`TITLEPIC~1`), so a lump that goes gives those behind it
other paths, and the last or first of them, which look-ups find, is another one when two change places.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from lumpyard.report.changes import CHANGED
from lumpyard.report.renames import pair_renamed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lumpyard.report.changes import Change
    from lumpyard.report.inventory import Inventory

_UNLIKE = "EWAD"  # has no name twice


def pair_twins(
    old: Inventory,
    new: Inventory,
    changes: Iterable[Change],
    gone: Iterable[int],
    come: Iterable[int],
    notes: list[str],
) -> Iterator[tuple[int, int]]:
    """Pairs of equal content and one name, but of other numbers, among what changed, went and came.

    Indices of the old and the new directory. What was not looked for is noted.
    """
    if old.format == new.format == _UNLIKE:
        return
    families: defaultdict[tuple[str, bytes], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    changed = [change for change in changes if change.status == CHANGED]
    sides = (
        (old, [*gone, *(change.old for change in changed if change.old is not None)]),
        (new, [*come, *(change.new for change in changed if change.new is not None)]),
    )
    for side, (inventory, indices) in enumerate(sides):
        for at in sorted(indices):
            name = inventory.lumps[at].name
            if name:
                families[inventory.names[at].rpartition("/")[0], name][side].append(at)
    halves = {(change.old, change.new) for change in changed}
    for olds, news in families.values():
        if olds and news and (len(olds) + len(news) > 2 or (olds[0], news[0]) not in halves):
            yield from pair_renamed(old, new, olds, news, notes)
