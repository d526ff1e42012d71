"""What a report can be written as: text, JSON, Markdown, a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import DiskError, UsageError

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams

_PAGE = b"<!doctype html"  # what each page starts with, in any case


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """`--markdown` and `--html`; `--json` is there already."""
    parser.add_argument("--markdown", action="store_true", help="print Markdown, for a pull request")
    parser.add_argument(
        "--html",
        metavar="FILE",
        help="write one page that needs nothing else; prints only what else is asked for",
    )


def chosen_output(args: argparse.Namespace) -> str:
    """What goes to standard output: "json", "markdown", "text" or, beside a page, "".

    DiskError where the page would replace what is none.
    """
    if args.json and args.markdown:
        raise UsageError("--json and --markdown both go to standard output; choose one")
    if args.html:
        check_page(args.html)
    if args.json:
        return "json"
    if args.markdown:
        return "markdown"
    return "" if args.html else "text"


def check_page(path: str) -> None:
    """Refuse, before any work, to replace a file that is no page: `explore a.wad -o b.wad` would end b.wad."""
    from lumpyard.disk import open_map, stat_file  # noqa: PLC0415 - of one option

    found = stat_file(path)
    if found is None or not found.size:
        return
    with open_map(path) as mapping:
        start = bytes(mapping.data[: len(_PAGE)])
    if start.lower() != _PAGE:
        raise DiskError(
            f"cannot write {path}: it is there, and is no page; remove it, or choose another name"
        )


def write_page(path: str, page: str, io: Streams) -> None:
    """Write a page, and say where it is."""
    from lumpyard.console.sizes import size_text  # noqa: PLC0415 - of one option
    from lumpyard.disk import write_file  # noqa: PLC0415

    data = page.encode("utf-8", "backslashreplace")
    write_file(path, data, durable=False)
    io.err.line(f"{path}, {size_text(len(data))}")
