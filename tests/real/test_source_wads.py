"""Freedoom's WADs as sources: taken apart by rule `archive` and put together again, and mounted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders import judges
from tests.builders.projects import Game, Ran
from tests.builders.wad import lumps

from lumpyard.ledger import parse_ledger


def data_of(name: str) -> bytes:
    return Path(judges.WADS[name][0]).read_bytes()


@pytest.mark.parametrize("name", ["freedoom1", "freedoom2", "freedm"])
def test_an_iwad_of_an_iwad_has_its_lumps_in_their_order(tmp_path: Path, name: str) -> None:
    data = data_of(name)
    sets = {"all": {"files": "in.wad", "rule": "archive", "name": "{lump}"}}
    game = Game(tmp_path / "game", {"sets": sets, "archives": {"base": {"sets": "all", "format": "IWAD"}}})
    game.write({"in.wad": data})
    assert game.ship().warnings == ()
    assert lumps(game.read("dist/base.wad")) == lumps(data)
    assert game.ship() == Ran()


def test_a_mounted_iwad_becomes_an_ewad_and_one_changed_lump_is_made_anew(tmp_path: Path) -> None:
    data = bytearray(data_of("freedm"))
    manifest: dict[str, Any] = {
        "mounts": [{"path": "in.wad", "at": "doom"}],
        "sets": {"all": {"root": "doom", "files": "**", "rule": "raw"}},
        "archives": {"base": {"sets": "all"}},
    }
    game = Game(tmp_path / "game", manifest)
    game.write({"in.wad": bytes(data)})
    game.ship()
    listed = parse_ledger(game.read("symbols/base.ewsym")).lumps
    assert len(listed) == len(lumps(bytes(data)))
    assert {"MAP01/THINGS", "MAP32/BLOCKMAP", "PLAYPAL"} <= {lump.name for lump in listed}
    assert all(lump.source == f"doom/{lump.name}" for lump in listed)
    data[12] ^= 1  # a byte of the first lump
    game.write({"in.wad": bytes(data)})
    ran = game.ship()
    assert (ran.encoded, ran.copied, len(ran.reasons)) == (1, len(listed) - 1, 1)
