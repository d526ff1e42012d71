"""`lumpyard ls`: an archive's lumps in directory order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.archives.model import type_text
from lumpyard.cli.archive_data import lump_data
from lumpyard.cli.archive_file import key_text, open_archive_file
from lumpyard.cli.archive_warnings import print_warnings
from lumpyard.cli.parser import add_archive, add_json
from lumpyard.cli.selecting import select_lumps
from lumpyard.console.escape import escape_name
from lumpyard.console.tables import Column, render_table
from lumpyard.errors import NotFoundError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lumpyard.cli.archive_file import ArchiveFile
    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard ls build/base.ewad
lumpyard ls --long build/base.ewad 'textures/**'
lumpyard ls --symbols symbols/base.ewsym dist/base.ewad
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `ls`."""
    add_archive(parser)
    parser.add_argument(
        "globs", metavar="GLOB", nargs="*", help="only lumps whose names match; `**/` is any folder"
    )
    parser.add_argument("-l", "--long", action="store_true", help="all fields, in columns")
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print the lumps."""
    with open_archive_file(args.archive, args) as file:
        chosen, complaints = select_lumps(file, args.globs)
        print_warnings(file, io.err)
        if args.json:
            io.out.json_list(lump_data(file.archive.lumps[index], file.names[index]) for index in chosen)
        elif args.long:
            io.out.lines(_long(file, chosen))
        else:
            io.out.lines(map(file.label, chosen))
    for complaint in complaints:
        io.err.error(complaint)
    return NotFoundError.exit_status if complaints else 0


_COLUMNS = {
    "type": False,
    "schema": True,
    "kind": True,
    "raw": True,
    "stored": True,
    "codec": False,
    "offset": True,
    "content hash": False,
    "key": False,
    "name": False,
}


def _long(file: ArchiveFile, chosen: Sequence[int]) -> list[str]:
    """A table; columns that no lump has anything for are left out, and of one lump alone a "-" stands there."""
    rows = [_row(file, index) for index in chosen]
    shown = [title for title in _COLUMNS if any(title in row for row in rows)]
    columns = [Column(title, right=_COLUMNS[title]) for title in shown]
    cells = [
        [row.get(title, "-") for title in shown] for row in rows
    ]  # no key: a block of an MPQ that no hash leads to
    return list(render_table(columns, cells)) if rows else []


def _row(file: ArchiveFile, index: int) -> dict[str, str]:
    lump = file.archive.lumps[index]
    cells = {
        "type": None if lump.fourcc is None else escape_name(type_text(lump.fourcc) or "-"),
        "schema": None if lump.schema is None else str(lump.schema),
        "kind": None if lump.kind is None else f"0x{lump.kind:02x}",
        "raw": str(lump.raw_size),
        "stored": str(lump.stored_size),
        "codec": _codec(file.archive.format, lump.flags),
        "offset": str(lump.offset),
        "content hash": None if lump.content_hash is None else key_text(lump.content_hash),
        "key": None if lump.key is None else key_text(lump.key),
        "name": "-" if (name := file.names[index]) is None else escape_name(name),
    }
    return {title: cell for title, cell in cells.items() if cell is not None}


def _codec(format_name: str, flags: int | None) -> str | None:
    """What a lump is compressed with, where the directory says it; "-" for not at all."""
    if format_name == "EWAD":
        return "lz4" if flags else "-"
    if format_name == "DAIKATANA":
        return "daikatana" if flags else "-"
    return None
