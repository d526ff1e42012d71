"""Lumps that went and lumps that came which are the same ones under other names."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from lumpyard.report.same import is_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lumpyard.report.inventory import Inventory

    Tell = Callable[[Inventory, int], object]

_LIMIT = 256 << 20  # raw bytes that are decoded to find out whether something was renamed


def pair_renamed(
    old: Inventory, new: Inventory, gone: Sequence[int], come: Sequence[int], notes: list[str]
) -> Iterator[tuple[int, int]]:
    """Pairs of equal content among the lumps that only one of the archives has; empty lumps are not looked at.

    First those that are stored alike, which their hashes tell; then by digests. Of several with equal content the first
    that went is the first that came. What was not looked for is noted.
    """
    for tell in (_stored, _digest):
        sizes = _sizes(old, gone) & _sizes(new, come) - {0}
        gone = [at for at in gone if old.lumps[at].raw_size in sizes]
        come = [at for at in come if new.lumps[at].raw_size in sizes]
        if tell is _digest and _cost(old, gone) + _cost(new, come) > _LIMIT:
            notes.append(
                "renames among lumps that are stored in another way were not looked for: too many bytes"
            )
            return
        pairs = list(_pair(old, new, gone, come, tell))
        yield from pairs
        found, taken = {at for at, _ in pairs}, {there for _, there in pairs}
        gone = [at for at in gone if at not in found]
        come = [at for at in come if at not in taken]


def _pair(
    old: Inventory, new: Inventory, gone: Iterable[int], come: Iterable[int], tell: Tell
) -> Iterator[tuple[int, int]]:
    waiting: defaultdict[object, list[int]] = defaultdict(list)
    for there in come:
        waiting[tell(new, there)].append(there)
    waiting.pop(None, None)
    for places in waiting.values():
        places.reverse()
    for at in gone:
        places = waiting.get(tell(old, at), [])
        if places:
            yield at, places.pop()


def _stored(inventory: Inventory, at: int) -> object:
    """What lumps of equal content that are stored alike have in common; None where no hash tells."""
    lump = inventory.lumps[at]
    if lump.content_hash is None:
        return None
    coding = "" if is_plain(inventory, lump) else inventory.format
    return coding, lump.content_hash, lump.stored_size, lump.raw_size


def _digest(inventory: Inventory, at: int) -> object:
    return inventory.digest(at)


def _sizes(inventory: Inventory, places: Iterable[int]) -> set[int]:
    return {inventory.lumps[at].raw_size for at in places}


def _cost(inventory: Inventory, places: Iterable[int]) -> int:
    return 0 if inventory.digests else sum(inventory.lumps[at].raw_size for at in places)
