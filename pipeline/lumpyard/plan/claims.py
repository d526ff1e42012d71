"""The `claim` lint: files that should be in some set and are in none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.errors import Problem
from lumpyard.plan.codes import CLAIMS_NOTHING, UNCLAIMED
from lumpyard.plan.findings import Findings
from lumpyard.plan.folders import Folders
from lumpyard.plan.listing import list_files
from lumpyard.plan.names import sorted_by_bytes
from lumpyard.plan.search import find, matching
from lumpyard.plan.tree import inside

if TYPE_CHECKING:
    from lumpyard.errors import Place
    from lumpyard.manifest.model import Manifest
    from lumpyard.plan.tree import Tree


def claim_problems(manifest: Manifest, tree: Tree) -> list[Problem]:
    """A warning for each file that `claim` matches, no set takes and nothing ignores, by place and path.

    Sets count whether an archive uses them or not, and so do lumps that an archive excludes.
    """
    if not manifest.claim:
        return []
    folders = Folders(manifest, tree)
    claimed: dict[str, Place] = {}
    problems: list[Problem] = []
    for pattern in manifest.claim:
        if pattern.takes_away:
            continue
        hits = find(pattern.text, "", folders).files
        for path in hits:
            claimed.setdefault(path, pattern.place)
        if not hits:
            problems.append(
                Problem(pattern.place, CLAIMS_NOTHING, f"claim: no file matches '{pattern.text}'")
            )
    for pattern in manifest.claim:
        if pattern.takes_away:
            for path in matching(pattern.text, claimed):
                del claimed[path]
    taken = {
        inside(lump_set.root, path)
        for lump_set in manifest.sets.values()
        for path in list_files(lump_set, folders, Findings())
    }
    left = sorted_by_bytes([path for path in claimed if path not in taken])
    problems += [
        Problem(
            claimed[path],
            UNCLAIMED,
            f"{path} is in no set",
            "add it to one, ignore it, or take it away from claim with '!'",
        )
        for path in left
    ]
    return sorted(problems)
