"""`doit clean`: the files of a task go, each with a line as doit has it; what can't be removed is told in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Iterable

unremoved: list[str] = []  # what was refused; `database` ends the command with it, which doit can't


class Removal:
    """The clean action of a task. One file that stays keeps no other from going."""

    def __init__(self, task: str, targets: Iterable[str]) -> None:
        self._task = task
        self._targets = tuple(targets)

    def __call__(self, dryrun: bool) -> None:  # doit goes by the name
        """Remove the files that are there."""
        for target in self._targets:
            try:
                if disk.is_there(target):
                    print(f"{self._task} - removing file '{target}'")  # noqa: T201 - as doit does
                    if not dryrun:
                        disk.remove_file(target)
            except DiskError as error:
                unremoved.append(str(error))

    def __str__(self) -> str:
        """What doit says that it executes; it takes a letter off."""
        return "<remove " + ", ".join(self._targets)
