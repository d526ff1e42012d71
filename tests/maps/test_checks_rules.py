"""What checks take into account: skills, modes, targets, games, scripts, and what is to be ignored."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest
from tests.builders.checked_map import (
    CONTEXT,
    EXIT,
    LEFT,
    OPENING,
    TEXTURES,
    clean,
    line,
    path,
    sector,
    side,
    things,
)
from tests.maps.test_mutations import MUTATIONS

from lumpyard.maps.checks import CheckContext, Ignore, check_map
from lumpyard.maps.checks.guessing import guess_game
from lumpyard.maps.model import HEXEN, UDMF, DoomMap, Line, Thing
from lumpyard.maps.tables.games import BOOM, MBF21, TARGETS, VANILLA, ZDOOM
from lumpyard.maps.tables.games import HEXEN as HEXEN_GAME

if TYPE_CHECKING:
    from lumpyard.maps.problems import MapFinding

ALL_SKILLS, EASY, NORMAL, HARD, MULTIPLAYER = 7, 1, 2, 4, 16
RED_CARD, RED_SKULL, DESTINATION = 13, 38, 14
SCRIPTS = b"ACS\0\x0c\0\0\0????\1\0\0\0"


def found(level: DoomMap, context: CheckContext = CONTEXT) -> dict[str, MapFinding]:
    return {one.id: one for one in reversed(check_map(level, context))}


def target(name: str, game: str | None = None) -> CheckContext:
    return CheckContext(target=name, game=game, textures=TEXTURES)


def door(*keys: Thing) -> DoomMap:
    """The opening as a door that needs the red key."""
    return things(line(clean(), OPENING, special=28), *keys)


def key(type_: int, flags: int) -> Thing:
    return Thing(128, 128, 0, type_, flags)


@pytest.mark.parametrize("type_", [RED_CARD, RED_SKULL])
def test_a_card_or_a_skull_opens_a_door(type_: int) -> None:
    assert found(door(key(type_, ALL_SKILLS))) == {}


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ([key(RED_CARD, EASY | HARD)], "normal in single player; normal in co-op"),
        ([key(RED_CARD, EASY), key(RED_SKULL, HARD)], "normal in single player; normal in co-op"),
        ([key(RED_CARD, ALL_SKILLS | MULTIPLAYER)], "easy, normal, hard in single player"),
        ([key(5, ALL_SKILLS)], "which is not there"),
    ],
)
def test_a_key_is_needed_on_each_skill_and_in_each_mode(keys: list[Thing], told: str) -> None:
    one = found(door(*keys))["key-missing"]
    assert (one.level, one.number) == ("error", OPENING)
    assert one.message.endswith(told)
    assert "red keycard or red skull key" in one.message


def test_keys_on_several_skills_add_up() -> None:
    assert found(door(key(RED_CARD, EASY), key(RED_SKULL, NORMAL | HARD))) == {}


def test_a_flag_of_booms_keeps_a_key_out_of_coop_on_ports_alone() -> None:
    level = door(key(RED_CARD, ALL_SKILLS | 64))
    assert found(level) == {}
    assert found(level, target(BOOM))["key-missing"].message.endswith("on easy, normal, hard in co-op")


@pytest.mark.parametrize(
    ("special", "keys", "missing"),
    [
        (0x3800, [40], False),  # any key
        (0x3800, [], True),
        (0x3800 | 1 << 6, [RED_CARD], False),
        (0x3800 | 1 << 6, [RED_SKULL], True),  # the card, and a skull is none
        (0x3800 | 1 << 6 | 0x200, [RED_SKULL], False),
        (0x3800 | 7 << 6 | 0x200, [5, 39, 13], False),  # one of each colour
        (0x3800 | 7 << 6, [5, 39, 13], True),  # all six
        (0x3800 | 7 << 6, [5, 6, 13, 38, 39, 40], False),
    ],
)
def test_booms_locks_say_which_keys(special: int, keys: list[int], missing: bool) -> None:
    level = line(clean(), OPENING, special=special | 7)  # DR
    level = things(level, *(key(one, ALL_SKILLS) for one in keys))
    assert ("key-missing" in found(level, target(BOOM))) == missing


def teleport(*more: Thing) -> DoomMap:
    return things(sector(line(clean(), OPENING, special=97, tag=1), 1, tag=1), *more)


def test_a_destination_must_be_in_the_tagged_sector_and_is_looked_for_on_each_skill() -> None:
    assert found(teleport(Thing(384, 128, 0, DESTINATION, ALL_SKILLS))) == {}
    assert set(found(teleport(Thing(128, 128, 0, DESTINATION, ALL_SKILLS)))) == {
        "teleport-without-destination"
    }
    some = found(teleport(Thing(384, 128, 0, DESTINATION, EASY)))
    assert {id_: one.level for id_, one in some.items()} == {"teleport-on-some-skills": "info"}
    assert "on normal, hard in single player;" in some["teleport-on-some-skills"].message


def boss_map(name: str, *more: Thing) -> DoomMap:
    return things(line(clean(name), EXIT, special=0), *more)


@pytest.mark.parametrize(
    ("name", "boss"), [("E2M8", 16), ("E3M8", 7), ("E1M8", 3003), ("MAP30", 88), ("MAP01", 88)]
)
def test_a_boss_whose_death_ends_the_level_is_an_exit(name: str, boss: int) -> None:
    assert "exit-missing" not in found(boss_map(name, Thing(128, 128, 0, boss, ALL_SKILLS)))
    assert "exit-missing" in found(boss_map(name))


def test_a_boss_that_is_not_there_on_a_skill_ends_nothing_on_it() -> None:
    one = found(boss_map("E2M8", Thing(128, 128, 0, 16, NORMAL | HARD)))["exit-missing"]
    assert "on easy in single player; easy in co-op" in one.message


def test_a_boss_of_another_map_is_no_exit() -> None:
    assert "exit-missing" in found(boss_map("E2M7", Thing(128, 128, 0, 16, ALL_SKILLS)))


@pytest.mark.parametrize(
    ("type_", "ends"), [(11, {*TARGETS}), (11 | 128, {BOOM, MBF21, ZDOOM}), (0x1040, {MBF21, ZDOOM})]
)
def test_a_sector_that_ends_the_level_is_an_exit(type_: int, ends: set[str]) -> None:
    level = sector(boss_map("MAP01"), 1, special=type_)
    assert {name for name in TARGETS if "exit-missing" not in found(level, target(name))} == ends


def test_voodoo_dolls_reach_exits_that_the_player_does_not() -> None:
    """Of several starts of player 1 the last is the player's."""
    level = MUTATIONS["exit-unconnected"](clean())
    assert "exit-unconnected" in found(level)
    doll = level._replace(things=[Thing(1100, 128, 0, 1, 7), *level.things])
    assert set(found(doll)) & {"exit-unconnected", "sector-unconnected"} == {"sector-unconnected"}


