"""`lumpyard store verify`: every record of the store read and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.parser import add_json
from lumpyard.cli.store_access import add_store, open_store
from lumpyard.console.sizes import count_text

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard store verify
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `store verify`."""
    add_store(parser)
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print what is wrong; a bad record only costs making it again."""
    with open_store(args, io.err) as store:
        problems = store.verify()
    if args.json:
        io.out.json({"folder": store.folder, "problems": problems})
    else:
        io.out.lines(problems)
        verdict = (
            f"{count_text(len(problems), 'problem')}; what is bad is not used, and made again"
            if problems
            else "ok"
        )
        io.out.line(f"{store.folder}: {verdict}")
    return 1 if problems else 0
