"""A size report as plain data for JSON; docs/report.md has its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.report.diff_data import name_data

if TYPE_CHECKING:
    from lumpyard.report.duplicates import Duplicate
    from lumpyard.report.measure import SizeReport
    from lumpyard.report.sizes import ArchiveSize, Group, Grown, LumpSize


def size_data(report: SizeReport) -> dict[str, Any]:
    """All of it."""
    return {
        "size": report.size,
        "archives": [_archive(archive) for archive in report.archives],
        "duplicates": [_duplicate(one) for one in report.duplicates],
        "missing": list(report.missing),
    }


def _archive(archive: ArchiveSize) -> dict[str, Any]:
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
    }


def _named(row: Group | LumpSize | Grown) -> dict[str, Any]:
    return {**name_data(row.name), **_known(row._asdict())}


def _duplicate(one: Duplicate) -> dict[str, Any]:
    lumps = [{"archive": archive_id, **name_data(name)} for archive_id, name in one.lumps]
    return {"raw_size": one.raw_size, "bytes": one.bytes, "cost": one.cost, "lumps": lumps}


def _known(data: dict[str, Any]) -> dict[str, Any]:
    """Without what is not known."""
    return {key: value for key, value in data.items() if value is not None}
