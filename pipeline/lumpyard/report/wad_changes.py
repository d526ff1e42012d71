"""The maps of WADs that are lumps of an archive, among a diff's changes: `doom-map` makes a WAD of each map."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import ArchiveError
from lumpyard.report.changes import ADDED, CHANGED, MOVED, REENCODED, REMOVED, RENAMED
from lumpyard.report.map_change import MapChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lumpyard.maps.model import DoomMap
    from lumpyard.report.changes import ArchiveDiff, Change
    from lumpyard.report.inventory import Inventory

_SAME = frozenset((RENAMED, MOVED, REENCODED))  # with the bytes that they had
_DMAP = int.from_bytes(b"DMAP", "little")  # the type that the rule gives


def wad_changes(diff: ArchiveDiff, progress: Callable[[str], None], most: int) -> list[MapChange]:
    """The maps that were added, removed or changed in WADs, by the WADs' names; of more than `most` WADs a note."""
    found: list[MapChange] = []
    looked_at = 0
    changes = [
        change
        for change in diff.changes
        if not (change.status in _SAME and not {*change.also} - _SAME) and _is_wad(diff, change)
    ]
    for change in sorted(changes, key=lambda change: change.name):
        looked_at += 1
        if looked_at > most:
            diff.notes.append(
                f"{len(changes)} WADs in it changed; the maps of the first {most} were compared"
            )
            break
        progress(change.name)
        try:
            old, new = _maps(diff.old, change.old), _maps(diff.new, change.new)
        except ArchiveError as error:
            diff.notes.append(f"maps of {change.name} were not compared: {error}")
            continue
        found += _compared(change.name, old, new)
    return found


def _is_wad(diff: ArchiveDiff, change: Change) -> bool:
    """Whether a lump is worth a look, by its name or its type."""
    sides = ((diff.old, change.old), (diff.new, change.new))
    return change.name.lower().endswith(".wad") or any(
        entry is not None and inventory.lumps[entry].fourcc == _DMAP for inventory, entry in sides
    )


def _maps(inventory: Inventory, entry: int | None) -> dict[str, DoomMap]:
    if entry is None or inventory.archive is None:
        return {}
    from lumpyard.maps.opening import maps_of_wad  # noqa: PLC0415 - of archives with maps only

    return maps_of_wad(inventory.archive.read(entry))


def _compared(path: str, old: dict[str, DoomMap], new: dict[str, DoomMap]) -> Iterator[MapChange]:
    from lumpyard.maps.compare import compare  # noqa: PLC0415 - of archives with maps only

    for name in sorted({*old, *new}):
        title = path if path.rpartition("/")[2] == name else f"{path}: {name}"
        before, after = old.get(name), new.get(name)
        if before is None or after is None:
            yield MapChange(title, ADDED if before is None else REMOVED)
            continue
        lumps = {
            lump for lump in {*before.lumps, *after.lumps} if before.lumps.get(lump) != after.lumps.get(lump)
        }
        if lumps:
            yield MapChange(title, CHANGED, tuple(sorted(lumps)), compare(before, after), before, after)
