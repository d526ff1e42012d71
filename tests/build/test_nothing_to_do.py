"""What changes no bytes rebuilds nothing, and what hides in links, gaps and one process is seen all the same."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.build.edits import (
    FILES,
    MANIFEST,
    flipped,
    in_place,
    manifest_with,
    relinked,
    removed,
    renamed,
    shipped_game,
    writes,
)
from tests.builders.projects import Game, Listener, Ran, clean_build

from lumpyard.build.task import ArchiveTask

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project that has been shipped."""
    return shipped_game(tmp_path)


def touched(game: Game) -> None:
    for path in FILES:
        os.utime(game.folder / path)


def rewritten(game: Game) -> None:
    for path in FILES:
        (game.folder / path).unlink()
    game.write(FILES)


NOTHING: dict[str, Callable[[Game], None]] = {
    "nothing": lambda game: None,
    "a comment in the manifest": lambda game: game.set_manifest(
        "# hello\n" + (game.folder / "assets.yaml").read_text() + "\n# bye\n"
    ),
    "the manifest written in another style": lambda game: game.set_manifest(
        json.dumps({"version": 1, **MANIFEST})
    ),
    "touched": touched,
    "rewritten with the same bytes": rewritten,
    "a file that no set takes": writes("art/notes.md", b"notes"),
    "a folder that no set takes": writes("other/file.bin", b"x"),
    "an ignored file": writes("art/.hidden.bin", b"x"),
    "a file beside an include": writes("inc/first/unused.h", b"x"),
    "the archive touched": lambda game: os.utime(game.folder / "dist/base.ewad"),
    "the symbols touched": lambda game: os.utime(game.folder / "symbols/base.ewsym"),
    "the lock with other line ends": lambda game: game.write(
        {"archives.lock": game.read("archives.lock").replace(b"\n", b"\r\n")}
    ),
    "modes": lambda game: (game.folder / "art/a.bin").chmod(0o600),
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_changes_nothing_rebuilds_nothing(game: Game, name: str) -> None:
    before = game.outputs()
    NOTHING[name](game)
    inodes = [(game.folder / path).stat().st_ino for path in ("dist/base.ewad", "symbols/base.ewsym")]
    assert game.ship() == Ran()
    assert game.ship() == Ran()
    made = game.outputs()
    assert made | {"archives.lock": before["archives.lock"]} == before
    assert inodes == [(game.folder / path).stat().st_ino for path in ("dist/base.ewad", "symbols/base.ewsym")]


def test_a_stray_byte_in_a_wide_gap_is_seen(game: Game, tmp_path: Path) -> None:
    game.set_manifest(manifest_with("archives.base.alignment", 1 << 18))
    game.ship()
    flipped("dist/base.ewad", 3 << 17)(game)
    assert game.ship().changed
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


def test_a_set_that_no_archive_uses_changes_the_lock_and_the_symbols_alone(
    game: Game, tmp_path: Path
) -> None:
    """They hold the digest of the manifest."""
    game.set_manifest(manifest_with("sets.unused", {"files": "none/*", "optional": True}))
    ran = game.ship()
    assert (ran.work, ran.changed) == ((0, 0), False)
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


def test_a_file_that_changes_between_two_builds_of_one_process_is_seen(game: Game, tmp_path: Path) -> None:
    project = game.open()
    task = ArchiveTask(project, "base", "ship")
    game.write({"slow/s.slow": b"first"})
    assert not task.is_fresh(game.stamps["ship:base"])
    game.write({"slow/s.slow": b"then another"})  # after the look that the build goes on from
    result = task.build(Listener())
    assert result.outcome.cooked >= 1
    game.stamps["ship:base"] = result.stamp
    game.ship()
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


LINKED: dict[str, Any] = {
    "mounts": [{"path": "../shared", "at": "shared"}],
    "sets": {
        "art": {"files": "art/*", "rule": "raw"},
        "shared": {"root": "shared", "files": "**/*.bin", "rule": "raw"},
    },
    "archives": {"base": {"sets": ["art", "shared"]}},
}


@pytest.fixture
def linked(tmp_path: Path) -> Game:
    """A project with a link, a linked folder and a mounted folder, that has been shipped."""
    game = Game(tmp_path / "game", LINKED)
    game.write({"data/one": b"1" * 50, "data/two": b"2" * 50, "art/real": b"real " * 20})
    game.write({"../shared/deep/s.bin": b"shared " * 20, "../shared/t.bin": b"t" * 60})
    (game.folder / "art/link").symlink_to("../data/one")
    assert game.ship().encoded == 4
    assert game.ship() == Ran()
    return game


@pytest.mark.parametrize(
    ("edit", "work", "reason"),
    [
        (relinked("art/link", "../data/two"), (0, 1), "art/link changed"),
        (in_place("data/one", b"3" * 50), (0, 1), "art/link changed"),
        (in_place("../shared/deep/s.bin", b"SHARED " * 20), (0, 1), "deep/s.bin changed"),
        (writes("../shared/new.bin", b"n" * 60), (0, 1), "new.bin is added"),
        (removed("../shared/t.bin"), (0, 0), "t.bin is gone"),
        (renamed("art/real", "art/other"), (0, 0), "art/other is added"),
    ],
)
def test_links_and_mounted_folders_are_looked_at_like_others(
    linked: Game, edit: Callable[[Game], None], work: tuple[int, int], reason: str
) -> None:
    edit(linked)
    ran = linked.ship()
    assert ran.work == work
    assert reason in ran.reasons
    clean = clean_build(linked.folder, linked.folder.with_name("clean"), "ship:base")
    assert linked.outputs() == clean
    assert linked.ship() == Ran()
