"""Bad input: one clear line for each thing that is wrong, the right exit status, and the old archive as it was."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.local_rules import JOIN, MOODY
from tests.builders.projects import Game, Listener, Ran, clean_build, leftovers

from lumpyard.build.task import ArchiveTask
from lumpyard.errors import DiskError, Error, ProblemsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

WORDS = b"one word and another word and one word more, "
LARGE = WORDS * 110_000  # above 4 MiB, which go through in pieces where they stay raw
MANIFEST: dict[str, Any] = {
    "rules": ["tools/moody.py"],
    "sets": {
        "art": {"files": "art/*"},
        "moody": {"files": "moody/*", "rule": "moody"},
        "large": {"files": "large/*", "compress": "none"},
    },
    "archives": {"base": {"sets": ["art", "moody", "large"]}},
}
FILES = {
    "art/a.bin": WORDS,
    "art/b.bin": WORDS * 2,
    "art/c.bin": WORDS * 3,
    "moody/m": b"good",
    "large/l.bin": LARGE,
    "tools/moody.py": MOODY.encode(),
}


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project that has been shipped."""
    game = Game(tmp_path / "game", MANIFEST)
    game.write(FILES)
    game.ship()
    return game


@contextmanager
def refused(game: Game, status: int, *says: str) -> Iterator[None]:
    """A ship in the block fails with this status and these lines, and leaves all as it was."""
    before = game.outputs()
    with pytest.raises(Error) as caught:
        yield
    lines = str(caught.value).splitlines()
    assert (caught.value.exit_status, lines) == (status, list(says))
    assert game.outputs() == before
    assert leftovers(game.folder) == []


def mended(game: Game) -> None:
    """With everything as it was, the next ship is right."""
    game.set_manifest(MANIFEST)
    game.write(FILES)
    game.ship()
    assert (
        game.outputs().items()
        >= clean_build(game.folder, game.folder.with_name("clean"), "ship:base").items()
    )
    assert game.ship() == Ran()


def with_set(name: str, /, **said: Any) -> dict[str, Any]:
    """The manifest with another set."""
    return {**MANIFEST, "sets": {**MANIFEST["sets"], name: said}}


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


@pytest.mark.parametrize(
    ("archives", "mounts"),
    [
        ({"base": {"sets": ["art"]}, "other": {"sets": ["art"], "path": "base.ewad"}}, []),
        ({"base": {"sets": ["art"]}, "other": {"sets": ["art"], "path": "x/../base.ewad"}}, []),
        ({"base": {"sets": ["art"], "path": "../art/base.ewad"}}, []),
        ({"base": {"sets": ["art"], "path": "/tmp/base.ewad"}}, []),
        ({"base": {"sets": ["art"]}}, [{"path": "dist", "at": "old"}]),
        ({"base": {"sets": ["art"]}}, [{"path": "build", "at": "old"}]),
    ],
)
def test_outputs_that_meet_each_other_or_sources(game: Game, archives: Any, mounts: Any) -> None:
    game.set_manifest({**MANIFEST, "archives": archives, **({"mounts": mounts} if mounts else {})})
    before = game.outputs()
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    assert caught.value.exit_status == 2
    assert all(problem.place.line and problem.place.column for problem in caught.value.problems)
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
        patch.setattr("lumpyard.build.cooks.run_rule", fails)
        with pytest.raises(Exception, match="so") as caught:
            game.ship(LUMPYARD_WORKERS=workers)
    if workers == "fork:2":
        assert str(caught.value) == "a worker failed: ZeroDivisionError: so to speak"
        assert "in fails" in "".join(caught.value.__notes__)
    assert game.outputs() == before
    assert leftovers(game.folder) == []
    mended(game)


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


