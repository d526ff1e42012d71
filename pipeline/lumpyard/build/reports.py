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


def write_archives_json(project: Project) -> None:
    """Write the development archives that there are, in the manifest's order."""
    with project.guard:
        archives = []
        for archive_id, spec in project.manifest.archives.items():
            record = load_record(project.record_path(archive_id, "pack"))
            if record is not None:
                archives.append(_info(archive_id, spec.format, record))
        disk.write_if_changed(project.real(ARCHIVES), _json(archives), durable=False)


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
            self._problems = [{"message": "interrupted"}]
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
