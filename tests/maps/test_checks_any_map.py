"""No map makes a check raise, whatever is in it, and none makes it take long."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders.checked_map import TEXTURES, clean

from lumpyard.archives.opening import open_archive
from lumpyard.maps.checks import IDS, CheckContext, Ignore, all_findings, check_map
from lumpyard.maps.finding import find_maps
from lumpyard.maps.model import DOOM, HEXEN, UDMF, DoomMap, Line, MapDamage, Sector, Side, Thing, Vertex
from lumpyard.maps.problems import LEVELS
from lumpyard.maps.reading import read_lumps, read_map
from lumpyard.maps.tables.games import GAMES, TARGETS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumpyard.maps.problems import MapFinding

FEW = st.integers(-3, 12) | st.sampled_from([0, 65534, 65535, 1 << 31])
NUMBERS = st.integers(-70000, 70000) | st.floats() | st.sampled_from([1 << 40, -(1 << 70)])
NAMES = st.sampled_from([b"-", b"", b"WALL", b"SHORT", b"GRATE", b"SW1ONE", b"F_SKY1", b"\xff\x80"])
SMALL = st.integers(0, 300) | st.sampled_from([-1, 8192, 16384, 0x2F80, 0x7FFF, 65535, 1 << 33])
EXTRA = st.sampled_from([{}, {"moreids": "1 2"}, {"moreids": "x 9999999999999999 -"}, {"moreids": 7}])
ARGS = st.just(()) | st.tuples(SMALL, SMALL) | st.tuples(SMALL, SMALL, SMALL, SMALL, SMALL)
PLACES = st.sampled_from([0, 8, 64, 128, 256]) | NUMBERS
VERTICES = st.builds(Vertex, PLACES, PLACES)
SIDE = st.none() | FEW
LINES = st.builds(Line, FEW, FEW, SMALL, SMALL, SMALL, SIDE, SIDE, ARGS, EXTRA)
SIDES = st.builds(Side, NUMBERS, NUMBERS, NAMES, NAMES, NAMES, FEW)
SECTORS = st.builds(
    Sector, st.integers(-50, 50), st.integers(-50, 50), NAMES, NAMES, SMALL, SMALL, SMALL, EXTRA
)
THINGS = st.builds(Thing, PLACES, PLACES, SMALL, SMALL, SMALL, FEW, NUMBERS, SMALL, ARGS)
LUMPS = st.dictionaries(
    st.sampled_from(["SEGS", "SSECTORS", "NODES", "REJECT", "BLOCKMAP", "BEHAVIOR", "ZNODES", "GL_VERT"]),
    st.binary(max_size=60)
    | st.sampled_from([b"XNOD", b"ACS\0\xff\xff\xff\xff", b"gNd2", b"XGL3" + bytes(20)]),
)
MAPS = st.builds(
    DoomMap,
    st.sampled_from(["MAP01", "E1M8", "", "\udcff"]),
    st.sampled_from([DOOM, HEXEN, UDMF]),
    st.lists(THINGS, max_size=8),
    st.lists(LINES, max_size=12),
    st.lists(SIDES, max_size=12),
    st.lists(VERTICES, max_size=10),
    st.lists(SECTORS, max_size=5),
    LUMPS,
    st.sampled_from(["", "Doom", "Heretic", "Hexen", "ZDoom", "nobody's"]),
    damage=st.lists(
        st.builds(MapDamage, st.text(max_size=8), st.text(), SIDE, st.text(max_size=8)), max_size=2
    ),
)
CONTEXTS = st.builds(
    CheckContext,
    st.sampled_from(TARGETS),
    st.none() | st.sampled_from(GAMES),
    st.none() | st.just(TEXTURES),
    st.lists(st.builds(Ignore, st.sampled_from([*IDS, "no-such"]), st.just("known"), SIDE, SIDE), max_size=2),
)
QUICK = settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])


def well_formed(findings: list[MapFinding]) -> bool:
    return all(
        one.id in IDS and one.level in LEVELS and isinstance(one.message, str) and one.message
        for one in findings
    )


@QUICK
@given(MAPS, CONTEXTS)
def test_any_map_at_all(level: DoomMap, context: CheckContext) -> None:
    assert well_formed(check_map(level, context))


@cache
def shipped() -> Mapping[str, bytes]:
    archive = open_archive(Path("/usr/share/games/doom/freedm.wad").read_bytes())
    smallest = min(find_maps(archive), key=lambda place: archive.lumps[place.lumps["LINEDEFS"]].raw_size)
    return read_map(smallest, archive.read).lumps


@settings(QUICK, max_examples=60)
@given(st.data())
def test_a_real_map_with_bytes_of_its_lumps_changed(data: st.DataObject) -> None:
    lumps = dict(shipped())
    for _ in range(data.draw(st.integers(1, 4))):
        name = data.draw(st.sampled_from(sorted(lumps)))
        raw = bytearray(lumps[name])
        if raw:
            at = data.draw(st.integers(0, len(raw) - 1))
            raw[at : at + 2] = data.draw(st.binary(min_size=0, max_size=3))
        lumps[name] = bytes(raw)
    target = data.draw(st.sampled_from(TARGETS))
    assert well_formed(check_map(read_lumps("MAP01", lumps), CheckContext(target=target, textures=TEXTURES)))


@pytest.mark.parametrize(
    "lump", ["THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS", "SSECTORS", "NODES", "SECTORS"]
)
def test_a_real_map_without_a_lump_or_with_half_of_it(lump: str) -> None:
    lumps = shipped()
    half = {**lumps, lump: lumps[lump][: len(lumps[lump]) // 2 + 1]}
    without = {name: raw for name, raw in lumps.items() if name != lump}
    for each in (half, without, {**lumps, lump: b""}):
        assert well_formed(check_map(read_lumps("MAP01", each), CheckContext()))


def test_at_most_25_findings_of_one_id_are_told_and_how_many_there_are_beyond() -> None:
    level = clean()
    level = level._replace(things=[*level.things, *[Thing(128, 128, 0, 4001, 7)] * 100])
    found = [one for one in check_map(level, CheckContext()) if one.id == "thing-unknown"]
    assert len(found) == 26
    assert found[-1].message.startswith("75 more")
    assert len(all_findings(level, CheckContext())) == 100


@pytest.mark.parametrize("step", [0, 977])
def test_60000_lines_across_the_whole_plan_are_too_crowded_and_no_long_work(step: int) -> None:
    """ "Budgets: stop with the limit's name." """
    far = 32000
    vertices = [Vertex(-far + step * at % (2 * far), far if at % 2 else -far) for at in range(60000)]
    lines = [Line(at, (at + 1) % 60000, 4, 0, 0, 0, 0) for at in range(60000)]
    things = [Thing(at % 999, at, 0, 3001, 7) for at in range(30000)]
    side = Side(0, 0, b"-", b"-", b"-", 0)
    level = clean()._replace(vertices=vertices, lines=lines, things=things, sides=[side], lumps={})
    found = {one.id for one in check_map(level, CheckContext())}
    assert "map-crowded" in found
