"""What `check` does: the plan, the lints, and every rule called on its sources without writing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.build.cooking.cook import cook
from lumpyard.build.cooking.world import BuildWorld
from lumpyard.build.release.lockfile import load_lock
from lumpyard.cli.project_access import plan_archives
from lumpyard.errors import (
    CookError,
    DiskError,
    MalformedError,
    Place,
    Problem,
    ProblemsError,
    RuleError,
    UnsupportedError,
)
from lumpyard.plan import claim_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.build.project import Project
    from lumpyard.build.tools.resolving import ResolvedTool
    from lumpyard.plan.model import ArchivePlan, PlannedLump

_POINTER_LIMIT = (
    1024  # bytes; a longer file is no Git LFS pointer, so a rule that hands it on need not read it
)


class Report(NamedTuple):
    """What was found."""

    problems: Sequence[Problem]  # sorted
    exit_status: int
    archives: int = 0
    lumps: int = 0
    left_out: int = 0  # lumps whose rules run tools, which was not asked for


class _ToolWantedError(RuleError):
    """A rule wants to run a tool, and only in-process rules are asked for."""


class _NoTools(BuildWorld):
    """A world in which no tool runs."""

    def tool(self, tool_id: str) -> ResolvedTool:
        if tool_id not in self._manifest.tools:
            return super().tool(tool_id)  # which says so
        raise _ToolWantedError(tool_id)


def check_project(project: Project, archives: list[str], *, tools: bool) -> Report:
    """Everything that is wrong; ProblemsError where the plan has errors, since nothing can be cooked then."""
    tree = project.tree()
    plans = plan_archives(project, archives, "ship", tree)
    problems = {problem for plan in plans for problem in plan.warnings}
    if not archives:
        problems.update(project.manifest.warnings)
        problems.update(claim_problems(project.manifest, tree))
        problems.update(_idle_budgets(project, plans))
    world = (BuildWorld if tools else _NoTools)(
        project.root or ".", project.manifest, tree, {}, {}, lambda _folder, _found: {}
    )
    lumps = _distinct(plans)
    left_out = 0
    statuses = {0}
    try:
        load_lock(project)
    except ProblemsError as error:  # a ship would stop at it
        problems.update(error.problems)
        statuses.add(error.exit_status)
    for lump in lumps:
        try:
            problems.update(_cook(lump, world))
        except _ToolWantedError:
            left_out += 1
        except ProblemsError as error:
            problems.update(error.problems)
            statuses.add(error.exit_status)
        except DiskError as error:
            problems.add(Problem(Place(lump.sources[0]), "E0402", str(error)))
            statuses.add(error.exit_status)
    problems.update(_over_budget(project, plans))
    if problems:
        statuses.add(1)
    return Report(
        sorted(problems), _worst(statuses), len(plans), sum(len(plan.lumps) for plan in plans), left_out
    )


def _idle_budgets(project: Project, plans: Sequence[ArchivePlan]) -> Iterator[Problem]:
    """Budgets that count nothing."""
    if project.manifest.budgets:
        from lumpyard.build.release.idle_budgets import iter_idle_plans  # noqa: PLC0415 - few projects have any

        yield from iter_idle_plans(project.manifest, plans)


def _over_budget(project: Project, plans: Iterable[ArchivePlan]) -> Iterator[Problem]:
    """Budgets that archives are over as they were built last: those in dist/, else those in build/."""
    if not project.manifest.budgets:
        return
    from lumpyard.build.release.budgets import budget_problems  # noqa: PLC0415 - few projects have any
    from lumpyard.build.release.measured import find_built  # noqa: PLC0415

    for plan in plans:
        record = find_built(project, plan.id)
        if record is not None:
            yield from budget_problems(project, plan.id, record)


def _distinct(plans: Iterable[ArchivePlan]) -> list[PlannedLump]:
    """Each cook once, however many archives hold what comes of it."""
    seen = {
        (lump.name, lump.sources, lump.recipe.rule_digest, lump.recipe.options_text): lump
        for plan in plans
        for lump in plan.lumps
    }
    return list(seen.values())


def _cook(lump: PlannedLump, world: BuildWorld) -> Iterable[Problem]:
    """The warnings of one cook; CookError with its errors."""
    if lump.recipe.rule.verbatim and _is_surely_sound(lump, world):
        return ()
    datas = [world.source(path)[0] for path in lump.sources]
    return cook(lump, datas, world).warnings


def _is_surely_sound(lump: PlannedLump, world: BuildWorld) -> bool:
    stat = world.tree.stat(lump.sources[0])
    if world.tree.archived(lump.sources[0]):
        return False  # it may not decode
    return stat is not None and stat.size >= _POINTER_LIMIT


def _worst(statuses: Iterable[int]) -> int:
    """The status that says most: what cannot be read, archives.lock too, then rules that failed, then lints."""
    malformed, unsupported = MalformedError.exit_status, UnsupportedError.exit_status
    order = (
        DiskError.exit_status,
        ProblemsError.exit_status,
        malformed,
        unsupported,
        CookError.exit_status,
        1,
        0,
    )
    return min(statuses, key=order.index)
