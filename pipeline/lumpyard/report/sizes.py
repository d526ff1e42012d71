"""How large one archive is, by all that can be asked: set, type, folder, lump, and against its last release.

Whatever the rows are by, those of lumps and those of the parts that are no lump add up to the file's size.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.model import type_text
from lumpyard.archives.structure import PARTS
from lumpyard.archives.writing import MAX_SHARED
from lumpyard.report.maps import NO_MAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lumpyard.report.inventory import Inventory
    from lumpyard.report.maps import ArchiveMaps

FOLDER_DEPTH = 2  # parts of a lump's path that a row of folders stands for
NO_TYPE, NO_FOLDER = "-", "."


class Group(NamedTuple):
    """Lumps that have something in common."""

    name: str
    lumps: int
    raw_size: int
    stored_size: int
    bytes: int  # of the file; less than the stored size where lumps share a place
    padding: int  # in front of its lumps
    released: int | None  # bytes of the last release's file; None where they are not known


class LumpSize(NamedTuple):
    """One lump."""

    name: str
    set: str
    type: str  # "" where there is none
    raw_size: int
    stored_size: int
    bytes: int
    released: int | None  # None: not known, or not in the last release


class Grown(NamedTuple):
    """A lump that takes more or less of the file than it did."""

    name: str
    bytes: int  # 0 where it is gone
    released: int  # 0 where it is new

    @property
    def growth(self) -> int:
        """By how much."""
        return self.bytes - self.released


class Release(NamedTuple):
    """The last release, as archives.lock has it."""

    size: int
    lumps: int
    raw_size: int
    stored_size: int
    archive_hash: str
    is_same: bool  # whether the archive that is measured is that one
    parts: dict[str, int] | None  # as `ArchiveSize.parts`; None without its ledger


@dataclass(frozen=True, slots=True)
class ArchiveSize:
    """One archive."""

    id: str
    path: str
    format: str
    size: int
    lumps: int
    raw_size: int
    stored_size: int
    compressed: int  # lumps that are stored compressed
    parts: dict[str, int]  # bytes of what is no lump, by its name in PARTS
    sets: tuple[Group, ...]
    types: tuple[Group, ...]
    folders: tuple[Group, ...]
    largest: tuple[LumpSize, ...]  # of the file
    dedupe_saves: int  # stored bytes that `dedupe` would save
    release: Release | None
    grown: tuple[
        Grown, ...
    ]  # all lumps that take more or less than in the release, those that grew most first
    maps: ArchiveMaps = NO_MAPS

    @property
    def lump_bytes(self) -> int:
        """Bytes of the file that are lumps."""
        return self.size - sum(self.parts.values())

    @property
    def saved(self) -> int:
        """Bytes that compression saves."""
        return self.raw_size - self.stored_size

    @property
    def shared(self) -> int:
        """Stored bytes that are in the file once for several lumps."""
        return self.stored_size - self.lump_bytes


def measure_inventory(
    archive_id: str,
    inventory: Inventory,
    *,
    largest: int,
    release: Release | None = None,
    before: Inventory | None = None,
    maps: ArchiveMaps = NO_MAPS,
) -> ArchiveSize:
    """The sizes of one archive; `before` is the last release lump by lump, where it is at hand."""
    lumps = inventory.lumps
    grown, old = _growth(inventory, before) if before is not None else ((), None)
    heaviest = sorted(range(len(lumps)), key=lambda at: (-inventory.shares.own[at], inventory.names[at]))
    return ArchiveSize(
        id=archive_id,
        path=inventory.path,
        format=inventory.format,
        size=inventory.size,
        lumps=len(lumps),
        raw_size=sum([lump.raw_size for lump in lumps]),
        stored_size=sum([lump.stored_size for lump in lumps]),
        compressed=sum([bool(lump.flags) for lump in lumps]),
        parts={part: inventory.shares.parts[part] for part in PARTS},
        sets=_groups(inventory, before, _sets),
        types=_groups(inventory, before, _types),
        folders=_groups(inventory, before, _folders),
        largest=tuple(_lump(inventory, at, old) for at in heaviest[:largest]),
        dedupe_saves=_dedupe_saves(inventory),
        release=release,
        grown=grown,
        maps=maps,
    )


def _lump(inventory: Inventory, at: int, old: dict[str, int] | None) -> LumpSize:
    lump, name = inventory.lumps[at], inventory.names[at]
    return LumpSize(
        name,
        inventory.sets[at] if inventory.sets else "",
        type_text(lump.fourcc or 0),
        lump.raw_size,
        lump.stored_size,
        inventory.shares.own[at],
        None if old is None else old.get(name),
    )


def _sets(inventory: Inventory) -> Sequence[str]:
    return inventory.sets or [""] * len(inventory.lumps)


def _types(inventory: Inventory) -> Sequence[str]:
    shown = {
        fourcc: type_text(fourcc or 0) or NO_TYPE for fourcc in {lump.fourcc for lump in inventory.lumps}
    }
    return [shown[lump.fourcc] for lump in inventory.lumps]


def _folders(inventory: Inventory) -> Sequence[str]:
    return [folder_of(name) for name in inventory.names]


def folder_of(name: str) -> str:
    """The folder that a lump is counted in."""
    parts = name.split("/", FOLDER_DEPTH)
    return "/".join(parts[:-1]) or NO_FOLDER


def _groups(
    inventory: Inventory, before: Inventory | None, key: Callable[[Inventory], Sequence[str]]
) -> tuple[Group, ...]:
    """A row for each key, the largest first; also for those that only the last release had."""
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    shares = inventory.shares
    for name, lump, own, padding in zip(
        key(inventory), inventory.lumps, shares.own, shares.before, strict=True
    ):
        row = sums[name]
        row[0] += 1
        row[1] += lump.raw_size
        row[2] += lump.stored_size
        row[3] += own
        row[4] += padding
    released: defaultdict[str, int] = defaultdict(int)
    if before is not None:
        for name, own in zip(key(before), before.shares.own, strict=True):
            released[name] += own
    groups = []
    for name in {*sums, *released}:
        lumps, raw_size, stored_size, own, padding = sums[name]
        old = None if before is None else released.get(name, 0)
        groups.append(Group(name, lumps, raw_size, stored_size, own, padding, old))
    return tuple(sorted(groups, key=lambda group: (-group.bytes, group.name)))


def _growth(inventory: Inventory, before: Inventory) -> tuple[tuple[Grown, ...], dict[str, int]]:
    old = dict(zip(before.names, before.shares.own, strict=True))
    new = dict(zip(inventory.names, inventory.shares.own, strict=True))
    found = [Grown(name, new.get(name, 0), old.get(name, 0)) for name in {*old, *new}]
    differing = [lump for lump in found if lump.growth]
    return tuple(sorted(differing, key=lambda lump: (-lump.growth, lump.name))), old


def _dedupe_saves(inventory: Inventory) -> int:
    """Stored bytes that would be in the file once if equal ones shared a place, which serves so many lumps."""
    places: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    for lump, own in zip(inventory.lumps, inventory.shares.own, strict=True):
        if lump.content_hash is not None and lump.stored_size:
            place = places[lump.content_hash, lump.stored_size]
            place[0] += 1
            place[1] += own
    return sum(max(own - size * -(-number // MAX_SHARED), 0) for (_, size), (number, own) in places.items())
