"""`lumpyard vfs ls`: the files of the merged tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.cli.parser import add_json
from lumpyard.cli.selecting import guess_text
from lumpyard.cli.vfs_access import add_vfs, open_vfs
from lumpyard.console.escape import escape_name
from lumpyard.console.tables import Column, render_table
from lumpyard.errors import NotFoundError
from lumpyard.globs import GlobError, parse_glob
from lumpyard.report.fields import name_data

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from lumpyard.cli.output import Streams
    from lumpyard.cli.vfs_access import MergedTree
    from lumpyard.vfs import FileStat

EXAMPLES = """
lumpyard vfs ls
lumpyard vfs ls --long 'textures/**'
lumpyard vfs ls --mount vendor/freedoom2.wad 'sprites/TROO*'    # without a manifest
lumpyard vfs ls --mount 'maps.mpq!inner.mpq:inner'              # an archive in an archive, below inner/
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `vfs ls`."""
    parser.add_argument(
        "globs", metavar="GLOB", nargs="*", help="only files whose paths match; `**/` is any folder"
    )
    parser.add_argument("-l", "--long", action="store_true", help="sizes, and where each file is from")
    parser.add_argument("-a", "--all", action="store_true", help="also what the manifest ignores")
    add_vfs(parser)
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print the files, sorted by bytes."""
    with open_vfs(args) as tree:
        paths = tree.paths(ignored=args.all)
        chosen, complaints = _select(tree, paths, args.globs)
        if args.json:
            io.out.json_list(_data(tree.vfs.stat(path)) for path in chosen)
        elif args.long:
            io.out.lines(_long([tree.vfs.stat(path) for path in chosen]))
        else:
            io.out.lines(chosen)
    for complaint in complaints:
        io.err.error(complaint)
    return NotFoundError.exit_status if complaints else 0


def _select(tree: MergedTree, paths: list[str], patterns: Sequence[str]) -> tuple[list[str], list[str]]:
    """The paths that any pattern matches, and a complaint of each that matches none.

    As in `ls`, a whole name is taken as it is, too, and finds what its mount finds by it.
    """
    if not patterns:
        return paths, []
    chosen: set[str] = set()
    complaints = []
    for pattern in patterns:
        found = set(_matches(tree, paths, pattern))
        chosen |= found
        if not found:
            complaints.append(f"no file matches '{pattern}'{guess_text(pattern, paths)}")
    return [path for path in dict.fromkeys([*paths, *sorted(chosen)]) if path in chosen], complaints


def _matches(tree: MergedTree, paths: list[str], pattern: str) -> Iterator[str]:
    if tree.vfs.exists(pattern):
        yield tree.vfs.stat(pattern).path
    else:
        try:
            glob = parse_glob(pattern)
        except GlobError:
            if pattern not in paths:
                raise
        else:
            yield from filter(glob.matches, paths)


def _data(stat: FileStat) -> dict[str, Any]:
    """A file for programs."""
    data: dict[str, Any] = {**name_data(stat.path)}
    data |= {"source": stat.source, "format": stat.kind}
    if stat.stored_size is not None:
        data |= {"entry": stat.entry, "stored_size": stat.stored_size}
    return data | {"raw_size": stat.size}


def _long(stats: Sequence[FileStat]) -> Iterator[str]:
    columns = [Column("raw", right=True), Column("stored", right=True), Column("name"), Column("from")]
    rows = [
        (
            str(stat.size),
            "-" if stat.stored_size is None else str(stat.stored_size),
            escape_name(stat.path),
            escape_name(stat.source),
        )
        for stat in stats
    ]
    return render_table(columns, rows) if rows else iter(())
