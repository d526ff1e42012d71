"""What a build tells machines: build/archives.json and build/ship.json (design.md, section 9)."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

from lumpyard import disk
from lumpyard.build.record import load_record
from lumpyard.errors import Error, ProblemsError

if TYPE_CHECKING:
    from lumpyard.build.project import Project
    from lumpyard.build.record import Record

ARCHIVES = "build/archives.json"
SHIP = "build/ship.json"
_INTERRUPTED = {"message": "interrupted"}


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
    return {
        "id": archive_id,
        "path": record.path,
        "format": form,
        "lumps": len(record.rows),
        "alignment": record.alignment,
        "seed": record.seed,
        "stripped": False,
        "archive_hash": f"{record.archive_hash:016x}",
        "content_id": record.content_id,
        "size": record.stat[0],
    }


class ShipReport:
    """What the ship tasks of this process came to; each of them writes it anew."""

    def __init__(self) -> None:
        self._archives: dict[str, dict[str, Any]] = {}
        self._problems: list[dict[str, Any]] = []
        self._exit_status = 0

    def add(
        self,
        archive_id: str,
        path: str,
        archive_hash: int,
        content_id: str,
        *,
        changed: bool,
        reasons: tuple[str, ...],
    ) -> None:
        """An archive that is as it should be."""
        self._archives[archive_id] = {
            "id": archive_id,
            "path": path,
            "archive_hash": f"{archive_hash:016x}",
            "content_id": content_id,
            "changed": changed,
            "reasons": list(reasons),
        }

    def fail(self, error: BaseException) -> None:
        """Something that went wrong; KeyboardInterrupt has the number of its signal, where it has any."""
        self._exit_status = max(self._exit_status, exit_status_of(error))
        if isinstance(error, KeyboardInterrupt):
            self._problems += [] if _INTERRUPTED in self._problems else [_INTERRUPTED]
        elif isinstance(error, ProblemsError):
            self._problems += [
                {
                    **problem.place._asdict(),
                    "code": problem.code,
                    "message": problem.message,
                    "hint": problem.hint,
                }
                for problem in error.problems
            ]
        else:
            self._problems.append({"message": str(error)})

    def write(self, root: str) -> None:
        """Write build/ship.json below a project folder."""
        value = {
            "result": "failed" if self._exit_status else "ok",
            "exit_status": self._exit_status,
            "archives": list(self._archives.values()),
            "problems": self._problems,
        }
        disk.write_if_changed(f"{root}/{SHIP}" if root else SHIP, _json(value), durable=False)


def exit_status_of(error: BaseException) -> int:
    """What a run that ends with this error ends with."""
    if isinstance(error, KeyboardInterrupt):
        return 128 + (error.args[0] if error.args else signal.SIGINT)
    return error.exit_status if isinstance(error, Error) else Error.exit_status


def _json(value: object) -> bytes:
    import json  # noqa: PLC0415 - not for no-ops

    return (json.dumps(value, indent=2) + "\n").encode()
