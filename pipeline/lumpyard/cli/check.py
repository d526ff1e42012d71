"""`lumpyard check`: mistakes found before a build, writing nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.checking import Report, check_project
from lumpyard.cli.parser import add_manifest
from lumpyard.cli.project_access import open_project
from lumpyard.console.annotations import github_lines, problem_data, sarif
from lumpyard.console.sizes import count_text
from lumpyard.errors import ProblemsError

if TYPE_CHECKING:
    import argparse

    from lumpyard.cli.output import Streams

EXAMPLES = """
lumpyard check                       # manifest, lints, and rules that run inside lumpyard
lumpyard check --cook                # rules that run tools, too
lumpyard check --format github       # in a workflow: problems beside their lines
lumpyard check --format sarif > lumpyard.sarif
"""

FORMATS = ("text", "github", "sarif", "json")


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `check`."""
    parser.add_argument("archives", metavar="ARCHIVE", nargs="*", help="only these archives of the manifest")
    add_manifest(parser)
    parser.add_argument("--cook", action="store_true", help="run rules that run outside programs, too")
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="how problems are written (default: text)"
    )
    parser.add_argument(
        "--json", action="store_const", dest="format", const="json", help="the same as --format json"
    )


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print what was found; 0 where that is nothing."""
    report = _check(args)
    problems = report.problems
    if args.format == "github":
        io.out.lines(github_lines(problems, _folder(args.manifest)))
    elif args.format == "sarif":
        io.out.json(sarif(problems, _folder(args.manifest)))
    elif args.format == "json":
        io.out.json([problem_data(problem) for problem in problems])
    else:
        _print(report, io)
    return report.exit_status


def _check(args: argparse.Namespace) -> Report:
    try:
        return check_project(open_project(args.manifest), args.archives, tools=args.cook)
    except ProblemsError as error:  # of the manifest or the plan: nothing could be cooked
        return Report(error.problems, error.exit_status)


def _folder(manifest: str) -> str:
    return manifest.replace("\\", "/").rpartition("/")[0]


def _print(report: Report, io: Streams) -> None:
    if report.problems:
        from lumpyard.console.problems import render_problems  # noqa: PLC0415 - only where there are some

        io.err.text(render_problems(report.problems, color=io.err.terminal.color))
    done = f"{count_text(report.lumps, 'lump')} of {count_text(report.archives, 'archive')} checked"
    if report.left_out:
        done += f", {report.left_out:,} left out because their rules run tools (--cook runs them)"
    errors = sum(problem.is_error for problem in report.problems)
    warnings = len(report.problems) - errors
    found = [
        count_text(number, what) for number, what in ((errors, "error"), (warnings, "warning")) if number
    ]
    io.out.line(f"{done}: {', '.join(found)}" if found else f"{done}: nothing wrong")
