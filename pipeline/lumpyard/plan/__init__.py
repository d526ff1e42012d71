"""What a manifest, the rules and the file system come to: a plan of every archive, before any data is read.

`model` holds the plan's values, `planner` makes them, `tree` says what is asked of the file system.
"""

from __future__ import annotations

from lumpyard.plan.claims import claim_problems
from lumpyard.plan.model import ArchivePlan, Encoding, PlannedLump, Recipe
from lumpyard.plan.planner import plan_all, plan_archive
from lumpyard.plan.selection import name_selector
from lumpyard.plan.tree import FolderLike, Tree

__all__ = [
    "ArchivePlan",
    "Encoding",
    "FolderLike",
    "PlannedLump",
    "Recipe",
    "Tree",
    "claim_problems",
    "name_selector",
    "plan_all",
    "plan_archive",
]
