"""BLOCKMAP as it is built: exact, by a plain rational implementation, and against Freedoom's own."""

from __future__ import annotations

import struct
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import doom_maps

from lumpyard.maps import blockmap
from lumpyard.maps.blockmap import build_blockmap, encode, grid_around
from lumpyard.maps.blockmap_check import check_blockmap
from lumpyard.maps.cells import CELL, Span, cells_of, touches_corner
from lumpyard.maps.limits import OverLimit

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap

ODD = {  # "in the 6, whole lines are absent"
    ("freedoom2", name) for name in ("MAP01", "MAP03", "MAP04", "MAP09", "MAP10", "MAP30")
}
ALL = [(game, name) for game in ("freedoom1", "freedoom2", "freedm") for name in doom_maps.of_game(game)]

near = st.integers(-400, 400) | st.sampled_from([-256, -128, 0, 128, 256])
ends = st.builds(Span, near, near, near, near)


def has_a_point_in(span: Span, column: int, row: int) -> bool:
    """Whether a line has a point in a half-open cell: its piece in the closed cell, by fractions, then the edges.

    Of the points in the closed cell some is in the half-open one unless all of them are on its east or north edge;
    the piece's middle tells, but where the piece is a single point.
    """
    low, high = Fraction(0), Fraction(1)
    for start, end, edge in ((span.x1, span.x2, column * CELL), (span.y1, span.y2, row * CELL)):
        way = end - start
        if way == 0:
            if not edge <= start <= edge + CELL:
                return False
            continue
        one, other = Fraction(edge - start, way), Fraction(edge + CELL - start, way)
        low, high = max(low, min(one, other)), min(high, max(one, other))
    if low > high:
        return False

    def inside(at: Fraction) -> bool:
        x, y = span.x1 + at * (span.x2 - span.x1), span.y1 + at * (span.y2 - span.y1)
        return column * CELL <= x < (column + 1) * CELL and row * CELL <= y < (row + 1) * CELL

    return inside(low) or inside(high) or inside((low + high) / 2)


@given(ends)
def test_a_line_is_in_a_cell_exactly_where_it_has_a_point_of_it(span: Span) -> None:
    around = [(column, row) for column in range(-5, 6) for row in range(-5, 6)]
    expected = [cell for cell in around if has_a_point_in(span, *cell)]
    assert sorted(cells_of(span)) == expected


@given(ends)
def test_the_same_line_turned_round_is_in_the_same_cells(span: Span) -> None:
    assert sorted(cells_of(Span(span.x2, span.y2, span.x1, span.y1))) == sorted(cells_of(span))
    assert len(set(cells_of(span))) == len(cells_of(span))


@given(ends, st.integers(-5, 5), st.integers(-5, 5))
def test_a_line_touches_all_cells_that_it_is_in(span: Span, column: int, row: int) -> None:
    if has_a_point_in(span, column, row):
        assert touches_corner(span, column, row)


def test_a_line_across_the_whole_plan_is_as_exact() -> None:
    for span in (Span(0, 1, 65535, 65535), Span(3, 65000, 65001, 0), Span(0, 0, 65535, 1)):
        columns = span.x2 // CELL + 1
        rows = max(span.y1, span.y2) // CELL + 1
        near = {(c + x, r + y) for c, r in cells_of(span) for x in (-1, 0, 1) for y in (-1, 0, 1)}
        those = {(c, r) for c, r in near if 0 <= c < columns and 0 <= r < rows}
        assert {cell for cell in those if has_a_point_in(span, *cell)} == set(cells_of(span))


def decoded(lump: bytes) -> tuple[tuple[int, ...], list[list[int]]]:
    """Header and lists, by the specification alone."""
    header = struct.unpack_from("<hhHH", lump)
    words = struct.unpack(f"<{len(lump) // 2}H", lump)
    lists = []
    for offset in words[4 : 4 + header[2] * header[3]]:
        assert words[offset] == 0
        lists.append(list(words[offset + 1 : words.index(0xFFFF, offset)]))
    return header, lists


def test_a_small_blockmap_byte_by_byte() -> None:
    """The square room of 128 units, 8 units from the grid's corner: in two columns and two rows."""
    assert build_blockmap(doom_maps.square()) == bytes.fromhex(
        "b8ff b8ff 0200 0200"  # from -72, -72; 2 x 2 cells
        "0800 0c00 1000 1400"  # lists at words 8, 12, 16, 20
        "0000 0000 0300 ffff"  # west and south line
        "0000 0200 0300 ffff"  # east, south
        "0000 0000 0100 ffff"
        "0000 0100 0200 ffff"
    )


