"""The tables of things, specials and actions are whole, and agree with what is known of them from elsewhere."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lumpyard.maps.tables import doom_things, heretic_things, hexen_things, port_things
from lumpyard.maps.tables.actions import actions
from lumpyard.maps.tables.games import (
    BOOM,
    DOOM,
    DOOM2,
    GAMES,
    HERETIC,
    HEXEN,
    MBF21,
    TARGETS,
    VANILLA,
    ZDOOM,
)
from lumpyard.maps.tables.line_types import find_line_type, line_types
from lumpyard.maps.tables.locks import keys_of, lock_name
from lumpyard.maps.tables.ranges import numbers
from lumpyard.maps.tables.things import KINDS, parse, things

TEXTS = [doom_things.DOOM, heretic_things.HERETIC, hexen_things.HEXEN]
TEXTS += [
    port_things.EDITORS + port_things.BOOM + port_things.MBF + port_things.ZDOOM,
    port_things.ZDOOM_DOOM,
]


@pytest.mark.parametrize("text", TEXTS, ids=["doom", "heretic", "hexen", "ports", "zdoom's Doom"])
def test_each_thing_is_there_once_with_a_kind_and_a_size(text: str) -> None:
    rows = list(parse(text))
    assert len({row.number for row in rows}) == len(rows)
    assert {row.kind for row in rows} <= {*KINDS}
    assert all(0 < row.radius <= 128 and 0 < row.height <= 180 and row.name for row in rows)
    assert {flag for row in rows for flag in row.flags} <= {"solid", "hangs", "doom2"}


def test_doom_has_123_kinds_of_things_and_the_first_game_fewer() -> None:
    """All things of Doom II's engine that have a number."""
    assert len(things(DOOM2, VANILLA)) == 123 + 1  # and the editors' camera
    assert not {64, 82, 88} & things(DOOM, VANILLA).keys()


def test_every_game_has_starts_and_destinations() -> None:
    for game in GAMES:
        for target in TARGETS:
            known = things(game, target)
            assert [known[number].kind for number in (1, 2, 3, 4, 11, 14)] == ["start"] * 4 + [
                "deathmatch",
                "teleport",
            ]


def test_targets_know_what_those_before_them_know() -> None:
    for game in GAMES:
        for before, after in pairwise(TARGETS):
            assert things(game, before).keys() <= things(game, after).keys()
            assert line_types(game, before).keys() <= line_types(game, after).keys()


def test_dooms_specials_are_1_to_141_but_two_and_booms_go_on_to_269() -> None:
    """78 and 85 are Boom's."""
    assert {*line_types(DOOM, VANILLA)} == {*range(1, 142)} - {78, 85}
    assert {*line_types(DOOM, BOOM)} == {*range(1, 270)}
    assert {*line_types(DOOM, MBF21)} == {*range(1, 270), 271, 272, 1024, 1025, 1026}


def test_heretics_specials() -> None:
    """1 to 107; 100 and 105 to 107 do something else than in Doom."""
    known = line_types(HERETIC, VANILLA)
    assert {*known} == {*range(1, 108)} - {78, 85}
    assert known[99].kind == "scroll"
    assert (known[105].kind, known[105].trigger) == ("secret", "W1")
    assert known[33].lock == "green"


@pytest.mark.parametrize(
    ("special", "trigger", "kind", "lock", "tagged"),
    [
        (1, "DR", "door", "", ""),
        (11, "S1", "exit", "", ""),
        (26, "DR", "door", "blue", ""),
        (46, "GR", "door", "", "sector"),
        (48, "-", "scroll", "", ""),
        (88, "WR", "platform", "", "sector"),
        (97, "WR", "teleport", "", "sector"),
        (124, "W1", "secret", "", ""),
        (126, "MR", "teleport", "", "sector"),
        (137, "S1", "door", "yellow", "sector"),
        (197, "G1", "exit", "", ""),
        (244, "WR", "line-teleport", "", "line"),
        (254, "-", "lines", "", "line"),
        (0x3C07, "DR", "door", "", ""),
        (0x3882, "S1", "door", "blue-card", "sector"),
        (0x6001, "WR", "floor", "", "sector"),
    ],
)
def test_some_specials(special: int, trigger: str, kind: str, lock: str, tagged: str) -> None:
    row = find_line_type(special, DOOM2, BOOM)
    assert row == (special, trigger, kind, lock, tagged)


def test_actions_are_those_of_a_byte_in_hexen_and_283_in_zdoom() -> None:
    hexens = "1-8 10-13 20-32 35 36 40-46 60-75 80-83 90-96 100-103 109-116 120 121 129-138 140"
    assert {*actions(VANILLA)} == {*numbers(hexens)}
    assert actions(VANILLA).keys() < actions(ZDOOM).keys()
    assert max(actions(ZDOOM)) == 283
    assert all(len(row.args) == 5 and {*row.args} <= {*"tilkpsm-"} for row in actions(ZDOOM).values())
    assert actions(ZDOOM)[13] == (13, "Door_LockedRaise", "door", "t--k-")
    assert [actions(ZDOOM)[number].kind for number in (70, 74, 215, 243, 244)] == [
        *("teleport", "exit", "line-teleport", "exit", "secret"),
    ]


def test_the_keys_of_locks_are_keys_of_the_game() -> None:
    for game in GAMES:
        known = things(game, ZDOOM)
        for number in range(256):
            for group in keys_of(lock_name(number, game, ZDOOM), game):
                assert all(known[one].kind == "key" for one in group)
    assert keys_of(lock_name(11, HEXEN, VANILLA), HEXEN) == ((8200,),)
    assert keys_of("blue", HERETIC) == ((79,),)
    assert lock_name(1, DOOM2, VANILLA) == ""


def test_numbers_are_read_with_their_ranges() -> None:
    assert [*numbers("2 4-6 9")] == [2, 4, 5, 6, 9]
