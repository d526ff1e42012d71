"""What a run tells machines of the release: build/ship.json (design.md, section 9).

While a run builds, it is not there, or says that something failed. That all is well is said once, by the process that
people started, when the run is over and every archive that it was to ship is there: a run that was killed says nothing.
Worker processes of one doit know only of their own tasks; what each of them knows is kept beside.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lumpyard import disk
from lumpyard.build.runs import is_worker, run_name
from lumpyard.errors import DiskError, Error, ProblemsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHIP = "build/ship.json"
PARTS = ".lumpyard/ship"  # a file for each worker process of this run
_TRIES = 3
_INTERRUPTED = {"message": "interrupted"}
_told: set[str] = set()  # project folders in which the run is over


class ShipReport:
    """What the ship tasks of this process came to; archives are told of in the order that is given here."""

    def __init__(self, order: Iterable[str] = ()) -> None:
        self._run = run_name()
        self._order = tuple(order)
        self._archives: dict[str, dict[str, Any]] = {}
        self._problems: list[dict[str, Any]] = []
        self._exit_status = 0
        self._wanted: set[str] = set()

    def want(self, archive_id: str) -> None:
        """An archive that this run is to ship; it is not well without."""
        self._wanted.add(archive_id)

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

    def begin(self, root: str) -> None:
        """Drop the report while an archive is built: it would stay, and say that all is well, were this run killed."""
        with suppress(DiskError):  # the build itself will meet it
            drop_report(root)

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

    def keep(self, root: str) -> None:
        """Have known what this process knows so far: a failure by all, the rest by the first process of the run."""
        if is_worker():
            part = f"{_below(root, PARTS)}/{self._run}.{os.getpid()}"
            disk.write_file(part, _json([self._archives, self._problems, self._exit_status]), durable=False)
        if self._exit_status:
            self.write(root)
            return
        with disk.NewFile(
            _below(root, SHIP)
        ):  # that it can be written is seen while there is a task to fail for it
            pass

    def write(self, root: str) -> None:
        """Write build/ship.json below a project folder; where archives are missing though nothing failed, drop it."""
        archives, problems, exit_status = dict(self._archives), list(self._problems), self._exit_status
        for others, more, status in _others(root, self._run):
            archives |= others
            problems += [problem for problem in more if problem not in problems]  # all may say: interrupted
            exit_status = max(exit_status, status)
        if not exit_status and not self._wanted <= archives.keys():
            drop_report(root)
            return
        value = {
            "result": "failed" if exit_status else "ok",
            "exit_status": exit_status,
            "archives": [archives[archive_id] for archive_id in self._order if archive_id in archives],
            "problems": problems,
        }
        _write(_below(root, SHIP), _json(value))

    def finish(self, root: str) -> None:
        """Write it when the run is over."""
        _told.add(root)
        self.write(root)
        if disk.is_there(_below(root, PARTS)):
            with suppress(DiskError):
                disk.remove_folder_tree(_below(root, PARTS))


def is_told(root: str) -> bool:
    """Whether this process has said all that it will of a run below a project folder."""
    return root in _told


def drop_report(root: str) -> None:
    """Remove the report below a project folder, where there is one."""
    disk.remove_file(_below(root, SHIP))


def _others(root: str, run: str) -> Iterator[tuple[dict[str, Any], list[Any], int]]:
    """What the other processes of this run know."""
    import json  # noqa: PLC0415 - not for no-ops

    folder = _below(root, PARTS)
    with suppress(DiskError):
        for name in sorted(disk.iter_files(folder)):
            if name.startswith(f"{run}.") and name != f"{run}.{os.getpid()}":
                yield json.loads(disk.read_file(f"{folder}/{name}"))


def _write(path: str, data: bytes) -> None:
    """Write the report, which takes no lock: a build that begins meanwhile may sweep our half-written file away."""
    for _ in range(_TRIES - 1):
        with suppress(DiskError):
            disk.write_if_changed(path, data, durable=False)
            return
    disk.write_if_changed(path, data, durable=False)


def exit_status_of(error: BaseException) -> int:
    """What a run that ends with this error ends with."""
    if isinstance(error, KeyboardInterrupt):
        return 128 + (error.args[0] if error.args else signal.SIGINT)
    return error.exit_status if isinstance(error, Error) else Error.exit_status


def _below(root: str, path: str) -> str:
    return f"{root}/{path}" if root else path


def _json(value: object) -> bytes:
    import json  # noqa: PLC0415 - not for no-ops

    return (json.dumps(value, indent=2) + "\n").encode()
