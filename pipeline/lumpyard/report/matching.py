"""Which lumps of two archives are the same by name, and what is true of each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.report.changes import CHANGED, MOVED, REENCODED, RESCHEMED, RETYPED, SAME, Change
from lumpyard.report.same import equal_bytes, same_content, same_encoding, stored_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lumpyard.archives.model import Lump
    from lumpyard.report.inventory import Inventory


class Matched(NamedTuple):
    """What matching by name comes to."""

    changes: list[Change]  # also those that are `same` after a second look
    moved: list[Change]  # of the many that a first look settles, those that stand elsewhere
    pairs: list[tuple[int, int]]  # indices of all matched, in the old order
    gone: list[int]  # indices of the old archive that nothing matches
    come: list[int]  # and of the new one


def match_lumps(old: Inventory, new: Inventory, progress: Callable[[int], None]) -> Matched:
    """The lumps that both archives have by name."""
    places = dict(zip(_match_names(new), range(len(new.lumps)), strict=True))
    lumps, own, shared = new.lumps, new.shares.own, old.shares.own
    alike = old.format == new.format
    ours, theirs = stored_data(old), stored_data(new)
    found = Matched([], [], [], [], [])
    for at, (name, before) in enumerate(zip(_match_names(old), old.lumps, strict=True)):
        there = places.pop(name, None)
        if there is None:
            found.gone.append(at)
            continue
        found.pairs.append((at, there))
        after = lumps[there]
        if (
            alike
            and before[2:4] == after[2:4]
            and before[5:10] == after[5:10]
            and (before[8] is not None or _stands_alike(ours, before, theirs, after, progress))
        ):
            if before[1] != after[1]:
                found.moved.append(Change(MOVED, name, at, there, shared[at], own[there]))
            continue
        status, *also = statuses(old, at, new, there)
        further = tuple(one for one in also if one != SAME)
        change = Change(status, new.names[there], at, there, shared[at], own[there], "", further)
        progress(before.stored_size)
        (found.moved if status == MOVED else found.changes).append(change)
    found.come.extend(places.values())
    return found


def without(matched: Matched, pairs: Sequence[tuple[int, int]]) -> Matched:
    """The same but for lumps that belong to others; whose other half was taken has gone, or come."""
    if not pairs:
        return matched
    olds, news = {at for at, _ in pairs}, {there for _, there in pairs}
    parted = [change for change in matched.changes if change.old in olds or change.new in news]
    halves = {(change.old, change.new) for change in parted}
    gone = [*matched.gone, *(change.old for change in parted if change.old is not None)]
    come = [*matched.come, *(change.new for change in parted if change.new is not None)]
    return Matched(
        [change for change in matched.changes if (change.old, change.new) not in halves],
        matched.moved,
        [pair for pair in matched.pairs if pair not in halves],
        sorted(at for at in gone if at not in olds),
        sorted(at for at in come if at not in news),
    )


def _stands_alike(
    ours: memoryview | None,
    before: Lump,
    theirs: memoryview | None,
    after: Lump,
    progress: Callable[[int], None],
) -> bool:
    """Whether the stored bytes of two lumps are the same, where they can be looked at without decoding anything."""
    if ours is None or theirs is None:
        return False
    size = before[2]
    if not equal_bytes(ours[before[1] : before[1] + size], theirs[after[1] : after[1] + size]):
        return False
    progress(size)
    return True


def _match_names(inventory: Inventory) -> Sequence[str]:
    """Names to match by, in which a stand-in is never taken for a name."""
    if all(inventory.is_named):
        return inventory.names
    named = zip(inventory.names, inventory.is_named, strict=True)
    return [name if is_named else f"\0{name}" for name, is_named in named]


def statuses(old: Inventory, at: int, new: Inventory, there: int) -> Iterator[str]:
    """All that is true of a lump that both archives have, but its name."""
    before, after = old.lumps[at], new.lumps[there]
    changed = not same_content(old, at, new, there)
    if changed:
        yield CHANGED
    if _differ(before.fourcc, after.fourcc) or _differ(before.kind, after.kind):
        yield RETYPED
    if _differ(before.schema, after.schema):
        yield RESCHEMED
    if not changed and not same_encoding(old, at, new, there):
        yield REENCODED
    yield SAME if before.offset == after.offset else MOVED


def _differ(before: int | None, after: int | None) -> bool:
    """Whether two fields differ, where both formats have them."""
    return before is not None and after is not None and before != after
