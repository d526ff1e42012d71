"""`lumpyard cat`: the raw bytes of one lump."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.archive_file import open_archive_file
from lumpyard.cli.archive_warnings import print_warnings
from lumpyard.cli.parser import add_archive, count_number
from lumpyard.cli.selecting import Candidates, find_lump, guess_text
from lumpyard.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.archive_file import ArchiveFile
    from lumpyard.cli.output import Output, Streams

EXAMPLES = """
lumpyard cat build/base.ewad scripts/main.lua
lumpyard cat dist/base.ewad textures/brick.png > brick.png     # a stripped archive finds names, too
lumpyard cat dist/base.ewad 3da699bf4abce552 > crashed.bin     # by the key that a crash log holds
lumpyard cat doom2.wad MAP01/THINGS > things.bin               # by the path that extract would write
lumpyard cat doom2.wad --entry 17 > titlepic.bin               # by its place in the directory, from 0
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `cat`."""
    add_archive(parser)
    text = "the lump's name as stored, its 16-digit key, or the path that extract would give it"
    parser.add_argument("name", metavar="NAME", nargs="?", help=text)
    parser.add_argument(
        "--entry", metavar="N", type=count_number, help="the lump at this place in the directory, from 0"
    )


def run(args: argparse.Namespace, io: Streams) -> int:
    """Write the bytes, all of them or none."""
    name, entry = args.name, args.entry
    if name is None and entry is None:
        raise UsageError("NAME is missing (see `lumpyard cat --help`)")
    if name is not None and entry is not None:
        raise UsageError("NAME and --entry both say which lump; one is enough")
    with open_archive_file(args.archive, args) as file:
        index = _by_place(file, entry) if name is None else _by_name(file, name, io.err)
        data = file.archive.read(index)
        print_warnings(file, io.err, index)
        io.out.data(data)
        io.out.flush()  # the map must stay open until the last byte is out
    return 0


def _by_name(file: ArchiveFile, name: str, err: Output) -> int:
    found = find_lump(file, name)
    if found is None:
        raise NotFoundError(f"{file.path}: no lump '{name}'{_guess(file, name)}")
    if len(found.all) > 1:
        err.warning(f"{file.path}: {_several(name, found)}")
    return found.entry


def _several(name: str, found: Candidates) -> str:
    entries = ", ".join(map(str, found.all[:10])) + (", ..." if len(found.all) > 10 else "")
    return (
        f"{len(found.all)} lumps have the name '{name}' (entries {entries}); this is entry {found.entry},"
        " and --entry N takes another"
    )


def _by_place(file: ArchiveFile, entry: int | None) -> int:
    assert entry is not None, "one of the two was given"
    lumps = len(file.names)
    if entry >= lumps:
        has = f"they are 0 to {lumps - 1}" if lumps else "it has none"
        raise NotFoundError(f"{file.path}: there is no entry {entry}; {has}")
    return entry


def _guess(file: ArchiveFile, name: str) -> str:
    return guess_text(
        name,
        (
            label
            for label, known in zip(map(file.label, range(len(file.names))), file.names, strict=True)
            if known
        ),
    )
