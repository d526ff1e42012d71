"""`lumpyard vfs cat`: the bytes of one file of the merged tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.vfs_access import add_vfs, not_there, open_vfs
from lumpyard.errors import NotFoundError

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard vfs cat scripts/main.lua
lumpyard vfs cat --mount vendor/base.mpq 'units/human/footman.mdx' > footman.mdx
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `vfs cat`."""
    parser.add_argument("name", metavar="NAME", help="the file's path, by the rules of the mount that has it")
    add_vfs(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Write the bytes, all of them or none."""
    with open_vfs(args) as tree:
        try:
            view = tree.vfs.view(args.name)
        except NotFoundError as error:
            raise not_there(tree, error, args.name) from error
        with view:
            io.out.data(view.data)
            io.out.flush()  # the map must stay open until the last byte is out
    return 0
