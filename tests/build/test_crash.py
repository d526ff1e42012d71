"""Crashes and refusals: at every call that changes something, a build may be killed or told no.

Then no file has a half-written state under its final name, everything that is left can be read, and the next build
comes to what a clean build makes, without temporary files.
"""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.crashes import Watch, dying_at, in_child, refusing_at, watching
from tests.builders.local_rules import SLOW, WORDING
from tests.builders.projects import Game, Ran, clean_build, leftovers, outputs

from lumpyard.disk import writing
from lumpyard.errors import Error
from lumpyard.lock import parse_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are killed after a fork")

WORDS = b"one word and another word and one word more, "
MANIFEST: dict[str, Any] = {
    "rules": ["tools/slow.py"],
    "sets": {
        "plain": {"files": "art/*"},
        "slow": {"files": "slow/*", "rule": "slow", "compress": "lz4hc"},
        "more": {"files": "more/*"},
    },
    "archives": {"base": {"sets": ["plain", "slow"]}, "extra": {"sets": ["more"], "path": "deep/extra.ewad"}},
}
FILES = {
    "art/a": WORDS,
    "art/b": WORDS * 2,
    "slow/s": WORDS * 3,
    "more/m": WORDS * 4,
    "tools/slow.py": SLOW.encode(),
    "tools/wording.py": WORDING.encode(),
}
EDIT = {"art/a": b"a new word " * 9, "slow/s": b"slow words " * 9, "more/m": b"more words " * 9}
TEMPORARY = ".lumpyard-tmp"
SHIPS = ("ship:base", "ship:extra")


