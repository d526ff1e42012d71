"""Engines play all maps of Freedoom with nodes, BLOCKMAP and REJECT that we built: dsda-doom all, chocolate-doom some.

The maps are those of a whole IWAD of its own, in which no other map is, so no engine can fall back on the game's.
"""

from __future__ import annotations

import struct
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING

import pytest
from tests.builders import built_maps, demos, doom_maps, doom_nodes, judges, plain, wad

from lumpyard.maps.blockmap import build_blockmap
from lumpyard.maps.building import BuildOptions, build_map, build_with
from lumpyard.maps.fingerprint import fingerprint
from lumpyard.maps.fitting import nodes_fit
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.reject import islands
from lumpyard.maps.zdbsp import ARGUMENTS, EXTENDED, Prepared, prepare, take

if TYPE_CHECKING:
    from pathlib import Path

    from lumpyard.maps.model import DoomMap

GAMES = sorted(judges.WADS)
STRICT = [
    *(("freedoom1", "E1M1"), ("freedoom1", "E3M6"), ("freedoom2", "MAP01"), ("freedoom2", "MAP12")),
    *(("freedm", "MAP08"), ("freedm", "MAP28")),
]
CHOCOLATE = {
    "a.cfg": "show_endoom 0\n",
    "b.cfg": "fullscreen 0\nforce_software_renderer 1\nshow_endoom 0\nstartup_delay 0\n",
}


@cache
def lumps_of(game: str, name: str, *, extended: bool = False) -> dict[str, bytes]:
    """All lumps of a map, all that can be built built."""
    level = doom_maps.freedoom(game, name)
    blockmap, reject = build_blockmap(level), islands(level)
    assert isinstance(blockmap, bytes)
    assert isinstance(reject, bytes)
    nodes = built_maps.built(game, name, extended=extended)
    made = dict(zip(("VERTEXES", "SEGS", "SSECTORS", "NODES"), nodes, strict=True))
    return {**doom_maps.of_game(game)[name], **made, "BLOCKMAP": blockmap, "REJECT": reject}


def iwad_of(game: str, maps: dict[str, dict[str, bytes]], path: Path) -> Path:
    """The game with other lumps in some maps, and none in all others, whose markers tell engines which game it is."""
    kept: list[tuple[bytes, bytes]] = []
    of_map: frozenset[str] = frozenset()
    for name, data in wad.lumps(judges.game(game)):
        text = name.decode("latin-1")
        if text in doom_maps.of_game(game):
            of_map = frozenset(doom_maps.ORDER)
            kept.append((name, data))
            if text in maps:
                kept += [(lump.encode(), maps[text].get(lump, b"")) for lump in doom_maps.ORDER]
        elif text not in of_map:
            of_map = frozenset()
            kept.append((name, data))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(plain.wad(kept, b"IWAD"))
    return path


def start(game: str, name: str) -> tuple[int, int]:
    """Where the first player of a map starts; of several starts the last counts."""
    return [
        (int(thing.x), int(thing.y)) for thing in doom_maps.freedoom(game, name).things if thing.type == 1
    ][-1]


def not_played(game: str, iwad: Path, maps: list[str], folder: Path) -> list[str]:
    """The maps in which dsda-doom's player does not move from the map's own start for ten seconds."""
    with ThreadPoolExecutor(2) as pool:
        runs = {name: pool.submit(judges.ghost, iwad, name, folder / name) for name in maps}
    bad = []
    for name, run in runs.items():
        ghost = run.result()
        if len(ghost) < 10_000:
            bad.append(name)
            continue
        _, _, x, y = struct.unpack_from("<4i", ghost)
        at = start(game, name)
        if max(abs(x / 65536 - at[0]), abs(y / 65536 - at[1])) > 8:
            bad.append(name)
    return bad


@pytest.mark.parametrize("game", GAMES)
def test_dsda_doom_plays_every_map_that_we_built(game: str, tmp_path: Path) -> None:
    maps = list(doom_maps.of_game(game))
    assert len(maps) in {32, 36}
    iwad = iwad_of(game, {name: lumps_of(game, name) for name in maps}, tmp_path / f"{game}.wad")
    assert not_played(game, iwad, maps, tmp_path) == []


