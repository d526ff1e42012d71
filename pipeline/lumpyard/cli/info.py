"""`lumpyard info`: what an archive's header says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.archive_data import info_data
from lumpyard.cli.archive_file import open_archive_file
from lumpyard.cli.archive_warnings import print_warnings
from lumpyard.cli.parser import add_archive, add_json
from lumpyard.console.sizes import size_text
from lumpyard.console.tables import render_pairs

if TYPE_CHECKING:
    import argparse
    from typing import Any

    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard info dist/base.ewad
lumpyard info --json dist/base.ewad | jq -r .archive_hash
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `info`."""
    add_archive(parser)
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print the facts."""
    with open_archive_file(args.archive, args) as file:
        data = info_data(args.archive, file.archive)
        print_warnings(file, io.err)
    if args.json:
        io.out.json(data)
    else:
        io.out.line(args.archive, "bold")
        io.out.lines(render_pairs(_pairs(data)))
    return 0


def _pairs(data: dict[str, Any]) -> list[tuple[str, str]]:
    size = data["size"]
    pairs = [
        ("format", data["format"]),
        ("lumps", f"{data['lumps']:,}"),
        ("size", size_text(size) + (f" ({size:,} bytes)" if size >= 1000 else "")),
    ]
    if "stripped" in data:
        pairs.append(("names", "stripped" if data["stripped"] else "in the archive"))
    pairs += [
        (key.replace("_", " "), str(data[key]))
        for key in ("alignment", "seed", "archive_hash")
        if key in data
    ]
    return pairs
