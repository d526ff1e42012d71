"""The archives that a project has built, checked as `lumpyard verify` checks any archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.errors import ArchiveError, NotFoundError

if TYPE_CHECKING:
    from lumpyard.build.project import Project


def verify_built(project: Project, archive_id: str) -> tuple[str, list[str]]:
    """Path and problems of an archive in dist/, else in build/; NotFoundError where it is in neither."""
    paths = [project.output(archive_id, profile) for profile in ("ship", "pack")]
    for path in paths:
        if disk.is_there(project.real(path)):
            return path, _verify(project.real(path), project.archive(archive_id).format)
    raise NotFoundError(f"there is neither {paths[0]} nor {paths[1]}; `doit ship` or `doit` builds one")


def _verify(path: str, format_name: str) -> list[str]:
    with disk.open_map(path) as mapping:
        try:
            return [finding.message for finding in verify_archive(open_archive(mapping.data, format_name))]
        except ArchiveError as error:
            return [str(error)]
