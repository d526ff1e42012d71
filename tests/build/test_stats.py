"""A no-op reads no contents; stats alone never hide a change."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from tests.build.edits import ENCODES, FILES, WORDS
from tests.build.opened_files import OWN, RECORD, STATE, flip, opened, settled_game
from tests.builders.local_rules import SLOW
from tests.builders.projects import Game, Ran, clean_build

from lumpyard import disk

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A project that has been shipped, and looked at since."""
    return settled_game(tmp_path)


def test_a_no_op_reads_no_contents(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """design.md, section 4: "Every no-op scans and stats every file", and reads none."""
    game.pack()
    game.pack()
    paths, ran = opened(game, monkeypatch, "ship:base", "pack:base")
    assert ran == {"ship:base": Ran(), "pack:base": Ran()}
    cached = [path for path in paths if path.startswith(f"{OWN}/manifests/")]
    assert [path for path in paths if path not in cached] == [
        f"{OWN}/state/pack/base.state",
        STATE,
        "archives.lock",
        "assets.yaml",
        "build/archives.json",
        "build/ship.json",
    ]
    assert len(cached) == 1


def test_one_edit_reads_one_source(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.write({"art/a.bin": b"new"})
    paths, _ = opened(game, monkeypatch, "ship:base")
    assert [path for path in paths if path in FILES and not path.startswith("tools/")] == ["art/a.bin"]


def test_a_touched_file_is_read_once_and_its_new_stat_kept(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.utime(game.folder / "art/a.bin")
    paths, ran = opened(game, monkeypatch, "ship:base")
    assert "art/a.bin" in paths
    assert "art/b.bin" not in paths
    assert ran["ship:base"] == Ran()
    paths, _ = opened(game, monkeypatch, "ship:base")
    assert "art/a.bin" not in paths


def test_a_file_touched_at_the_stamp_is_read_again(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """git's "racily clean" rule: a file whose times are not older than the clock may hide a change."""
    future = 2_145_000_000
    os.utime(game.folder / "art/a.bin", (future, future))
    for _ in range(2):
        paths, ran = opened(game, monkeypatch, "ship:base")
        assert ran["ship:base"] == Ran()
        assert [path for path in paths if path in FILES and not path.startswith("tools/")] == ["art/a.bin"]
    game.write({"art/a.bin": WORDS[::-1] * 3})
    os.utime(game.folder / "art/a.bin", (future, future))
    assert game.ship().work == (0, 1)


def test_a_change_within_one_tick_of_the_clock_is_seen(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still from the change of a file to the build's first read, and the file changes after that
    with no new times: forced, by a clock that says the file's own time."""
    target = game.folder / "art/a.bin"
    target.write_bytes(WORDS[::-1] * 3)
    tick = target.stat().st_ctime_ns
    with monkeypatch.context() as patch:
        patch.setattr(disk, "file_clock", lambda folder: tick)
        assert game.ship().work == (0, 1)
    paths, ran = opened(game, monkeypatch, "ship:base")
    assert "art/a.bin" in paths, "its digest is not trusted"
    assert ran["ship:base"] == Ran()
    paths, _ = opened(game, monkeypatch, "ship:base")
    assert "art/a.bin" not in paths, "by now the clock has moved on"


def test_an_upgrade_is_seen_without_loading_anything(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state keeps the versions of lumpyard, lz4 and of each rule's distribution."""
    from lumpyard.build import state

    before = game.outputs()
    monkeypatch.setattr(state, "__version__", "99.0")
    paths, ran = opened(game, monkeypatch, "ship:base")
    assert ran["ship:base"] == Ran(), "looked at closely, and nothing that decides bytes has changed"
    assert RECORD in paths
    assert game.outputs() == before


def test_another_encoder_encodes_everything_anew(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    from lumpyard import lz4

    monkeypatch.setattr(lz4, "encoder_id", lambda: "python-lz4 9.9.9, lz4 9.9.9")
    monkeypatch.setattr("lumpyard.build.state.__version__", "99.0")  # as an upgrade would
    ran = game.ship()
    assert ran.encoded == ENCODES
    assert ran.cooked == 0, "the raw bytes of texts are in the archive"


def test_a_rule_that_is_edited_while_it_runs_is_a_change_for_the_next_build(
    game: Game, tmp_path: Path
) -> None:
    path = game.folder / "tools/wording.py"
    edit = f"__import__('pathlib').Path({str(path)!r}).write_text('WORD = b\"edited\"\\n')"
    game.write({"tools/slow.py": SLOW.replace("    text = WORD", f"    {edit}\n    text = WORD")})
    assert game.ship().cooked == 2
    ran = game.ship()
    assert ran.cooked == 2, "its module is other than it was when it was read"
    assert game.outputs() == clean_build(game.folder, tmp_path / "clean", "ship:base")


@pytest.mark.parametrize("path", ["dist/base.ewad", "build/base.ewad"])
def test_what_changes_an_archive_right_after_it_was_built_is_seen(
    game: Game, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    task = "ship:base" if path.startswith("dist") else "pack:base"
    game.write({"art/a.bin": b"new"})
    real = disk.NewFile.commit

    def commit(file: disk.NewFile, *, durable: bool) -> Any:
        stat = real(file, durable=durable)
        if file.path.endswith("base.ewad"):
            flip(game, path)
        return stat

    with monkeypatch.context() as patch:
        patch.setattr(disk.NewFile, "commit", commit)
        game.run(task)
    damaged = game.read(path)
    (reason,) = game.run(task)[task].reasons
    assert "damaged" in reason
    assert game.read(path) != damaged
    assert game.run(task)[task] == Ran()
