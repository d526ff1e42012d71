"""Outputs that can't be written: what is in the way, what may not be written, and a disk that is full."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.build.refusals import LARGE, MANIFEST, mended, shipped_game
from tests.builders.disks import small_file_system
from tests.builders.projects import Game, Ran, leftovers

from lumpyard.errors import DiskError, Error, ProblemsError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project that has been shipped."""
    return shipped_game(tmp_path)


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
    with small_file_system(folder, 8):
        yield folder


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