def test_a_list_is_sorted_starts_with_0_and_is_shared_by_cells_that_have_the_same_lines() -> None:
    wide = doom_maps.plan(
        doom_maps.box(0, 0, 1000, 100), [(0, 1, 0, None), (1, 2, 0, None), (2, 3, 0, None), (3, 0, 0, None)]
    )
    lump = build_blockmap(wide)
    assert isinstance(lump, bytes)
    header, lists = decoded(lump)
    assert header == (-8, -8, 8, 1)
    assert lists == [[0, 1, 3], *[[1, 3]] * 6, [1, 2, 3]]
    assert len(lump) == 8 + 2 * 8 + 2 * (5 + 4 + 5)


def test_a_map_without_lines_has_one_empty_cell() -> None:
    assert (
        build_blockmap(doom_maps.plan([(5, 5)], [])) == struct.pack("<8H", 0, 0, 1, 1, 5, 0, 0xFFFF, 0)[:-2]
    )


def test_a_line_without_vertices_is_in_no_cell() -> None:
    level = doom_maps.square()
    broken = level._replace(lines=[*level.lines, level.lines[0]._replace(v2=60000)])
    assert build_blockmap(broken) == build_blockmap(level)


def test_a_grid_at_the_end_of_the_plan_has_no_margin() -> None:
    grid = grid_around([Span(-32768, -32768, 32767, 32767)])
    assert grid == (-32768, -32768, 512, 512)


def test_lines_that_touch_all_corners_of_the_plan_need_too_many_cells() -> None:
    level = doom_maps.plan([(-32768, -32768), (32767, 32767)], [(0, 1, 0, None)])
    assert build_blockmap(level) == OverLimit(
        "blockmap-too-wide", "cells in a BLOCKMAP: 262144, at most 65531 are possible", 262144, 65531
    )


def test_lists_beyond_the_reach_of_an_offset_are_told() -> None:
    grid = grid_around([Span(0, 0, 255, 0)])
    assert isinstance(encode(grid, [[1] * 65527, [2]]), bytes)
    assert encode(grid, [[1] * 65528, [2]]) == OverLimit(
        "blockmap-too-large",
        "words before the last list of a BLOCKMAP: 65536, at most 65535 are possible",
        65536,
        65535,
    )


def test_more_lines_than_65535_are_told() -> None:
    level = doom_maps.plan([(0, 0), (8, 8)], [(0, 1, 0, None)])
    many = level._replace(lines=[level.lines[0]] * 65536)
    found = build_blockmap(many)
    assert isinstance(found, OverLimit)
    assert found.id == "blockmap-too-many-lines"
    assert isinstance(build_blockmap(level._replace(lines=[level.lines[0]] * 65535)), bytes)


def test_a_map_whose_lines_are_in_millions_of_cells_ends_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blockmap, "MAX_ENTRIES", 10_000)
    level = doom_maps.plan([(0, 0), (30000, 30000)], [(0, 1, 0, None)])
    assert isinstance(build_blockmap(level._replace(lines=[level.lines[0]] * 42)), bytes)
    found = build_blockmap(level._replace(lines=[level.lines[0]] * 43))
    assert isinstance(found, OverLimit)
    assert (found.id, found.found) == ("blockmap-too-many-entries", 10105)


def missing_and_extra(level: DoomMap) -> list[str]:
    return sorted({found.id for found in check_blockmap(level)})


@pytest.mark.parametrize("game", ["freedoom1", "freedoom2", "freedm"])
def test_freedooms_own_blockmaps_lack_nothing_but_whole_lines_of_six_maps(game: str) -> None:
    """ "0 missing in the 94; 305 extra, all touching the cell at a single corner point." """
    found = {name: missing_and_extra(doom_maps.freedoom(game, name)) for name in doom_maps.of_game(game)}
    expected = {name: ["blockmap-line-absent"] if (game, name) in ODD else [] for name in found}
    assert found == expected


def test_what_is_built_for_freedoom_is_whole_and_of_the_measured_size() -> None:
    size = 0
    for game, name in ALL:
        level = doom_maps.freedoom(game, name)
        built = build_blockmap(level)
        assert isinstance(built, bytes)
        if game == "freedm":
            assert check_blockmap(level._replace(lumps={"BLOCKMAP": built})) == []
        size += len(built)
    assert len(ALL) == 100
    assert size == 1_043_820