@pytest.mark.parametrize(
    ("special", "known"),
    [(141, {*TARGETS}), (242, {BOOM, MBF21, ZDOOM}), (0x6000, {BOOM, MBF21, ZDOOM}), (271, {MBF21, ZDOOM}),
     (1024, {MBF21, ZDOOM}), (340, {ZDOOM}), (0x2F7F, set()), (0x8000, set()), (99, {*TARGETS})],
)  # fmt: skip
def test_each_target_knows_the_specials_of_those_before_it(special: int, known: set[str]) -> None:
    level = sector(line(clean(), LEFT, special=special, tag=1), 1, tag=1)
    assert {name for name in TARGETS if "special-unknown" not in found(level, target(name))} == known


@pytest.mark.parametrize(
    ("type_", "known"),
    [
        (17, {*TARGETS}),
        (15, set()),
        (72, {BOOM, MBF21, ZDOOM}),
        (0x1000, {MBF21, ZDOOM}),
        (-1, set()),
        (0x8000, set()),
    ],
)
def test_each_target_knows_its_sector_types(type_: int, known: set[str]) -> None:
    level = sector(clean(), 0, special=type_)
    assert {name for name in TARGETS if "sector-type-unknown" not in found(level, target(name))} == known


def test_who_knows_what_the_target_does_not_is_told() -> None:
    level = line(sector(clean(), 1, special=0x100), LEFT, special=340, tag=1)
    level = level._replace(things=[*level.things, Thing(100, 128, 0, 9001, 7)])
    told = found(level, target(BOOM))
    assert told["special-unknown"].message.endswith(
        " has special 340, which doom2 on boom does not know, but zdoom does"
    )
    assert told["thing-unknown"].message.endswith(
        " is of type 9001, which doom2 on boom does not know, but zdoom does"
    )
    told = found(line(sector(level, 1, special=15), LEFT, special=0x8000), target(VANILLA))
    assert told["special-unknown"].message.endswith("which doom2 on vanilla does not know")
    assert told["sector-type-unknown"].message.endswith("which doom2 on vanilla does not know")


