"""`lumpyard plan`: what would be built, and from what, before any data is read."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from lumpyard.build.earlier.record import load_record
from lumpyard.build.project import OUTPUT_FOLDERS
from lumpyard.cli.parser import add_json, add_manifest
from lumpyard.cli.project_access import open_project, plan_archives
from lumpyard.console.escape import escape_name
from lumpyard.console.sizes import count_text
from lumpyard.console.tables import Column, render_table

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from lumpyard.build.project import Project
    from lumpyard.cli.output import Streams
    from lumpyard.plan.model import ArchivePlan, Encoding, PlannedLump, Recipe

EXAMPLES = """
lumpyard plan
lumpyard plan --long base          # every lump of one archive, and its sources
lumpyard plan --ship --json | jq '.[].lumps | length'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of `plan`."""
    parser.add_argument("archives", metavar="ARCHIVE", nargs="*", help="only these archives of the manifest")
    add_manifest(parser)
    parser.add_argument("-l", "--long", action="store_true", help="list every lump and its sources")
    parser.add_argument("--ship", action="store_true", help="plan the release, not the development build")
    add_json(parser)


def run(args: argparse.Namespace, io: Streams) -> int:
    """Print the plan; warnings go to standard error."""
    project = open_project(args.manifest)
    plans = plan_archives(project, args.archives, "ship" if args.ship else "pack")
    outlook = [look_ahead(project, plan) for plan in plans]
    if args.json:
        io.out.json(
            [
                {**plan_data(plan), "reasons": found.reasons}
                for plan, found in zip(plans, outlook, strict=True)
            ]
        )
        return 0
    for number, (plan, found) in enumerate(zip(plans, outlook, strict=True)):
        if number:
            io.out.line()
        io.out.line(_heading(plan), "bold")
        io.out.line(f"  {found}")
        io.out.lines(_sets(plan, io.out.terminal.width))
        if args.long:
            io.out.line()
            io.out.lines(_lumps(plan, io.out.terminal.width))
    warnings = sorted({warning for plan in plans for warning in plan.warnings})
    if warnings:
        from lumpyard.cli.problem_text import print_problems, project_folder  # noqa: PLC0415

        print_problems(warnings, io.err, project_folder(args.manifest))
    return 0


class Outlook(NamedTuple):
    """Whether the next build would write an archive anew."""

    reasons: list[str]  # why it would
    is_read: bool = True  # whether all sources' contents are known; else some only look changed

    def __str__(self) -> str:
        if not self.reasons:
            return "as it was built"
        return f"to build: {'; '.join(self.reasons)}" + (
            "" if self.is_read else " (going by times; contents not read)"
        )


def look_ahead(project: Project, plan: ArchivePlan) -> Outlook:
    """What the next build would do, told without reading any source."""
    if load_record(project.record_path(plan.id, plan.profile)) is None:
        return Outlook(["never built"])
    from lumpyard.build.outputs import why_stale  # noqa: PLC0415 - most of the engine
    from lumpyard.build.session import Session  # noqa: PLC0415

    with closing(Session(project, plan.id, plan.profile)) as session:
        reasons = list(why_stale(session))
        known = session.world.known
        return Outlook(reasons, all(path in known for lump in plan.lumps for path in lump.sources))


def _heading(plan: ArchivePlan) -> str:
    facts = [plan.format, count_text(len(plan.lumps), "lump"), f"alignment {plan.alignment}"]
    facts += [
        word
        for word, holds in (("without names", plan.strip), ("equal lumps share bytes", plan.dedupe))
        if holds
    ]
    return f"{plan.id}: {OUTPUT_FOLDERS[plan.profile]}/{plan.path} ({', '.join(facts)})"


def _sets(plan: ArchivePlan, width: int | None) -> Iterator[str]:
    """A line for each set, or several where overrides split it."""
    columns = (
        Column("set"),
        Column("lumps", right=True),
        Column("rule"),
        Column("type"),
        Column("schema", right=True),
        Column("alignment", right=True),
        Column("compression"),
    )
    counts: Counter[tuple[str, ...]] = Counter()
    for recipe, number in Counter(lump.recipe for lump in plan.lumps).items():
        counts[_cells(recipe)] += number  # recipes may differ in options, which stand in `why`
    rows = [(cells[0], f"{number:,}", *cells[1:]) for cells, number in counts.items()]
    return render_table(columns, rows, width, indent="  ") if rows else iter(())


def _cells(recipe: Recipe) -> tuple[str, ...]:
    return (
        recipe.set_id,
        recipe.rule.kind,
        escape_name(_type(recipe)),
        str(recipe.rule.schema if recipe.schema is None else recipe.schema),
        str(recipe.alignment),
        encoding_text(recipe.encoding),
    )


def _type(recipe: Recipe) -> str:
    if recipe.fourcc is None:
        return recipe.rule.fourcc or "-"
    return recipe.fourcc.to_bytes(4, "little").decode("ascii") if recipe.fourcc else "-"


def encoding_text(encoding: Encoding) -> str:
    """A compression policy in words: `lz4hc 9, if 5% smaller`."""
    if encoding.codec == "none":
        return "none"
    codec = f"{encoding.codec} {encoding.level}" if encoding.level else encoding.codec
    return f"{codec}, if {encoding.min_saving}% smaller" if encoding.min_saving else codec


def _lumps(plan: ArchivePlan, width: int | None) -> Iterator[str]:
    rows = [(escape_name(name), escape_name(_from(lump))) for lump in plan.lumps for name in _names(lump)]
    return render_table((Column("lump", cut=True), Column("from", cut=True)), rows, width, indent="  ")


def _names(lump: PlannedLump) -> Sequence[str]:
    return (f"{lump.name} (names known after cooking)",) if lump.products is None else lump.products


def _from(lump: PlannedLump) -> str:
    more = len(lump.sources) - 1
    return f"{lump.sources[0]} and {more} more" if more else lump.sources[0]


def plan_data(plan: ArchivePlan) -> dict[str, Any]:
    """A plan as plain data; `products` is null where the names are known after cooking only."""
    return {
        "id": plan.id,
        "path": f"{OUTPUT_FOLDERS[plan.profile]}/{plan.path}",
        "format": plan.format,
        "alignment": plan.alignment,
        "dedupe": plan.dedupe,
        "strip": plan.strip,
        "seed": plan.seed,
        "lumps": [_lump_data(lump) for lump in plan.lumps],
    }


def _lump_data(lump: PlannedLump) -> dict[str, Any]:
    recipe = lump.recipe
    return {
        "name": lump.name,
        "products": None if lump.products is None else list(lump.products),
        "sources": list(lump.sources),
        "set": recipe.set_id,
        "rule": recipe.rule.kind,
        "type": None if _type(recipe) == "-" else _type(recipe),
        "schema": recipe.rule.schema if recipe.schema is None else recipe.schema,
        "codec": recipe.encoding.codec,
        "level": recipe.encoding.level,
        "min_saving": recipe.encoding.min_saving,
        "alignment": recipe.alignment,
    }
