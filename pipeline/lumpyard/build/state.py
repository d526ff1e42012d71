"""What a build leaves for the next one to compare, so that a no-op reads no contents (design.md, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard import __version__, disk
from lumpyard.build.statefile import load_state, save_state
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lumpyard.build.project import Project
    from lumpyard.build.tools.resolving import ToolStamp

MAGIC = b"lumpyard state 1\n"
_PLUGINS = "rules of installed packages"

Stats = tuple[tuple[str, tuple[int, ...] | None], ...]


class BuildState(NamedTuple):
    """The world as the last build of one archive and profile found and left it; plain values only."""

    stamp: str  # what the action gave doit to keep; another one means `doit forget`, or a lost database
    manifest: str  # Manifest.digest
    versions: dict[str, str]  # of distributions
    files: Stats  # code of local rules, and files that would be if they appeared
    tools: dict[str, tuple[object, ...]]  # tool -> its ToolStamp
    folders: dict[str, bytes]  # ScannedTree.snapshot
    outputs: Stats  # what was written
    environment: dict[str, str]  # variables that decide the result
    asked: dict[str, str]  # variables that rules asked for -> asks.variable_answer
    told: str  # of a shipped archive: digest of its block in archives.lock; of others the entry in build/archives.json
    archive: tuple[str, int, str]  # path, archive hash, content id

    @property
    def distributions(self) -> tuple[str, ...]:
        """What `versions` names."""
        return tuple(self.versions)


def load_build_state(path: str) -> BuildState | None:
    """The state kept at `path`, or None."""
    value = load_state(path, MAGIC, len(BuildState._fields))
    return None if value is None else BuildState(*value)


def save_build_state(path: str, state: BuildState) -> None:
    """Keep a state."""
    save_state(path, MAGIC, tuple(state))


def versions_of(distributions: Iterable[str]) -> dict[str, str]:
    """Versions of what decides bytes: ours, the codec's, those of rules; and which rules are installed at all."""
    from lumpyard.registry import environment_versions, installed_plugins  # noqa: PLC0415 - as states are light

    own = {"lumpyard", _PLUGINS}
    return {
        "lumpyard": __version__,
        _PLUGINS: installed_plugins(),
        **environment_versions({"lz4", *distributions} - own),
    }


def stats_of(project: Project, paths: Iterable[str]) -> Stats:
    """Stats of files, from the project folder; None for those that are not there."""
    found = []
    for path in paths:
        try:
            stat = disk.stat_file(project.real(path))
        except DiskError:
            stat = None
        found.append((path, None if stat is None else tuple(stat)))
    return tuple(found)


def plain_stamp(stamp: ToolStamp) -> tuple[object, ...]:
    """A tool's stamp as plain values."""
    files = tuple((path, None if stat is None else tuple(stat)) for path, stat in stamp.files)
    return stamp.path, None if stamp.stat is None else tuple(stamp.stat), files
