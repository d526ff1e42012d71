"""`lumpyard explore`: archives as a page to look at, in one file or over a server of this machine."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

from lumpyard.cli.archive_file import named_by, open_archive_file
from lumpyard.cli.archive_warnings import print_findings
from lumpyard.cli.outputs import check_page
from lumpyard.cli.parser import add_format, add_lenient, add_listfile
from lumpyard.cli.signals import Terminated
from lumpyard.console.moving import RichProgress
from lumpyard.console.sizes import count_text, parse_size, size_text
from lumpyard.disk import write_file
from lumpyard.errors import UsageError, naming

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.cli.archive_file import ArchiveFile
    from lumpyard.cli.output import Output, Streams
    from lumpyard.explore.page import Page
    from lumpyard.explore.places import Places
    from lumpyard.explore.subject import Subject

EXAMPLES = """
lumpyard explore build/base.ewad -o base.html
lumpyard explore --symbols symbols/base.ewsym dist/base.ewad -o base.html
lumpyard explore --symbols symbols/a.ewsym --symbols symbols/b.ewsym dist/a.ewad dist/b.ewad -o both.html
lumpyard explore doom2.wad mod.wad --embed 0 -o names-and-sizes.html
lumpyard explore --serve huge.mpq      # until Ctrl-C; for what is too large for one page
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `explore`."""
    parser.add_argument("archives", metavar="ARCHIVE", nargs="+")
    parser.add_argument("-o", dest="output", metavar="FILE", help="the page to write")
    parser.add_argument(
        "--serve", action="store_true", help="serve the page to this machine instead, lumps on request"
    )
    text = "what lumps and maps may take of the page (default: 64M); 0 for none"
    parser.add_argument("--embed", metavar="SIZE", type=_size, default=64_000_000, help=text)
    add_format(parser)
    add_lenient(parser)
    text = (
        "the .ewsym that names the lumps of one of the archives, which is stripped; can be said several times"
    )
    parser.add_argument("--symbols", metavar="FILE", action="append", default=[], help=text)
    add_listfile(parser)


def _size(text: str) -> int:
    try:
        return parse_size(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def run(args: argparse.Namespace, io: Streams) -> int:
    """Write the page, or serve it until Ctrl-C."""
    if (args.output is None) != args.serve:
        raise UsageError("explore needs one of -o FILE and --serve")
    if args.output is not None:
        check_page(args.output)
    with ExitStack() as stack:
        reading = argparse.Namespace(
            **{**vars(args), "symbols": None}
        )  # whose they are is seen when all are open
        opened = [stack.enter_context(open_archive_file(path, reading)) for path in args.archives]
        files = named_by(opened, args.symbols)
        for file in files:
            print_findings(file.path, file.archive.warnings, io.err)
        subjects = [_subject(file) for file in files]
        if args.output is None:
            _serve(subjects, io.out)
        else:
            _write(args.output, subjects, args.embed, io)
    return 0


def _subject(file: ArchiveFile) -> Subject:
    from lumpyard.explore.subject import Subject  # noqa: PLC0415 - after the arguments were right

    with naming(file.path):
        paths = file.filled_paths()
    return Subject(file.path, file.archive, file.names, paths, file.mapped.has_changed)


def _write(output: str, subjects: Sequence[Subject], budget: int, io: Streams) -> None:
    page = _make(subjects, budget, io.err)
    write_file(output, page.html)
    lumps = sum(len(subject.paths) for subject in subjects)
    io.out.line(f"{output}: {count_text(lumps, 'lump')}, {size_text(len(page.html))}")
    if page.left_out:
        left = f"the bytes of {count_text(page.left_out, 'lump')} had no room"
        io.out.line(f"  {left}; --embed SIZE gives more, and --serve shows all")
    if page.unread:
        io.err.warning(f"{count_text(len(page.unread), 'lump')} cannot be decoded: {page.unread[0][1]}")


def _make(subjects: Sequence[Subject], budget: int, err: Output) -> Page:
    from lumpyard.explore.page import make_page  # noqa: PLC0415 - after the arguments were right

    if err.stream is None or err.terminal.width is None:
        return make_page(subjects, budget, draw=_draw)
    progress = RichProgress(err.stream, os.environ)  # draws nothing where it is quick
    size = sum(lump.raw_size for subject in subjects for lump in subject.archive.lumps)
    try:
        progress.begin("page", "embed", 0, size)
        return make_page(
            subjects, budget, progress=lambda done: progress.advance("page", 0, done), draw=_draw
        )
    finally:
        progress.stop()


def _draw(subject: Subject, places: Places, number: int) -> str:
    from lumpyard.explore.places import draw_map  # noqa: PLC0415 - only where there are maps

    return draw_map(subject.archive, places.maps[number])


def _serve(subjects: Sequence[Subject], out: Output) -> None:
    from lumpyard.explore.serving import Server, Site  # noqa: PLC0415 - only to serve

    site = Site(subjects)
    with Server(site) as server:
        out.line(server.address)
        out.line("Ctrl-C ends it.")
        out.flush()
        try:
            server.serve_forever()
        except Terminated:
            raise
        except KeyboardInterrupt:
            out.line()
        finally:
            site.forget()
