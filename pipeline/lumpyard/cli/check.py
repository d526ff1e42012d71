"""`lumpyard check`: mistakes found before a build, writing nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.cli.checking import Report, check_project
from lumpyard.cli.parser import add_manifest
from lumpyard.cli.problem_text import print_problems, project_folder
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
    folder = project_folder(args.manifest)
    if args.format == "github":
        io.out.lines(github_lines(problems, folder))
    elif args.format == "sarif":
        io.out.json(sarif(problems, folder))
    elif args.format == "json":
        io.out.json([problem_data(problem) for problem in problems])
    else:
        _print(report, folder, io)
    return report.exit_status


def _check(args: argparse.Namespace) -> Report:
    try:
        return check_project(open_project(args.manifest), args.archives, tools=args.cook)
    except ProblemsError as error:  # of the manifest or the plan: nothing could be cooked
        return Report(error.problems, error.exit_status)


def _print(report: Report, folder: str, io: Streams) -> None:
    done = f"{count_text(report.lumps, 'lump')} of {count_text(report.archives, 'archive')} checked"
    if report.left_out:
        done += f", {report.left_out:,} not cooked because their rules run tools (--cook runs them)"
    if not report.problems:
        io.out.line(f"{done}: nothing wrong")
        return
    print_problems(report.problems, io.err, folder)
    if report.archives:
        io.out.line(done)
