"""Budgets that count no lump of any of their archives, and so hold whatever happens: a slip of the pen, most often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.earlier.record import load_record
from lumpyard.build.release.budgets import budgets_of, count_lumps, counted_in_words, is_whole
from lumpyard.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lumpyard.build.earlier.record import Record
    from lumpyard.build.project import Project
    from lumpyard.manifest.model import Budget, Manifest
    from lumpyard.plan.model import ArchivePlan, PlannedLump

IDLE = "W0804"


def iter_idle_budgets(project: Project, archive_id: str, record: Record) -> Iterator[Problem]:
    """Warnings of those that an archive, as it was written, and all others as they were shipped last have no lump for.

    Each is told once in a process. Where another archive was never shipped, nobody knows.
    """
    for budget in budgets_of(project, archive_id):
        if _is_told(budget, project.manifest) or _counts(budget, record):
            continue
        others = [
            load_record(project.record_path(other, "ship"))
            for other in _archives(budget, project.manifest)
            if other != archive_id
        ]
        if any(other is None or _counts(budget, other) for other in others):
            continue
        problem = _idle(budget, project.manifest)
        if problem not in project.told:
            project.told.add(problem)
            yield problem


def iter_idle_plans(manifest: Manifest, plans: Sequence[ArchivePlan]) -> Iterator[Problem]:
    """The same, of plans of all archives; what only cooking tells counts as what a budget may mean."""
    by_id = {plan.id: plan for plan in plans}
    for budget in manifest.budgets:
        lumps = [lump for other in _archives(budget, manifest) for lump in by_id[other].lumps]
        if not _is_told(budget, manifest) and not any(_may_count(budget, lump) for lump in lumps):
            yield _idle(budget, manifest)


def _archives(budget: Budget, manifest: Manifest) -> list[str]:
    return [named.text for named in budget.archives] or list(manifest.archives)


def _is_told(budget: Budget, manifest: Manifest) -> bool:
    """Whether a budget counts whole files, or sets of which the manifest itself tells (W0102)."""
    held = {
        named.text
        for archive_id in _archives(budget, manifest)
        for named in manifest.archives[archive_id].sets
    }
    return is_whole(budget) or (bool(budget.sets) and held.isdisjoint(named.text for named in budget.sets))


def _counts(budget: Budget, record: Record) -> bool:
    rows = record.rows
    return bool(count_lumps(budget, rows.names, rows.column("set_id"), rows.column("fourcc")))


def _may_count(budget: Budget, lump: PlannedLump) -> bool:
    recipe = lump.recipe
    if recipe.fourcc is None:
        budget = budget._replace(types=())
    if lump.products is None:
        budget = budget._replace(lumps=())
    names = lump.products or ("",)
    return bool(count_lumps(budget, names, [recipe.set_id] * len(names), [recipe.fourcc or 0] * len(names)))


def _idle(budget: Budget, manifest: Manifest) -> Problem:
    archives = _archives(budget, manifest)
    where = f"archive {archives[0]}" if len(archives) == 1 else f"archives {', '.join(archives)}"
    message = f"no lump of {where} counts for this budget ({counted_in_words(budget)})"
    return Problem(budget.place, IDLE, message, "the budget holds whatever happens")
