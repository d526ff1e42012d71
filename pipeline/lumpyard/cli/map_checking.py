"""`lumpyard map`: what is wrong or odd in maps, and numbers about them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lumpyard.cli.map_file import open_textures
from lumpyard.cli.map_recording import read_records
from lumpyard.console import map_findings as shown
from lumpyard.console.annotations import github_lines, sarif
from lumpyard.console.sizes import count_text
from lumpyard.maps.checks import check_map, check_names
from lumpyard.maps.checks.context import CheckContext, Ignore
from lumpyard.maps.checks.ignoring import Ignoring
from lumpyard.maps.fingerprint import fingerprint
from lumpyard.maps.problems import ERROR, LEVELS
from lumpyard.maps.recording import judge

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from lumpyard.cli.map_file import MapInput
    from lumpyard.cli.output import Streams
    from lumpyard.maps.opening import Found
    from lumpyard.maps.problems import MapFinding
    from lumpyard.maps.recording import Records

Results = list[tuple["Found", list["MapFinding"]]]


def check_maps(file: MapInput, args: argparse.Namespace, io: Streams) -> int:
    """Print what was found; 1 where there are errors."""
    with open_textures(file, args) as textures:
        context = CheckContext(args.target, args.game, textures, ignores_of(args))
        records = None if file.file.archive is None else read_records(file.path)
        ignoring = Ignoring(context.ignores)
        names = check_names([None if found.path else found.place for found in file.maps])
        results = [
            (found, check_map(found.level, _with(context, found, records), of_name, ignoring))
            for found, of_name in zip(file.maps, names, strict=True)
        ]
    results[0][1].extend(ignoring.unused())  # there is a map, or nothing had been opened
    if args.findings == "json":
        io.out.json([_data(found, findings, args) for found, findings in results])
    elif args.findings == "text":
        _print(results, args.level, io)
    else:
        problems = _problems(file, results, args.level)
        if args.findings == "github":
            io.out.lines(github_lines(problems))
        else:
            io.out.json(sarif(problems))
    return int(any(finding.level == ERROR for _, findings in results for finding in findings))


def ignores_of(args: argparse.Namespace) -> list[Ignore]:
    """What the command line says is to be ignored."""
    return [Ignore(id_, "the command line says so", x, y) for id_, x, y in args.ignore]


def _with(context: CheckContext, found: Found, records: Records | None) -> CheckContext:
    """The context of one map: what is recorded of it, where something is recorded of the file."""
    return context if records is None else replace(context, recorded=judge(found.level, records))


def measure_maps(file: MapInput, args: argparse.Namespace, io: Streams) -> int:
    """Print the numbers of each map."""
    from lumpyard.console.map_statistics import statistics_text  # noqa: PLC0415 - not for checks
    from lumpyard.maps.statistics import measure  # noqa: PLC0415

    for found in file.maps:
        io.out.lines(statistics_text(measure(found.level, args.target, args.game)))
    return 0


def _data(found: Found, findings: Sequence[MapFinding], args: argparse.Namespace) -> dict[str, Any]:
    data = shown.map_data(found.path, found.level, findings, fingerprint(found.level))
    if args.stats:
        from lumpyard.console.map_statistics import statistics_data  # noqa: PLC0415 - not for checks
        from lumpyard.maps.statistics import measure  # noqa: PLC0415

        data["statistics"] = statistics_data(measure(found.level, args.target, args.game))
    return data


def _print(results: Results, level: str, io: Streams) -> None:
    everything = [finding for _, findings in results for finding in findings]
    for found, findings in results:
        io.out.line(shown.map_heading(found.level, findings))
        for each, line in shown.finding_lines(shown.at_least(level, findings)):
            io.out.line(line, shown.STYLES[each])
    hidden = len(everything) - len(shown.at_least(level, everything))
    hint = f" ({hidden:,} not listed: --level {LEVELS[-1]})" if hidden else ""
    io.out.line(f"{count_text(len(results), 'map')} checked: {shown.count_levels(everything)}{hint}")


def _problems(file: MapInput, results: Results, level: str) -> list[shown.FindingProblem]:
    text = file.file.archive is None
    return [
        shown.finding_problem(file.path, each.level, finding, text=text)
        for each, findings in results
        for finding in shown.at_least(level, findings)
    ]
