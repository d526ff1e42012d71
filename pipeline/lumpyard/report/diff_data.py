"""A diff as plain data for JSON; docs/report.md has its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.archives.model import type_text
from lumpyard.report.changes import MOVED
from lumpyard.report.fields import name_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.report.changes import ArchiveDiff, Change
    from lumpyard.report.inventory import Inventory
    from lumpyard.report.map_changes import MapChange


def diff_data(
    diff: ArchiveDiff,
    maps: list[MapChange],
    map_data: Callable[[MapChange], dict[str, Any]],
    *,
    show_all: bool = True,
) -> dict[str, Any]:
    """What a format does not hold is left out; `map_data` gives the changes of a map that was compared.

    Without `show_all` lumps that only moved are left out, which may be all of an archive; the totals count them.
    """
    return {
        "old": archive_data(diff.old),
        "new": archive_data(diff.new),
        "differs": diff.differs(),
        "content_differs": diff.differs(by_content=True),
        "size_change": diff.delta,
        "totals": [{**total._asdict(), "change": total.delta} for total in diff.totals],
        "facts": [fact._asdict() for fact in diff.facts],
        "lumps": [
            _change_data(diff, change) for change in diff.changes if show_all or change.status != MOVED
        ],
        "maps": [_map_data(change, map_data) for change in maps],
        "notes": list(diff.notes),
    }


def archive_data(inventory: Inventory) -> dict[str, Any]:
    """An archive, as `info` tells of it."""
    data: dict[str, Any] = {
        "path": inventory.path,
        "format": inventory.format,
        "lumps": len(inventory.lumps),
        "size": inventory.size,
    }
    if inventory.alignment is not None:
        data["alignment"] = inventory.alignment
    if inventory.seed is not None:
        data["seed"] = inventory.seed
    if inventory.stripped is not None:
        data["stripped"] = inventory.stripped
    if inventory.archive_hash is not None:
        data["archive_hash"] = f"{inventory.archive_hash:016x}"
    return data


def _change_data(diff: ArchiveDiff, change: Change) -> dict[str, Any]:
    data: dict[str, Any] = {"status": change.status, **name_data(change.name)}
    if change.old_name:
        data |= name_data(change.old_name, "old_name")
    if change.also:
        data["also"] = list(change.also)
    data["change"] = change.delta
    if change.old is not None:
        data["old"] = _lump_data(diff.old, change.old, change.old_bytes)
    if change.new is not None:
        data["new"] = _lump_data(diff.new, change.new, change.new_bytes)
    return data


def _lump_data(inventory: Inventory, at: int, size: int) -> dict[str, Any]:
    lump = inventory.lumps[at]
    data: dict[str, Any] = {
        "entry": at,
        "offset": lump.offset,
        "stored_size": lump.stored_size,
        "raw_size": lump.raw_size,
        "bytes": size,
    }
    if lump.fourcc is not None:
        data["type"] = type_text(lump.fourcc) or None
    if lump.schema is not None:
        data["schema"] = lump.schema
    if lump.kind is not None:
        data["kind"] = lump.kind
    if lump.content_hash is not None:
        data["content_hash"] = f"{lump.content_hash:016x}"
    return data


def _map_data(change: MapChange, map_data: Callable[[MapChange], dict[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {**name_data(change.name), "status": change.status}
    if change.lumps:
        data["lumps"] = list(change.lumps)
    if change.diff is not None:
        data["meaning_differs"] = change.is_meant
        data["changes"] = map_data(change)
    return data
