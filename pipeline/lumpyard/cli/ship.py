"""`lumpyard ship`: the tasks of `doit ship`, with our exit status."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from lumpyard.cli.problem_text import project_folder
from lumpyard.cli.project_access import open_project
from lumpyard.disk import is_there
from lumpyard.doit_plugin.last_word import forget
from lumpyard.doit_plugin.running import run_ship
from lumpyard.errors import Error, ProblemsError, UsageError
from lumpyard.manifest.closest import did_you_mean

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard ship
lumpyard ship base
LUMPYARD_LOCK=check lumpyard ship     # in CI: fail with 7 where the archives are not those of archives.lock
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `ship`."""
    parser.add_argument("archives", metavar="ARCHIVE", nargs="*", help="only these archives of the manifest")
    text = "the project's manifest (default: what dodo.py says, else assets.yaml)"
    parser.add_argument("-m", "--manifest", metavar="FILE", help=text)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Ship; what goes wrong is printed by the tasks."""
    if args.manifest or not is_there("dodo.py"):
        try:
            _check(args.manifest or "assets.yaml", args.archives)
        except Error:
            forget(project_folder(args.manifest or ""))
            raise
    io.out.flush()
    return run_ship(args.archives, args.manifest)


def _check(manifest: str, archives: list[str]) -> None:
    """UsageError where there is no such manifest or archive; problems are left to the tasks, which report them."""
    with suppress(ProblemsError):
        known = open_project(manifest).manifest.archives
        for archive in archives:
            if archive not in known:
                hint = did_you_mean(archive, known) or f"it has {', '.join(known) or 'none'}"
                raise UsageError(f"{manifest} has no archive '{archive}'; {hint}")
