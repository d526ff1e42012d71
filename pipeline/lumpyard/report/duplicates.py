"""Lumps of equal content, in one archive or in several, and what they cost."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumpyard.report.inventory import Inventory


class Duplicate(NamedTuple):
    """Lumps with the same raw bytes."""

    lumps: tuple[tuple[str, str], ...]  # archive and name of each, in order
    raw_size: int  # of each
    bytes: int  # of the files, all together
    cost: int  # bytes of the files beyond those of the one that takes most


def find_duplicates(inventories: Mapping[str, Inventory]) -> tuple[Duplicate, ...]:
    """All that are there more than once, those that cost most first; empty lumps are none."""
    found: defaultdict[bytes, list[tuple[str, int]]] = defaultdict(list)
    for archive_id, inventory in inventories.items():
        for at, digest in enumerate(inventory.digests):
            if digest and inventory.lumps[at].raw_size:
                found[digest].append((archive_id, at))
    duplicates = [_duplicate(inventories, places) for places in found.values() if len(places) > 1]
    return tuple(sorted(duplicates, key=lambda one: (-one.cost, one.lumps)))


def _duplicate(inventories: Mapping[str, Inventory], places: list[tuple[str, int]]) -> Duplicate:
    own = [inventories[archive_id].shares.own[at] for archive_id, at in places]
    archive_id, first = places[0]
    names = sorted((archive_id, inventories[archive_id].names[at]) for archive_id, at in places)
    raw_size = inventories[archive_id].lumps[first].raw_size
    return Duplicate(tuple(names), raw_size, sum(own), sum(own) - max(own))
