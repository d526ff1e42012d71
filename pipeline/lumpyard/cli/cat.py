"""`lumpyard cat`: the raw bytes of one lump."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.archive_file import open_archive_file
from lumpyard.cli.parser import add_archive
from lumpyard.cli.selecting import find_lump, guess_text
from lumpyard.errors import NotFoundError

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.archive_file import ArchiveFile
    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard cat build/base.ewad scripts/main.lua
lumpyard cat dist/base.ewad textures/brick.png > brick.png     # a stripped archive finds names, too
lumpyard cat dist/base.ewad 3da699bf4abce552 > crashed.bin     # by the key that a crash log holds
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `cat`."""
    add_archive(parser)
    parser.add_argument("name", metavar="NAME", help="the lump's name as stored, or its 16-digit key")


def run(args: argparse.Namespace, io: Streams) -> int:
    """Write the bytes, all of them or none."""
    with open_archive_file(args.archive, args) as file:
        index = find_lump(file, args.name)
        if index is None:
            raise NotFoundError(f"{args.archive}: no lump '{args.name}'{_guess(file, args.name)}")
        io.out.data(file.archive.read(index))
        io.out.flush()  # the map must stay open until the last byte is out
    return 0


def _guess(file: ArchiveFile, name: str) -> str:
    return guess_text(
        name,
        (
            label
            for label, known in zip(map(file.label, range(len(file.names))), file.names, strict=True)
            if known
        ),
    )
