"""`lumpyard diff` of the texts of two maps: what `lumpyard map B --compare A` prints."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lumpyard.cli import map as map_command
from lumpyard.errors import UsageError

if TYPE_CHECKING:
    from lumpyard.cli.output import Streams


def diff_texts(args: argparse.Namespace, io: Streams) -> int:
    """Print what differs; 1 where anything does."""
    if args.html is not None:
        raise UsageError(
            f"--html is for archives; `lumpyard map {args.new} --compare {args.old} -o changes.svg` draws these maps"
        )
    parser = argparse.ArgumentParser()
    map_command.configure(parser)
    flags = [flag for flag, given in (("--json", args.json), ("--markdown", args.markdown)) if given]
    return map_command.run(parser.parse_args([*flags, "--compare", args.old, "--", args.new]), io)
