"""Maps compared by meaning: numbers mean nothing, and each thing that a mapper does is told as what it is."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doom_maps, judges

from lumpyard.console.map_changes import map_diff_data, map_diff_text
from lumpyard.console.map_statistics import statistics_text
from lumpyard.maps.compare import compare
from lumpyard.maps.diff import FieldChange, KindDiff, LumpChange, MapDiff, RecordChange, SideChange
from lumpyard.maps.fingerprint import fingerprint
from lumpyard.maps.marks import diff_marks
from lumpyard.maps.model import UDMF, DoomMap, Line, Sector, Side, Thing, Vertex
from lumpyard.maps.opening import open_maps
from lumpyard.maps.statistics import measure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Record = TypeVar("Record")


def renumbered(level: DoomMap, seed: str) -> DoomMap:
    """The same map with all its records in another order."""
    chance = random.Random(seed)

    def order(size: int) -> list[int]:
        return chance.sample(range(size), size)

    def put(records: Sequence[Record], places: list[int]) -> list[Record]:
        return [record for _, record in sorted(zip(places, records, strict=True), key=lambda pair: pair[0])]

    def side(number: int | None) -> int | None:
        return None if number is None else sides[number]

    vertices, sides, sectors = (order(len(table)) for table in (level.vertices, level.sides, level.sectors))
    lines = [
        line._replace(
            v1=vertices[line.v1], v2=vertices[line.v2], front=side(line.front), back=side(line.back)
        )
        for line in level.lines
    ]
    return level._replace(
        vertices=put(level.vertices, vertices),
        sides=put([each._replace(sector=sectors[each.sector]) for each in level.sides], sides),
        sectors=put(level.sectors, sectors),
        lines=put(lines, order(len(lines))),
        things=put(level.things, order(len(level.things))),
    )


def change(level: DoomMap, kind: str, number: int, **fields: object) -> DoomMap:
    """The map with fields of one record changed."""
    records = list(getattr(level, kind))
    records[number] = records[number]._replace(**fields)
    changed: DoomMap = level._replace(**{kind: records})  # type: ignore[arg-type]
    return changed


def moved_vertices(level: DoomMap, by: tuple[int, int], numbers: Sequence[int]) -> DoomMap:
    for number in numbers:
        vertex = level.vertices[number]
        level = change(level, "vertices", number, x=vertex.x + by[0], y=vertex.y + by[1])
    return level


ROOMS = doom_maps.rooms(3, 2)


@pytest.mark.parametrize("game", ["freedoom1", "freedoom2", "freedm"])
def test_a_map_in_another_order_is_the_same(game: str) -> None:
    for name in list(doom_maps.of_game(game))[::9]:
        level = doom_maps.freedoom(game, name)
        assert not compare(level, renumbered(level, name)), name


def test_two_maps_that_share_nothing_are_one_removed_and_one_added() -> None:
    old = doom_maps.square()._replace(things=[])
    new = doom_maps.plan(
        doom_maps.box(1024, 1024, 64, 32),
        [(0, 1, 0, None), (1, 2, 0, None), (2, 3, 0, None), (3, 0, 0, None)],
        [],
    )
    diff = compare(old, new)
    assert diff.lines == KindDiff((0, 1, 2, 3), (0, 1, 2, 3))
    assert diff.sectors == KindDiff((0,), (0,))


def test_what_is_there_in_one_direction_is_gone_in_the_other() -> None:
    new = ROOMS._replace(things=[*ROOMS.things, Thing(9, 9, 0, 3001, 7)])
    assert compare(ROOMS, new) == MapDiff(things=KindDiff(added=(1,)))
    assert compare(new, ROOMS) == MapDiff(things=KindDiff(removed=(1,)))


def test_nodes_and_everything_else_that_is_made_do_not_count() -> None:
    lumps = {
        "NODES": b"1",
        "SEGS": b"2",
        "SSECTORS": b"3",
        "REJECT": b"4",
        "BLOCKMAP": b"5",
        "GL_MAP01": b"6",
    }
    more = [*ROOMS.vertices, Vertex(17, 17)]
    assert not compare(ROOMS, ROOMS._replace(lumps=lumps, vertices=more, nodes="vanilla"))


def test_what_no_line_uses_and_lines_without_length_do_not_count() -> None:
    """Node builders drop zero-length lines, and unused sides and sectors with them."""
    line = ROOMS.lines[0]
    new = ROOMS._replace(
        sides=[*ROOMS.sides, Side(0, 0, b"-", b"-", b"-", len(ROOMS.sectors))],
        sectors=[*ROOMS.sectors, Sector(0, 8, b"A", b"B", 0, 0, 0)],
        lines=[*ROOMS.lines, line._replace(v2=line.v1, front=len(ROOMS.sides))],
    )
    assert not compare(ROOMS, new)


def test_scripts_that_changed_are_told() -> None:
    old = ROOMS._replace(lumps={"BEHAVIOR": b"ACS\0", "SCRIPTS": b"a"})
    new = ROOMS._replace(lumps={"BEHAVIOR": b"ACS\0\0", "DIALOGUE": b""})
    assert compare(old, new).lumps == (
        LumpChange("BEHAVIOR", 4, 5),
        LumpChange("SCRIPTS", 1, None),
        LumpChange("DIALOGUE", None, 0),
    )


def test_a_thing_that_went_elsewhere_has_moved() -> None:
    imps = [Thing(100, 100, 0, 3001, 7), Thing(300, 100, 0, 3001, 7)]
    old = ROOMS._replace(things=[*ROOMS.things, *imps])
    new = change(old, "things", 2, x=310, angle=90)
    fields = (FieldChange("place", (300, 100), (310, 100)), FieldChange("angle", 0, 90))
    assert compare(old, new).things == KindDiff(moved=(RecordChange(2, 2, fields),))


def test_of_several_things_the_nearest_has_moved() -> None:
    """ "things by place and type (moved: same type and flags, nearest)"."""
    old = ROOMS._replace(things=[Thing(0, 0, 0, 3001, 7), Thing(500, 0, 0, 3001, 7)])
    new = ROOMS._replace(things=[Thing(490, 0, 0, 3001, 7)])
    diff = compare(old, new).things
    assert [(each.old, each.new) for each in diff.moved] == [(1, 0)]
    assert (diff.removed, diff.added) == ((0,), ())


def test_a_thing_of_another_type_at_the_same_place_has_changed_its_type() -> None:
    diff = compare(ROOMS, change(ROOMS, "things", 0, type=2))
    assert diff.things.changed == (RecordChange(0, 0, (FieldChange("type", 1, 2),)),)


def test_things_of_other_flags_elsewhere_are_others() -> None:
    old = ROOMS._replace(things=[Thing(0, 0, 0, 3001, 7)])
    new = ROOMS._replace(things=[Thing(9, 0, 0, 3001, 4)])
    assert compare(old, new).things == KindDiff((0,), (0,))


def test_thousands_of_things_that_all_moved_are_paired_soon() -> None:
    many = [Thing(at, at, 0, 3001, 7) for at in range(8_000)]
    old = ROOMS._replace(things=many)
    new = ROOMS._replace(things=[thing._replace(x=-thing.x - 1) for thing in many])
    assert len(compare(old, new).things.moved) == 8_000


def test_a_vertex_that_was_dragged_moves_its_lines() -> None:
    diff = compare(ROOMS, moved_vertices(ROOMS, (16, 0), [0]))
    assert not diff.lines.added
    assert not diff.lines.removed
    assert [fields.field for each in diff.lines.moved for fields in each.fields] == ["end", "start"]
    assert not diff.sectors


def test_a_room_that_was_carried_elsewhere_has_moved() -> None:
    old = doom_maps.square()
    new = moved_vertices(old, (1000, 500), range(4))
    diff = compare(old, new)
    assert [(each.old, each.new) for each in diff.lines.moved] == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert not diff.lines.added
    assert not diff.lines.removed
    assert not diff.sectors


def test_a_line_that_was_split_is_shorter_and_has_a_new_one_behind_it() -> None:
    old = doom_maps.square()
    line, side = old.lines[0], len(old.sides)
    new = old._replace(
        vertices=[*old.vertices, Vertex(-64, 0)],
        lines=[line._replace(v2=4), *old.lines[1:], line._replace(v1=4, front=side)],
        sides=[*old.sides, old.sides[0]],
    )
    diff = compare(old, new).lines
    assert diff.moved == (RecordChange(0, 0, (FieldChange("end", (-64, 64), (-64, 0)),)),)
    assert (diff.added, diff.removed, diff.changed) == ((4,), (), ())


def test_a_line_that_was_turned_round_keeps_its_sides() -> None:
    number = next(at for at, line in enumerate(ROOMS.lines) if line.back is not None)
    line = ROOMS.lines[number]
    turned = line._replace(v1=line.v2, v2=line.v1, front=line.back, back=line.front)
    diff = compare(ROOMS, ROOMS._replace(lines=[*ROOMS.lines[:number], turned, *ROOMS.lines[number + 1 :]]))
    (x1, y1), (x2, y2) = (ROOMS.vertices[each] for each in (line.v1, line.v2))
    start, end = (x1, y1), (x2, y2)
    fields = (FieldChange("direction", (start, end), (end, start)),)
    assert diff == MapDiff(lines=KindDiff(changed=(RecordChange(number, number, fields),)))


def test_fields_of_lines_are_told() -> None:
    diff = compare(ROOMS, change(ROOMS, "lines", 3, special=11, tag=7, flags=0x25))
    assert diff.lines.changed == (
        RecordChange(
            3,
            3,
            (
                FieldChange("flags", ROOMS.lines[3].flags, 0x25),
                FieldChange("special", 0, 11),
                FieldChange("tag", 0, 7),
            ),
        ),
    )


def test_fields_of_sectors_are_told_and_no_line_has_changed() -> None:
    diff = compare(ROOMS, change(ROOMS, "sectors", 2, floor_height=24, floor=b"LAVA1"))
    fields = (FieldChange("floor_height", 0, 24), FieldChange("floor", b"FLOOR4_8", b"LAVA1"))
    assert diff == MapDiff(sectors=KindDiff(changed=(RecordChange(2, 2, fields),)))


def test_sides_are_told_with_their_lines() -> None:
    number = next(at for at, line in enumerate(ROOMS.lines) if line.back is not None)
    back = ROOMS.lines[number].back
    assert back is not None
    diff = compare(ROOMS, change(ROOMS, "sides", back, middle=b"MIDBARS3", x_offset=4))
    fields = (FieldChange("x_offset", 0, 4), FieldChange("middle", b"-", b"MIDBARS3"))
    assert diff == MapDiff(sides=(SideChange(number, number, "back", back, back, fields),))


def test_a_side_that_a_line_gained_or_lost_is_told() -> None:
    number = next(at for at, line in enumerate(ROOMS.lines) if line.back is not None)
    back = ROOMS.lines[number].back
    shut = change(ROOMS, "lines", number, back=None)
    assert compare(ROOMS, shut).sides == (SideChange(number, number, "back", back, None, ()),)
    assert compare(shut, ROOMS).sides == (SideChange(number, number, "back", None, back, ()),)


def test_a_sector_that_was_split_leaves_one_that_is_new() -> None:
    """Two of its walls face the new one; the rest is the sector that was there."""
    old = doom_maps.square()
    new = change(old._replace(sectors=[*old.sectors, old.sectors[0]]), "sides", 0, sector=1)
    diff = compare(old, new)
    assert diff.sectors == KindDiff(added=(1,))
    assert diff.sides == (SideChange(0, 0, "front", 0, 0, (FieldChange("sector", 0, 1),)),)


def test_udmf_says_what_of_its_own_fields_has_changed() -> None:
    old = ROOMS._replace(
        format=UDMF,
        namespace="zdoom",
        vertex_extra={0: {"zfloor": 8.0}},
        extra={"author": "a"},
        things=[ROOMS.things[0]._replace(extra={"gravity": 0.5})],
    )
    new = old._replace(
        namespace="eternity", vertex_extra={0: {"zfloor": 16.0}}, extra={}, things=[ROOMS.things[0]]
    )
    diff = compare(old, new)
    assert diff.settings == (
        FieldChange("namespace", "zdoom", "eternity"),
        FieldChange("author", "a", None),
    )
    assert diff.vertices == (RecordChange(0, 0, (FieldChange("zfloor", 8.0, 16.0),)),)
    assert diff.things.changed == (RecordChange(0, 0, (FieldChange("gravity", 0.5, None),)),)


def test_numbers_that_lead_nowhere_are_no_error() -> None:
    broken = ROOMS._replace(
        lines=[*ROOMS.lines, Line(60000, 3, 0, 0, 0, 50000, None), Line(60000, 60001, 0, 0, 0, None, 50000)],
        sides=[*ROOMS.sides[:-1], ROOMS.sides[-1]._replace(sector=40000)],
    )
    assert not compare(broken, broken)
    assert compare(ROOMS, broken).lines.added == (len(ROOMS.lines), len(ROOMS.lines) + 1)
    empty = DoomMap("MAP01", "doom", (), (), (), (), (), {})
    assert compare(broken, empty).lines.removed
    assert not compare(empty, empty)


def test_things_of_many_types_that_all_moved_are_paired_soon() -> None:
    """131 types of 200 things each would be 5 million pairs."""
    many = [Thing(at, at, 0, at % 131, 7) for at in range(26_200)]
    old = ROOMS._replace(things=many)
    new = ROOMS._replace(things=[thing._replace(x=-thing.x - 1) for thing in many])
    assert len(compare(old, new).things.moved) == 26_200


def test_thousands_of_lines_that_all_moved_are_paired_soon() -> None:
    points = [Vertex(at * 2 % 30_000, at * 2 // 30_000) for at in range(8_000)]
    lines = [Line(at, at + 1, 0, 0, 0, None, None) for at in range(0, 8_000, 2)]
    old = DoomMap("MAP01", "doom", (), lines, (), points, (), {})
    new = old._replace(vertices=[vertex._replace(y=vertex.y + 100) for vertex in points])
    assert len(compare(old, new).lines.moved) == 4_000


numbers = st.integers(0, 9) | st.just(0xFFFF)
levels = st.builds(
    DoomMap,
    st.just("MAP01"),
    st.sampled_from(["doom", "hexen", "udmf"]),
    st.lists(
        st.builds(Thing, st.integers(-2, 2), st.integers(-2, 2), st.just(0), st.integers(1, 3), st.just(7))
    ),
    st.lists(
        st.builds(
            Line,
            numbers,
            numbers,
            st.integers(0, 5),
            st.integers(0, 1),
            st.just(0),
            st.none() | numbers,
            st.none() | numbers,
        )
    ),
    st.lists(
        st.builds(Side, st.integers(0, 1), st.just(0), st.just(b"-"), st.just(b"A"), st.just(b"B"), numbers)
    ),
    st.lists(st.builds(Vertex, st.integers(-2, 2), st.integers(-2, 2)), max_size=10),
    st.lists(
        st.builds(
            Sector,
            st.integers(0, 1),
            st.just(8),
            st.just(b"A"),
            st.just(b"B"),
            st.just(0),
            st.just(0),
            st.just(0),
        )
    ),
    st.just({}),
)


@settings(max_examples=100, deadline=None)
@given(levels, levels)
def test_any_two_maps_can_be_compared_and_each_record_is_told_once(old: DoomMap, new: DoomMap) -> None:
    assert not compare(old, old)
    diff = compare(old, new)
    for kind in ("things", "lines", "sectors"):
        found: KindDiff = getattr(diff, kind)
        both = [*found.moved, *found.changed]
        ours = [*found.removed, *(each.old for each in both)]
        theirs = [*found.added, *(each.new for each in both)]
        assert len(set(ours)) == len(ours)
        assert len(set(theirs)) == len(theirs)
        assert set(ours) <= set(range(len(getattr(old, kind))))
        assert set(theirs) <= set(range(len(getattr(new, kind))))
    lines = list(map_diff_text(diff, old, new))
    assert all("\n" not in line for line in lines)
    assert json.dumps(map_diff_data(diff, old, new))
    diff_marks(diff, old, new)
    if fingerprint(old) == fingerprint(new):
        assert not diff


@settings(max_examples=100, deadline=None)
@given(levels)
def test_any_map_has_numbers(level: DoomMap) -> None:
    found = measure(level)
    assert sum(each.total for each in found.types) == len(level.things)
    assert list(statistics_text(found))


@pytest.mark.parametrize("game", ["freedoom2", "freedm"])
def test_what_zdbsp_makes_of_a_map_is_the_same_map(game: str, tmp_path: Path) -> None:
    """ "Differences between builders yield an empty diff": it numbers vertices anew and drops what is unused."""
    source, path = judges.WADS[game][0], tmp_path / "out.wad"
    ours = {found.level.name: found.level for found in open_maps(judges.game(game), "x").maps}
    done = judges.run([judges.program("zdbsp", "zdbsp"), "-t", "-R", "-o", str(path), str(source)], tmp_path)
    assert done.returncode == 0
    theirs = {found.level.name: found.level for found in open_maps(path.read_bytes(), "x").maps}
    assert list(theirs) == list(ours)
    assert [name for name in ours if compare(ours[name], theirs[name])] == []
