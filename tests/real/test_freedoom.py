"""Freedoom, a whole game's 3,649 lumps: taken apart by the tests' own reader, shipped, and read by the engine in C."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.builders.doits import Repo
from tests.builders.engine import Engine, compiled, write_list
from tests.builders.wad import explode

if TYPE_CHECKING:
    from collections.abc import Mapping

WAD = Path("/usr/share/games/doom/freedoom2.wad")  # Debian's package freedoom
LUMPS = 3649
MANIFEST = """\
version: 1
sets:
  all: {root: freedoom2, files: "**/*", type: LUMP, schema: 1}
  packed: {extends: all, compress: {codec: lz4hc, level: 3}}
archives:
  base: {sets: [all]}
  shared: {sets: [packed], dedupe: true, alignment: 64}
"""

pytestmark = pytest.mark.skipif(
    not WAD.exists() and not os.environ.get("CI"), reason=f"there is no {WAD}; apt-get install freedoom"
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return compiled(tmp_path_factory.mktemp("engine"))


@pytest.fixture(scope="module")
def lumps(game: Repo) -> Mapping[str, bytes]:
    found = explode(WAD, game.folder / "freedoom2")
    assert len(found) == LUMPS
    return found


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return Repo(tmp_path_factory.mktemp("game"), manifest=MANIFEST, files={})


def test_every_lump_comes_back_byte_for_byte_through_an_engine_that_knows_the_specification_alone(
    game: Repo, lumps: Mapping[str, bytes], engine: Engine
) -> None:
    game.doit("ship").ok()
    game.doit().ok()
    expected = game.folder / "expected.txt"
    write_list(expected, {path.encode(): game.folder / "freedoom2" / path for path in lumps})
    for path in ("dist/base.ewad", "dist/shared.ewad", "build/base.ewad", "build/shared.ewad"):
        archive = game.folder / path
        assert engine.check(archive) == ["ok"], path
        assert engine.compare(archive, expected) == "", path
    shared, base = ((game.folder / f"dist/{name}.ewad").stat().st_size for name in ("shared", "base"))
    assert shared < base * 0.9, "LZ4 HC, and a place in the file that equal lumps share"


def test_one_lump_that_changes_is_the_one_that_is_made_anew(
    game: Repo, lumps: Mapping[str, bytes], engine: Engine
) -> None:
    path = next(path for path in sorted(lumps) if path.endswith("DSPISTOL.lmp"))
    game.doit("ship")
    before = {name: (game.folder / f"dist/{name}.ewad").read_bytes() for name in ("base", "shared")}
    (game.folder / "freedoom2" / path).write_bytes(b"quiet")
    ran = game.doit("ship").ok()
    assert sum(f"{LUMPS:,} lumps, 1 made anew" in line for line in ran.lines) == 2, ran.out
    for name in before:
        assert engine.cat(game.folder / f"dist/{name}.ewad", path.encode()) == b"quiet"
    (game.folder / "freedoom2" / path).write_bytes(lumps[path])
    game.doit("ship").ok()
    for name, data in before.items():
        assert (game.folder / f"dist/{name}.ewad").read_bytes() == data, "back to what it was, to the byte"