class Before:
    """A project before the build that is going to crash: never built, or built and then edited."""

    def __init__(self, folder: Path, *, built: bool) -> None:
        self.folder = folder / "start"
        self.step = (
            1 if built else 3
        )  # every third call of a first build, to save time: most are those of any build
        game = Game(self.folder, MANIFEST)
        game.write(FILES)
        if built:
            game.run(*SHIPS)
            game.run(*SHIPS)
        self.stamps = game.stamps
        self.old = game.outputs()
        game.write(EDIT)
        self.new = clean_build(self.folder, folder / "clean", *SHIPS)

    def copy(self, folder: Path) -> Game:
        """The same in another folder; every stat is another, and so every source is looked at."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, folder, symlinks=True)
        game = Game(folder, (self.folder / "assets.yaml").read_text())
        game.stamps = dict(self.stamps)
        return game

    def calls(self, folder: Path) -> Watch:
        """All calls of the build, when nothing stops it."""
        game = self.copy(folder)
        with watching(Watch()) as watch:
            game.run(*SHIPS)
        assert game.outputs() == self.new
        return watch

    def faults(self, game: Game) -> list[str]:
        """What is wrong with what a build left that did not come to its end."""
        found = []
        made = {path: data for path, data in outputs(game.folder).items() if not path.endswith(TEMPORARY)}
        for path, data in made.items():
            if path != "archives.lock" and data not in (self.old.get(path), self.new.get(path)):
                found.append(f"{path} is neither the old nor the new one")
        found += [f"{path} is gone" for path in self.old if path not in made]
        if "archives.lock" in made:
            wanted = [parse_lock(lock["archives.lock"], "") for lock in (self.old, self.new) if lock]
            for name, block in parse_lock(made["archives.lock"], "").archives.items():
                if block not in [lock.archives.get(name) for lock in wanted]:
                    found.append(f"archives.lock has a mixed {name}")
        return found

    def faults_after(self, game: Game) -> list[str]:
        """What is wrong after the next build."""
        ran = game.run(*SHIPS)
        left = leftovers(game.folder)
        whole = {
            path: data for path, data in outputs(game.folder).items() if str(game.folder / path) not in left
        }
        found = [] if whole == self.new else ["the next build is not what a clean one is"]
        if any(one.reasons for one in ran.values()):  # a build sweeps; what finds nothing to do does not
            found += [f"{path} is left" for path in left]
        found += ["something is left to do"] * (set(game.run(*SHIPS).values()) != {Ran()})
        return found + [f"too much work: {one.work}" for one in ran.values() if one.work > (1, 3)]


@pytest.fixture(scope="module", params=["never built", "edited"])
def before(request: pytest.FixtureRequest, module_path: Path) -> Before:
    return Before(module_path / request.param, built=request.param == "edited")


def faults_of_kills(before: Before, folder: Path, points: Iterable[int]) -> list[str]:
    """What is found wrong after kills at some calls, and after the builds that follow."""
    found = []
    for point in points:
        game = before.copy(folder)

        def build(game: Game = game, point: int = point) -> None:
            with watching(dying_at(point)):
                game.run(*SHIPS)

        status = in_child(build)
        assert status == -9, f"call {point} ended with {status}"
        faults = before.faults(game) or before.faults_after(game)
        found += [f"killed at call {point}: {fault}" for fault in faults]
    return found


def test_a_build_that_is_killed_at_any_call_leaves_old_or_new_and_the_next_is_right(
    before: Before, tmp_path: Path
) -> None:
    watch = before.calls(tmp_path / "game")
    points = range(0, len(watch.calls), before.step)
    assert len(points) > 30
    assert faults_of_kills(before, tmp_path / "game", points) == []


def torn_replace(temporary: bytes, target: bytes) -> None:
    """A mutant: the final file is written bit by bit."""
    with open(temporary, "rb") as file:
        data = file.read()
    fd = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(fd, data)
    os.close(fd)
    os.unlink(temporary)


def test_the_rig_goes_red_on_a_writer_that_is_not_atomic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Before(tmp_path, built=True)
    monkeypatch.setattr(writing, "_replace", torn_replace)
    calls = before.calls(tmp_path / "game").calls
    points = [point for point, call in enumerate(calls) if call.name == "write" and "/dist/" in call.path]
    assert len(points) == 2
    found = faults_of_kills(before, tmp_path / "game", points)
    assert sum("neither the old nor the new" in fault for fault in found) == 2, found


def test_the_rig_goes_red_where_nothing_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Before(tmp_path, built=True)
    monkeypatch.setattr("lumpyard.disk.sweep_temporaries", lambda folder: 0)
    calls = before.calls(tmp_path / "game").calls
    points = [point for point, call in enumerate(calls) if call.name == "replace"]
    found = faults_of_kills(before, tmp_path / "game", points[-3:])
    assert any("is left" in fault for fault in found), found


def released(watch: Watch, folder: Path) -> list[tuple[str, str]]:
    """The calls on what is released, in order."""
    calls = [(name, path.removeprefix(f"{folder}/")) for name, path in watch.calls]
    return [
        call for call in calls if call[1].startswith(("dist", "symbols", "archives.lock", ".archives.lock"))
    ]


def test_what_is_released_is_flushed_before_it_takes_its_name(before: Before, tmp_path: Path) -> None:
    """No final path is opened for writing; each file is flushed after its last write and before it is renamed;
    symbols come before their archive, and archives before the lock."""
    watch = before.calls(tmp_path / "game")
    flushed: dict[str, bool] = {}
    renamed = []
    for name, path in released(watch, tmp_path / "game"):
        if name in ("pwritev", "copy_file_range", "ftruncate", "write"):
            assert path.endswith(TEMPORARY), f"{name} on {path}"
            flushed[path] = False
        elif name == "fsync" and path.endswith(TEMPORARY):
            flushed[path] = True
        elif name == "replace":
            renamed.append(path)
    assert flushed
    assert all(flushed.values()), flushed
    assert renamed == [
        "symbols/base.ewsym", "dist/base.ewad", "archives.lock",
        "symbols/deep/extra.ewsym", "dist/deep/extra.ewad", "archives.lock",
    ]  # fmt: skip


ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EDQUOT)


def refusals(points: int) -> list[tuple[int, int, bool]]:
    """For each call one error, once or from there on; another choice for each."""
    rng = random.Random(2)
    return [(point, rng.choice(ERRORS), rng.random() < 0.5) for point in range(points)]


def test_a_call_that_is_refused_is_one_clear_line_or_does_no_harm(before: Before, tmp_path: Path) -> None:
    calls = before.calls(tmp_path / "game").calls
    found = []
    harmless: list[str] = []
    for point, error, lasting in refusals(len(calls))[:: before.step]:
        where = f"{errno.errorcode[error]} at call {point} ({calls[point]}){' and after' if lasting else ''}"
        game = before.copy(tmp_path / "game")
        try:
            with watching(refusing_at(point, error, lasting=lasting)):
                game.run(*SHIPS)
        except Error as caught:
            text = str(caught)
            if caught.exit_status != 5 or "\n" in text or os.strerror(error) not in text:
                found.append(f"{where}: {caught.exit_status}, {text!r}")
        else:
            harmless.append(f"{calls[point]}, {errno.errorcode[error]}")
            if game.outputs() != before.new:
                found.append(f"{where}: it passes and is wrong")
        found += [f"{where}: {fault}" for fault in before.faults(game) or before.faults_after(game)]
    assert found == []
    # What may fail without failing the build: the note in the lock, the store, flushing a folder that cannot be
    # flushed, the report, which is tried again, what is kept to be quicker, and the removal of what is not needed.
    spared = re.compile(
        r"/lock,|/store[/,]|^mkdir .*/build,|^fsync .*/\.lumpyard,|^fsync .*EACCES"
        r"|ship\.json|/manifests|^unlink |/\.clock\."
    )
    assert [call for call in harmless if not spared.search(call)] == []


def test_two_tasks_of_one_process_do_not_sweep_each_others_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `doit -n 2 ship` runs them: the second begins while the first has its archive in the making."""
    manifest = {**MANIFEST, "archives": {"base": {"sets": ["plain"]}, "extra": {"sets": ["more"]}}}
    game = Game(tmp_path / "game", manifest)
    game.write(FILES)
    project = game.open()
    second_is_done = threading.Event()
    real = writing.NewFile.commit

    def commit(file: Any, **keywords: Any) -> Any:
        if file.path.endswith("base.ewad"):
            assert second_is_done.wait(60)
        return real(file, **keywords)

    monkeypatch.setattr(writing.NewFile, "commit", commit)
    errors: list[Exception] = []

    def build(archive: str, then: Callable[[], None]) -> None:
        from lumpyard.build.task import ArchiveTask
        from lumpyard.build.workers.progress import Silent

        try:
            ArchiveTask(project, archive, "ship").build(Silent())
        except Exception as error:  # noqa: BLE001 - the other thread must go on
            errors.append(error)
        then()

    first = threading.Thread(target=build, args=("base", lambda: None))
    first.start()
    while not leftovers(game.folder) and first.is_alive():
        threading.Event().wait(0.001)
    build("extra", second_is_done.set)
    first.join()
    assert errors == []
    assert {"dist/base.ewad", "dist/extra.ewad", "archives.lock"} <= game.outputs().keys()
    assert leftovers(game.folder) == []
