"""Pictures of maps, whatever a map is like: each has one, and what is not drawn is told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doom_maps
from tests.builders.pictures import decode_png, paths_of, texts_of

from lumpyard.maps.drawing import (
    FILLS,
    LAYERS,
    MODES,
    DrawOptions,
    Mark,
    draw_png,
    draw_svg,
)
from lumpyard.maps.model import DoomMap, Line, Sector, Side, Thing, Vertex

SQUARE = doom_maps.square()
EMPTY = DoomMap("MAP01", "doom", (), (), (), (), (), {})


def test_what_is_not_drawn_is_told() -> None:
    far = [Vertex(float("inf"), 0), Vertex(0, 1e30), Vertex(float("nan"), 5)]
    lines = [Line(0, 1, 0, 0, 0, None, None), Line(4, 5, 0, 0, 0, 0, None), Line(0, 99, 0, 0, 0, 0, 0)]
    level = SQUARE._replace(
        vertices=[*SQUARE.vertices, *far],
        lines=[*SQUARE.lines, *lines],
        things=[Thing(0, 0, 0, 1, 7), Thing(9999, 0, 0, 1, 7), Thing(float("nan"), 0, 0, 1, 7)],
    )
    texts = texts_of(draw_svg(level))
    assert "2 lines without a place" in texts
    assert "2 things outside of the picture" in texts


def test_so_many_lines_that_none_could_be_seen_are_not_all_drawn() -> None:
    points = [Vertex(x * 16 % 4096, x * 7919 % 4096) for x in range(2000)]
    lines = [Line(at, (at * 31 + 7) % 2000, 0, 0, 0, None, None) for at in range(2000)] * 4
    level = EMPTY._replace(vertices=points, lines=lines, things=[Thing(9, 9, 0, 9, 7)] * 20_001)
    texts = texts_of(draw_svg(level))
    assert any(text.endswith(" lines too many to draw") for text in texts)
    assert "1 thing too many to draw" in texts


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": 100},
        {"size": 100_000},
        {"theme": "pink"},
        {"fill": "wall"},
        {"mode": "x"},
        {"skill": 6},
        {"layers": {"wall"}},
        {"marks": [Mark("new", "line", ())]},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"none of|not"):
        DrawOptions(**wrong)  # type: ignore[arg-type]


NUMBERS = st.one_of(
    st.integers(-300, 300), st.integers(-(1 << 31), 1 << 31), st.floats(), st.sampled_from([0, -32768, 32767])
)
SMALL = st.integers(-1, 6)
THINGS = st.builds(
    Thing,
    x=NUMBERS,
    y=NUMBERS,
    angle=st.integers(-(1 << 31), 1 << 31),
    type=st.sampled_from([1, 2, 5, 11, 14, 3001, 9999, 0]),
    flags=st.integers(0, 0xFFFF),
)
LINES = st.builds(
    Line,
    v1=SMALL,
    v2=SMALL,
    flags=st.integers(0, 0xFFFF),
    special=st.sampled_from([0, 1, 11, 13, 26, 39, 70, 0x3FFF, 0xFFFF, -5]),
    tag=SMALL,
    front=st.none() | SMALL,
    back=st.none() | SMALL,
    args=st.just(()) | st.tuples(*[st.integers(0, 255)] * 5),
)
SIDES = st.builds(Side, NUMBERS, NUMBERS, st.just(b"-"), st.just(b"-"), st.binary(max_size=8), SMALL)
VERTICES = st.builds(Vertex, NUMBERS, NUMBERS)
SECTORS = st.builds(
    Sector,
    st.integers(-(1 << 2000), 1 << 2000),
    st.integers(-200, 200),
    st.just(b"A"),
    st.just(b"B"),
    st.integers(-999, 999),
    st.integers(0, 0xFFFF),
    SMALL,
)
LUMPS = st.dictionaries(st.sampled_from(["BLOCKMAP", "REJECT", "NODES", "SSECTORS"]), st.binary(max_size=90))
LEVELS = st.builds(
    DoomMap,
    name=st.text(max_size=9),
    format=st.sampled_from(["doom", "hexen", "udmf", "doom64"]),
    things=st.lists(THINGS, max_size=4),
    lines=st.lists(LINES, max_size=9),
    sides=st.lists(SIDES, max_size=4),
    vertices=st.lists(VERTICES, max_size=6),
    sectors=st.lists(SECTORS, max_size=4),
    lumps=LUMPS,
    namespace=st.sampled_from(["", "zdoom", "doom", "Heretic"]),
)


@settings(max_examples=80)
@given(
    LEVELS,
    st.sets(st.sampled_from(LAYERS)),
    st.sampled_from(FILLS),
    st.none() | SMALL,
    st.integers(0, 5),
    st.sampled_from(MODES),
)
def test_any_map_at_all_has_a_picture(
    level: DoomMap, layers: set[str], fill: str, chosen: int | None, skill: int, mode: str
) -> None:
    options = DrawOptions(size=160, layers=layers, fill=fill, reject_from=chosen, skill=skill, mode=mode)
    paths_of(draw_svg(level, options))
    decode_png(draw_png(level, options))