def test_an_editors_camera_is_known_to_all() -> None:
    for name in TARGETS:
        assert found(things(clean(), Thing(128, 128, 0, 32000, ALL_SKILLS)), target(name)) == {}


def test_things_that_the_project_adds_are_known() -> None:
    level = things(clean(), Thing(128, 128, 0, 20001, ALL_SKILLS))
    assert set(found(level)) == {"thing-unknown"}
    assert found(level, dataclasses.replace(CONTEXT, things={20001})) == {}


@pytest.mark.parametrize(("x", "stuck"), [(11, True), (12, False), (500, False), (501, True)])
def test_a_monster_may_be_8_units_inside_a_wall(x: int, stuck: bool) -> None:
    """An imp has a radius of 20."""
    assert ("thing-stuck" in found(things(clean(), Thing(x, 128, 0, 3001, ALL_SKILLS)))) == stuck


def test_items_may_be_in_walls_and_on_lines() -> None:
    assert found(things(clean(), Thing(256, 128, 0, 2011, 7), Thing(2, 128, 0, 2011, 7))) == {}


def test_a_one_sided_door_without_width_is_no_missing_texture() -> None:
    level = sector(side(clean(), 4, middle=b"-"), 1, ceiling_height=0)
    assert "texture-missing-middle" not in found(level)


def test_no_edge_is_seen_between_two_skies() -> None:
    level = sector(sector(clean(), 0, ceiling=b"F_SKY1"), 1, ceiling=b"F_SKY1", ceiling_height=64)
    assert found(level) == {}
    assert set(found(sector(level, 1, ceiling=b"FLOOR"))) == {"texture-missing-upper"}


def test_names_of_textures_are_compared_in_any_case_and_those_that_start_with_a_hyphen_are_none() -> None:
    level = side(side(clean(), LEFT, middle=b"wall"), OPENING, middle=b"-NOTHING")
    assert found(level) == {}


@pytest.mark.parametrize(("name", "told"), [(VANILLA, True), (BOOM, False)])
def test_transfers_of_booms_name_colour_tables_in_the_place_of_textures(name: str, told: bool) -> None:
    level = sector(line(side(clean(), LEFT, upper=b"WATERMAP"), LEFT, special=242, tag=1), 1, tag=1)
    assert ("texture-unknown" in found(level, target(name))) == told


def test_numbers_and_coordinates_of_findings_are_those_of_their_object() -> None:
    level = things(sector(clean(), 1, ceiling_height=-8), Thing(700, 3, 0, 3001, 7))
    low, outside = found(level)["sector-ceiling-low"], found(level)["thing-outside"]
    assert (low.object, low.number, low.x, low.y) == ("sector", 1, 256, 0)
    assert (outside.object, outside.number, outside.x, outside.y) == ("thing", 1, 700, 3)


def ignoring(*ignores: Ignore) -> CheckContext:
    return dataclasses.replace(CONTEXT, ignores=ignores)


def test_what_is_ignored_is_gone_at_its_place_and_told_elsewhere() -> None:
    level = things(clean(), Thing(700, 3, 0, 3001, 7), Thing(900, 3, 0, 3001, 7))
    there = Ignore("thing-outside", "it waits", 700, 3)
    assert [(one.id, one.x) for one in check_map(level, ignoring(there))] == [("thing-outside", 900)]
    assert check_map(level, ignoring(Ignore("thing-outside", "they wait"))) == []


def test_an_ignore_of_another_map_is_not_looked_at() -> None:
    level = things(clean(), Thing(700, 3, 0, 3001, 7))
    other = Ignore("thing-outside", "it waits", 700, 3, "MAP02")
    assert [one.id for one in check_map(level, ignoring(other))] == ["thing-outside"]
    assert check_map(level, ignoring(other._replace(map="MAP01"))) == []


def test_an_ignore_of_no_check_at_all_says_so() -> None:
    (one,) = check_map(clean(), ignoring(Ignore("thing-outsid", "a typing mistake")))
    assert "there is no check of that name" in one.message


def as_hexen(level: DoomMap, *, exit_action: int = 243) -> DoomMap:
    """The map with Hexen's kind of actions; things with flags for all modes."""
    lines = [one._replace(special=exit_action if one.special else 0, args=(0,) * 5) for one in level.lines]
    those = [one._replace(flags=one.flags | 0x7E0) for one in level.things]
    return level._replace(format=HEXEN, lines=lines, things=those)


