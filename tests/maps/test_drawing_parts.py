"""What pictures are made of: outlines, pixels, letters, cuts."""

from __future__ import annotations

import random
import string
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.pictures import decode_png

from lumpyard.maps.drawing.cuts import split
from lumpyard.maps.drawing.font import GLYPHS, place_letters, strokes_of, text_width
from lumpyard.maps.drawing.loops import is_closed, join
from lumpyard.maps.drawing.palette import DARK, HEIGHTS, HUES, LIGHT, ROLES, STEPS, Colour, colour
from lumpyard.maps.drawing.png import encode_png
from lumpyard.maps.drawing.raster import MAX_CELLS, Canvas
from lumpyard.maps.drawing.symbols import SYMBOLS, turned
from lumpyard.maps.drawing.tags import middle_of
from lumpyard.maps.model import Node

BLACK, WHITE = Colour(0, 0, 0), Colour(255, 255, 255)
Point = tuple[float, float]
POINTS = st.tuples(st.integers(0, 3), st.integers(0, 3))
EDGES = st.lists(st.tuples(POINTS, POINTS).filter(lambda edge: edge[0] != edge[1]), max_size=12)
PLACES = st.floats(-5, 14, allow_nan=False, width=32)


# Outlines


@given(EDGES)
def test_rings_use_every_edge_once_and_add_only_what_closes_them(edges: list[tuple[Point, Point]]) -> None:
    made: Counter[tuple[Point, Point]] = Counter()
    for ring in join(edges):
        made.update(zip(ring, ring[1:] + ring[:1], strict=True))
    assert made >= Counter(edges)
    added = made - Counter(edges)
    assert not added if is_closed(edges) else added


@given(EDGES)
def test_a_round_trip_is_closed(edges: list[tuple[Point, Point]]) -> None:
    assert is_closed([*edges, *((end, start) for start, end in edges)])


# Pixels


def painted(rings: list[list[Point]], size: int = 24) -> list[list[int]]:
    canvas = Canvas(size, size, BLACK)
    canvas.paint(rings, WHITE)
    return [list(row[::3]) for row in canvas.rows()]


def winds(ring: list[Point], x: float, y: float) -> int:
    total = 0
    for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1], strict=True):
        if (y1 > y) != (y2 > y) and x1 + (x2 - x1) * (y - y1) / (y2 - y1) > x:
            total += 1 if y2 > y1 else -1
    return total


@settings(max_examples=60)
@given(st.lists(st.tuples(PLACES, PLACES), min_size=3, max_size=6))
def test_a_pixel_is_covered_as_much_as_points_inside_of_it_are_inside(ring: list[Point]) -> None:
    """Of 8 by 8 points in each pixel; where the ring crosses itself, its turns are summed up."""
    found = painted([ring], 9)
    for y in range(0, 9, 4):
        for x in range(9):
            turns = [winds(ring, x + (a + 0.5) / 8, y + (b + 0.5) / 8) for a in range(8) for b in range(8)]
            expected = min(abs(sum(turns)) / 64, 1)
            assert abs(found[y][x] / 255 - expected) < 0.17


@pytest.mark.parametrize(
    ("ring", "row"),
    [
        ([(2, 0), (2, 9), (5, 9), (5, 0)], [0, 0, 255, 255, 255, 0, 0]),
        ([(5, 0), (5, 9), (2, 9), (2, 0)], [0, 0, 255, 255, 255, 0, 0]),  # the other way around
        ([(2.5, 0), (2.5, 9), (4.25, 9), (4.25, 0)], [0, 0, 128, 255, 64, 0, 0]),
        ([(-9, -9), (-9, 99), (2, 99), (2, -9)], [255, 255, 0, 0, 0, 0, 0]),  # from outside
        ([(5, -9), (5, 99), (99, 99), (99, -9)], [0, 0, 0, 0, 0, 255, 255]),
        ([(-9, 0), (-9, 9), (-2, 9), (-2, 0)], [0] * 7),
        ([(1, 3), (1, 3.5), (6, 3.5), (6, 3)], [0, 128, 128, 128, 128, 128, 0]),  # half of the row's height
        ([(0, 3), (4, 4), (0, 4)], [223, 159, 96, 32, 0, 0, 0]),  # an edge through four pixels
    ],
)
def test_a_row_of_pixels(ring: list[Point], row: list[int]) -> None:
    found = painted([ring], 7)[3]
    assert all(abs(one - other) <= 2 for one, other in zip(found, row, strict=True))


