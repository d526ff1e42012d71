"""Real input: every lump of freedoom2.wad, shipped by a real `doit ship`, and read by an engine of its own.

The WAD is taken apart by the tests' own reader (tests/builders/wad.py) and the archives are read by a C program that is
written from the specification alone (tests/engine/engine.c); neither shares anything with Lumpyard.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.builders import judges, wad
from tests.builders.doits import Repo
from tests.builders.engine import Engine, compiled, write_list

if TYPE_CHECKING:
    from pathlib import Path

    from tests.builders.doits import Ran

WAD, PACKAGE = judges.WADS["freedoom2"]
MANIFEST = """\
version: 1
sets:
  lumps: {root: lumps, files: "**/*.lmp", type: LUMP, schema: 1}
archives:
  base: {sets: [lumps]}
  dense: {sets: [lumps], dedupe: true, alignment: 64}
"""


class Freedoom(NamedTuple):
    """The project, what its lumps must be, and what the first ship said."""

    repo: Repo
    engine: Engine
    expected: Path  # a list for the engine: the file that each lump must equal
    lumps: int
    ran: Ran


@pytest.fixture(scope="module")
def freedoom(tmp_path_factory: pytest.TempPathFactory) -> Freedoom:
    judges.demand(WAD.exists(), str(WAD), PACKAGE)
    judges.demand(shutil.which("cc"), "cc, a C compiler,", "gcc libc6-dev")
    folder = tmp_path_factory.mktemp("freedoom")
    files = wad.explode(WAD, folder / "game" / "lumps")
    repo = Repo(folder / "game", manifest=MANIFEST, files={})
    sources = {path.encode(): repo.folder / "lumps" / path for path in files}
    expected = write_list(folder / "expected", sources)
    ran = repo.doit("pack:base", "ship")
    return Freedoom(repo, compiled(folder), expected, len(files), ran)


def test_no_lump_is_lost_on_the_way_into_files(freedoom: Freedoom) -> None:
    lumps = wad.lumps(WAD.read_bytes())
    files = list((freedoom.repo.folder / "lumps").rglob("*.lmp"))
    assert len(lumps) == len(files) == freedoom.lumps > 3000
    assert sorted(map(len, (raw for _, raw in lumps))) == sorted(path.stat().st_size for path in files)


def test_it_ships(freedoom: Freedoom) -> None:
    assert (freedoom.ran.status, freedoom.ran.err) == (0, "")
    assert sum(f"{freedoom.lumps:,} lumps" in line for line in freedoom.ran.lines if "ewad" in line) == 3


@pytest.mark.parametrize("archive", ["dist/base.ewad", "dist/dense.ewad", "build/base.ewad"])
def test_the_engine_finds_every_lump_byte_for_byte(freedoom: Freedoom, archive: str) -> None:
    """The stripped archive by the hashes of names alone, the one with shared data, and the one with names."""
    path = freedoom.repo.folder / archive
    assert freedoom.engine.check(path) == ["ok"]
    assert freedoom.engine.compare(path, freedoom.expected) == ""


def test_sharing_and_compressing_pay(freedoom: Freedoom) -> None:
    """ "Freedoom's lumps shrink": most of them are compressed, and many are the same."""
    raw = sum(path.stat().st_size for path in (freedoom.repo.folder / "lumps").rglob("*.lmp"))
    base, dense = ((freedoom.repo.folder / f"dist/{name}.ewad").stat().st_size for name in ("base", "dense"))
    assert dense < base < raw


def test_one_changed_lump_is_one_lump_made_anew(freedoom: Freedoom) -> None:
    repo = freedoom.repo
    changed = repo.folder / "lumps/maps/MAP01/THINGS.lmp"
    changed.write_bytes(changed.read_bytes()[::-1])
    done = [line for line in repo.doit("ship").ok().lines if " made anew" in line]
    assert [line.partition(": ")[2].partition(": ")[2] for line in done] == [
        f"{freedoom.lumps:,} lumps, 1 made anew"
    ] * 2
    for name in ("base", "dense"):
        assert freedoom.engine.compare(repo.folder / f"dist/{name}.ewad", freedoom.expected) == ""
    assert repo.doit("ship").ok().lines == ["-- ship:base", "-- ship:dense"]


def test_an_engine_that_looks_for_what_is_not_there_says_so(freedoom: Freedoom) -> None:
    """So that the tests above would fail if an archive lacked something."""
    wrong = freedoom.expected.with_name("wrong")
    wrong.write_bytes(
        freedoom.expected.read_bytes().replace(b"maps/MAP02/THINGS.lmp\t", b"maps/MAP02/THING.lmp\t")
    )
    assert "MAP02/THING.lmp" in freedoom.engine.compare(freedoom.repo.folder / "dist/base.ewad", wrong)