def test_actions_belong_to_targets_too() -> None:
    assert found(as_hexen(clean()), target(ZDOOM)) == {}
    assert "special-unknown" in found(as_hexen(clean()), target(VANILLA))
    assert found(as_hexen(clean(), exit_action=74), target(VANILLA, HEXEN_GAME)) == {}


def test_the_tag_of_an_action_is_the_argument_that_is_one() -> None:
    level = line(as_hexen(clean()), OPENING, special=70, args=(0, 9, 0, 0, 0))
    assert "acts on tag 9" in found(level, target(ZDOOM))["tag-without-sector"].message
    level = sector(level, 1, tag=9)
    assert set(found(level, target(ZDOOM))) == {"teleport-without-destination"}
    assert found(things(level, Thing(384, 128, 0, DESTINATION, 0x7FF)), target(ZDOOM)) == {}


def test_a_teleport_to_a_thing_id_needs_that_thing() -> None:
    level = line(as_hexen(clean()), OPENING, special=70, args=(5, 0, 0, 0, 0))
    assert set(found(level, target(ZDOOM))) == {"teleport-without-destination"}
    there = Thing(384, 128, 0, DESTINATION, 0x7FF, tid=5)
    assert found(things(level, there), target(ZDOOM)) == {}


def test_a_locked_action_needs_its_key_but_not_in_hexen_whose_keys_come_from_other_maps() -> None:
    level = line(as_hexen(clean()), OPENING, special=13, args=(0, 16, 100, 1, 0))
    assert "red keycard" in found(level, target(ZDOOM))["key-missing"].message
    level = line(as_hexen(clean(), exit_action=74), OPENING, special=13, args=(0, 16, 100, 1, 0))
    assert found(level, target(VANILLA, HEXEN_GAME)) == {}


def test_of_a_map_with_scripts_nothing_is_said_that_they_may_do() -> None:
    level = line(as_hexen(clean()), EXIT, special=0)
    assert "exit-missing" in found(level, target(ZDOOM))
    scripted = level._replace(lumps={**level.lumps, "BEHAVIOR": SCRIPTS})
    assert found(scripted, target(ZDOOM)) == {}
    empty = level._replace(lumps={**level.lumps, "BEHAVIOR": b"ACS\0\x08\0\0\0" + bytes(8)})
    assert "exit-missing" in found(empty, target(ZDOOM))


def test_lines_of_udmf_have_the_specials_of_their_namespace() -> None:
    level = clean()._replace(format=UDMF, namespace="Doom")
    level = level._replace(things=[one._replace(flags=0x707) for one in level.things])
    assert {id_ for id_ in found(level, target(ZDOOM)) if "special" in id_ or "exit" in id_} == set()
    assert "exit-missing" in found(level._replace(namespace="ZDoom"), target(ZDOOM))


@pytest.mark.parametrize(
    ("name", "types", "game"),
    [
        ("MAP01", [1], "doom2"),
        ("E1M1", [1], "doom"),
        ("E1M1", [1, 68, 69, 90, 92], "heretic"),
        ("START", [3001], "doom2"),
    ],
)
def test_the_game_is_guessed_by_name_and_things(name: str, types: list[int], game: str) -> None:
    level = clean(name)._replace(things=[Thing(0, 0, 0, one, 7) for one in types])
    assert guess_game(level) == game


def test_a_map_of_hexens_format_is_hexens_if_its_things_are() -> None:
    level = as_hexen(clean())
    assert guess_game(level) == "doom2"
    assert guess_game(things(level, *[Thing(0, 0, 0, one, 7) for one in (10030, 8020, 107)])) == "hexen"
    assert guess_game(clean()._replace(namespace="Heretic")) == "heretic"


def test_the_smallest_wrong_maps_do_not_hide_each_other() -> None:
    level = line(line(clean(), LEFT, v2=0), 1, front=None)
    assert {"line-zero-length", "line-no-sides"} <= set(found(level))


def test_a_line_on_the_edge_of_a_square_is_compared_with_those_on_both_sides() -> None:
    level = path(path(clean(), (128, 64), (128, 192)), (100, 128), (156, 128))
    assert "lines-crossing" in found(level)
    assert isinstance(level.lines[0], Line)