def test_a_hole_goes_the_other_way_around() -> None:
    outer: list[Point]
    inner: list[Point]
    outer, inner = [(1, 1), (1, 9), (9, 9), (9, 1)], [(3, 3), (3, 6), (6, 6), (6, 3)]
    assert painted([outer, inner[::-1]])[4][:10] == [0, 255, 255, 0, 0, 0, 255, 255, 255, 0]
    assert painted([outer, inner])[4][:10] == [0, *[255] * 8, 0]


def test_pieces_of_a_plane_leave_nothing_of_the_ground() -> None:
    chance = random.Random(2)
    middle = (10 + chance.random(), 11 + chance.random())
    corners: list[Point] = [(-5, -5), (40, -5), (40, 40), (-5, 40)]
    canvas = Canvas(30, 30, Colour(200, 200, 200))
    for place, corner in enumerate(corners):
        canvas.tile([[corners[place - 1], corner, middle]], Colour(20, 20, 20))
    assert max(max(row) for row in canvas.rows()) <= 20 + 12  # each share is rounded
    assert min(min(row) for row in canvas.rows()) >= 20 - 12


def test_a_canvas_in_several_bands_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    star: list[Point] = [(2.2, 1), (20, 20.5), (1, 12), (22, 9), (6, 22)]
    whole = painted([star])
    assert MAX_CELLS > 24 * 26
    monkeypatch.setattr("lumpyard.maps.drawing.raster.MAX_CELLS", 60)
    assert painted([star]) == whole


@given(st.integers(1, 9), st.integers(1, 9), st.randoms(use_true_random=False))
def test_a_png_holds_the_rows_that_it_was_made_of(width: int, height: int, chance: random.Random) -> None:
    rows = [chance.randbytes(3 * width) for _ in range(height)]
    assert decode_png(encode_png(width, height, rows)) == (width, height, rows)


# Letters, symbols and colours


def test_every_letter_of_ascii_can_be_drawn() -> None:
    assert set(string.printable[:95]) - {" "} <= set(GLYPHS)
    assert len({strokes_of(letter) for letter in GLYPHS}) == len(GLYPHS)
    for letter in GLYPHS:
        assert all(0 <= x <= 4 and 0 <= y <= 9 for stroke in strokes_of(letter) for x, y in stroke)


def test_numbers_below_each_other_are_of_one_width() -> None:
    assert len({text_width(str(number), 14) for number in range(1000, 1100)}) == 1
    assert [letter for _, letter in place_letters("a 1")] == ["a", " ", "1"]
    assert text_width("", 14) == 0


@pytest.mark.parametrize("symbol", sorted(SYMBOLS))
def test_a_symbol_is_within_its_radius_whichever_way_it_is_turned(symbol: str) -> None:
    for turn in range(-1, 9):
        for ring in turned(symbol, 10, turn):
            assert all(x * x + y * y <= 13.4**2 for x, y in ring)


def test_every_role_has_a_colour_on_either_ground() -> None:
    roles = [
        *ROLES,
        *(f"light-{step}" for step in range(STEPS)),
        *(f"height-{step}" for step in range(HEIGHTS)),
    ]
    for role in (*roles, *(f"hue-{hue}" for hue in range(HUES))):
        assert all(0 <= value <= 255 for theme in (LIGHT, DARK) for value in colour(role, theme))


def brightness(role: str, theme: int) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [value / 255 for value in colour(role, theme)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("role", ["text", "quiet", "wall", "tag", "broken"])
def test_text_and_walls_can_be_read_on_the_ground(role: str, theme: int) -> None:
    """WCAG 2.2, 1.4.3: "a contrast ratio of at least 4.5:1"."""
    low, high = sorted((brightness(role, theme), brightness("ground", theme)))
    assert (high + 0.05) / (low + 0.05) >= 4.5


# Plans


def test_a_cut_takes_an_area_apart() -> None:
    square: list[Point] = [(0, 0), (4, 0), (4, 4), (0, 4)]
    box = (0, 0, 0, 0)
    right, left, cut = split(square, Node(1, 0, 0, 8, box, box, 0, 0))
    assert cut is not None
    assert sorted([cut[:2], cut[2:]]) == [(1, 0), (1, 4)]
    assert {x for x, _ in right} == {1, 4}
    assert {x for x, _ in left} == {0, 1}
    right, left, cut = split(square, Node(9, 0, 0, 8, box, box, 0, 0))
    assert (right, left, cut) == ([], square, None)


def test_the_middle_of_a_sector_is_inside_of_it() -> None:
    corners: list[Point] = [(0, 0), (0, 10), (10, 10), (10, 8), (2, 8), (2, 2), (10, 2), (10, 0)]  # a C
    edges = list(zip(corners, corners[1:] + corners[:1], strict=True))
    assert middle_of(edges) == (1, 5)
    assert middle_of([((0, 0), (4, 0))]) == (2, 0)
