"""`lumpyard diff`: what differs between two archives, or between an archive and the ledger of a release."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from lumpyard.cli.archive_warnings import print_findings
from lumpyard.cli.compared import are_map_texts, open_compared
from lumpyard.cli.outputs import add_outputs, chosen_output, write_page
from lumpyard.cli.parser import FORMATS, add_json, add_lenient, add_listfile, format_name
from lumpyard.cli.stages import stages

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams
    from lumpyard.report.changes import ArchiveDiff
    from lumpyard.report.map_changes import MapChange

EXAMPLES = """
lumpyard diff old/base.ewad dist/base.ewad
lumpyard diff --content freedoom2.wad freedoom2.ewad      # whether names, types and contents are the same
lumpyard diff --markdown released/base.ewsym dist/base.ewad > comment.md
lumpyard diff --html diff.html old.wad new.wad             # with maps and pictures
lumpyard diff old/castle.udmf castle.udmf                  # the texts of two maps
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `diff`."""
    parser.add_argument("old", metavar="A", help="an archive, or the .ewsym of one")
    parser.add_argument("new", metavar="B", help="an archive, or the .ewsym of one")
    for side in ("a", "b"):
        text = f"the .ewsym that names the lumps of {side.upper()} (default: the one beside it)"
        parser.add_argument(f"--symbols-{side}", metavar="FILE", help=text)
        text = f"read {side.upper()} as this format: {', '.join(FORMATS[1:])}"
        parser.add_argument(f"--format-{side}", metavar="NAME", type=format_name, default="auto", help=text)
    add_lenient(parser)
    add_listfile(parser)
    parser.add_argument(
        "--content", action="store_true", help="compare names, types and raw bytes: no layout, no compression"
    )
    parser.add_argument("--all", action="store_true", help="show all lumps, also those that only moved")
    add_json(parser)
    add_outputs(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print what differs; 1 where anything does."""
    from lumpyard.build.memory import without_collector  # noqa: PLC0415 - as is what follows, not for --help
    from lumpyard.report.diff import compare_archives  # noqa: PLC0415
    from lumpyard.report.map_changes import find_map_changes  # noqa: PLC0415

    output = chosen_output(args)
    if are_map_texts(args.old, args.new):
        from lumpyard.cli.diff_texts import diff_texts  # noqa: PLC0415 - of a few files

        return diff_texts(args, io)
    with ExitStack() as stack, without_collector():
        old = open_compared(stack, args.old, args.format_a, args.symbols_a, args)
        new = open_compared(stack, args.new, args.format_b, args.symbols_b, args)
        for found in (old, new):
            print_findings(found.path, found.archive.warnings if found.archive else (), io.err)
        with stages(io.err, old.path, old.size) as progress:
            diff = compare_archives(old, new, lambda size: progress("compare", size))
            if args.content:
                diff = diff.content_only()
            maps = find_map_changes(diff, lambda _name: progress("maps", 0))
        _write(diff, maps, output, args, io)
    return int(diff.differs())


def _write(
    diff: ArchiveDiff, maps: list[MapChange], output: str, args: argparse.Namespace, io: Streams
) -> None:
    if args.html:
        from lumpyard.console.diff_page import diff_page  # noqa: PLC0415 - of one option

        write_page(args.html, diff_page(diff, maps), io)
    if output == "json":
        from lumpyard.report.diff_data import diff_data  # noqa: PLC0415 - of one option

        io.out.json(diff_data(diff, maps, _map_data, show_all=args.all))
    elif output == "markdown":
        from lumpyard.console import diff_markdown  # noqa: PLC0415 - of one option

        most = None if args.all else diff_markdown.MOST_SHOWN
        io.out.text("\n".join(diff_markdown.diff_markdown(diff, maps, most)) + "\n")
    elif output == "text":
        from lumpyard.console import diff_text  # noqa: PLC0415 - of one option

        most = None if args.all else diff_text.MOST_SHOWN
        io.out.text("\n".join(diff_text.diff_text(diff, maps, io.out.terminal, most)) + "\n")


def _map_data(change: MapChange) -> dict[str, object]:
    from lumpyard.console.diff_maps import compared  # noqa: PLC0415 - few archives have maps
    from lumpyard.console.map_changes import map_diff_data  # noqa: PLC0415

    return map_diff_data(*compared(change))
