"""`lumpyard store trim`: the store made to fit a size, what the present plans use going last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.parser import add_json, byte_size
from lumpyard.cli.store_access import add_store, open_store
from lumpyard.console.sizes import count_text, size_text
from lumpyard.disk import is_there

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from lumpyard.cli.output import Streams
    from lumpyard.store import Kind

EXAMPLES = """
lumpyard store trim --max-size 6G
lumpyard store trim --max-size 500M --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `store trim`."""
    add_store(parser)
    text = "bytes that may stay: 500M, 6G (thousands), 6Gi (1024s)"
    parser.add_argument("--max-size", metavar="SIZE", required=True, type=byte_size, help=text)
    add_json(parser)


def _keep(manifest: str) -> Callable[[Kind, bytes], bool]:
    """What goes last; without a project, as in a store that clones share, only age counts."""
    if not is_there(manifest):
        return lambda _kind, _key: False
    from lumpyard.cli.project_access import open_project  # noqa: PLC0415 - only inside a project
    from lumpyard.cli.wanted import wanted_records  # noqa: PLC0415

    return wanted_records(open_project(manifest))


def run(args: argparse.Namespace, io: Streams) -> int:
    """Trim, and print what became of it."""
    with open_store(args, io.err) as store:
        result = store.trim(args.max_size, _keep(args.manifest))
    if args.json:
        io.out.json({"folder": store.folder, **result._asdict()})
        return 0
    sizes = f"{size_text(result.size_before)} before, {size_text(result.size_after)} now"
    io.out.line(f"{store.folder}: {sizes}; {count_text(result.dropped, 'record')} dropped")
    if result.busy:
        io.out.line(f"{count_text(result.busy, 'segment')} left alone: a build is writing there")
    return 0
