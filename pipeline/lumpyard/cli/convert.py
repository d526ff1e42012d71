"""`lumpyard convert`: an archive of one format from an archive of another, and what gets lost on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.archive_file import open_archive_file
from lumpyard.cli.archive_warnings import print_warnings
from lumpyard.cli.conversion import add_target, carry_out_plan, options_of, target_format
from lumpyard.cli.parser import add_format, add_json, add_reading
from lumpyard.convert import archive_source, original_source, plan_conversion

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.archive_file import ArchiveFile
    from lumpyard.cli.output import Streams
    from lumpyard.convert import Source

EXAMPLES = """
lumpyard convert doom2.wad doom2.ewad --format EWAD
lumpyard convert doom2.ewad doom2.wad --format IWAD            # the same bytes again
lumpyard convert pak0.pak pak0.ewad --format EWAD --compress lz4hc
lumpyard convert base.ewad base.wad --format PWAD --names truncate,upper --map base.names
lumpyard convert war3.mpq war3.ewad --format EWAD --listfile names.txt
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `convert`."""
    parser.add_argument("archive", metavar="IN", help="an archive of any format that is read")
    parser.add_argument("out", metavar="OUT", help="the archive to write")
    add_target(parser)
    add_format(parser, "--from")
    add_reading(parser)
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Say what cannot be kept, then write the archive, whole or not at all."""
    target = target_format(args.target, args.out)
    options = options_of(args, target)
    with open_archive_file(args.archive, args) as file:
        print_warnings(file, io.err)
        plan = plan_conversion(_source(file, target), target, options)
        return carry_out_plan(plan, args, io)


def _source(file: ArchiveFile, target: str) -> Source:
    from_other = file.archive.format != "EWAD"
    source = archive_source(
        file.archive, memoryview(file.data), file.paths(), places=from_other and target == "EWAD"
    )
    return source if from_other or target == "EWAD" else original_source(source)
