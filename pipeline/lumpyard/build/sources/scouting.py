"""Scanning folders in another process, while this one does what does not hang on them.

To look at 20,000 files takes longer than all else that a build without work does. A scout gives nothing but what
`ScannedTree.scan` would find a moment later; where processes cannot be forked, or a scout fails, the tree looks itself.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lumpyard.build.workers.parallel import Beside, choose_crew
from lumpyard.errors import Error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Self

    from lumpyard.build.project import Project
    from lumpyard.build.sources.tree import ScannedTree

    Look = Callable[[ScannedTree], None]

_SHARED_FROM = 16  # folders from which two look at half of them each


class Scout:
    """A process that scans; a context manager, which ends it."""

    def __init__(self, project: Project, look: Look) -> None:
        wish = project.environ.get("LUMPYARD_WORKERS", "")
        crew = choose_crew(1, 1, wish=wish)
        usable = crew.kind == "fork" and not project.manifest.mounts
        self._beside = Beside(lambda: _seen(project, look), crew) if usable else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._beside:
            self._beside.cancel()

    def report(self, tree: ScannedTree) -> None:
        """Have a tree know what was seen."""
        if self._beside:
            with suppress(Error):  # the tree looks itself, and says what is wrong
                tree.foresee(self._beside.result())


def _seen(project: Project, look: Look) -> Any:
    tree = project.tree()
    with suppress(Error):
        look(tree)
    return [(folder, tuple(scan)) for folder, scan in tree.scans.items() if scan is not None]


def sources_of(project: Project, archive_id: str) -> Look:
    """A look at the folders that the plan of an archive will look at."""

    def look(tree: ScannedTree) -> None:
        from lumpyard.plan.findings import Findings  # noqa: PLC0415 - for the other process alone
        from lumpyard.plan.folders import Folders  # noqa: PLC0415 - as above
        from lumpyard.plan.listing import list_files  # noqa: PLC0415 - as above

        manifest = project.manifest
        folders = Folders(manifest, tree)
        for named in manifest.archives[archive_id].sets:
            with suppress(Error):
                list_files(manifest.sets[named.text], folders, Findings())

    return look


def are_as_left(project: Project, tree: ScannedTree, digests: Sequence[tuple[str, bytes]]) -> bool:
    """Whether folders have the digests that are given with them."""
    shared = len(digests) >= _SHARED_FROM and not project.manifest.mounts
    others = [folder for folder, _ in digests[1::2]] if shared else []

    def look(theirs: ScannedTree) -> None:
        _scan(theirs, others)

    if others:
        with Scout(project, look) as scout:
            _scan(tree, [folder for folder, _ in digests[::2]])
            scout.report(tree)
    return all(tree.digest(folder) == digest for folder, digest in digests)


def _scan(tree: ScannedTree, folders: Iterable[str]) -> None:
    for folder in folders:
        with suppress(Error):
            tree.scan(folder)
