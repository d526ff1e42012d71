"""`lumpyard explore`: archives as a page to look at, in one file or over a server of this machine."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from lumpyard.cli.archive_file import named_by, open_archive_file
from lumpyard.cli.archive_warnings import print_findings
from lumpyard.cli.outputs import check_page
from lumpyard.cli.parser import add_format, add_lenient, add_listfile, byte_size, count_number
from lumpyard.cli.signals import Terminated
from lumpyard.cli.stages import stages
from lumpyard.console.sizes import count_text, size_text
from lumpyard.disk import write_file
from lumpyard.errors import UsageError, naming
from lumpyard.explore import MOST_DRAWN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
lumpyard explore --maps all --embed 1G slaughter.wad -o maps.html
lumpyard explore --serve huge.mpq      # until Ctrl-C; for what is too large for one page
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `explore`."""
    parser.add_argument(
        "archives", metavar="ARCHIVE", nargs="+", help="archives of any formats that are read"
    )
    parser.add_argument("-o", dest="output", metavar="FILE", help="the page to write")
    parser.add_argument(
        "--serve", action="store_true", help="serve the page to this machine instead, lumps on request"
    )
    text = "what lumps and maps may take of the page (default: 64M); 0 for none"
    parser.add_argument("--embed", metavar="SIZE", type=byte_size, default=64_000_000, help=text)
    parser.add_argument(
        "--maps",
        metavar="NUMBER",
        type=_maps,
        default=MOST_DRAWN,
        help=f"most maps that are drawn into the page, or `all` (default: {MOST_DRAWN})",
    )
    add_format(parser)
    add_lenient(parser)
    text = "the .ewsym that names the lumps of one of the archives, which is stripped; may be repeated"
    parser.add_argument("--symbols", metavar="FILE", action="append", default=[], help=text)
    add_listfile(parser)


def _maps(text: str) -> int:
    try:
        return sys.maxsize if text == "all" else count_number(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}, nor `all`") from error


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
            _write(args, subjects, io)
    return 0


def _subject(file: ArchiveFile) -> Subject:
    from lumpyard.explore.subject import Subject  # noqa: PLC0415 - after the arguments were right

    with naming(file.path):
        paths = file.filled_paths()
    return Subject(file.path, file.archive, file.names, paths, file.mapped.has_changed)


def _write(args: argparse.Namespace, subjects: Sequence[Subject], io: Streams) -> None:
    page = _make(subjects, args, io.err)
    write_file(args.output, page.html)
    lumps = sum(len(subject.paths) for subject in subjects)
    io.out.line(f"{args.output}: {count_text(lumps, 'lump')}, {size_text(len(page.html))}")
    if page.left_out:
        left = f"the bytes of {count_text(page.left_out, 'lump')} had no room"
        io.out.line(f"  {left}; --embed SIZE gives more, and --serve shows all")
    if page.drawn < page.maps and args.embed:
        more = "--maps all draws all" if page.drawn == args.maps else "--embed SIZE draws more"
        drawn = f"{page.drawn:,} of {count_text(page.maps, 'map')} {'is' if page.drawn == 1 else 'are'} drawn"
        io.out.line(f"  {drawn}; {more}, and --serve each that is looked at")
    if page.unread:
        io.err.warning(f"{count_text(len(page.unread), 'lump')} cannot be decoded: {page.unread[0][1]}")


def _make(subjects: Sequence[Subject], args: argparse.Namespace, err: Output) -> Page:
    from lumpyard.explore.page import make_page  # noqa: PLC0415 - after the arguments were right
    from lumpyard.explore.places import draw_map  # noqa: PLC0415

    def make(advance: Callable[[str, int], None]) -> Page:
        def draw(subject: Subject, places: Places, number: int) -> str:
            drawing = draw_map(subject.archive, places.maps[number])
            advance("draw", 0)
            return drawing

        reads = partial(advance, "embed")
        return make_page(subjects, args.embed, progress=reads, draw=draw, most_drawn=args.maps)

    size = sum(lump.raw_size for subject in subjects for lump in subject.archive.lumps)
    with stages(err, "page", size) as advance:
        return make(advance)


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
