"""doit, run from within: `lumpyard ship` runs the very tasks of `doit ship`, and gives our exit status."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from lumpyard.errors import RuleError, UsageError
from lumpyard.manifest.paths import split_manifest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doit.doit_cmd import DoitMain

    from lumpyard.doit_plugin.loader import Loader


def run_ship(archives: Sequence[str], manifest: str | None = None) -> int:
    """The exit status of a ship of some archives, or of all; what goes wrong is told on standard error.

    Without a manifest the one of the dodo.py counts, where there is one, else assets.yaml. UsageError when doit cannot
    start: an archive that is not there, a dodo.py that does not load.
    """
    from doit.doit_cmd import DoitMain  # noqa: PLC0415 - other commands need no doit

    from lumpyard.doit_plugin import failures, last_word, progress  # noqa: PLC0415
    from lumpyard.doit_plugin.interrupts import stop_builds  # noqa: PLC0415
    from lumpyard.doit_plugin.loader import Loader  # noqa: PLC0415

    folder, name = split_manifest(manifest or "")
    if folder:
        os.chdir(folder)
    failures.statuses.clear()
    progress.tell_failures(sys.stderr)
    last_word.asked[:] = [f"ship:{archive}" for archive in archives] or ["ship"]
    loader = Loader(name or None)
    try:  # threads, whatever DOIT_CONFIG says, where there are several: they tell this process what went wrong
        status = _run(DoitMain(loader), loader, ["--continue", "--parallel-type", "thread", *last_word.asked])
    except KeyboardInterrupt:
        stop_builds()
        raise
    return max(failures.statuses, default=RuleError.exit_status if status else 0)


def _run(main: DoitMain, loader: Loader, args: list[str]) -> int:
    """What `DoitMain.run` does, but for what it makes of errors, which would come out as tracebacks."""
    from doit.cmd_base import get_loader  # noqa: PLC0415 - as in run_ship
    from doit.exceptions import InvalidCommand, InvalidDodoFile, InvalidTask  # noqa: PLC0415

    from lumpyard.doit_plugin.projects import known_archives  # noqa: PLC0415
    from lumpyard.manifest.closest import did_you_mean  # noqa: PLC0415

    commands = main.get_cmds()
    get_loader(main.config, loader, commands)
    run: Any = commands.get_plugin("run")
    command = run(task_loader=loader, config=main.config, bin_name="doit", cmds=commands, opt_vals={})
    try:
        status: int = command.parse_execute(args)
    except InvalidCommand as error:
        archive = (error.not_found or "").removeprefix("ship:")
        hint = did_you_mean(archive, known_archives()) or f"there are {', '.join(known_archives()) or 'none'}"
        raise UsageError(f"there is no archive {archive!r}; {hint}" if archive else str(error)) from error
    except (InvalidDodoFile, InvalidTask) as error:
        raise UsageError(" ".join(str(error).split())) from error
    except Exception as error:
        place = _place_in_project(error)
        if not place:
            raise
        raise UsageError(f"{place}: {type(error).__name__}: {' '.join(str(error).split())}") from error
    return status


def _place_in_project(error: Exception) -> str:
    """Where the project's own code went wrong, or "" when it was doit's or ours that did."""
    import traceback  # noqa: PLC0415 - only for faults

    if isinstance(error, SyntaxError) and error.filename:
        return f"{os.path.relpath(error.filename)}:{error.lineno}"
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        path = frame.f_code.co_filename
        if path.startswith(os.getcwd() + os.sep):
            return f"{os.path.relpath(path)}:{line}"
        if frame.f_globals.get("__name__", "").partition(".")[0] in ("lumpyard", "doit"):
            return ""
    return ""
