"""`lumpyard verify`: every hash checked, every compressed lump decoded, nothing changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.archives.model import Finding
from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.cli.archive_file import load_names
from lumpyard.cli.archive_warnings import print_findings
from lumpyard.cli.parser import add_format, add_json, add_lenient, add_listfile
from lumpyard.console.escape import escape_name
from lumpyard.console.moving import RichProgress
from lumpyard.console.sizes import count_text, size_text
from lumpyard.disk import open_map
from lumpyard.errors import ArchiveError, DiskError, MalformedError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

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
    warnings: list[Finding]
    summary: str  # of one that could be read

    @property
    def word(self) -> str:
        """`ok`, or the verdict of what was met first."""
        return self.findings[0].verdict if self.findings else "ok"

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        data = {"path": self.path, "verdict": self.word, "problems": list(map(_data, self.findings))}
        if self.warnings:
            data["warnings"] = list(map(_data, self.warnings))
        return data


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `verify`."""
    parser.add_argument(
        "archives", metavar="ARCHIVE", nargs="+", help="archives of any formats that are read"
    )
    add_format(parser)
    add_lenient(parser)
    add_listfile(parser)
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Check every archive, whatever became of the ones before; the status is the worst."""
    status = 0
    verdicts = []
    names = load_names(args)
    for path in args.archives:
        try:
            verdict = _verify_file(path, args, names, io.err)
        except DiskError as error:
            io.err.error(str(error))
            status = DiskError.exit_status
            continue
        if verdict.findings and not status:
            status = 1
        verdicts.append(verdict.data())
        if not args.json:
            print_findings(path, verdict.warnings, io.err)
            _print(verdict, io)
    if args.json:
        io.out.json(verdicts)
    return status


def _data(found: Finding) -> dict[str, Any]:
    return {"code": found.code, "message": found.message, "entry": found.entry}


def _verify_file(path: str, args: argparse.Namespace, names: Sequence[bytes], err: Output) -> Verdict:
    with open_map(path) as mapping:
        try:
            archive = open_archive(mapping.data, args.format, lenient=args.lenient, names=names)
            found = _check(path, archive, err)
        except ArchiveError as error:
            kind = "malformed" if isinstance(error, MalformedError) else "unsupported"
            return Verdict(path, [Finding(error.code, str(error), error.entry, kind)], [], "")
        problems = [finding for finding in found if finding.verdict != "ok"]
        warnings = [*archive.warnings, *(finding for finding in found if finding.verdict == "ok")]
        summary = f"{count_text(len(archive.lumps), 'lump')}, {size_text(archive.size)}"
        return Verdict(path, problems, warnings, summary)


def _check(path: str, archive: Archive, err: Output) -> list[Finding]:
    if err.stream is None or err.terminal.width is None:
        return verify_archive(archive)
    progress = RichProgress(err.stream, os.environ)  # draws nothing where it is quick
    try:
        progress.begin(escape_name(path), "verify", 0, archive.size)
        return verify_archive(archive, lambda _offset, size: progress.advance(escape_name(path), 0, size))
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
