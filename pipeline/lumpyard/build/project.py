"""A project folder: its manifest, its rules, and where a build keeps what it knows."""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from lumpyard import disk
from lumpyard.build.release.lockfile import LOCK
from lumpyard.build.release.reports import ARCHIVES
from lumpyard.build.release.ship_report import SHIP, ShipReport
from lumpyard.build.runs import run_number
from lumpyard.build.sources.fingerprints import Fingerprints
from lumpyard.build.sources.layers import Mounted
from lumpyard.build.sources.tree import ScannedTree
from lumpyard.build.variables import variable
from lumpyard.errors import DiskError
from lumpyard.manifest import load_manifest
from lumpyard.manifest.paths import is_absolute, split_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lumpyard.build.state import Stats
    from lumpyard.errors import Problem
    from lumpyard.manifest.model import ArchiveSpec, Manifest, Mount
    from lumpyard.registry import RuleTable
    from lumpyard.store import Store

OUTPUT_FOLDERS = {"pack": "build", "ship": "dist"}
PROFILES = tuple(OUTPUT_FOLDERS)


class _Held:
    """A project lock that this process holds, for as many tasks as use it."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack = stack
        self.users = 0


_held: dict[str, _Held] = {}
_guard = threading.Lock()


class Project:
    """A project and its manifest; opening one raises ProblemsError where the manifest has problems.

    `root` is the folder of the manifest as the caller names it ("" is the current one); all other paths here are seen
    from it. One value serves all tasks of a process, also from several threads. Without `remember` opening it writes
    nothing, not even what it parsed.
    """

    def __init__(
        self,
        manifest_path: str = "assets.yaml",
        environ: Mapping[str, str] | None = None,
        *,
        remember: bool = True,
    ) -> None:
        self.root, self.manifest_name = split_manifest(manifest_path)
        self.environ = dict(os.environ if environ is None else environ)
        self.manifest: Manifest = load_manifest(
            self.manifest_name, self._read_text, _ParseCache(self) if remember else None
        )
        self.fingerprints = Fingerprints(self.own("fingerprints"))
        self.warn: Callable[[str], None] = _ignore
        self._store: Store | None = None
        self.guard = threading.RLock()  # over the rules and the fingerprints
        self.shipped: set[str] = set()  # archives that this process has shipped, or found shipped
        self.told: set[Problem] = set()  # warnings that are worth a word once
        self.ship_report = ShipReport(self.manifest.archives)
        self._rules: RuleTable | None = None
        self._code_stats: dict[str, tuple[int, ...] | None] = {}

    def real(self, path: str) -> str:
        """A path of the project as the caller can open it."""
        return f"{self.root}/{path}" if self.root else path

    def _outside(self, path: str) -> str:
        """A path that may be absolute, as the caller can open it."""
        return path if is_absolute(path) else self.real(path)

    def own(self, path: str) -> str:
        """A file of our own, below `.lumpyard/`."""
        return self.real(f".lumpyard/{path}")

    def archive(self, archive_id: str) -> ArchiveSpec:
        """What the manifest says of an archive."""
        return self.manifest.archives[archive_id]

    def output(self, archive_id: str, profile: str) -> str:
        """Where an archive goes, from the project folder: below build/ or dist/."""
        return f"{OUTPUT_FOLDERS[profile]}/{self.archive(archive_id).path}"

    def symbols(self, archive_id: str) -> str:
        """Where the symbols of a shipped archive go: its path with the last suffix replaced."""
        stem, dot, suffix = self.archive(archive_id).path.rpartition(".")
        return f"symbols/{stem if dot and '/' not in suffix else self.archive(archive_id).path}.ewsym"

    def record_path(self, archive_id: str, profile: str) -> str:
        """Where the record of an archive is kept."""
        return self.own(f"built/{profile}/{archive_id}.rec")

    def state_path(self, archive_id: str, profile: str) -> str:
        """Where what a no-op compares is kept."""
        return self.own(f"state/{profile}/{archive_id}.state")

    def tree(self) -> ScannedTree:
        """A fresh look at the source folders."""
        return ScannedTree(self.root, map(self._mounted, self.manifest.mounts))

    def _mounted(self, mount: Mount) -> Mounted:
        return Mounted(mount.at, self._outside(mount.path), mount.path, mount.format, mount.lenient)

    @property
    def store(self) -> Store:
        """What was made before; opens nothing yet."""
        with self.guard:
            if self._store is None:
                from lumpyard.store import Store  # noqa: PLC0415 - a no-op needs none

                self._store = Store(self.environ.get("LUMPYARD_STORE") or self.own("store"), self._warn)
            return self._store

    def rules(self) -> RuleTable:
        """The rules, loaded once."""
        with self.guard:
            if self._rules is None:
                from lumpyard.registry import load_rules  # noqa: PLC0415 - a no-op loads no rule

                self._rules = load_rules(self.manifest.rules, self.root or ".", self._read_code)
            return self._rules

    def rule_stats(self) -> Stats:
        """Stats of all that is code of a local rule, or would be if it appeared, from before it was read.

        An edit that comes while a build runs with the code as it was must be seen by the next.
        """
        rules = self.rules()
        return tuple((path, self._code_stats.get(path)) for path in (*rules.files, *rules.missing))

    @contextmanager
    def locked(self, what: str, on_wait: Callable[[str], None]) -> Iterator[bool]:
        """Hold the project against other builds; whether another one had it when this one came.

        Tasks of one process share it; those of worker processes of one doit take turns. LUMPYARD_WAIT=0 fails at once
        instead of waiting for others.
        """
        path = disk.real_path(self.own("lock"))
        waited: list[str] = []
        ours = f", process {run_number()}"  # how a lock's holder ends where it is of the same doit

        def say(holder: str) -> None:
            waited.append(holder)
            if not holder.endswith(ours):
                on_wait(holder)

        with _guard:  # a thread that comes while another waits for the lock waits with it
            held = _held.get(path)
            if held is None:
                with ExitStack() as stack:
                    self._lock(stack, what, say, ours)
                    self._sweep()  # not later: the tasks that share the lock have files in the making
                    held = _held[path] = _Held(stack.pop_all())
            held.users += 1
        try:
            yield bool(waited)
        finally:
            with _guard:
                held.users -= 1
                if not held.users:
                    del _held[path]
                    held.stack.close()

    def _lock(self, stack: ExitStack, what: str, on_wait: Callable[[str], None], ours: str) -> None:
        path, run = self.own("lock"), run_number()
        wait = variable(self.environ, "LUMPYARD_WAIT") != "0"
        try:
            stack.enter_context(disk.project_lock(path, what, wait=wait, on_wait=on_wait, process=run))
        except DiskError:
            if wait or not disk.lock_holder(path).endswith(ours):
                raise
            stack.enter_context(disk.project_lock(path, what, wait=True, on_wait=on_wait, process=run))

    def _sweep(self) -> None:
        """Remove what killed builds left half-written, in all folders that builds write to."""
        made = [ARCHIVES, SHIP, LOCK, *map(self.symbols, self.manifest.archives)]
        kept = [self.own("fingerprints"), self.own("manifests/any"), self.own("store/any")]
        for archive_id in self.manifest.archives:
            for profile in PROFILES:
                made.append(self.output(archive_id, profile))
                kept += (self.record_path(archive_id, profile), self.state_path(archive_id, profile))
        for folder in {disk.parent(path) for path in (*map(self.real, made), *kept)}:
            disk.sweep_temporaries(folder)

    def close_store(self) -> None:
        """Let go of the store, which writes its index where that pays."""
        with self.guard:
            if self._store is not None:
                self._store.close()

    def _warn(self, text: str) -> None:
        self.warn(text)

    def _read_text(self, path: str) -> bytes:
        data = disk.read_if_there(self.real(path))
        if data is None:
            raise FileNotFoundError(path)
        return data

    def _read_code(self, path: str) -> bytes | None:
        stat = disk.stat_file(self.real(path))
        self._code_stats[path] = None if stat is None else tuple(stat)
        return disk.read_if_there(self.real(path))


def _ignore(_text: str) -> None:
    """Where warnings go until somebody listens."""


class _ParseCache:
    """Parsed manifests, so that a build with nothing to do need not import a YAML parser."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def get(self, key: str) -> bytes | None:
        try:
            return disk.read_if_there(self._project.own(f"manifests/{key}"))
        except DiskError:
            return None

    def put(self, key: str, data: bytes) -> None:
        try:
            disk.write_file(self._project.own(f"manifests/{key}"), data, durable=False)
        except DiskError:
            return  # a project folder that cannot be written can still be read
