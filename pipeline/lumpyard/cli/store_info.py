"""`lumpyard store info`: what the store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.parser import add_json
from lumpyard.cli.store_access import add_store, open_store
from lumpyard.console.sizes import count_text, size_text
from lumpyard.console.tables import render_pairs

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard store info
LUMPYARD_STORE=/var/cache/lumpyard lumpyard store info --json
"""

_KINDS = {"cooked": "cooks", "raw": "products", "block": "LZ4 blocks", "size": "LZ4 sizes"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `store info`."""
    add_store(parser)
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print the facts."""
    with open_store(args, io.err) as store:
        info = store.info()
    if args.json:
        io.out.json(info._asdict())
        return 0
    io.out.line(info.folder, "bold")
    pairs = [("size", f"{size_text(info.size)} in {count_text(info.segments, 'segment')}")]
    for kind, number in info.records.items():
        pairs.append((_KINDS.get(kind, kind), f"{number:,}, {size_text(info.record_sizes[kind])}"))
    pairs.append(("unused", size_text(info.dead_size)))
    io.out.lines(render_pairs(pairs))
    return 0
