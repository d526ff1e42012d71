"""`lumpyard init`: a project that ships at once."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from lumpyard.cli.sample import GITIGNORE, sample_files
from lumpyard.console.tables import render_pairs
from lumpyard.disk import is_there, write_file
from lumpyard.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard init                  # here
lumpyard init my-game          # in a new folder
cd my-game && doit ship
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `init`."""
    parser.add_argument(
        "folder", metavar="DIR", nargs="?", default=".", help="the project's folder (default: this one)"
    )


def run(args: argparse.Namespace, io: Streams) -> int:
    """Write the files, unless one is in the way."""
    folder: str = args.folder
    files = sample_files()
    at = {path: path if folder == "." else f"{folder.rstrip('/')}/{path}" for path in files}
    keeps_gitignore = is_there(at[GITIGNORE])
    if keeps_gitignore:  # most repositories have one; it is theirs
        del files[GITIGNORE]
    in_the_way = [path for path in files if is_there(at[path])]
    if in_the_way:
        raise UsageError(f"{folder} already has {', '.join(in_the_way)}; nothing was written")
    for path, file in files.items():
        write_file(at[path], file.data)
    io.out.line("A project in " + ("this folder:" if folder == "." else f"{folder}:"))
    io.out.lines(render_pairs([(path, file.purpose) for path, file in files.items()]))
    if keeps_gitignore:
        lines = sample_files()[GITIGNORE].data.decode().split()
        io.out.line(f"{GITIGNORE} was left alone; it should have {' '.join(lines)}")
    io.out.line("Next: " + ("" if folder == "." else f"cd {quote(folder)} && ") + "doit ship")
    return 0
