"""Bad input: one clear line for each thing that is wrong, the right exit status, and the old archive as it was."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest
from tests.build.refusals import mended, refused, shipped_game, with_set
from tests.builders.local_rules import JOIN
from tests.builders.projects import Game, Ran, leftovers

from lumpyard.errors import ProblemsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project that has been shipped."""
    return shipped_game(tmp_path)


def test_a_source_that_is_not_there(game: Game) -> None:
    game.set_manifest(with_set("art", files=["art/a.bin", "art/gone.bin"]))
    line = "assets.yaml:10:5: error[E0203]: no file matches 'art/gone.bin' in the project folder"
    with refused(game, 2, line):
        game.ship()
    mended(game)


def make_folder(path: Path) -> None:
    path.mkdir()


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(path.parent)  # a socket's path may have 107 bytes
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.fchdir(here)
        os.close(here)


def make_dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


def make_leaving(path: Path) -> None:
    (path.parents[2] / "outside").write_bytes(b"secret")
    path.symlink_to("../../outside")


ODD: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "a folder": (make_folder, "E0205", "a folder"),
    "a FIFO": (make_fifo, "E0206", "a FIFO"),
    "a socket": (make_socket, "E0206", "a socket"),
    "a dangling link": (make_dangling, "E0206", "a dangling link"),
    "a link to itself": (make_loop, "E0206", "a link loop"),
    "a link out of the project": (make_leaving, "E0206", "a link that leaves the project"),
}


@pytest.mark.parametrize("pattern", ["art/a.bin", "art/*.bin"])
@pytest.mark.parametrize("kind", ODD)
def test_what_is_no_file_where_one_is_expected(game: Game, kind: str, pattern: str) -> None:
    make, code, called = ODD[kind]
    path = game.folder / "art/a.bin"
    path.unlink()
    make(path)
    if kind == "a folder" and "*" in pattern:
        return  # it is no file, so the pattern does not match it
    before = game.outputs()
    game.set_manifest(with_set("art", files=pattern))
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    (problem,) = caught.value.problems
    assert (caught.value.exit_status, problem.code) == (2, code)
    assert "art/a.bin" in problem.message
    assert called in problem.message
    assert problem.place == ("assets.yaml", 8, 13), "the pattern's"
    assert game.outputs() == before
    assert leftovers(game.folder) == []
    path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    mended(game)


def test_names_that_are_too_long_or_repeated(game: Game) -> None:
    game.set_manifest(with_set("art", files="art/*", name="x" * 250 + "{stem}{suffix}y"))
    before = game.outputs()
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    assert caught.value.exit_status == 2
    assert {problem.code for problem in caught.value.problems} == {"E0221"}
    game.set_manifest(with_set("art", files="art/*", name="same"))
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    assert caught.value.exit_status == 2
    assert {problem.code for problem in caught.value.problems} == {"E0223"}
    assert "art/a.bin" in str(caught.value)
    assert "art/b.bin" in str(caught.value)
    assert game.outputs() == before
    mended(game)


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d" * 32 + b"\nsize 12345\n"


def test_a_git_lfs_pointer(game: Game) -> None:
    game.write({"art/a.bin": LFS})
    with refused(game, 5, "art/a.bin: error[E0403]: art/a.bin is a Git LFS pointer, not the file itself"):
        game.ship()
    mended(game)


def test_a_rule_that_raises_or_reports(game: Game) -> None:
    game.write({"moody/m": b"raise"})
    line = "moody/m: error[E0602]: rule 'moody' failed on moody/m: RuntimeError: out of sorts (at tools/moody.py:11)"
    with refused(game, 6, line):
        game.ship()
    game.write({"moody/m": b"bad"})
    with refused(game, 6, "moody/m:1:2: error[E0601]: this is bad"):
        game.ship()
    mended(game)


def test_a_warning_of_a_rule_stops_nothing(game: Game) -> None:
    game.write({"moody/m": b"warn"})
    ran = game.ship()
    assert ran.warnings == ("moody/m:1: warning[W0601]: this is odd",)
    assert game.ship() == Ran()


@pytest.mark.parametrize("workers", ["serial", "fork:2", "threads:3"])
def test_all_failures_of_a_run_are_listed_in_order(game: Game, workers: str) -> None:
    game.write(
        {"art/a.bin": LFS, "art/c.bin": LFS, "moody/m": b"raise", "moody/n": b"bad", "moody/o": b"good"}
    )
    before = game.outputs()
    with pytest.raises(ProblemsError) as caught:
        game.ship(LUMPYARD_WORKERS=workers)
    assert caught.value.exit_status == 6, "the highest of them"
    assert [(problem.place.path, problem.code) for problem in caught.value.problems] == [
        ("art/a.bin", "E0403"),
        ("art/c.bin", "E0403"),
        ("moody/m", "E0602"),
        ("moody/n", "E0601"),
    ]
    assert game.outputs() == before
    assert leftovers(game.folder) == []
    (game.folder / "moody/n").unlink()
    (game.folder / "moody/o").unlink()
    mended(game)


def test_a_worker_that_dies_is_one_line(game: Game) -> None:
    game.write({"moody/m": b"die", "moody/n": b"good"})
    with refused(game, 5, "a worker process was ended by signal 9; is there enough memory?"):
        game.ship(LUMPYARD_WORKERS="fork:2")
    (game.folder / "moody/n").unlink()
    mended(game)


@pytest.mark.parametrize("workers", ["serial", "fork:2", "threads:2"])
def test_a_fault_of_ours_in_a_worker_is_told_in_one_line_and_does_no_harm(
    game: Game, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    game.write({"moody/m": b"new"})
    before = game.outputs()

    def fails(*_: object) -> None:
        raise ZeroDivisionError("so\nto speak")

    with monkeypatch.context() as patch:
        patch.setattr("lumpyard.build.cooking.cooks.run_rule", fails)
        with pytest.raises(Exception, match="so") as caught:
            game.ship(LUMPYARD_WORKERS=workers)
    if workers == "fork:2":
        assert str(caught.value) == "a worker failed: ZeroDivisionError: so to speak"
        assert "in fails" in "".join(caught.value.__notes__)
    assert game.outputs() == before
    assert leftovers(game.folder) == []
    mended(game)


@pytest.mark.parametrize("wish", ["fork:0", "many", "threads:x", "0", "fork:2:3"])
def test_workers_that_cannot_be_are_a_usage_error(game: Game, wish: str) -> None:
    game.write({"art/a.bin": b"new"})
    line = f"LUMPYARD_WORKERS is {wish!r}; it takes serial, fork or threads, and a number as in fork:4"
    with refused(game, 2, line):
        game.ship(LUMPYARD_WORKERS=wish)


def test_two_lumps_that_cooking_gives_one_name(tmp_path: Path) -> None:
    rule = JOIN.replace("Product(", 'Product(name="same", data=').replace(
        'fourcc="JOIN"', "products=lambda name, options: None"
    )
    game = Game(
        tmp_path,
        {
            "rules": ["tools/join.py"],
            "sets": {"art": {"files": "art/*", "rule": "join"}},
            "archives": {"base": {"sets": ["art"]}},
        },
    )
    game.write({"tools/join.py": rule, "art/a": b"1", "art/b": b"2"})
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    assert caught.value.exit_status == 6
    assert str(caught.value) == (
        "art/b: error[E0612]: lump 'same' of archive base is made from art/a and from art/b"
    )
    assert leftovers(tmp_path) == []
