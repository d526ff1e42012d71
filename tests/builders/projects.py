"""Small game repositories in a folder, built in this process as doit's tasks build them, and what must come of it.

The bytes that are expected come from tests/builders/ewad.py and the codec alone, never from the engine.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any, NamedTuple

from lz4 import block
from tests.builders import ewad

from lumpyard.build.project import Project
from lumpyard.build.task import ArchiveTask

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from lumpyard.errors import Problem


class Ran(NamedTuple):
    """What became of one archive; a task that was up to date has an empty `reasons`."""

    reasons: tuple[str, ...] = ()
    cooked: int = 0
    encoded: int = 0
    copied: int = 0
    changed: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def work(self) -> tuple[int, int]:
        """Cooks and encodes: what costs."""
        return self.cooked, self.encoded


class Listener:
    """The progress of one build, of which only the warnings are kept."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self.stages: list[str] = []

    def begin(self, task: str, stage: str, lumps: int, size: int) -> None:
        self.stages.append(stage)

    def advance(self, task: str, lumps: int, size: int) -> None:
        pass

    def end(self, task: str, summary: str) -> None:
        pass

    def fail(self, task: str) -> None:
        pass

    def warn(self, problem: Problem) -> None:
        self.warnings.append(str(problem))


class Game:
    """A project folder. Every build opens the project anew, as each run of doit does."""

    def __init__(self, folder: Path, manifest: Mapping[str, Any] | str, **files: bytes) -> None:
        self.folder = folder
        self.stamps: dict[str, str] = {}  # what doit keeps in its database
        self.environ: dict[str, str] = {"LUMPYARD_WORKERS": "serial"}
        folder.mkdir(parents=True, exist_ok=True)
        self.set_manifest(manifest)
        self.write(files)

    def set_manifest(self, manifest: Mapping[str, Any] | str) -> None:
        """JSON is YAML too."""
        text = manifest if isinstance(manifest, str) else json.dumps({"version": 1, **manifest}, indent=1)
        (self.folder / "assets.yaml").write_text(text, encoding="utf-8")

    def write(self, files: Mapping[str, bytes | str]) -> None:
        """Sources, by path."""
        for path, data in files.items():
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.encode() if isinstance(data, str) else data)

    def read(self, path: str) -> bytes:
        return (self.folder / path).read_bytes()

    def open(self, **environ: str) -> Project:
        """The project, as a new process would open it."""
        return Project(f"{self.folder}/assets.yaml", {**self.environ, **environ})

    def run(self, *tasks: str, **environ: str) -> dict[str, Ran]:
        """Run tasks (`ship:base`) of one process, as doit does: those that are not up to date are built."""
        project = self.open(**environ)
        said: list[str] = []
        project.warn = said.append
        ran = {name: self._run(project, name, said) for name in tasks}
        if project.shipped:
            project.ship_report.write(project.root)
        return ran

    def _run(self, project: Project, name: str, said: list[str]) -> Ran:
        profile, _, archive = name.partition(":")
        task = ArchiveTask(project, archive, profile)
        if task.is_fresh(self.stamps.get(name)):
            return Ran()
        listener = Listener()
        result = task.build(listener)
        self.stamps[name] = result.stamp
        outcome = result.outcome
        return Ran(
            task.reasons,
            outcome.cooked,
            outcome.encoded,
            outcome.kept,
            outcome.changed,
            (*listener.warnings, *said),
        )

    def ship(self, archive: str = "base", **environ: str) -> Ran:
        return self.run(f"ship:{archive}", **environ)[f"ship:{archive}"]

    def pack(self, archive: str = "base", **environ: str) -> Ran:
        return self.run(f"pack:{archive}", **environ)[f"pack:{archive}"]

    def outputs(self) -> dict[str, bytes]:
        return outputs(self.folder)


def outputs(folder: Path) -> dict[str, bytes]:
    """All that builds leave for people in a project: everything but sources, state and build/ship.json."""
    found = {}
    for top in ("build", "dist", "symbols"):
        for path in sorted((folder / top).rglob("*")):
            if path.is_file() and path.name != "ship.json":
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    lock = folder / "archives.lock"
    if lock.is_file():
        found["archives.lock"] = lock.read_bytes()
    return found


def clean_build(start: Path, folder: Path, *tasks: str) -> dict[str, bytes]:
    """What the sources of a project come to in a folder that knows nothing of earlier builds."""
    copy_sources(start, folder)
    game = Game(folder, (start / "assets.yaml").read_text(encoding="utf-8"))
    for task in tasks:
        game.run(task)
    return game.outputs()


MADE = ("build", "dist", "symbols", ".lumpyard", "archives.lock")


def copy_sources(start: Path, folder: Path) -> None:
    """A project without all that builds made, every file new."""
    shutil.copytree(
        start,
        folder,
        symlinks=True,
        dirs_exist_ok=True,
        copy_function=shutil.copyfile,
        ignore=lambda above, names: MADE if above == str(start) else (),
    )


def leftovers(folder: Path) -> list[str]:
    """Temporary files that something left behind."""
    return sorted(
        os.path.join(above, name)
        for above, _, names in os.walk(folder)
        for name in names
        if name.endswith(".lumpyard-tmp")
    )


class Lump(NamedTuple):
    """A lump as the manifest asks for it: raw bytes and all that decides how they are stored."""

    name: str
    raw: bytes
    codec: str = "lz4"  # none, lz4, lz4hc
    level: int = 9
    min_saving: int = 5
    fourcc: str = ""
    schema: int = 0
    alignment: int = 1


def stored(raw: bytes, codec: str, level: int, min_saving: int) -> tuple[bytes, bool]:
    """Stored bytes and whether they are compressed: "stored < raw and stored x 100 <= raw x (100 - min_saving)"."""
    if codec == "none" or not raw:
        return raw, False
    mode = {"mode": "high_compression", "compression": level} if codec == "lz4hc" else {"mode": "default"}
    made = block.compress(raw, store_size=False, **mode)
    if len(made) < len(raw) and len(made) * 100 <= len(raw) * (100 - min_saving):
        return made, True
    return raw, False


def expected(
    lumps: Iterable[Lump],
    *,
    alignment: int = 16,
    seed: int = 0,
    named: bool = False,
    dedupe: bool = False,
) -> bytes:
    """The archive that a manifest asks for."""
    written = []
    for lump in lumps:
        data, compressed = stored(lump.raw, lump.codec, lump.level, lump.min_saving)
        written.append(
            ewad.Written(
                os.fsencode(lump.name),
                data,
                len(lump.raw) if compressed else None,
                int.from_bytes(lump.fourcc.encode("ascii"), "little"),
                lump.schema,
                lump.alignment,
            )
        )
    return ewad.build(written, alignment=alignment, seed=seed, named=named, dedupe=dedupe)
