"""doit, run from within: `lumpyard ship` runs the very tasks of `doit ship`, and gives our exit status."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from lumpyard.errors import RuleError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence


_REFUSED = (
    3  # doit's own status when it could not start: a task that is not there, a dodo.py that does not load
)


def run_ship(archives: Sequence[str], manifest: str | None = None) -> int:
    """The exit status of a ship of some archives, or of all; problems are printed as `doit ship` prints them.

    Without a manifest the one of the dodo.py counts, where there is one, else assets.yaml.
    """
    from doit.doit_cmd import DoitMain  # noqa: PLC0415 - other commands need no doit

    from lumpyard.doit_plugin import actions  # noqa: PLC0415
    from lumpyard.doit_plugin.loader import Loader  # noqa: PLC0415

    folder, _, name = (manifest or "").replace("\\", "/").rpartition("/")
    if folder:
        os.chdir(folder)
    actions.statuses.clear()
    loader = Loader(name or None)
    tasks = [f"ship:{archive}" for archive in archives] or ["ship"]
    status = DoitMain(loader).run(["run", "--continue", *tasks])
    if not status:
        return 0
    refused = UsageError if status == _REFUSED else RuleError
    return max(actions.statuses, default=refused.exit_status)