def test_dsda_doom_plays_maps_with_extended_nodes(tmp_path: Path) -> None:
    maps = list(doom_maps.of_game("freedm"))
    built = {name: lumps_of("freedm", name, extended=True) for name in maps}
    assert all(lumps["NODES"][:4] == b"XNOD" for lumps in built.values())
    iwad = iwad_of("freedm", built, tmp_path / "freedm.wad")
    assert not_played("freedm", iwad, maps, tmp_path) == []


@pytest.mark.parametrize("lump", ["SEGS", "NODES"])
def test_dsda_doom_does_not_play_a_map_whose_nodes_are_gone(lump: str, tmp_path: Path) -> None:
    """So the tests above would fail: no other map is there to be played."""
    broken = lumps_of("freedm", "MAP01") | {lump: b""}
    iwad = iwad_of("freedm", {"MAP01": broken}, tmp_path / "freedm.wad")
    assert not_played("freedm", iwad, ["MAP01"], tmp_path) == ["MAP01"]


def test_engines_play_a_room_of_one_subsector_without_nodes(tmp_path: Path) -> None:
    level = doom_maps.square()
    lumps = build_map(read_lumps("MAP01", doom_maps.lump_bytes(level)), BuildOptions()).lumps
    assert (len(lumps["NODES"]), len(lumps["SSECTORS"])) == (0, 4)
    iwad = iwad_of("freedm", {"MAP01": lumps}, tmp_path / "freedm.wad")
    assert len(judges.ghost(iwad, "MAP01", tmp_path / "run")) > 10_000
    assert chocolate(iwad, "MAP01", tmp_path / "strict") == 0


def moment(name: str) -> bytes:
    """One second of a demo: chocolate-doom plays no faster than that."""
    return demos.demo(name)[: 13 + 4 * 35] + b"\x80"


def chocolate(iwad: Path, name: str, folder: Path) -> int:
    """The status of chocolate-doom, which keeps to the first engine's limits: 0 where it played a map to the end."""
    folder.mkdir(parents=True)
    for file, text in CHOCOLATE.items():
        (folder / file).write_text(text)
    (folder / "walk.lmp").write_bytes(moment(name))
    command = [judges.program("chocolate-doom", "chocolate-doom"), "-iwad", str(iwad)]
    command += ["-config", "a.cfg", "-extraconfig", "b.cfg", "-nosound", "-nomusic", "-nogui"]
    return judges.run([*command, "-playdemo", "walk.lmp"], folder).returncode


@pytest.mark.parametrize(("game", "name"), STRICT)
def test_chocolate_doom_plays_maps_that_we_built(game: str, name: str, tmp_path: Path) -> None:
    iwad = iwad_of(game, {name: lumps_of(game, name)}, tmp_path / f"{game}.wad")
    assert chocolate(iwad, name, tmp_path / "run") == 0


def test_chocolate_doom_does_not_play_a_map_whose_nodes_are_gone(tmp_path: Path) -> None:
    iwad = iwad_of("freedm", {"MAP01": lumps_of("freedm", "MAP01") | {"SEGS": b""}}, tmp_path / "freedm.wad")
    assert chocolate(iwad, "MAP01", tmp_path / "run") != 0


def zdbsp(level: DoomMap, folder: Path, *more: str) -> tuple[Prepared, bytes]:
    """A map as it was prepared, and what zdbsp makes of it."""
    prepared = prepare(level)
    assert isinstance(prepared, Prepared)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "in.wad").write_bytes(prepared.wad)
    program = judges.program("zdbsp", "zdbsp")
    done = judges.run([program, *ARGUMENTS, *more, "-o", "out.wad", "in.wad"], folder)
    assert done.returncode == 0
    return prepared, (folder / "out.wad").read_bytes()


@pytest.mark.parametrize("game", GAMES)
def test_nodes_are_no_more_than_those_of_zdbsp_and_a_walk_down_them_agrees_with_rays(
    game: str, tmp_path: Path
) -> None:
    """ "quality between the shipped nodes and zdbsp's in segs and subsectors" """
    ours, theirs, shipped = [0, 0], [0, 0], [0, 0]
    for name in doom_maps.of_game(game):
        level = doom_maps.freedoom(game, name)
        _, bad = doom_nodes.wrong(level, built_maps.nodes(game, name), 100, seed=11)
        assert bad == [], name
        _, output = zdbsp(level, tmp_path / name)
        for sums, lumps in (
            (ours, lumps_of(game, name)),
            (theirs, {lump.decode(): data for lump, data in wad.lumps(output)}),
            (shipped, doom_maps.of_game(game)[name]),
        ):
            sums[0] += len(lumps["SEGS"]) // 12
            sums[1] += len(lumps["SSECTORS"]) // 4
    assert shipped[0] < ours[0] < theirs[0]
    assert shipped[1] < ours[1] < theirs[1]


