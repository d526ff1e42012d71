"""What differs as marks for a picture: each change once, where it is in the map that it is in."""

from __future__ import annotations

from tests.builders import doom_maps

from lumpyard.maps.compare import compare
from lumpyard.maps.drawing.options import Mark
from lumpyard.maps.marks import diff_marks
from lumpyard.maps.model import DoomMap, Thing, Vertex

ROOMS = doom_maps.rooms(2, 1)


def marks(old: DoomMap, new: DoomMap) -> list[Mark]:
    return diff_marks(compare(old, new), old, new)


def test_the_same_map_has_no_marks() -> None:
    assert marks(ROOMS, ROOMS) == []


def test_things_are_marked_where_they_are_and_were() -> None:
    old = ROOMS._replace(things=[Thing(1, 1, 0, 1, 7), Thing(2, 2, 0, 3001, 7), Thing(3, 3, 0, 9, 7)])
    new = ROOMS._replace(things=[Thing(1, 1, 90, 1, 7), Thing(5, 2, 0, 3001, 7), Thing(7, 7, 0, 16, 7)])
    assert marks(old, new) == [
        Mark("removed", "thing", ((3, 3),)),
        Mark("added", "thing", ((7, 7),)),
        Mark("moved", "thing", ((2, 2), (5, 2))),
        Mark("changed", "thing", ((1, 1),)),
    ]


def test_a_line_whose_side_changed_is_marked() -> None:
    new = ROOMS._replace(sides=[ROOMS.sides[0]._replace(middle=b"X"), *ROOMS.sides[1:]])
    ((change, shape, points),) = marks(ROOMS, new)
    line = next(line for line in ROOMS.lines if 0 in {line.front, line.back})
    assert (change, shape) == ("changed", "line")
    assert points == (tuple(ROOMS.vertices[line.v1]), tuple(ROOMS.vertices[line.v2]))


def test_a_line_that_moved_is_one_mark_where_it_was_and_is() -> None:
    vertices = list(ROOMS.vertices)
    corner = vertices.index(Vertex(512, 256))
    vertices[corner] = Vertex(600, 256)
    found = marks(ROOMS, ROOMS._replace(vertices=vertices))
    lines = [mark for mark in found if mark.shape == "line"]
    assert {mark.change for mark in lines} == {"moved"}
    assert len(lines) == 2
    for mark in lines:
        old, new = mark.points[:2], mark.points[2:]
        assert (512, 256) in old
        assert [(600, 256) if point == (512, 256) else point for point in old] == list(new)


def test_a_sector_is_marked_by_the_lines_around_it() -> None:
    new = ROOMS._replace(sectors=[ROOMS.sectors[0]._replace(light=0), *ROOMS.sectors[1:]])
    (mark,) = marks(ROOMS, new)
    assert (mark.change, mark.shape, len(mark.points)) == ("changed", "sector", 8)
    assert set(mark.points) == {(0, 0), (256, 0), (0, 256), (256, 256)}


def test_a_map_that_is_all_new_is_all_added() -> None:
    empty = DoomMap("MAP01", "doom", (), (), (), (), (), {})
    assert {mark.change for mark in marks(empty, ROOMS)} == {"added"}
    assert {mark.change for mark in marks(ROOMS, empty)} == {"removed"}
