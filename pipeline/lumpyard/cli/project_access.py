"""The project that a command works on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.build.project import Project
from lumpyard.disk import is_there, real_path
from lumpyard.errors import UsageError

if TYPE_CHECKING:
    from lumpyard.build.sources.tree import ScannedTree
    from lumpyard.plan.model import ArchivePlan

_LEVELS = 8  # folders up in which a manifest is looked for, to say where it is


def open_project(manifest: str) -> Project:
    """The project of a manifest; UsageError that says what to do where there is none."""
    check_manifest(manifest)
    return Project(manifest, remember=False)


def check_manifest(manifest: str) -> None:
    """UsageError that says what to do, unless there is such a manifest."""
    if is_there(manifest):
        return
    up = "../"
    for _ in range(_LEVELS if "/" not in manifest else 0):
        if is_there(up + manifest):
            hint = f"work in {real_path(up)}, or say -m {up}{manifest}"
            raise UsageError(f"there is no {manifest} in this folder; {hint}")
        up += "../"
    raise UsageError(f"there is no {manifest}; `lumpyard init` starts a project, -m names another manifest")


def plan_archives(
    project: Project, archives: list[str], profile: str, tree: ScannedTree | None = None
) -> list[ArchivePlan]:
    """The plans of the archives that are named, or of all; ProblemsError with the problems of all of them."""
    from lumpyard.plan import plan_all  # noqa: PLC0415 - rules lists no files

    return plan_all(project.manifest, profile, project.rules(), tree or project.tree(), archives or None)
