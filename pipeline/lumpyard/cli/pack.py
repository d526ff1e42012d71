"""`lumpyard pack`: an archive from a folder, as the archive was that was extracted there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.conversion import add_target, carry_out_plan, options_of, target_format
from lumpyard.cli.parser import add_json
from lumpyard.convert import LOOSE, folder_source, plan_conversion

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard pack doom2 again.wad                 # after: lumpyard extract doom2.wad -C doom2
lumpyard pack textures textures.ewad --compress lz4hc
lumpyard pack id1 pak2.pak --format PAK
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `pack`."""
    parser.add_argument("folder", metavar="DIR", help="the folder, as `extract` or somebody else has made it")
    parser.add_argument("out", metavar="ARCHIVE", help="the archive to write")
    add_target(parser)
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Say what is not as it was, then write the archive, whole or not at all."""
    source = folder_source(args.folder, without=args.out)
    known = "" if source.format in {LOOSE, "MPQ"} else source.format
    target = args.target or known or target_format(args.target, args.out)
    return carry_out_plan(plan_conversion(source, target, options_of(args, target)), args, io)
