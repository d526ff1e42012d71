"""What `doit ship` makes of a manifest, under the judges: a game out of another's lumps, a PAK, and a mod over both."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from tests.builders import judges, plain, wad
from tests.builders.doits import Repo

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = """\
version: 1
sets:
  game: {files: "vendor/*.wad", rule: archive, name: "{lump}"}
  maps: {files: "mod/*.wad", rule: archive, name: "{lump}"}
  scripts: {root: scripts, files: "**/*"}
archives:
  game: {sets: [game], format: IWAD}
  mod: {sets: [maps], format: PWAD}
  pak0: {sets: [scripts], format: PAK}
"""
SCRIPTS = {f"say/{number:03}.cfg": f"echo word-{number}\n".encode() for number in range(120)}


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release: Freedoom's second part again, its third map as MAP01, and a PAK of scripts."""
    game = judges.game("freedoom2")
    lumps = wad.lumps(game)
    at = [name for name, _ in lumps].index(b"MAP03")
    mod = plain.wad([(b"MAP01", b""), *lumps[at + 1 : at + 11]])
    files = {"vendor/freedoom2.wad": game, "mod/map.wad": mod}
    files |= {f"scripts/{path}": data for path, data in SCRIPTS.items()}
    repo = Repo(tmp_path_factory.mktemp("shipped") / "game", manifest=MANIFEST, files=files)
    repo.doit("ship").ok()
    return repo.folder / "dist"


def test_a_game_of_anothers_lumps_is_that_game(shipped: Path, tmp_path: Path) -> None:
    ours, theirs = shipped / "game.wad", judges.WADS["freedoom2"][0]
    assert wad.lumps(ours.read_bytes()) == wad.lumps(theirs.read_bytes())
    for name in ("MAP01", "MAP15", "MAP32"):
        assert judges.ghost(ours, name, tmp_path / name) == judges.ghost(
            theirs, name, tmp_path / f"{name}-before"
        )


def test_a_mod_takes_the_place_of_a_map_of_it(shipped: Path, tmp_path: Path) -> None:
    with_mod = judges.ghost(shipped / "game.wad", "MAP01", tmp_path / "with", pwad=shipped / "mod.wad")
    assert with_mod
    assert with_mod != judges.ghost(shipped / "game.wad", "MAP01", tmp_path / "without")
    assert judges.rebuilt(shipped / "mod.wad", tmp_path)[0] == 0


def test_a_pak_has_every_script_for_engine_and_library(shipped: Path, tmp_path: Path) -> None:
    pak = shipped / "pak0.pak"
    assert judges.mounted(pak) == sorted(
        (path, len(data), hashlib.sha256(data).hexdigest()) for path, data in SCRIPTS.items()
    )
    lines = judges.served(pak.read_bytes(), [f"exec {path}" for path in list(SCRIPTS)[:20]], tmp_path)
    assert [line.strip() for line in lines if line.startswith("word-")] == [
        f"word-{number}" for number in range(20)
    ]
