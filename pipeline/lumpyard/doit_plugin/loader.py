"""doit's loader for projects of ours, with or without a dodo.py: `[tool.doit] loader = "lumpyard"`."""

from __future__ import annotations

import os
from typing import Any

from doit.cmd_base import DodoTaskLoader

from lumpyard.doit_plugin import tasks
from lumpyard.doit_plugin.interrupts import end_quietly

_DODO = "dodo.py"  # only what nobody asked for by name may be missing


class Loader(DodoTaskLoader):  # type: ignore[misc]
    """The tasks of assets.yaml, and those of a dodo.py where there is one.

    A dodo.py that calls `asset_tasks` itself has its say, unless a manifest is given here. Its own tasks beat ours of
    the same name, and so does its DOIT_CONFIG, key by key.
    """

    def __init__(self, manifest: str | None = None) -> None:
        end_quietly()
        super().__init__()
        self._manifest = manifest

    def setup(self, opt_values: dict[str, Any]) -> None:
        """Load the namespace."""
        file = opt_values.get("dodoFile") or _DODO
        path = os.path.join(opt_values.get("cwdPath") or "", file)
        if os.path.exists(path) or opt_values.get("seek_file") or file != _DODO:
            super().setup(opt_values)
        else:
            if opt_values.get("cwdPath"):
                os.chdir(opt_values["cwdPath"])
            self.namespace: dict[str, Any] = {}
        if self._manifest is not None or not any(map(_is_ours, self.namespace.values())):
            ours = tasks.asset_tasks(self._manifest or "assets.yaml")
            config = {**ours["DOIT_CONFIG"], **self.namespace.get("DOIT_CONFIG", {})}
            both = {**self.namespace, **ours} if self._manifest is not None else {**ours, **self.namespace}
            self.namespace = {**both, "DOIT_CONFIG": config}


def _is_ours(value: object) -> bool:
    """Whether something in a dodo.py is a task creator that `asset_tasks` gave it."""
    name = getattr(value, "__name__", "")
    return name.startswith("task_") and getattr(value, "__module__", "") == tasks.__name__