@pytest.mark.parametrize("path", ["dist/base.ewad", "symbols/base.ewsym", "archives.lock"])
def test_a_folder_where_an_output_goes(game: Game, path: str) -> None:
    (game.folder / path).unlink()
    (game.folder / path).mkdir()
    game.write({"art/a.bin": b"new"})
    before = game.outputs()
    with pytest.raises(Error) as caught:
        game.ship()
    assert caught.value.exit_status == 5
    assert path in str(caught.value)
    assert "it is a folder, not a file" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert game.outputs() == before
    assert leftovers(game.folder) == []
    (game.folder / path).rmdir()
    mended(game)


@pytest.mark.parametrize("path", ["dist", "symbols", ".lumpyard/state", ".lumpyard/built"])
def test_a_file_where_a_folder_goes(game: Game, path: str) -> None:
    (game.folder / path).rename(game.folder / "aside")
    (game.folder / path).write_bytes(b"file")
    game.write({"art/a.bin": b"new"})
    with pytest.raises(DiskError) as caught:
        game.ship()
    assert caught.value.exit_status == 5
    assert path in str(caught.value)
    assert "\n" not in str(caught.value)
    assert leftovers(game.folder) == []
    (game.folder / path).unlink()
    (game.folder / "aside").rename(game.folder / path)
    mended(game)


@pytest.mark.parametrize("folder", ["", "dist", "symbols", ".lumpyard/state/ship", ".lumpyard"])
def test_a_folder_that_may_not_be_written(game: Game, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """Tests run as root, whom no mode stops; so the system says no here."""
    game.write({"art/a.bin": b"new"})
    before = game.outputs()
    real = os.open

    def open_(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if flags & os.O_CREAT and os.path.dirname(os.fsdecode(path)).endswith(f"game/{folder}".rstrip("/")):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, flags, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", open_)
        with pytest.raises(DiskError) as caught:
            game.ship()
    assert "Permission denied" in str(caught.value)
    assert folder in str(caught.value)
    assert "\n" not in str(caught.value)
    if "state" not in folder:
        assert game.outputs() == before
    assert leftovers(game.folder) == []
    mended(game)


@pytest.mark.parametrize("workers", ["serial", "fork:2", "threads:2"])
@pytest.mark.parametrize("profile", ["pack", "ship"])
@pytest.mark.parametrize("number", [0, 1, 5])
def test_a_disk_that_is_full_while_the_archive_is_written(
    game: Game, monkeypatch: pytest.MonkeyPatch, workers: str, profile: str, number: int
) -> None:
    game.pack()
    game.write({"art/a.bin": b"new", "large/l.bin": LARGE[:-1]})
    before = game.outputs()
    real, calls = os.pwritev, []

    def pwritev(*args: Any) -> int:
        calls.append(1)
        if len(calls) > number:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*args)

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwritev", pwritev)
        with pytest.raises(Error) as caught:
            game.run(f"{profile}:base", LUMPYARD_WORKERS=workers)
    assert caught.value.exit_status == 5
    folder = "dist" if profile == "ship" else "build"
    assert str(caught.value) == f"cannot write {game.folder}/{folder}/base.ewad: No space left on device"
    assert game.outputs() == before
    assert leftovers(game.folder) == []
    mended(game)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        if os.environ.get("CI") == "true":
            pytest.fail("no file system can be mounted here")
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_really_full(small_disk: Path) -> None:
    manifest = {
        "sets": {"art": {"files": "art/*", "compress": "none"}},
        "archives": {"base": {"sets": ["art"]}},
    }
    game = Game(small_disk, manifest)
    game.write({"art/a": b"a" * 900_000, "art/b": b"b" * 900_000})
    game.ship()
    before = game.outputs()
    game.write({"art/b": b"c" * 950_000})
    (small_disk / "ballast").write_bytes(b"x" * 3_600_000)
    with pytest.raises(DiskError) as caught:
        game.ship()
    assert str(caught.value).endswith("base.ewad: No space left on device")
    assert game.outputs() == before
    assert leftovers(small_disk) == []
    (small_disk / "ballast").unlink()
    game.ship()
    assert game.ship() == Ran()


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
