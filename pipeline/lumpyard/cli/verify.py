"""`lumpyard verify`: every hash checked, every compressed lump decoded, nothing changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.archives.ewad.reader import EwadView
from lumpyard.archives.ewad.verify import verify
from lumpyard.archives.model import Finding
from lumpyard.archives.opening import open_archive
from lumpyard.cli.parser import add_format, add_json
from lumpyard.console.escape import escape_name
from lumpyard.console.moving import RichProgress
from lumpyard.console.sizes import count_text, size_text
from lumpyard.disk import open_map
from lumpyard.errors import ArchiveError, DiskError, MalformedError

if TYPE_CHECKING:
    import argparse

    from lumpyard.archives.model import Archive
    from lumpyard.cli.output import Output, Streams

EXAMPLES = """
lumpyard verify dist/base.ewad
lumpyard verify --json dist/*.ewad
"""

_MOST_SHOWN = 20  # problems of one archive on screen; a broken disk makes thousands, and JSON has them all


class Verdict(NamedTuple):
    """What became of one archive."""

    path: str
    findings: list[Finding]
    summary: str  # of one that could be read

    @property
    def word(self) -> str:
        """`ok`, or the verdict of what was met first."""
        return self.findings[0].verdict if self.findings else "ok"

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        problems = [
            {"code": found.code, "message": found.message, "entry": found.entry} for found in self.findings
        ]
        return {"path": self.path, "verdict": self.word, "problems": problems}


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `verify`."""
    parser.add_argument("archives", metavar="ARCHIVE", nargs="+")
    add_format(parser)
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Check every archive, whatever became of the ones before; the status is the worst."""
    status = 0
    verdicts = []
    for path in args.archives:
        try:
            verdict = _verify_file(path, args.format, io.err)
        except DiskError as error:
            io.err.error(str(error))
            status = DiskError.exit_status
            continue
        if verdict.findings and not status:
            status = 1
        verdicts.append(verdict.data())
        if not args.json:
            _print(verdict, io)
    if args.json:
        io.out.json(verdicts)
    return status


def _verify_file(path: str, format_name: str, err: Output) -> Verdict:
    with open_map(path) as mapping:
        try:
            archive = open_archive(mapping.data, format_name)
        except ArchiveError as error:
            kind = "malformed" if isinstance(error, MalformedError) else "unsupported"
            return Verdict(path, [Finding(error.code, str(error), error.entry, kind)], "")
        return Verdict(
            path,
            _check(path, archive, err),
            f"{count_text(len(archive.lumps), 'lump')}, {size_text(archive.size)}",
        )


def _check(path: str, archive: Archive, err: Output) -> list[Finding]:
    assert isinstance(archive, EwadView), "the only format that is read so far"
    if err.stream is None or err.terminal.width is None:
        return verify(archive)
    progress = RichProgress(err.stream, os.environ)  # draws nothing where it is quick
    try:
        progress.begin(escape_name(path), "verify", 0, archive.size)
        return verify(archive, lambda _offset, size: progress.advance(escape_name(path), 0, size))
    finally:
        progress.stop()


def _print(verdict: Verdict, io: Streams) -> None:
    try:
        if not verdict.findings:
            io.out.line(f"{verdict.path}: ok ({verdict.summary})")
            return
        io.out.line(f"{verdict.path}: {verdict.word}", "red")
        for found in verdict.findings[:_MOST_SHOWN]:
            io.out.line(f"  {found.message} [{found.code}]")
        more = len(verdict.findings) - _MOST_SHOWN
        if more > 0:
            io.out.line(f"  and {count_text(more, 'problem')} more; --json lists them all")
    except BrokenPipeError:
        io.out.abandon()  # nobody reads on, but the status still has to be right
