"""Sources that change, vanish or become something else while a build looks at them."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.build.refusals import FILES, WORDS, mended, refused, shipped_game, with_set
from tests.builders.projects import Game, Listener, Ran, clean_build, leftovers

from lumpyard.build.task import ArchiveTask
from lumpyard.errors import ProblemsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project that has been shipped."""
    return shipped_game(tmp_path)


@contextmanager
def meddling(meddle: Callable[[str], None], *, times: int = 1 << 30) -> Iterator[list[str]]:
    """Something happens to a source just before it is opened to be read, so many times."""
    seen: list[str] = []
    real = os.open

    def open_(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        text = os.fsdecode(path)
        if "/game/" in text and text.endswith(("a.bin", "l.bin")) and len(seen) < times:
            seen.append(text)
            meddle(text)
        return real(path, flags, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", open_)
        yield seen


def stir(game: Game, path: str) -> None:
    """Have a source read in the next build."""
    game.write({path: FILES[path][::-1]})


def deny(path: str) -> None:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def vanish(path: str) -> None:
    os.unlink(path)


def grow(path: str) -> None:
    with open(path, "ab") as file:
        file.write(b"more")


def replace_by_folder(path: str) -> None:
    os.unlink(path)
    os.mkdir(path)


def replace_by_fifo(path: str) -> None:
    os.unlink(path)
    os.mkfifo(path)


MEDDLERS: dict[str, tuple[Callable[[str], None], str]] = {
    "unreadable": (deny, "E0402"),
    "vanished": (vanish, "E0401"),
    "growing": (grow, "E0404"),
    "a folder by now": (replace_by_folder, "E0402"),
    "a FIFO by now": (replace_by_fifo, "E0402"),
}


@pytest.mark.parametrize("source", ["art/a.bin", "large/l.bin"])
@pytest.mark.parametrize("how", MEDDLERS)
def test_a_source_that_cannot_be_read_as_it_was_listed(game: Game, how: str, source: str) -> None:
    """It is small, or goes through in pieces."""
    meddle, code = MEDDLERS[how]
    stir(game, source)
    game.stamps.clear()  # so that nothing is read before the build
    before = game.outputs()
    with meddling(meddle), pytest.raises(ProblemsError) as caught:
        game.ship()
    (problem,) = caught.value.problems
    assert (caught.value.exit_status, problem.code, problem.place.path) == (5, code, source)
    assert "\n" not in str(caught.value)
    assert problem.message.count(source) == 1, problem.message
    assert game.outputs() == before
    assert leftovers(game.folder) == []
    target = game.folder / source
    if target.is_dir():
        target.rmdir()
    elif target.exists():
        target.unlink()
    mended(game)


@pytest.mark.parametrize("how", ["unreadable", "growing"])
def test_what_the_look_before_a_build_comes_upon_is_told_by_the_build(game: Game, how: str) -> None:
    meddle, code = MEDDLERS[how]
    stir(game, "art/a.bin")
    with meddling(meddle), pytest.raises(ProblemsError) as caught:
        game.ship()
    assert [problem.code for problem in caught.value.problems] == [code]
    mended(game)


def test_a_source_that_vanishes_before_the_build_is_gone(game: Game) -> None:
    stir(game, "art/a.bin")
    with meddling(vanish):
        assert game.ship().changed
    assert game.outputs() == clean_build(game.folder, game.folder.with_name("clean"), "ship:base")


@pytest.mark.parametrize("workers", ["serial", "fork:2", "threads:2"])
def test_a_source_that_changes_once_is_read_again_and_next_time_too(
    game: Game, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    stir(game, "art/a.bin")
    game.stamps.clear()
    real = os.read
    done: list[int] = []

    def read(fd: int, size: int) -> bytes:
        data = real(fd, size)
        if data == FILES["art/a.bin"][::-1] and not done:
            done.append(1)
            game.write({"art/a.bin": b"changed while it was read"})
        return data

    with monkeypatch.context() as patch:
        patch.setattr(os, "read", read)
        game.ship(LUMPYARD_WORKERS=workers)
    assert b"changed while it was read" in game.read("dist/base.ewad")
    assert game.ship() == Ran(), "looked at once more, and it is the same"
    assert game.outputs() == clean_build(game.folder, game.folder.with_name("clean"), "ship:base")


def test_what_a_lump_is_cooked_from_must_not_change_between_look_and_pack(game: Game) -> None:
    """Its bytes would stand under digests of other bytes, and be copied from there ever after."""
    game.write({"moody/m": WORDS})
    game.ship()
    game.set_manifest(with_set("moody", files="moody/*", rule="moody", compress="none"))
    (game.folder / "dist/base.ewad").unlink()  # which has the raw bytes
    task = ArchiveTask(game.open(), "base", "ship")
    assert not task.is_fresh(game.stamps["ship:base"])
    game.write({"moody/m": WORDS[::-1]})
    with refused(game, 5, "moody/m: error[E0404]: moody/m changed while it was being read"):
        task.build(Listener())
    mended(game)


FICKLE = """
import os
from lumpyard.rule import Product, Rule

RULE = Rule(kind="moody", version=1, cook=lambda sources, options: [Product(os.urandom(20))])
"""


def test_a_rule_that_makes_other_bytes_each_time_is_told_where_that_shows(game: Game) -> None:
    game.write({"tools/moody.py": FICKLE})
    game.ship()
    game.set_manifest(with_set("moody", files="moody/*", rule="moody", compress="lz4hc"))
    (game.folder / "dist/base.ewad").unlink()  # which has the raw bytes
    line = "moody/m: error[E0611]: rule 'moody' makes other bytes of moody/m than it made before"
    with refused(game, 6, line):
        game.ship()
    mended(game)
