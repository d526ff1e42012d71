"""What differs between two archives, lump by lump, with sizes that add up to the difference of the files.

Lumps are matched by name; of several of one name, those of equal content; what is left by content, which is a rename.
Each lump has one status, the first of `STATUSES` that is true of it, and the bytes of the file that it accounts for in
each of the two archives (archives.structure).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from lumpyard.archives.structure import PARTS, regions_of
from lumpyard.report.changes import (
    ADDED,
    CHANGED,
    REMOVED,
    RENAMED,
    SAME,
    STATUSES,
    ArchiveDiff,
    Change,
    Fact,
    Total,
)
from lumpyard.report.inventory import name_each_other
from lumpyard.report.matching import match_lumps, statuses, without
from lumpyard.report.renames import pair_renamed
from lumpyard.report.same import equal_bytes
from lumpyard.report.twins import pair_twins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.report.inventory import Inventory
    from lumpyard.report.matching import Matched


def _ignore(_size: int) -> None:
    """Where progress goes that nobody looks at."""


def compare_archives(
    old: Inventory, new: Inventory, progress: Callable[[int], None] = _ignore
) -> ArchiveDiff:
    """What differs between two archives; `progress` is told the stored bytes of lumps that had to be read."""
    old, new = name_each_other(old, new)
    notes: list[str] = []
    matched = match_lumps(old, new, progress)
    pairs = list(pair_twins(old, new, matched.changes, matched.gone, matched.come, notes))
    matched = without(matched, pairs)
    pairs += pair_renamed(old, new, matched.gone, matched.come, notes)
    renames = [_rename(old, at, new, there) for at, there in pairs]
    gone = {*matched.gone} - {change.old for change in renames}
    come = {*matched.come} - {change.new for change in renames}
    changes = [
        *(Change(ADDED, new.names[at], None, at, 0, new.shares.own[at]) for at in come),
        *(Change(REMOVED, old.names[at], at, None, old.shares.own[at], 0) for at in gone),
        *(change for change in matched.changes if change.status != SAME),
        *renames,
    ]
    rank = {status: place for place, status in enumerate(STATUSES)}
    changes.sort(key=lambda change: (rank[change.status], change.name, change.old_name))
    changes += matched.moved
    diff = ArchiveDiff(old, new, changes, list(_totals(old, new, changes)), notes=notes)
    diff.facts.extend(_facts(old, new, matched))
    if not diff.differs():
        diff.facts.extend(_bytes_outside(old, new))
    return diff


def _rename(old: Inventory, at: int, new: Inventory, there: int) -> Change:
    found = [status for status in statuses(old, at, new, there) if status not in {SAME, CHANGED}]
    return Change(
        RENAMED,
        new.names[there],
        at,
        there,
        old.shares.own[at],
        new.shares.own[there],
        old.names[at],
        tuple(found),
    )


def _totals(old: Inventory, new: Inventory, changes: Sequence[Change]) -> Iterator[Total]:
    """A row of each kind; what no change tells of is the same."""
    sums = {status: [0, 0, 0] for status in STATUSES}
    for change in changes:
        row = sums[change.status]
        row[0] += 1
        row[1] += change.old_bytes
        row[2] += change.new_bytes
    told = len(changes) - sums[ADDED][0]
    sums[SAME] = [
        len(old.lumps) - told,
        sum(old.shares.own) - sum(row[1] for row in sums.values()),
        sum(new.shares.own) - sum(row[2] for row in sums.values()),
    ]
    for status, (lumps, before, after) in sums.items():
        yield Total(status, lumps, before, after)
    for part in PARTS:
        yield Total(part, 0, old.shares.parts[part], new.shares.parts[part])


def _facts(old: Inventory, new: Inventory, matched: Matched) -> Iterator[Fact]:
    pairs = [("format", old.format, new.format)]
    if old.format == new.format:
        pairs += [("alignment", _text(old.alignment), _text(new.alignment))]
        pairs += [("seed", _text(old.seed), _text(new.seed))]
    pairs.append(("names", _names_text(old.stripped), _names_text(new.stripped)))
    for what, before, after in pairs:
        if before != after and before and after:
            yield Fact(what, before, after)
    is_sorted = "EWAD" in {old.format, new.format}  # by key
    if not is_sorted and any(after < before for (_, before), (_, after) in pairwise(matched.pairs)):
        yield Fact("order", "as it was", "other")


def _text(number: int | None) -> str:
    return "" if number is None else str(number)


def _names_text(stripped: bool | None) -> str:
    return "" if stripped is None else "stripped" if stripped else "in the archive"


def _bytes_outside(old: Inventory, new: Inventory) -> Iterator[Fact]:
    """A fact where two archives that are alike in all else are not the same file."""
    if old.archive is None or new.archive is None:
        if None not in (old.archive_hash, new.archive_hash) and old.archive_hash != new.archive_hash:
            yield Fact("bytes", f"{old.archive_hash:016x}", f"{new.archive_hash:016x}")
        return
    ranges = [(region.offset, region.offset + region.size) for region in regions_of(old.archive)]
    ours, theirs = _data(old), _data(new)
    for start, end in [*ranges, *old.shares.gaps]:
        if not equal_bytes(ours[start:end], theirs[start:end]):
            yield Fact("bytes", "as they were", f"others from {start} to {end}")
            return


def _data(inventory: Inventory) -> memoryview:
    data: memoryview = inventory.archive.data  # type: ignore[union-attr]
    return data
