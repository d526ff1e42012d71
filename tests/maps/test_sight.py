"""REJECT by line of sight: what it hides, a wall stands before; and walls are all that hides."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doom_maps
from tests.builders.sight_lines import blocked, hidden, samples

from lumpyard.maps import sight
from lumpyard.maps.building import BuildOptions, build_map
from lumpyard.maps.limits import OverLimit
from lumpyard.maps.model import DoomMap, Line, Vertex
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.reject import MAX_SECTORS, islands
from lumpyard.maps.sight import Sight, line_of_sight, look


@pytest.mark.parametrize(("game", "name"), [("freedm", "MAP01"), ("freedm", "MAP03"), ("freedm", "MAP12")])
def test_between_places_in_sectors_that_are_hidden_from_each_other_stands_a_wall(
    game: str, name: str
) -> None:
    level = doom_maps.freedoom(game, name)
    rows = hidden(level)
    places = list(samples(level, 70, 1))
    pairs = [(p, a, q, b) for at, (p, a) in enumerate(places) for q, b in places[:at] if rows[a][b]]
    assert len(pairs) > 300
    for start, a, end, b in pairs:
        assert blocked(level, start, end), (a, b, start, end)


@pytest.mark.parametrize(("game", "name"), [("freedm", "MAP01"), ("freedm", "MAP12")])
def test_nearly_all_is_hidden_that_freedooms_own_table_hides(game: str, name: str) -> None:
    level = doom_maps.freedoom(game, name)
    ours, theirs = line_of_sight(level), level.lumps["REJECT"]
    assert isinstance(ours, bytes)
    mine, shipped = int.from_bytes(ours, "little"), int.from_bytes(theirs, "little")
    assert (mine & shipped).bit_count() > 0.9 * shipped.bit_count()
    assert (mine & ~shipped).bit_count() < 0.01 * shipped.bit_count()
    below = islands(level)
    assert isinstance(below, bytes)
    assert int.from_bytes(below, "little") & ~mine == 0


def test_all_rooms_of_an_open_grid_see_each_other() -> None:
    assert not any(map(any, hidden(doom_maps.rooms(4, 3))))


def corner() -> DoomMap:
    """Room 0, passage 1 north of it, then 2 round a corner to the east, and 3 back to the south."""
    depth = 64
    points = [
        (0, 0), (0, 256), (0, 512), (256, 512), (512, 512), (512, 256), (512, 0),
        (512 - depth, 0), (512 - depth, 256), (256, 300), (depth, 256), (depth, 0),
    ]  # fmt: skip
    lines: list[tuple[int, int, int, int | None]] = [
        (0, 1, 0, None), (1, 2, 1, None), (2, 3, 1, None), (3, 4, 2, None), (4, 5, 2, None), (5, 6, 3, None),
        (6, 7, 3, None), (7, 8, 3, None), (8, 9, 2, None), (9, 10, 1, None), (10, 11, 0, None), (11, 0, 0, None),
        (1, 10, 0, 1), (3, 9, 1, 2), (8, 5, 3, 2),
    ]  # fmt: skip
    return doom_maps.plan(points, lines)


def test_what_is_round_two_corners_is_hidden_and_what_is_round_one_is_not() -> None:
    assert hidden(corner()) == [[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]]


def test_a_closed_door_is_open() -> None:
    level = corner()
    shut = [sector._replace(ceiling_height=0) for sector in level.sectors]
    assert line_of_sight(level._replace(sectors=shut)) == line_of_sight(level)


def test_a_line_without_its_sides_or_vertices_leaves_its_sectors_in_sight() -> None:
    """Self-referencing and broken maps only ever clear bits."""
    level = corner()
    whole = line_of_sight(level)
    assert isinstance(whole, bytes)
    for number, line in enumerate(level.lines):
        for broken in (
            line._replace(v1=99),
            line._replace(front=None),
            line._replace(back=60000),
            line._replace(front=line.back, back=line.front),
            line._replace(back=line.front),
        ):
            lines = [*level.lines[:number], broken, *level.lines[number + 1 :]]
            lump = line_of_sight(level._replace(lines=lines))
            assert isinstance(lump, bytes)
            assert int.from_bytes(lump, "little") & ~int.from_bytes(whole, "little") == 0, (number, broken)


def test_a_wall_across_other_lines_is_no_wall() -> None:
    level = corner()
    more = level._replace(
        vertices=[*level.vertices, Vertex(-100, 300), Vertex(600, 310)],
        lines=[*level.lines, Line(12, 13, 1, 0, 0, 0, None)],
    )
    assert hidden(more)[0] == [0, 0, 0, 0]


def test_sectors_that_lines_put_in_one_place_see_what_either_sees() -> None:
    """Sector 0 has no open line, but the triangle is said to be sector 1 too, which has."""
    triangle = doom_maps.plan([(-4, -4), (0, 2), (-2, -4)], [(0, 1, 1, None), (1, 2, 0, None), (0, 2, 2, 1)])
    assert not any(map(any, hidden(triangle)))
    apart = doom_maps.plan([(-6, 8), (-3, 3), (-7, 0), (5, -5)], [(0, 1, 3, 2), (2, 3, 0, None)])
    assert hidden(apart)[0] == [0, 1, 0, 0]


def test_open_lines_may_be_far_from_all_walls() -> None:
    level = doom_maps.plan([(0, 0), (1, 1), (9000, -9000), (9000, 50)], [(0, 1, 0, None), (2, 3, 1, 2)])
    assert hidden(level)[1] == [0, 0, 0]


def test_numbers_of_lines_and_vertices_do_not_matter() -> None:
    level = doom_maps.freedoom("freedm", "MAP12")
    turned = level._replace(
        vertices=level.vertices[::-1],
        lines=[
            line._replace(v1=len(level.vertices) - 1 - line.v1, v2=len(level.vertices) - 1 - line.v2)
            for line in level.lines
        ],
    )
    assert line_of_sight(turned) == line_of_sight(level) == line_of_sight(level)


def test_where_steps_run_out_bits_stay_clear_and_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    level = read_lumps("MAP01", doom_maps.of_game("freedm")["MAP12"])
    whole = look(level)
    assert isinstance(whole, Sight)
    assert whole.undecided == 0
    for most in (0, 100, 1000, 4000):
        part = look(level, most)
        assert isinstance(part, Sight)
        assert part.undecided > 0
        assert int.from_bytes(part.lump, "little") & ~int.from_bytes(whole.lump, "little") == 0
    built = build_map(level, BuildOptions(reject="sight"))
    assert (built.reject, built.lumps["REJECT"]) == ("sight", whole.lump)
    real = sight.look
    monkeypatch.setattr("lumpyard.maps.building.look", lambda level: real(level, 100))
    built = build_map(level, BuildOptions(reject="sight"))
    assert built.reject == "sight-in-part"
    assert [warning.id for warning in built.warnings] == ["reject-in-part"]


def test_more_sectors_than_any_engine_takes_are_told() -> None:
    level = doom_maps.square()
    found = line_of_sight(level._replace(sectors=list(level.sectors) * (MAX_SECTORS + 1)))
    assert isinstance(found, OverLimit)
    assert found.id == "reject-too-many-sectors"


def test_maps_without_lines_or_with_fractions_or_with_walls_that_move_get_islands() -> None:
    level = corner()
    empty = level._replace(lines=[], vertices=[])
    assert line_of_sight(empty) == islands(empty)
    broken = level._replace(vertices=[Vertex(0.5, 0), *level.vertices[1:]])
    assert line_of_sight(broken) == islands(broken)
    moving = level._replace(format="hexen", lines=[level.lines[0]._replace(special=1), *level.lines[1:]])
    assert line_of_sight(moving) == islands(moving) != line_of_sight(level)


points = st.tuples(st.integers(-4, 4), st.integers(-4, 4))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(points, min_size=2, max_size=9),
    st.lists(
        st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(0, 3), st.none() | st.integers(0, 3)),
        max_size=14,
    ),
)
def test_any_heap_of_lines_has_a_table_that_is_symmetric_and_hides_nobody_from_himself(
    corners: list[tuple[int, int]], lines: list[tuple[int, int, int, int | None]]
) -> None:
    level = doom_maps.plan(corners, lines or [(0, 1, 0, None)])
    rows = hidden(level)
    for a, row in enumerate(rows):
        assert row[a] == 0
        assert row == [other[a] for other in rows]
