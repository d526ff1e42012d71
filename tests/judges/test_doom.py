"""An engine plays the maps of WADs that we wrote just as those of the originals: dsda-doom, by its ghosts."""

from __future__ import annotations

import re
import struct
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from tests.builders import judges, plain, wad
from tests.builders.rewriting import rewritten_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

GAMES = sorted(judges.WADS)
MAPS = {"freedoom1": 36, "freedoom2": 32, "freedm": 32}


def is_map(name: bytes) -> bool:
    return re.fullmatch(rb"E\dM\d|MAP\d\d", name) is not None


def ghosts(iwad: Path, maps: Iterable[str], folder: Path) -> dict[str, bytes]:
    """The ghost of each map; two engines at a time."""
    with ThreadPoolExecutor(2) as pool:
        runs = {name: pool.submit(judges.ghost, iwad, name, folder / name) for name in maps}
    return {name: run.result() for name, run in runs.items()}


def map_lumps(game: str, name: bytes) -> list[tuple[bytes, bytes]]:
    """The marker and the ten lumps of a map."""
    lumps = wad.lumps(judges.game(game))
    at = [name for name, _ in lumps].index(name)
    return lumps[at : at + 11]


def turned(things: bytes) -> bytes:
    """Things of a map whose player looks the other way."""
    changed = bytearray(things)
    for at in range(0, len(changed), 10):
        _, _, angle, kind = struct.unpack_from("<hhhh", changed, at)
        if kind == 1:
            struct.pack_into("<h", changed, at + 4, (angle + 180) % 360)
    return bytes(changed)


@pytest.mark.parametrize("game", GAMES)
def test_every_map_of_a_rewritten_game_plays_as_before(game: str, tmp_path: Path) -> None:
    data = judges.game(game)
    maps = [name.decode() for name, _ in wad.lumps(data) if is_map(name)]
    assert len(maps) == MAPS[game]
    ours = tmp_path / "ours.wad"
    ours.write_bytes(rewritten_file(data))

    before = ghosts(judges.WADS[game][0], maps, tmp_path / "before")
    after = ghosts(ours, maps, tmp_path / "after")

    assert all(len(ghost) > 10_000 for ghost in before.values())
    assert len(set(before.values())) == len(maps)  # no map is mistaken for another
    assert [name for name in maps if after[name] != before[name]] == []


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_lost_or_added_in_a_rewritten_game(game: str) -> None:
    """By the tests' own reader: signature, names, order, bytes; and not a byte is left between lumps."""
    data = judges.game(game)
    ours = rewritten_file(data)
    assert ours[:4] == data[:4] == b"IWAD"
    assert wad.lumps(ours) == wad.lumps(data)
    assert len(ours) == 12 + sum(16 + len(raw) for _, raw in wad.lumps(data))


def test_the_engine_sees_what_is_in_our_file(tmp_path: Path) -> None:
    """One map's player looks the other way: that ghost differs, and no other."""
    lumps = wad.lumps(judges.game("freedoom2"))
    at = [name for name, _ in lumps].index(b"MAP02") + 1
    assert lumps[at][0] == b"THINGS"
    lumps[at] = (b"THINGS", turned(lumps[at][1]))
    changed = tmp_path / "changed.wad"
    changed.write_bytes(rewritten_file(plain.wad(lumps, b"IWAD")))

    maps = ["MAP01", "MAP02", "MAP03"]
    before = ghosts(judges.WADS["freedoom2"][0], maps, tmp_path / "before")
    after = ghosts(changed, maps, tmp_path / "after")
    assert all(after.values())
    assert [name for name in maps if after[name] != before[name]] == ["MAP02"]


def test_a_map_in_a_pwad_of_ours_takes_the_place_of_the_games(tmp_path: Path) -> None:
    """The tests' own writer and ours give the engine the same map, and it is not the IWAD's."""
    iwad = judges.WADS["freedoom2"][0]
    lumps = [(b"MAP01", b""), *map_lumps("freedoom2", b"MAP02")[1:]]
    written = plain.wad(lumps)
    theirs, ours = tmp_path / "theirs.wad", tmp_path / "ours.wad"
    theirs.write_bytes(written)
    ours.write_bytes(rewritten_file(written))

    found = judges.ghost(iwad, "MAP01", tmp_path / "found", pwad=ours)

    assert found
    assert found == judges.ghost(iwad, "MAP01", tmp_path / "expected", pwad=theirs)
    assert found != judges.ghost(iwad, "MAP01", tmp_path / "iwad")


@pytest.mark.parametrize("missing", [b"THINGS", b"SEGS"])
def test_a_map_that_lacks_a_lump_does_not_run(missing: bytes, tmp_path: Path) -> None:
    """So that the tests above would fail if one were lost."""
    lumps = [lump for lump in map_lumps("freedoom2", b"MAP01") if lump[0] != missing]
    broken = tmp_path / "broken.wad"
    broken.write_bytes(rewritten_file(plain.wad(lumps)))
    iwad = judges.WADS["freedoom2"][0]
    assert judges.ghost(iwad, "MAP01", tmp_path / "run", pwad=broken) == b""


def test_lumps_in_another_order_do_not_run(tmp_path: Path) -> None:
    """ "order of lumps is data": engines find the lumps of a map by their place."""
    lumps = map_lumps("freedoom2", b"MAP01")
    lumps[1], lumps[2] = lumps[2], lumps[1]
    broken = tmp_path / "broken.wad"
    broken.write_bytes(rewritten_file(plain.wad(lumps)))
    iwad = judges.WADS["freedoom2"][0]
    assert judges.ghost(iwad, "MAP01", tmp_path / "run", pwad=broken) == b""
