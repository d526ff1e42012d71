"""What builds leave for the next one: losing or damaging it costs time, never bytes."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.build.edits import COOKS, ENCODES, FILES, LOST, MANIFEST, WORDS
from tests.build.opened_files import OWN, PRINTS, RECORD, STATE, flip, opened, settled_game
from tests.builders.projects import Game, Ran, clean_build, copy_sources, leftovers

from lumpyard.build import statefile
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project that has been shipped, and looked at since."""
    return settled_game(tmp_path)


def delete(game: Game, path: str) -> None:
    (game.folder / path).unlink()


def cut(game: Game, path: str) -> None:
    os.truncate(game.folder / path, len(game.read(path)) // 2)


def empty(game: Game, path: str) -> None:
    game.write({path: b""})


def garbage(game: Game, path: str) -> None:
    game.write({path: random.Random(1).randbytes(5000)})


def other_version(game: Game, path: str) -> None:
    magic, newline, rest = game.read(path).partition(b"\n")
    game.write({path: magic[:-1] + b"9" + newline + rest})


def other_shape(game: Game, path: str) -> None:
    """As a version that forgot to raise its number would leave it: well formed, and of other values."""
    magic = game.read(path).partition(b"\n")[0] + b"\n"
    statefile.save_state(f"{game.folder}/{path}", magic, ("what", {"is": ["this"]}, 7))


def folder_there(game: Game, path: str) -> None:
    (game.folder / path).unlink()
    (game.folder / path).mkdir()


DAMAGE: dict[str, Callable[[Game, str], None]] = {
    function.__name__: function
    for function in (delete, cut, empty, garbage, flip, other_version, other_shape)
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_state_that_is_lost_or_damaged_means_a_look_and_nothing_more(game: Game, how: str) -> None:
    before = game.outputs()
    DAMAGE[how](game, STATE)
    ran = game.ship()
    assert (ran.reasons, ran.work, ran.changed) == (("never built",), (0, 0), False)
    assert game.outputs() == before
    assert game.ship() == Ran()


@pytest.mark.parametrize("how", DAMAGE)
def test_a_record_that_is_lost_or_damaged_redoes_what_is_cheap(game: Game, how: str) -> None:
    before = game.outputs()
    DAMAGE[how](game, RECORD)
    assert game.ship() == Ran(), "a no-op needs none"
    game.write({"art/a.bin": b"new"})
    ran = game.ship()
    assert ran.work == (LOST[0], LOST[1] + 1), "that of the file which is raw is not known either"
    game.write({"art/a.bin": FILES["art/a.bin"]})
    game.ship()
    assert game.outputs() == before


@pytest.mark.parametrize("how", DAMAGE)
def test_fingerprints_that_are_lost_or_damaged_mean_reading(
    game: Game, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    DAMAGE[how](game, PRINTS)
    paths, ran = opened(game, monkeypatch, "ship:base")
    assert ran["ship:base"] == Ran()
    assert not set(paths) & set(FILES)
    game.write({"art/a.bin": b"new" * 40})
    paths, ran = opened(game, monkeypatch, "ship:base")
    assert ran["ship:base"].work == (0, 1)
    assert {path for path in FILES if not path.startswith("tools")} <= {
        *paths,
        "inc/second/light.h",
        "inc/second/noise.h",
    }
    assert game.ship() == Ran()


@pytest.mark.parametrize("path", [STATE, RECORD, PRINTS])
def test_a_folder_in_place_of_a_state_file_is_one_clear_error(game: Game, path: str) -> None:
    """Whoever made it must be told: builds cannot keep what they know."""
    before = game.outputs()
    folder_there(game, path)
    game.write({"art/a.bin": b"new"})
    with pytest.raises(DiskError) as caught:
        game.ship()
    assert str(caught.value) == f"cannot write {game.folder}/{path}: it is a folder, not a file"
    (game.folder / path).rmdir()
    game.write({"art/a.bin": FILES["art/a.bin"]})
    game.ship()
    assert game.outputs() == before


@pytest.mark.parametrize("how", ["delete", "garbage", "cut"])
def test_all_state_at_once_but_the_store(game: Game, tmp_path: Path, how: str) -> None:
    for path in (STATE, RECORD, PRINTS):
        DAMAGE[how](game, path)
    ran = game.ship()
    assert ran.work == (2, ENCODES - 2), "texts and LZ4 blocks"
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


def test_without_any_state_everything_is_made_anew(game: Game) -> None:
    before = game.outputs()
    shutil.rmtree(game.folder / OWN)
    game.stamps.clear()
    assert game.ship().work == (COOKS, ENCODES)
    assert game.outputs() == before


def test_a_stamp_that_is_not_the_last_ones_means_a_look(game: Game) -> None:
    """`doit forget`, or a database that is lost or older than our state."""
    game.stamps["ship:base"] = "another"
    ran = game.ship()
    assert (ran.work, ran.changed) == ((0, 0), False)
    assert ran.reasons == ("forgotten, or the last run failed or was cut short",)


def test_a_parsed_manifest_that_is_damaged_is_parsed_again(game: Game) -> None:
    for path in (game.folder / OWN / "manifests").iterdir():
        path.write_bytes(b"garbage")
    assert game.ship() == Ran()


def test_archives_json_comes_back_and_follows_the_manifest(game: Game, tmp_path: Path) -> None:
    game.pack()
    before = game.outputs()
    delete(game, "build/archives.json")
    assert game.pack().reasons == ("build/archives.json is not there",)
    assert game.outputs() == before
    garbage(game, "build/archives.json")
    ran = game.pack()
    assert ran.work == (0, 0)
    assert game.outputs() == before
    two = {**MANIFEST, "archives": {**MANIFEST["archives"], "more": {"sets": ["text"]}}}
    game.set_manifest(two)
    game.run("pack:base", "pack:more")
    assert game.outputs()["build/archives.json"].count(b'"id"') == 2
    game.set_manifest(MANIFEST)
    game.run("pack:base")
    assert game.outputs()["build/archives.json"] == before["build/archives.json"]


@pytest.mark.parametrize("also", [(), ("dist",), ("dist", "build")])
def test_a_fresh_clone_with_what_ci_restores(game: Game, tmp_path: Path, also: tuple[str, ...]) -> None:
    """A fresh checkout with new mtimes and restored `.lumpyard/`, `build/` and `dist/` recompresses nothing; with
    `.lumpyard/` alone it runs no tool and redoes only cheap LZ4."""
    if "build" in also:
        game.pack()
    clone = Game(tmp_path / "clone", MANIFEST)
    copy_sources(game.folder, clone.folder)
    shutil.copyfile(game.folder / "archives.lock", clone.folder / "archives.lock")  # it is in git
    for name in (OWN, *also):
        shutil.copytree(game.folder / name, clone.folder / name, copy_function=shutil.copyfile)
    clone.stamps = dict(game.stamps)
    ran = clone.ship()
    assert ran.work == ((0, 0) if also else LOST)
    assert ran.changed == (not also)
    assert {name: data for name, data in clone.outputs().items() if "build/" not in name} == {
        name: data for name, data in game.outputs().items() if "build/" not in name
    }
    assert clone.ship() == Ran()
    if "build" in also:
        assert clone.pack() == Ran()


def test_a_branch_and_back_cooks_nothing_costly_and_encodes_no_hc(game: Game) -> None:
    before = game.outputs()
    here = {
        path: FILES[path] for path in ("slow/s.slow", "shaders/one.shader", "hc/x.bin", "inc/second/light.h")
    }
    game.write({path: b"another branch " * 9 + data for path, data in here.items()})
    assert game.ship().work == (3, 4)
    game.write(here)
    ran = game.ship()
    assert ran.cooked == 0
    assert ran.encoded == 3, "the cheap LZ4 blocks of the costly cooks"
    assert game.outputs() == before


def test_dev_and_ship_builds_give_each_other_what_they_made(game: Game) -> None:
    assert game.pack().work == (0, 0)
    game.write({"art/a.bin": b"new" * 99, "text/t.txt": b"new text " * 9})
    assert game.pack().work == (1, 2)
    assert game.ship().work == (0, 0)


DOIT = """
import sys
from doit.doit_cmd import DoitMain
from lumpyard.doit_plugin.loader import Loader
sys.exit(DoitMain(Loader(None)).run(sys.argv[1:]))
"""


def doit(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", DOIT, *argv]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=100)


@pytest.mark.parametrize("how", ["delete", "garbage", "cut", "empty"])
def test_a_database_of_doit_that_is_lost_or_damaged_means_a_look(tmp_path: Path, how: str) -> None:
    game = Game(tmp_path, {"sets": {"art": {"files": "art/*"}}, "archives": {"base": {"sets": ["art"]}}})
    game.write({"art/a.bin": WORDS})
    assert doit(tmp_path, "ship").returncode == 0
    before = game.outputs()
    inode = (tmp_path / "dist/base.ewad").stat().st_ino
    DAMAGE[how](game, f"{OWN}/doit.db")
    ran = doit(tmp_path, "ship")
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count("\n") <= 1, "one line says it"
    assert game.outputs() == before
    assert (tmp_path / "dist/base.ewad").stat().st_ino == inode
    assert "--" in doit(tmp_path, "ship").stdout
    assert leftovers(tmp_path) == []