@pytest.mark.parametrize("extended", [False, True], ids=["vanilla", "xnod"])
@pytest.mark.parametrize(
    ("game", "name"), [("freedoom2", "MAP05"), ("freedoom1", "E1M1"), ("freedm", "MAP11")]
)
def test_what_zdbsp_makes_of_a_prepared_map_is_taken(
    game: str, name: str, extended: bool, tmp_path: Path
) -> None:
    level = read_lumps(name, doom_maps.of_game(game)[name])
    prepared, output = zdbsp(level, tmp_path, *([EXTENDED] if extended else []))
    taken = take(prepared.level, output)
    assert isinstance(taken, dict)
    assert list(taken) == ["VERTEXES", "SEGS", "SSECTORS", "NODES"]
    assert taken["NODES"][:4] == b"XNOD" if extended else taken["SEGS"]
    lumps = build_with(prepared.level, BuildOptions("zdbsp"), taken).lumps
    found = read_lumps(name, lumps)
    assert list(lumps) == doom_maps.ORDER
    assert fingerprint(found) == fingerprint(level)
    assert nodes_fit(found)
    iwad = iwad_of(game, {name: lumps}, tmp_path / f"{game}.wad")
    assert not_played(game, iwad, [name], tmp_path) == []


def test_numbers_of_vertices_are_those_that_zdbsp_gives_for_every_map(tmp_path: Path) -> None:
    """ "pre-numbering in that order: unchanged in 100/100" """
    for name in doom_maps.of_game("freedm"):
        prepared, output = zdbsp(doom_maps.freedoom("freedm", name), tmp_path / name)
        theirs = {lump.decode(): data for lump, data in wad.lumps(output)}
        assert theirs["LINEDEFS"] == prepared.level.lumps["LINEDEFS"]
        assert theirs["VERTEXES"].startswith(prepared.level.lumps["VERTEXES"])


TEXT = b"""namespace = "zdoom"; // a room
thing { x = 32.5; y = 32; type = 1; skill3 = true; single = true; }
vertex { x = 0; y = 128.25; }
vertex { x = 0; y = 0; }
vertex { x = 128; y = 0; }
vertex { x = 128.5; y = 128; }
linedef { v1 = 1; v2 = 0; sidefront = 0; blocking = true; }
linedef { v1 = 0; v2 = 3; sidefront = 1; blocking = true; }
linedef { v1 = 3; v2 = 2; sidefront = 2; blocking = true; }
linedef { v1 = 2; v2 = 1; sidefront = 3; blocking = true; }
sidedef { sector = 0; texturemiddle = "STARTAN3"; }
sidedef { sector = 0; }
sidedef { sector = 0; }
sidedef { sector = 0; }
sector { heightceiling = 128; texturefloor = "FLOOR4_8"; textureceiling = "CEIL3_5"; }
"""


def test_of_a_text_zdbsp_makes_gl_nodes_and_the_text_stays_ours(tmp_path: Path) -> None:
    level = read_lumps("MAP01", {"TEXTMAP": TEXT, "ENDMAP": b""})
    prepared, output = zdbsp(level, tmp_path)
    taken = take(prepared.level, output)
    assert isinstance(taken, dict)
    assert taken["ZNODES"][:4] == b"XGLN"
    built = build_with(prepared.level, BuildOptions("zdbsp"), taken)
    assert list(built.lumps) == ["TEXTMAP", "ZNODES", "ENDMAP"]
    found = read_lumps("MAP01", built.lumps)
    assert fingerprint(found) == fingerprint(level)
    assert nodes_fit(found)
    assert built.lumps["TEXTMAP"] == prepared.level.lumps["TEXTMAP"]
    again = prepare(found)
    assert isinstance(again, Prepared)
    assert (
        again.level.lumps["TEXTMAP"] == built.lumps["TEXTMAP"]
    )  # it is numbered as zdbsp wants it, so left alone
