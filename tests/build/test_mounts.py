"""Folders that `mounts` names: "later ones above earlier ones" (design.md, section 5)."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import socket
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.projects import Game, Lump, Ran, expected

from lumpyard.build.sources.layers import Mounted
from lumpyard.build.sources.tree import ScannedTree
from lumpyard.errors import ProblemsError

if TYPE_CHECKING:
    from pathlib import Path


def a_manifest(*mounts: Any, files: str = "**/*.bin") -> dict[str, Any]:
    return {
        "mounts": list(mounts),
        "sets": {"all": {"files": files, "compress": "none"}},
        "archives": {"base": {"sets": ["all"]}},
    }


def is_shipped(game: Game, lumps: dict[str, bytes]) -> bool:
    """Whether the archive is the one that the tests' own writer makes of some lumps."""
    wanted = expected([Lump(name, raw, "none") for name, raw in lumps.items()])
    return game.read("dist/base.ewad") == wanted


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project beside two folders, with files of the same paths in all of them."""
    game = Game(tmp_path / "game", a_manifest("../low", {"path": "../high", "at": "art"}))
    game.write({"a.bin": b"own a", "art/x.bin": b"own x", "art/deep/own.bin": b"own"})
    game.write({"../low/a.bin": b"low a", "../low/art/x.bin": b"low x", "../low/art/low.bin": b"low"})
    game.write({"../high/x.bin": b"high x", "../high/deep/high.bin": b"high"})
    return game


SEEN = {
    "a.bin": b"low a",
    "art/x.bin": b"high x",
    "art/low.bin": b"low",
    "art/deep/own.bin": b"own",
    "art/deep/high.bin": b"high",
}


@pytest.mark.parametrize("workers", ["serial", "threads:2", "fork:2"])
def test_where_folders_meet_all_names_are_there_and_the_upper_one_is_taken(game: Game, workers: str) -> None:
    game.ship(LUMPYARD_WORKERS=workers)
    assert is_shipped(game, SEEN)
    assert game.ship() == Ran()


@pytest.mark.parametrize(
    ("edit", "seen"),
    [
        ({"art/x.bin": b"OWN X"}, SEEN),
        ({"../low/art/x.bin": b"LOW X"}, SEEN),
        ({"../high/x.bin": b"HIGH X"}, {**SEEN, "art/x.bin": b"HIGH X"}),
        ({"../high/low.bin": b"now high"}, {**SEEN, "art/low.bin": b"now high"}),
        ({"../low/new.bin": b"new"}, {**SEEN, "new.bin": b"new"}),
    ],
)
def test_an_edit_in_any_layer_counts_where_it_is_seen(
    game: Game, edit: dict[str, bytes], seen: dict[str, bytes]
) -> None:
    game.ship()
    game.write(edit)
    game.ship()
    assert is_shipped(game, seen)
    assert game.ship() == Ran()


def test_what_lay_below_comes_to_light_when_the_upper_one_goes(game: Game) -> None:
    game.ship()
    (game.folder / "../high/x.bin").unlink()
    game.ship()
    assert is_shipped(game, {**SEEN, "art/x.bin": b"low x"})
    (game.folder / "../low/art/x.bin").unlink()
    game.ship()
    assert is_shipped(game, {**SEEN, "art/x.bin": b"own x"})


def test_the_later_of_two_mounts_at_one_place_lies_above(game: Game) -> None:
    two = ({"path": "../low/art", "at": "art"}, {"path": "../high", "at": "art"})
    for mounts, first in ((two, b"high x"), (two[::-1], b"low x")):
        game.set_manifest(a_manifest(*mounts, files="art/*.bin"))
        game.ship()
        assert is_shipped(game, {"art/x.bin": first, "art/low.bin": b"low"})


def test_a_file_hides_a_folder_and_a_folder_a_file(tmp_path: Path) -> None:
    game = Game(tmp_path / "game", a_manifest("../up"))
    game.write({"file.bin/in.bin": b"1", "folder.bin": b"2", "art/x.bin": b"3"})
    game.write({"../up/file.bin": b"4", "../up/folder.bin/in.bin": b"5"})
    game.set_manifest(a_manifest("../up", {"path": "../up/folder.bin", "at": "art"}, files="**/*n.bin"))
    game.ship()
    assert is_shipped(game, {"folder.bin/in.bin": b"5", "art/in.bin": b"5"})
    game.set_manifest(a_manifest("../up", files="*.bin/*"))
    game.ship()
    assert is_shipped(game, {"folder.bin/in.bin": b"5"})
    game.set_manifest(a_manifest("../up", files="file.*"))
    game.ship()
    assert is_shipped(game, {"file.bin": b"4"})


def test_an_absolute_path_is_that_folder_wherever_the_project_is_opened_from(tmp_path: Path) -> None:
    game = Game(tmp_path / "game", a_manifest({"path": str(tmp_path / "far"), "at": "far"}))
    game.write({"../far/a.bin": b"far"})
    game.ship()
    assert is_shipped(game, {"far/a.bin": b"far"})


@pytest.mark.parametrize("path", [".", ".."])
def test_what_builds_write_is_no_source_where_the_project_itself_is_mounted(game: Game, path: str) -> None:
    game.set_manifest(a_manifest({"path": path, "at": "up"}, files="up/**"))
    game.ship()
    game.pack()
    assert game.ship() == Ran()
    names = [
        lump.split("\t")[1] for lump in game.read("symbols/base.ewsym").decode().split("\n\n")[1].splitlines()
    ]
    prefix = "up/" if path == "." else "up/game/"
    own = sorted(name.removeprefix(prefix) for name in names if name.startswith(prefix))
    assert own == ["a.bin", "art/deep/own.bin", "art/x.bin", "assets.yaml"]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../nope", "it is not there"),
        ("../file", "not an archive: it is empty, and a signature has 4 bytes"),
        (
            "a.bin",
            "not an archive: it starts with 'own ', not with one of EWAD, IWAD, PACK, PWAD, WAD2, WAD3 or MPQ",
        ),
    ],
)
def test_a_mount_of_no_folder_is_an_error_at_its_path(game: Game, path: str, why: str) -> None:
    game.write({"../file": b""})
    game.set_manifest(a_manifest({"path": path, "at": "art"}))
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    (problem,) = caught.value.problems
    assert (problem.code, problem.message) == ("E0202", f"'{path}' can't be mounted: {why}")
    assert problem.place.line


def make_odd(path: Path, what: str) -> None:
    if what == "a FIFO":
        os.mkfifo(path)
    elif what == "a socket":
        with socket.socket(socket.AF_UNIX) as made, contextlib.chdir(path.parent):
            made.bind(path.name)
    elif what == "a link loop":
        path.symlink_to(path)
    elif what == "a dangling link":
        path.symlink_to("nowhere")
    else:
        path.symlink_to("/dev/null")


@pytest.mark.parametrize("what", ["a FIFO", "a socket", "a device", "a link loop", "a dangling link"])
@pytest.mark.parametrize("files", ["**/*.bin", "*.bin"], ids=["asked", "not asked"])
def test_a_mount_of_what_is_no_file_and_no_folder_is_one_too(game: Game, what: str, files: str) -> None:
    make_odd(game.folder.parent / "odd", what)
    game.set_manifest(a_manifest({"path": "../odd", "at": "art"}, files=files))
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    (problem,) = caught.value.problems
    why = f"it is {what}, neither a folder nor an archive"
    assert (problem.code, problem.message) == ("E0202", f"'../odd' can't be mounted: {why}")
    assert problem.place.line


def test_a_mount_that_becomes_something_else_is_told(game: Game) -> None:
    game.set_manifest(a_manifest({"path": "odd", "at": "odd"}, files="*.bin"))
    (game.folder / "odd").mkdir()
    game.ship()
    assert not game.ship().changed
    (game.folder / "odd").rmdir()
    os.mkfifo(game.folder / "odd")
    with pytest.raises(ProblemsError, match="it is a FIFO"):
        game.ship()


def test_a_mounted_folder_that_cannot_be_listed_is_told_with_the_place(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is for everybody but root, whom no right keeps out."""
    listing = os.scandir

    def refuse(path: Any) -> Any:
        if os.fsdecode(path).endswith("high"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return listing(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    (problem,) = caught.value.problems
    assert problem.code == "E0202"
    assert problem.message.endswith("high: Permission denied")
    assert problem.place.line


def test_a_mount_that_goes_is_missed_also_where_nothing_was_taken_from_it(game: Game) -> None:
    """As a clean build does: no folder that was listed tells of it."""
    game.write({"../spare/x.bin": b"spare"})
    game.set_manifest(a_manifest({"path": "../spare", "at": "spare"}, files="*.bin"))
    game.ship()
    assert not game.ship().changed
    shutil.rmtree(game.folder / "../spare")
    with pytest.raises(ProblemsError) as caught:
        game.ship()
    assert [problem.code for problem in caught.value.problems] == ["E0202"]


def test_rules_see_the_same_tree(game: Game) -> None:
    mounts = [Mounted("", f"{game.folder}/../low"), Mounted("art", f"{game.folder}/../high")]
    tree = ScannedTree(str(game.folder), mounts)
    assert tree.real("art/x.bin") == f"{game.folder}/../high/x.bin"
    assert tree.real("art/low.bin") == f"{game.folder}/../low/art/low.bin"
    assert tree.real("art/deep/own.bin") == f"{game.folder}/art/deep/own.bin"
    assert tree.real("assets.yaml") == f"{game.folder}/assets.yaml"
    assert tree.stat("art/nowhere") is None
