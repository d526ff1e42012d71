"""A REJECT that hides what is seen is of another map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import doom_maps

from lumpyard.maps.bsp import BuiltNodes, build_nodes
from lumpyard.maps.building import BuildOptions, build_map
from lumpyard.maps.rays import rays
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.recording import record
from lumpyard.maps.reject import islands
from lumpyard.maps.reject_check import Hidden, hidden_in_sight, hidden_neighbours
from lumpyard.maps.sight import Sight, look

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap


def two_pairs() -> DoomMap:
    """Sectors 0 and 1 side by side with an opening between them, and far away sectors 2 and 3."""
    points: list[tuple[int, int]] = []
    lines: list[tuple[int, int, int, int | None]] = []
    for pair in range(2):
        west, at = pair * 2000, 6 * pair
        points += [
            (west, 0),
            (west, 256),
            (west + 256, 256),
            (west + 512, 256),
            (west + 512, 0),
            (west + 256, 0),
        ]
        left, right = 2 * pair, 2 * pair + 1
        lines += [(at, at + 1, left, None), (at + 1, at + 2, left, None), (at + 5, at, left, None)]
        lines += [(at + 2, at + 3, right, None), (at + 3, at + 4, right, None), (at + 4, at + 5, right, None)]
        lines.append((at + 2, at + 5, left, right))
    return doom_maps.plan(points, lines)


def with_nodes(level: DoomMap, reject: bytes) -> DoomMap:
    """The map as a builder leaves it that has nothing to do with REJECT."""
    made = build_nodes(level)
    assert isinstance(made, BuiltNodes)
    lumps = doom_maps.lump_bytes(level)
    built = {"VERTEXES": made.vertexes, "SEGS": made.segs, "SSECTORS": made.ssectors, "NODES": made.nodes}
    ordered = {name: (lumps | built).get(name, b"") for name in doom_maps.ORDER}
    return read_lumps("MAP01", ordered | {"REJECT": reject})


def exchanged(level: DoomMap, one: int, other: int) -> DoomMap:
    """The map with the numbers of two sectors exchanged, and no other change."""
    numbers = {one: other, other: one}
    sectors = list(level.sectors)
    sectors[one], sectors[other] = sectors[other], sectors[one]
    sides = [side._replace(sector=numbers.get(side.sector, side.sector)) for side in level.sides]
    return level._replace(sectors=sectors, sides=sides)


def reject_of(level: DoomMap) -> bytes:
    made = islands(level)
    assert isinstance(made, bytes)
    return made


def test_two_sectors_that_were_exchanged_have_a_reject_of_their_own_again() -> None:
    """ "Keep is right only while the map's fingerprint … is unchanged" """
    level = two_pairs()
    right = reject_of(level)
    same = build_map(with_nodes(level, right), BuildOptions())
    assert (same.nodes, same.reject, same.warnings) == ("kept", "kept", ())
    changed = exchanged(level, 1, 2)
    stale = with_nodes(changed, right)
    built = build_map(stale, BuildOptions())
    assert (built.nodes, built.reject, built.lumps["REJECT"]) == ("kept", "islands", reject_of(changed))
    (warning,) = built.warnings
    assert warning.id == "reject-stale"
    assert warning.message == (
        "REJECT is not of this map, and is made anew: it hides 2 pairs of sectors that see each other, "
        "such as 0 and 2 over line 6"
    )
    assert (warning.level, warning.object, warning.number, warning.x, warning.y) == (
        "warning",
        "line",
        6,
        256,
        256,
    )


def test_a_reject_is_kept_whatever_it_hides_where_it_was_recorded() -> None:
    blind = with_nodes(two_pairs(), b"\xff\xff")  # no monster sees anyone
    assert build_map(blind, BuildOptions()).reject == "islands"
    records = {"MAP01": [record(blind)]}
    kept = build_map(blind, BuildOptions(records=records))
    assert (kept.reject, kept.lumps["REJECT"], kept.warnings) == ("kept", b"\xff\xff", ())
    other = with_nodes(exchanged(two_pairs(), 1, 2), b"\xff\xff")
    assert build_map(other, BuildOptions(records=records)).reject == "islands"
    assert build_map(blind, BuildOptions(records={})).reject == "islands"


def test_a_reject_that_was_made_before_a_wall_was_opened_is_not_kept() -> None:
    """Nodes were built after that, and fit."""
    level = two_pairs()
    points = [(int(x), int(y)) for x, y in level.vertices]
    pairs = reject_of(level)
    rows = [(line.v1, line.v2, level.sides[line.front or 0].sector) for line in level.lines[:6]]
    assert points[3:5] == [(512, 256), (512, 0)]
    hall = [*points[:6], (1500, 256), (1500, 0)]  # where sectors 2 and 3 had been: behind the right wall of 1
    lines: list[tuple[int, int, int, int | None]] = [(v1, v2, sector, None) for v1, v2, sector in rows]
    lines[4] = (3, 4, 1, 2)
    lines += [(2, 5, 0, 1), (3, 6, 2, None), (6, 7, 2, 3), (7, 4, 2, None), (6, 7, 3, None)]
    lines = lines[:-1]
    more = [*hall, (1700, 256), (1700, 0)]
    lines += [(6, 8, 3, None), (8, 9, 3, None), (9, 7, 3, None)]
    opened = with_nodes(doom_maps.plan(more, lines), pairs)
    built = build_map(opened, BuildOptions())
    assert (built.nodes, built.reject) == ("kept", "islands")
    assert [warning.id for warning in built.warnings] == ["reject-stale"]


@pytest.mark.parametrize("game", ["freedoom1", "freedoom2", "freedm"])
def test_no_map_of_freedoom_hides_neighbours(game: str) -> None:
    for name, lumps in doom_maps.of_game(game).items():
        assert hidden_neighbours(read_lumps(name, lumps)) == Hidden()


@pytest.mark.parametrize(
    ("game", "name", "pairs"),
    [("freedoom1", "E3M6", 7), ("freedoom2", "MAP27", 1), ("freedoom2", "MAP01", 0)],
)
def test_a_little_that_is_hidden_does_not_make_a_table_stale(game: str, name: str, pairs: int) -> None:
    found = hidden_in_sight(read_lumps(name, doom_maps.of_game(game)[name]))
    assert found.pairs == pairs
    assert not found.is_stale


def test_what_rays_meet_is_seen_by_the_exact_sight_too() -> None:
    level = doom_maps.freedoom("freedm", "MAP12")
    made = look(level)
    assert isinstance(made, Sight)
    table, sectors = int.from_bytes(made.lump, "little"), len(level.sectors)
    met = 0
    for ray in rays(level):
        there = [sector for sector in range(sectors) if ray.sectors >> sector & 1]
        met += len(there) > 1
        assert not any(table >> one * sectors + other & 1 for one in there for other in there)
    assert met > 100


def test_the_same_map_has_the_same_rays() -> None:
    level = doom_maps.freedoom("freedm", "MAP12")
    assert list(rays(level)) == list(rays(level))


def test_a_grid_of_open_rooms_is_seen_from_end_to_end() -> None:
    everything = 0
    for ray in rays(doom_maps.rooms(5, 1)):
        everything |= ray.sectors if ray.sectors == 0b11111 else 0
    assert everything == 0b11111


def test_a_table_of_the_wrong_size_says_nothing() -> None:
    level = two_pairs()._replace(lumps={"REJECT": b"\xff"})
    assert hidden_neighbours(level) == hidden_in_sight(level) == Hidden()
