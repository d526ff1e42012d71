"""Problems on standard error, each with its line of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.console.problems import render_problems
from lumpyard.disk import read_file
from lumpyard.manifest.paths import split_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.cli.output import Output
    from lumpyard.errors import Problem

_LARGEST = 4 << 20  # bytes of a file whose lines are shown


def print_problems(problems: Iterable[Problem], err: Output, folder: str = "") -> None:
    """Write the problems; `folder` is the project's, where their paths start."""

    def read(path: str) -> str:
        data = read_file(f"{folder}/{path}" if folder else path, _LARGEST)
        return data.decode("utf-8", "surrogateescape")

    err.text(render_problems(problems, read, color=err.terminal.color))


def project_folder(manifest: str) -> str:
    """The folder of a manifest, as it was named; "" for the current one."""
    return split_manifest(manifest)[0]
