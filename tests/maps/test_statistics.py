"""Numbers about maps: counted by hand for a small one, and against the plain reader for Freedoom's."""

from __future__ import annotations

from tests.builders import doom_map, doom_maps

from lumpyard.maps.model import HEXEN, UDMF, DoomMap, Line, Sector, Thing
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.statistics import measure

SMALL = read_lumps("MAP01", doom_map.DOOM)


def with_things(*things: Thing, form: str = "doom") -> DoomMap:
    return doom_maps.square()._replace(things=list(things), format=form)


def test_the_small_map_is_counted() -> None:
    found = measure(SMALL)
    assert (found.name, found.format, found.game, found.target) == ("MAP01", "doom", "doom2", "vanilla")
    assert (found.width, found.height) == (512, 256)
    assert found.records == {
        "things": 3,
        "lines": 7,
        "sides": 8,
        "vertices": 6,
        "sectors": 2,
        "segs": 8,
        "subsectors": 2,
        "nodes": 1,
    }
    assert (found.secrets, found.specials) == (1, 2)
    assert found.textures == {"BROWN1": 3, "STONE2": 3, "STEP1": 1, "STEP2": 1}
    assert found.flats == {"CEIL3_5": 1, "FLOOR4_8": 1, "F_SKY1": 1, "NUKAGE1": 1}


def test_things_are_counted_by_skill_and_mode() -> None:
    """ "0: present on skills 1 and 2; 1: skill 3; 2: skills 4 and 5; 4: only in multiplayer games"."""
    found = measure(
        with_things(Thing(0, 0, 0, 3001, 4), Thing(0, 0, 0, 3001, 7 | 16), Thing(0, 0, 0, 3002, 1))
    )
    assert found.kinds["monster"] == {
        "single": {"easy": 1, "medium": 0, "hard": 1},
        "coop": {"easy": 2, "medium": 1, "hard": 2},
        "deathmatch": {"easy": 2, "medium": 1, "hard": 2},
    }
    assert [(each.type, each.name, each.total) for each in found.types] == [
        (3001, "imp", 2),
        (3002, "demon", 1),
    ]


def test_booms_bits_keep_things_out_of_modes_where_the_target_knows_them() -> None:
    """ "Boom later used bit 5 (not in deathmatch) and bit 6 (not in co-op)"."""
    things = with_things(Thing(0, 0, 0, 3001, 7 | 32), Thing(0, 0, 0, 3001, 7 | 64))
    found = measure(things, "boom").kinds["monster"]
    assert [found[mode]["hard"] for mode in ("single", "coop", "deathmatch")] == [2, 1, 1]
    assert measure(things).kinds["monster"]["coop"]["hard"] == 2


def test_hexens_things_say_in_which_modes_they_are() -> None:
    """ "256 single player, 512 co-op, 1024 deathmatch"."""
    found = measure(with_things(Thing(0, 0, 0, 10030, 0x107), form=HEXEN), game="hexen")
    assert found.kinds["monster"]["single"]["easy"] == 1
    assert found.kinds["monster"]["coop"]["easy"] == 0


def test_a_thing_that_the_game_has_not_is_unknown() -> None:
    found = measure(with_things(Thing(0, 0, 0, 31999, 7)))
    assert found.kinds == {"unknown": found.kinds["unknown"]}
    assert found.types[0].name == "unknown thing"


def test_secrets_are_known_in_all_their_forms() -> None:
    level = doom_maps.square()
    sectors = [
        Sector(0, 8, b"A", b"B", 0, special, 0) for special in (9, 0x80 | 0x20, 0x89, 0x400, 0x29, 7, 0)
    ]
    assert measure(level._replace(sectors=sectors)).secrets == 3
    assert measure(level._replace(sectors=sectors, format=UDMF, namespace="zdoom")).secrets == 2


def test_limits_are_in_percent_of_the_target() -> None:
    level = doom_maps.square()
    level = level._replace(lines=[*level.lines, *[Line(0, 1, 0, 48, 0, None, None)] * 32])
    limits = {use.name: use for use in measure(level).limits}
    assert (limits["scrolling lines"].used, limits["scrolling lines"].percent) == (32, 50.0)
    assert limits["lines"].most == 32767
    boom = {use.name: use for use in measure(level, "boom").limits}
    assert boom["lines"].most == 65535
    assert "scrolling lines" not in boom
    assert measure(level._replace(format=UDMF, namespace="doom")).limits == ()


def test_freedooms_maps_add_up() -> None:
    for name in doom_maps.of_game("freedm"):
        level = doom_maps.freedoom("freedm", name)
        found = measure(level)
        assert sum(each.total for each in found.types) == len(level.things)
        sides = sum((side.upper, side.lower, side.middle).count(b"-") for side in level.sides)
        assert sum(found.textures.values()) == 3 * len(level.sides) - sides
        assert sum(found.flats.values()) == 2 * len(level.sectors)


def test_a_map_of_nothing_has_numbers_too() -> None:
    found = measure(DoomMap("\udc80", "doom", (), (), (), (), (), {}))
    assert (found.width, found.height, found.types) == (0, 0, [])
