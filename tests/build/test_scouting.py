"""A scout sees what a tree would see a moment later, and a build with one is a build without one."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from tests.builders.projects import Game, outputs

from lumpyard import disk
from lumpyard.build.sources import scouting
from lumpyard.build.sources.scouting import Scout, are_as_left, sources_of
from lumpyard.build.sources.tree import ScannedTree
from lumpyard.errors import DiskError, Error

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="scouts are forked")
MANIFEST = {
    "sets": {
        "all": {"root": "art", "files": "**/*"},
        "flat": {"root": "flat", "files": "*.txt", "name": "flat/{path}"},
    },
    "archives": {"base": {"sets": ["all", "flat"]}},
}
FORKED = {"LUMPYARD_WORKERS": "fork:2"}


def game_in(folder: Path) -> Game:
    game = Game(folder, MANIFEST)
    game.write({f"art/f{number % 40}/{number}.bin": b"%d" % number for number in range(200)})
    game.write({"flat/one.txt": b"one", "flat/deep/down.txt": b"never looked at", "art/grüße/ü": b"x"})
    (folder / "art/link").symlink_to("f1/1.bin")
    (folder / "art/linked").symlink_to("f2")
    os.mkfifo(folder / "flat/pipe")
    return game


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that this process scans itself."""
    seen: list[str] = []
    scan = disk.scan_folder

    def watched(path: str, project: str) -> disk.FolderScan | None:
        seen.append(path)
        return scan(path, project)

    monkeypatch.setattr(disk, "scan_folder", watched)
    return seen


def test_a_scout_sees_what_the_plan_looks_at_and_nothing_else(tmp_path: Path, scans: list[str]) -> None:
    project = game_in(tmp_path).open(**FORKED)
    tree = project.tree()
    with Scout(project, sources_of(project, "base")) as scout:
        scout.report(tree)
    assert scans == []
    plain = ScannedTree(str(tmp_path))
    for folder in ("", "art", "flat", "art/linked", "art/grüße", *(f"art/f{number}" for number in range(40))):
        assert tree.scan(folder) == plain.scan(folder)
    own, both = scans.count(f"{tmp_path}/flat"), scans.count(f"{tmp_path}/art/f7")
    assert (own, both) == (1, 1), "only the plain tree has scanned"
    assert not any("deep" in path for path in scans)


def test_a_build_with_a_scout_is_a_build_without(tmp_path: Path) -> None:
    made = {}
    for workers in ("fork:2", "serial"):
        game = game_in(tmp_path / workers.replace(":", ""))
        (game.folder / "flat/pipe").unlink()
        assert game.ship(LUMPYARD_WORKERS=workers).reasons == ("never built",)
        assert game.ship(LUMPYARD_WORKERS=workers).reasons == ()
        game.write({"art/f7/7.bin": b"changed"})
        assert game.ship(LUMPYARD_WORKERS=workers).reasons == ("f7/7.bin changed",)
        made[workers] = outputs(game.folder)
    assert made["fork:2"] == made["serial"]


def test_two_look_whether_many_folders_are_as_they_were(tmp_path: Path, scans: list[str]) -> None:
    project = game_in(tmp_path).open(**FORKED)
    plain = ScannedTree(str(tmp_path))
    folders = [f"art/f{number}" for number in range(40)]
    digests = [(folder, plain.digest(folder)) for folder in folders]
    scans.clear()
    assert are_as_left(project, project.tree(), digests)
    assert scans == [f"{tmp_path}/{folder}" for folder in folders[::2]], "the scout has looked at the others"
    for folder in ("art/f8", "art/f9"):  # one of ours, one of the scout's
        path = tmp_path / folder / "more"
        path.write_bytes(b"new")
        assert not are_as_left(project, project.tree(), digests)
        path.unlink()
        os.rename(tmp_path / folder, tmp_path / "away")
        assert not are_as_left(project, project.tree(), digests)
        os.rename(tmp_path / "away", tmp_path / folder)
    assert are_as_left(project, project.tree(), digests)


def test_what_a_scout_may_not_look_at_is_an_error_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_in(tmp_path)
    (tmp_path / "flat/pipe").unlink()
    scan = disk.scan_folder

    def refused(path: str, project: str) -> disk.FolderScan | None:
        if path.endswith("f9"):
            raise DiskError(f"cannot list {path}: Permission denied")
        return scan(path, project)

    monkeypatch.setattr(disk, "scan_folder", refused)
    texts = []
    for workers in ("fork:2", "serial"):
        with pytest.raises(Error) as caught:
            game.ship(LUMPYARD_WORKERS=workers)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


@pytest.mark.parametrize("end", [lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(3)])
def test_where_a_scout_gets_lost_the_tree_looks_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: object, scans: list[str]
) -> None:
    game = game_in(tmp_path)
    (tmp_path / "flat/pipe").unlink()
    monkeypatch.setattr(scouting, "_seen", lambda *_: end())  # type: ignore[operator]
    assert game.ship(**FORKED).reasons == ("never built",)
    assert f"{tmp_path}/art/f7" in scans


def test_a_file_that_changes_after_the_scout_has_passed_is_read_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_in(tmp_path)
    (tmp_path / "flat/pipe").unlink()
    report = Scout.report

    def late(self: Scout, tree: ScannedTree) -> None:
        report(self, tree)
        game.write({"art/f7/7.bin": b"written a moment later"})

    monkeypatch.setattr(Scout, "report", late)
    game.ship(**FORKED)
    monkeypatch.undo()
    assert b"written a moment later" in outputs(tmp_path)["dist/base.ewad"]
    game.ship(**FORKED)
    clean = game_in(tmp_path / "clean")
    (clean.folder / "flat/pipe").unlink()
    clean.write({"art/f7/7.bin": b"written a moment later"})
    clean.ship()
    assert outputs(tmp_path)["dist/base.ewad"] == outputs(clean.folder)["dist/base.ewad"]


def test_mounts_are_looked_at_by_the_tree_alone(tmp_path: Path, scans: list[str]) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base/thing").write_bytes(b"thing")
    mounts = [{"path": "../base", "at": "art/more"}]
    game = Game(tmp_path / "game", {**MANIFEST, "mounts": mounts})
    game.write({"art/a": b"a", "flat/b.txt": b"b"})
    assert game.ship(**FORKED).changed
    assert f"{tmp_path}/game/art" in scans
