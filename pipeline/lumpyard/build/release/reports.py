"""What builds tell machines of the development archives: build/archives.json (design.md, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard import disk
from lumpyard.build.earlier.record import load_record
from lumpyard.manifest.formats import FORMATS

if TYPE_CHECKING:
    from lumpyard.build.earlier.record import Record
    from lumpyard.build.project import Project

ARCHIVES = "build/archives.json"


def write_archives_json(project: Project) -> None:
    """Write the development archives that there are, in the manifest's order."""
    with project.guard:
        disk.write_if_changed(project.real(ARCHIVES), _archives_json(project), durable=False)


def why_archives_json_differs(project: Project) -> str:
    """What is wrong with what tells of the development archives, or ""."""
    data = disk.read_if_there(project.real(ARCHIVES))
    if data is None:
        return f"{ARCHIVES} is not there"
    with project.guard:
        return "" if data == _archives_json(project) else f"{ARCHIVES} says something else"


def tells_of(project: Project, entry: str) -> bool:
    """Whether what tells of the development archives has an entry of `archive_entry`."""
    data = disk.read_if_there(project.real(ARCHIVES))
    return data is not None and bool(entry) and entry.encode() in data


def archive_entry(project: Project, archive_id: str, record: Record) -> str:
    """What is told of a development archive."""
    import json  # noqa: PLC0415 - not for no-ops

    info = json.dumps(_info(archive_id, project.archive(archive_id).format, record), indent=2)
    return "  " + info.replace("\n", "\n  ")


def _archives_json(project: Project) -> bytes:
    entries = []
    for archive_id in project.manifest.archives:
        record = load_record(project.record_path(archive_id, "pack"))
        if record is not None:
            entries.append(archive_entry(project, archive_id, record))
    return ("[\n" + ",\n".join(entries) + "\n]\n" if entries else "[]\n").encode()


def _info(archive_id: str, form: str, record: Record) -> dict[str, Any]:
    """An archive as `lumpyard info` tells of it: of alignment, seed and stripped names what its format holds."""
    held = {"alignment": record.alignment, "seed": record.seed, "stripped": False}
    return {
        "id": archive_id,
        "path": record.path,
        "format": form,
        "lumps": len(record.rows),
        **(held if FORMATS[form].holds_all else {}),
        "archive_hash": f"{record.archive_hash:016x}",
        "content_id": record.content_id,
        "size": record.stat[0],
    }
