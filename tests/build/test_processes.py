"""Several processes and one project: one builds, the others wait and say for whom; a killed one keeps nobody out."""

from __future__ import annotations

import os
import select
import signal
import struct
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.builders.projects import Game, Listener, Lump, clean_build, expected, leftovers

from lumpyard import disk
from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.verify import verify
from lumpyard.build.lumps.plain import PlainLumps
from lumpyard.build.task import ArchiveTask
from lumpyard.errors import DiskError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="other processes are forked")

WORDS = b"one word and another word and one word more, "
MANIFEST = {
    "sets": {"art": {"files": "art/*"}, "more": {"files": "more/*"}},
    "archives": {"base": {"sets": ["art"]}, "extra": {"sets": ["more"], "path": "deep/extra.ewad"}},
}
FILES = {"art/a": WORDS, "art/b": WORDS * 2, "more/m": WORDS * 3}
SHIP = [sys.executable, "-m", "lumpyard.cli.main", "ship"]


@pytest.fixture
def game(tmp_path: Path) -> Game:
    game = Game(tmp_path / "game", MANIFEST)
    game.write(FILES)
    return game


@contextmanager
def holder(game: Game) -> Iterator[int]:
    """Another process that builds here and does not come to an end; its number."""
    ready, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            project = game.open()
            with project.locked("lumpyard ship:base", lambda holder: None):
                os.write(tell, b"1")
                signal.pause()
        finally:
            os._exit(0)
    os.close(tell)
    try:
        assert os.read(ready, 1) == b"1"
        yield pid
    finally:
        os.close(ready)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_a_second_build_fails_at_once_where_it_may_not_wait_and_says_who_builds(game: Game) -> None:
    with holder(game) as pid:
        with pytest.raises(DiskError) as caught:
            game.ship(LUMPYARD_WAIT="0")
        assert str(caught.value) == (
            f"cannot lock {game.folder}/.lumpyard/lock: it is held by lumpyard ship:base, process {pid}"
        )
        assert caught.value.exit_status == 5
        assert not (game.folder / "dist").exists()
    assert game.ship(LUMPYARD_WAIT="0").changed, "a killed holder keeps nobody out"


class Killer(Listener):
    """Ends the process that it is told it waits for."""

    def warn(self, problem: Problem) -> None:
        super().warn(problem)
        os.kill(int(problem.message.partition("process ")[2].split()[0]), signal.SIGKILL)


def test_a_second_build_says_for_whom_it_waits_and_goes_on_when_the_first_has_ended(game: Game) -> None:
    task = ArchiveTask(game.open(), "base", "ship")
    assert not task.is_fresh(None)
    killer = Killer()
    with holder(game) as pid:
        game.write({"art/c": b"came while it waited"})
        task.build(killer)
        (warning,) = killer.warnings
        assert f"lumpyard ship:base, process {pid}" in warning
        assert "waiting" in warning
    lumps = [Lump("art/a", WORDS), Lump("art/b", WORDS * 2), Lump("art/c", b"came while it waited")]
    assert game.read("dist/base.ewad") == expected(lumps), "what came while it waited is in"


def test_a_no_op_and_a_look_wait_for_nobody(game: Game) -> None:
    game.ship()
    with holder(game):
        assert not game.ship(LUMPYARD_WAIT="0").reasons


def test_builds_that_start_at_once_are_all_right(game: Game, tmp_path: Path) -> None:
    wanted = clean_build(game.folder, tmp_path / "clean", "ship:base", "ship:extra")
    running = [
        subprocess.Popen(SHIP, cwd=game.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in running:
        said, error = process.communicate(timeout=100)
        assert (process.returncode, error) == (0, ""), said
    assert game.outputs() == wanted
    assert leftovers(game.folder) == []


def test_whoever_reads_an_archive_while_it_is_built_finds_a_whole_one(game: Game) -> None:
    game.ship()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            for number in range(40):
                game.write({"art/a": b"number %d " % number * (number + 1)})
                game.ship()
            status = 0
        finally:
            os._exit(status)
    seen = set()
    while (ended := os.waitpid(process, os.WNOHANG))[0] == 0:
        with disk.open_map(f"{game.folder}/dist/base.ewad") as mapping:
            archive = view(mapping.data)
            assert list(verify(archive)) == []
            seen.add(archive.archive_hash)
    assert ended[1] == 0
    assert len(seen) > 1


def test_a_worker_whose_builder_and_whose_fellow_are_killed_does_not_wait_for_ever(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.write({f"art/{number:03}": WORDS for number in range(300)})
    (ready, tell), (ended, hold) = os.pipe(), os.pipe()
    make_chunk = PlainLumps.make_chunk

    def made(self: PlainLumps, chunk: range) -> object:
        if chunk.start:
            os.write(tell, struct.pack("<bQ", 0, os.getpid()))
            return make_chunk(self, chunk)
        os.read(ready, 1)
        os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    monkeypatch.setattr(PlainLumps, "make_chunk", made)
    builder = os.fork()
    if builder == 0:
        try:
            game.ship(LUMPYARD_WORKERS="fork:2")
        finally:
            os._exit(0)
    os.close(hold)  # from here on the pipe ends when all who were forked have
    assert os.waitpid(builder, 0)[1] == signal.SIGKILL
    try:
        assert select.select([ended], [], [], 20)[0]
    except AssertionError:
        os.kill(struct.unpack("<Q", os.read(ready, 8))[0], signal.SIGKILL)
        raise
    finally:
        for descriptor in (ready, tell, ended):
            os.close(descriptor)


TEMPORARIES = [
    ".archives.lock.0123456789abcdef.lumpyard-tmp",
    ".lumpyard/.clock.0123456789abcdef.lumpyard-tmp",
    ".lumpyard/.fingerprints.0123456789abcdef.lumpyard-tmp",
    ".lumpyard/built/ship/.base.rec.0123456789abcdef.lumpyard-tmp",
    ".lumpyard/manifests/.x.0123456789abcdef.lumpyard-tmp",
    ".lumpyard/state/pack/.base.state.0123456789abcdef.lumpyard-tmp",
    ".lumpyard/store/.index-1.0123456789abcdef.lumpyard-tmp",
    "build/.archives.json.0123456789abcdef.lumpyard-tmp",
    "build/deep/.extra.ewad.0123456789abcdef.lumpyard-tmp",
    "dist/.base.ewad.0123456789abcdef.lumpyard-tmp",
    "dist/deep/.extra.ewad.0123456789abcdef.lumpyard-tmp",
    "symbols/deep/.extra.ewsym.0123456789abcdef.lumpyard-tmp",
]
OTHERS = ["dist/notes.lumpyard-tmp", "dist/.base.ewad.tmp", "art/.a.0123456789abcdef.lumpyard-tmp"]


def test_what_killed_builds_left_is_swept_and_nothing_else(game: Game) -> None:
    game.write(dict.fromkeys((*TEMPORARIES, *OTHERS), b"half"))
    game.ship()
    assert [path for path in TEMPORARIES if (game.folder / path).exists()] == []
    assert [path for path in OTHERS if not (game.folder / path).exists()] == []


def test_a_no_op_sweeps_nothing(game: Game) -> None:
    """It holds no lock, so what lies there may be another build's."""
    game.ship()
    game.write({TEMPORARIES[0]: b"in the making"})
    assert not game.ship().reasons
    assert (game.folder / TEMPORARIES[0]).exists()
