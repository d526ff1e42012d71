"""`lumpyard report`: how large the archives of a project are, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lumpyard.cli.outputs import add_outputs, chosen_output, write_page
from lumpyard.cli.parser import add_json, add_manifest
from lumpyard.cli.project_access import open_project
from lumpyard.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from lumpyard.build.project import Project
    from lumpyard.cli.output import Streams
    from lumpyard.maps.statistics import Statistics
    from lumpyard.report.measure import SizeReport

EXAMPLES = """
lumpyard report
lumpyard report --html sizes.html base
lumpyard report --markdown --since ../released       # a checkout of the last release
lumpyard report --json | jq '.archives[] | {id, size, dedupe_saves}'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `report`."""
    parser.add_argument("archives", metavar="ARCHIVE", nargs="*", help="only these archives of the manifest")
    add_manifest(parser)
    parser.add_argument(
        "--since",
        metavar="FILE",
        default=None,
        help="the release to compare with: an archives.lock, or the folder of one (default: the project's own)",
    )
    parser.add_argument("--all", action="store_true", help="show all rows and lumps")
    add_json(parser)
    add_outputs(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print the sizes; 0 whatever they are."""
    from lumpyard.build.memory import without_collector  # noqa: PLC0415 - as is what follows, not for --help
    from lumpyard.report.measure import LARGEST, measure  # noqa: PLC0415

    output = chosen_output(args)
    project = open_project(args.manifest)
    _check(project, args.archives)
    with without_collector():
        largest = 1 << 62 if args.all else LARGEST
        report = measure(project, args.archives, since=args.since or "", largest=largest)
        _write(report, output, args, io)
    return 0


def _check(project: Project, archives: list[str]) -> None:
    known = project.manifest.archives
    for archive in archives:
        if archive not in known:
            from lumpyard.manifest.closest import did_you_mean  # noqa: PLC0415 - only after a slip

            hint = did_you_mean(archive, known) or f"it has {', '.join(known) or 'none'}"
            raise UsageError(f"the manifest has no archive '{archive}'; {hint}")


def _numbers(numbers: Statistics) -> dict[str, Any]:
    from lumpyard.console.map_statistics import statistics_data  # noqa: PLC0415 - of archives with maps only

    return statistics_data(numbers)


def _write(report: SizeReport, output: str, args: argparse.Namespace, io: Streams) -> None:
    if args.html:
        from lumpyard.console.size_page import size_page  # noqa: PLC0415 - of one option

        write_page(args.html, size_page(report), io)
    if output == "json":
        from lumpyard.report.size_data import size_data  # noqa: PLC0415 - of one option

        io.out.json(size_data(report, _numbers))
    elif output == "markdown":
        from lumpyard.console.size_markdown import size_report_markdown  # noqa: PLC0415 - of one option

        io.out.text("\n".join(size_report_markdown(report, show_all=args.all)) + "\n")
    elif output == "text":
        from lumpyard.console.size_report import size_report_text  # noqa: PLC0415 - of one option

        lines = size_report_text(report, io.out.terminal, show_all=args.all)
        io.out.text("\n".join(lines) + "\n")
