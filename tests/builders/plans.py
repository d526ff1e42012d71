"""Plans of manifests in memory, and the problems of those that have any, as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.manifests import a_table

from lumpyard.errors import ProblemsError
from lumpyard.plan import plan_all

if TYPE_CHECKING:
    from tests.builders.tree import MemoryTree

    from lumpyard.manifest.model import Manifest
    from lumpyard.plan import ArchivePlan, PlannedLump
    from lumpyard.registry import RuleTable


def a_plan(
    manifest: Manifest, tree: MemoryTree, table: RuleTable | None = None, profile: str = "ship"
) -> ArchivePlan:
    """The plan of a manifest's first archive."""
    return plan_all(manifest, profile, table or a_table(), tree)[0]


def problems_of(manifest: Manifest, tree: MemoryTree, table: RuleTable | None = None) -> list[str]:
    """Every problem as printed, with its hint in brackets; the plan must fail."""
    with pytest.raises(ProblemsError) as caught:
        plan_all(manifest, "ship", table or a_table(), tree)
    return [
        f"{problem} ({problem.hint})" if problem.hint else str(problem) for problem in caught.value.problems
    ]


def warnings_of(manifest: Manifest, tree: MemoryTree, table: RuleTable | None = None) -> list[str]:
    """As `problems_of`, for a plan that succeeds."""
    plan = a_plan(manifest, tree, table)
    return [f"{problem} ({problem.hint})" if problem.hint else str(problem) for problem in plan.warnings]


def named(plan: ArchivePlan) -> dict[str, PlannedLump]:
    """The lumps of a plan by name."""
    return {lump.name: lump for lump in plan.lumps}
