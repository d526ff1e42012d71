"""Real input: whole games through the command line and back, by the tests' own reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import judges, wad

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

GAMES = sorted(judges.WADS)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Path:
    path, package = judges.WADS[request.param]
    judges.demand(path.exists(), str(path), package)
    return path


def test_it_is_sound(game: Path, run: Run) -> None:
    ran = run("verify", game)
    assert (ran.status, ran.err) == (0, "")


def test_it_is_taken_apart_and_put_together_again(game: Path, run: Run, tmp_path: Path) -> None:
    """Some thousand files, names with backslashes, markers and lumps of one name; the sidecar keeps the order."""
    ran = run("extract", game, "-C", tmp_path / "lumps")
    assert ran.status == 0, ran.err
    ran = run("pack", tmp_path / "lumps", tmp_path / "again.wad")
    assert ran.status == 0, ran.err
    data = (tmp_path / "again.wad").read_bytes()
    assert data[:4] == b"IWAD"
    assert wad.lumps(data) == wad.lumps(game.read_bytes())


def test_it_becomes_an_ewad_and_itself_again(game: Path, run: Run, tmp_path: Path) -> None:
    ran = run("convert", game, tmp_path / "game.ewad", "--format", "EWAD")
    assert ran.status == 0, ran.err
    ran = run("convert", tmp_path / "game.ewad", tmp_path / "again.wad", "--format", "IWAD")
    assert ran.status == 0, ran.err
    assert wad.lumps((tmp_path / "again.wad").read_bytes()) == wad.lumps(game.read_bytes())
