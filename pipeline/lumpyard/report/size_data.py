"""A size report as plain data for JSON; docs/report.md has its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.report.fields import name_data
from lumpyard.report.maps import NO_MAPS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lumpyard.maps.statistics import Statistics
    from lumpyard.report.duplicates import Duplicate
    from lumpyard.report.maps import ArchiveMaps
    from lumpyard.report.measure import SizeReport
    from lumpyard.report.sizes import ArchiveSize, Group, Grown, LumpSize


def _no_numbers(_numbers: Statistics) -> dict[str, Any]:
    """What is said of a map beside its name."""
    return {}


def size_data(
    report: SizeReport, numbers: Callable[[Statistics], dict[str, Any]] = _no_numbers
) -> dict[str, Any]:
    """All of it; `numbers` are a map's as plain data."""
    return {
        "size": report.size,
        "archives": [_archive(archive, numbers) for archive in report.archives],
        "duplicates": [_duplicate(one) for one in report.duplicates],
        "missing": list(report.missing),
    }


def _archive(archive: ArchiveSize, numbers: Callable[[Statistics], dict[str, Any]]) -> dict[str, Any]:
    release = archive.release
    return {
        "id": archive.id,
        "path": archive.path,
        "format": archive.format,
        "size": archive.size,
        "lumps": archive.lumps,
        "compressed": archive.compressed,
        "raw_size": archive.raw_size,
        "stored_size": archive.stored_size,
        "saved": archive.saved,
        "shared": archive.shared,
        "rows": [
            {"what": "lumps", "bytes": archive.lump_bytes},
            *({"what": part, "bytes": size} for part, size in archive.parts.items()),
        ],
        "sets": [_named(group) for group in archive.sets],
        "types": [_named(group) for group in archive.types],
        "folders": [_named(group) for group in archive.folders],
        "largest": [_named(lump) for lump in archive.largest],
        "dedupe_saves": archive.dedupe_saves,
        "release": None
        if release is None
        else {**_known(release._asdict()), "growth": archive.size - release.size},
        "grown": [{**_named(lump), "growth": lump.growth} for lump in archive.grown],
        **_maps(archive.maps, numbers),
    }


def _maps(maps: ArchiveMaps, numbers: Callable[[Statistics], dict[str, Any]]) -> dict[str, Any]:
    """The maps of an archive, and what is to be said of them; nothing where there are none."""
    if maps == NO_MAPS:
        return {}
    rows = []
    for each in maps.maps:
        row: dict[str, Any] = {"map": each.numbers.name}
        if each.path:
            row["path"] = each.path
        rows.append({**row, "format": each.numbers.format, "statistics": numbers(each.numbers)})
    return {"maps": rows, "maps_found": maps.found, "map_notes": list(maps.notes)}


def _named(row: Group | LumpSize | Grown) -> dict[str, Any]:
    return {**name_data(row.name), **_known(row._asdict())}


def _duplicate(one: Duplicate) -> dict[str, Any]:
    lumps = [{"archive": archive_id, **name_data(name)} for archive_id, name in one.lumps]
    return {"raw_size": one.raw_size, "bytes": one.bytes, "cost": one.cost, "lumps": lumps}


def _known(data: dict[str, Any]) -> dict[str, Any]:
    """Without what is not known."""
    return {key: value for key, value in data.items() if value is not None}
