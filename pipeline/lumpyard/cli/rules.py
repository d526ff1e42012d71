"""`lumpyard rules`: what can cook, and with which options."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lumpyard.cli.parser import add_json
from lumpyard.console.tables import Column, render_table
from lumpyard.disk import is_there
from lumpyard.errors import NotFoundError
from lumpyard.manifest.closest import did_you_mean
from lumpyard.registry import describe, load_rules

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from lumpyard.cli.output import Streams
    from lumpyard.registry import RuleTable

EXAMPLES = """
lumpyard rules
lumpyard rules image sound
lumpyard rules --json | jq -r '.[] | .kind + " " + (.suffixes | join(" "))'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `rules`."""
    parser.add_argument("kinds", metavar="KIND", nargs="*", help="only these rules")
    text = "the project whose own rules count, too (default: assets.yaml, where there is one)"
    parser.add_argument("-m", "--manifest", metavar="FILE", help=text)
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print the rules."""
    rules = describe(_load(args.manifest))
    known = [rule["kind"] for rule in rules]
    for kind in args.kinds:
        if kind not in known:
            raise NotFoundError(
                f"no rule {kind!r}; {did_you_mean(kind, known) or 'there are ' + ', '.join(known)}"
            )
    chosen = [rule for rule in rules if not args.kinds or rule["kind"] in args.kinds]
    if args.json:
        io.out.json(chosen)
        return 0
    for number, rule in enumerate(chosen):
        if number:
            io.out.line()
        io.out.line(_heading(rule), "bold")
        io.out.lines(f"  {line}" for line in _facts(rule))
        io.out.lines(_options(rule))
    return 0


def _load(manifest: str | None) -> RuleTable:
    if manifest is None and not is_there("assets.yaml"):
        return load_rules((), ".", lambda _path: None)
    from lumpyard.cli.project_access import open_project  # noqa: PLC0415 - only inside a project

    return open_project(manifest or "assets.yaml").rules()


def _heading(rule: Mapping[str, Any]) -> str:
    return f"{rule['kind']}: {rule['summary']}" if rule["summary"] else rule["kind"]


def _facts(rule: Mapping[str, Any]) -> Iterator[str]:
    others = "all that no other rule takes" if rule["kind"] == "raw" else "those of sets that name it"
    yield f"files    {' '.join(rule['suffixes']) or others}"
    if rule["fourcc"]:
        yield f"type     {rule['fourcc']}, schema {rule['schema']}"
    yield f"from     {rule['origin']}, version {rule['version']}"


def _options(rule: Mapping[str, Any]) -> Iterator[str]:
    rows = [
        (
            option["name"],
            option["type"],
            "required" if option["required"] else json.dumps(option["default"]),
            option["doc"],
        )
        for option in rule["options"]
    ]
    return (
        render_table((Column("option"), Column("type"), Column("default"), Column("")), rows, indent="  ")
        if rows
        else iter(())
    )
