"""Pictures of maps: the same bytes always, every sector in its colour, whatever a map is like."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from math import hypot
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doom_maps
from tests.builders.demo_map import demo_map
from tests.builders.pictures import SVG, decode_png, paths_of, texts_of

from lumpyard.maps.drawing import (
    CHANGES,
    DEFAULT_LAYERS,
    FILLS,
    LAYERS,
    MODES,
    DrawOptions,
    Mark,
    draw_png,
    draw_svg,
)
from lumpyard.maps.model import DoomMap, Line, Sector, Side, Thing, Vertex

ALL = frozenset(LAYERS)
SQUARE = doom_maps.square()
ROOMS = doom_maps.rooms(2, 1)
EMPTY = DoomMap("MAP01", "doom", (), (), (), (), (), {})
MAPS = [("freedoom2", "MAP01"), ("freedoom2", "MAP12"), ("freedoom1", "E1M1"), ("freedm", "MAP01")]
HOSTILE = [
    "<script>alert(1)</script>",
    "\"' onload='x' &amp; ]]> -->",
    "\x1b[2J\x00\x07\r\n\t",
    "\u202egnp.exe",
    "\udc80\udcff\ud800",
    "\ufffe\uffff\U0010ffff",
    "x" * 5000,
    "",
]


# Everything is decided by the map and the options


_HASHED = """
import hashlib, pickle, sys
from lumpyard.maps.drawing import LAYERS, DrawOptions, draw_png, draw_svg
level = pickle.load(sys.stdin.buffer)
options = DrawOptions(layers=frozenset(LAYERS), size=500, fill="tags")
print(hashlib.sha256(draw_svg(level, options).encode() + draw_png(level, options)).hexdigest())
"""


def test_the_same_bytes_in_every_process() -> None:
    import pickle

    level = pickle.dumps(doom_maps.freedoom("freedoom1", "E1M1"))
    found = set()
    for seed in ("0", "1", "77"):
        ran = subprocess.run(
            [sys.executable, "-c", _HASHED],
            input=level,
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        found.add(ran.stdout)
    assert len(found) == 1


@pytest.mark.parametrize("layers", [LAYERS, LAYERS[::-1], set(LAYERS), frozenset(LAYERS)])
def test_in_which_order_layers_are_given_makes_no_difference(layers: object) -> None:
    options = DrawOptions(layers=layers, size=300)  # type: ignore[arg-type]
    assert draw_svg(ROOMS, options) == draw_svg(ROOMS, DrawOptions(layers=ALL, size=300))
    assert draw_png(ROOMS, options) == draw_png(ROOMS, DrawOptions(layers=ALL, size=300))


# Every sector is filled


def sector_at(level: DoomMap, x: float, y: float) -> tuple[int | None, float]:
    """The sector at a point, by the nearest line in the east; and how far the nearest line is."""
    side, hit, gap = None, float("inf"), float("inf")
    for line in level.lines:
        (x1, y1), (x2, y2) = level.vertices[line.v1], level.vertices[line.v2]
        run, rise = x2 - x1, y2 - y1
        along = ((x - x1) * run + (y - y1) * rise) / max(run * run + rise * rise, 1)
        along = min(max(along, 0), 1)
        gap = min(gap, hypot(x1 + along * run - x, y1 + along * rise - y))
        if (y1 > y) != (y2 > y):
            crossing = x1 + run * (y - y1) / rise
            if x < crossing < hit:
                hit = crossing
                side = line.front if rise < 0 else line.back  # the right of what goes south is in the west
    return (None if side is None else level.sides[side].sector), gap


def lights_at_random_points(
    level: DoomMap, scale: float, points: int
) -> list[tuple[float, float, int | None]]:
    """Points two pixels or more from every line, and the step of light of their sectors, None outside."""
    chance = random.Random(4)
    west, east = min(v.x for v in level.vertices), max(v.x for v in level.vertices)
    south, north = min(v.y for v in level.vertices), max(v.y for v in level.vertices)
    found: list[tuple[float, float, int | None]] = []
    while len(found) < points:
        x, y = chance.uniform(west, east), chance.uniform(south, north)
        sector, gap = sector_at(level, x, y)
        if gap * scale > 2:
            found.append((x, y, None if sector is None else level.sectors[sector].light // 16))
    return found


def matrix_of(svg: str) -> tuple[float, float, float]:
    """Scale, left and top of the plan."""
    path = next(path for path in ET.fromstring(svg.encode()).iter(f"{SVG}path") if path.get("transform"))
    a, _, _, _, e, f = path.attrib["transform"].removeprefix("matrix(").removesuffix(")").split()
    return float(a), float(e), float(f)


@pytest.mark.parametrize(("game", "name"), MAPS)
def test_every_sector_is_filled_with_the_colour_of_its_light(game: str, name: str) -> None:
    level = doom_maps.freedoom(game, name)
    options = DrawOptions(layers={"sectors"})
    svg, pixels = draw_svg(level, options), decode_png(draw_png(level, options))
    scale, left, top = matrix_of(svg)
    paths = paths_of(svg)
    seen: dict[int | None, set[tuple[int | str, ...]]] = {}
    for x, y, light in lights_at_random_points(level, scale, 300_000 // len(level.lines)):
        across, down = x * scale + left, top - y * scale
        fills = [path.attributes["fill"] for path in paths if path.winds(across, down)]
        assert len(fills) == (light is not None)
        seen.setdefault(light, set()).add((*pixels.at(across, down), *fills))
    # One colour for one light, another for another; more light is brighter, and PNG and SVG agree.
    assert all(len(colours) == 1 for colours in seen.values())
    assert seen.pop(None) == {(255, 255, 255)}
    colours = [next(iter(seen[light])) for light in sorted(light for light in seen if light is not None)]
    assert len(set(colours)) == len(colours)
    assert sorted(colours) == colours
    assert all(fill == f"#{bytes(rgb).hex().upper()}" for *rgb, fill in colours)  # type: ignore[arg-type]


def test_sectors_beside_each_other_leave_no_seam() -> None:
    level = ROOMS._replace(sectors=[ROOMS.sectors[0]._replace(light=0), ROOMS.sectors[1]._replace(light=255)])
    turned = level._replace(
        vertices=[Vertex(v.x * 0.9 - v.y * 0.3, v.x * 0.3 + v.y * 0.9) for v in level.vertices]
    )
    for drawn in (level, turned):
        pixels = decode_png(draw_png(drawn, DrawOptions(layers={"sectors"}, theme="dark", size=400)))
        row = pixels.rows[pixels.height // 2][::3]
        dark, light = 0x1E, max(row)
        between = row[row.index(dark) : row.rindex(light)]
        assert light > 0x60
        assert between == bytes(sorted(between)), "from the dark sector to the light one it only gets lighter"


# What is in the files


@pytest.mark.parametrize("size", [160, 333, 1400])
@pytest.mark.parametrize("level", [SQUARE, ROOMS, EMPTY, doom_maps.rooms(1, 9), doom_maps.rooms(9, 1)])
def test_both_pictures_are_of_one_size_and_not_larger_than_asked(size: int, level: DoomMap) -> None:
    options = DrawOptions(size=size)
    pixels, svg = (
        decode_png(draw_png(level, options)),
        ET.fromstring(draw_svg(level, options).encode()),
    )
    assert (svg.get("width"), svg.get("height")) == (str(pixels.width), str(pixels.height))
    assert svg.get("viewBox") == f"0 0 {pixels.width} {pixels.height}"
    assert max(pixels.width, pixels.height) <= size


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_or_title_gets_out_of_its_place(name: str) -> None:
    for level, options in (
        (SQUARE._replace(name=name), DrawOptions()),
        (SQUARE, DrawOptions(title=name)),
        (SQUARE._replace(format=name, namespace=name), DrawOptions(size=400)),
    ):
        svg = draw_svg(level, options)
        root = ET.fromstring(svg.encode())
        allowed = {"svg", "title", "desc", "style", "rect", "g", "path", "text"}
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= allowed
        for element in root.iter():
            assert not [key for key in element.attrib if key.startswith("on") or "href" in key]
            assert all(letter.isprintable() for letter in (element.text or "").replace("\n", ""))
        assert all(letter.isprintable() or letter == "\n" for letter in svg)
        assert len(svg) < 20_000
        decode_png(draw_png(level, options))


def test_what_cannot_be_seen_is_shown_as_what_it_is() -> None:
    svg = draw_svg(SQUARE._replace(name="A\x1b\udc80\u202e<&"))
    assert texts_of(svg)[0] == r"A\x1b\x80\u{202e}<&"
    assert r"<title>A\x1b\x80\u{202e}&lt;&amp;</title>" in svg


def test_a_picture_fetches_and_runs_nothing() -> None:
    svg = draw_svg(ROOMS, DrawOptions(layers=ALL))
    assert svg.count("http") == 1  # the name of the language
    assert not any(word in svg for word in ("script", "url(", "@import", "href", "<!"))


def test_a_light_picture_turns_dark_by_its_style_sheet_alone() -> None:
    svg = draw_svg(ROOMS)
    (style,) = ET.fromstring(svg.encode()).iter(f"{SVG}style")
    assert style.text is not None
    assert style.text.startswith("@media (prefers-color-scheme: dark) {")
    root = ET.fromstring(svg.encode())
    for element in root.iter():
        for attribute, letter in (("fill", "f"), ("stroke", "s")):
            if element.get(attribute, "none") != "none":
                classes = element.get("class", "").split()
                mine = [name for name in classes if name.startswith(f"{letter}-")]
                assert len(mine) == 1
                assert f".{mine[0]}{{{attribute}:#" in style.text
    fixed = draw_svg(ROOMS, DrawOptions(theme="dark"))
    assert "<style" not in fixed
    assert set(decode_png(draw_png(ROOMS, DrawOptions(theme="dark"))).rows[0]) == {0x10, 0x12, 0x16}


# Layers


@pytest.mark.parametrize("layer", sorted(ALL - {"title", "legend", "diff", "tags", "starts", "secrets"}))
def test_each_layer_can_be_left_out_and_be_alone(layer: str) -> None:
    level = everything()
    options = DrawOptions(layers=ALL)
    assert f'data-layer="{layer}"' in draw_svg(level, options)
    assert f'data-layer="{layer}"' not in draw_svg(level, DrawOptions(layers=ALL - {layer}))
    alone = paths_of(draw_svg(level, DrawOptions(layers={layer})))
    assert {path.layer for path in alone} == {layer}


def everything() -> DoomMap:
    """A map with something of each layer."""
    level = doom_maps.freedoom("freedoom2", "MAP01")
    return level._replace(
        lines=[line._replace(special=26) if number == 5 else line for number, line in enumerate(level.lines)]
    )


def test_the_size_of_a_map_is_that_of_its_lines_though_its_picture_is_larger() -> None:
    points = [(0, 0), (0, 64), (30000, 64), (30000, 0)]
    corridor = doom_maps.plan(points, [(at, (at + 1) % 4, 0, None) for at in range(4)])
    removed = Mark("removed", "thing", [(0, 900)])
    for marks in ((), (removed,)):
        facts = [text for text in texts_of(draw_svg(corridor, DrawOptions(marks=marks))) if " units" in text]
        assert facts[0].endswith("30,000 by 64 units")


def test_numbers_of_the_grid_stand_above_walls_and_things_and_its_lines_below() -> None:
    layers = re.findall('data-layer="([a-z]+)"', draw_svg(SQUARE, DrawOptions(layers=ALL)))
    above = ["walls", "things", "exits", "tags"]
    places = [at for at, layer in enumerate(layers) if layer in above]
    grid = [at for at, layer in enumerate(layers) if layer == "grid"]
    assert grid[0] < places[0]
    assert grid[-1] > places[-1]


def test_starts_of_other_players_are_hollow_and_not_shown_by_default() -> None:
    things = [Thing(0, 0, 0, kind, 7) for kind in (1, 2, 3, 4, 11)]
    level = SQUARE._replace(things=things)
    assert "starts" not in DEFAULT_LAYERS
    assert not [path for path in paths_of(draw_svg(level)) if path.layer == "starts"]
    shown = paths_of(draw_svg(level, DrawOptions(layers={"starts", "things"})))
    player = [path for path in shown if path.layer == "things"]
    others = [path for path in shown if path.layer == "starts" and path.attributes["class"] == "f-start"]
    assert [len(path.rings) for path in (*player, *others)] == [1, 6]  # the latter with a hole each
    assert not any(path.winds(sum(x for x, _ in path.rings[1]) / 4, path.rings[0][0][1]) for path in others)


def test_a_sign_on_an_exit_is_larger_than_its_line() -> None:
    lines = [SQUARE.lines[0]._replace(special=11), *SQUARE.lines[1:]]
    level = SQUARE._replace(
        lines=lines, vertices=[Vertex(0, 0), Vertex(0, 8), Vertex(2000, 8), Vertex(2000, 0)]
    )
    paths = [path for path in paths_of(draw_svg(level)) if path.layer == "exits"]
    line = next(path for path in paths if path.attributes.get("class") == "s-exit")
    sign = next(path for path in paths if path.attributes.get("class") == "f-exit")
    long, wide = (max(y for ring in each.rings for _, y in ring) - min(y for ring in each.rings for _, y in ring)
                  for each in (line, sign))  # fmt: skip
    assert wide > 2 * long


@pytest.mark.parametrize(
    ("special", "role"),
    [(26, "blue"), (28, "red"), (27, "yellow"), (133, "blue"), (0x3800 | 3 << 6, "yellow")],
)
def test_locks_have_the_colour_of_their_key(special: int, role: str) -> None:
    level = SQUARE._replace(lines=[SQUARE.lines[0]._replace(special=special), *SQUARE.lines[1:]])
    svg = draw_svg(level)
    assert f'class="s-lock-{role}"' in svg
    assert f"1 {role} lock" in texts_of(svg)


def test_things_are_shown_by_skill_and_mode() -> None:
    things = [Thing(x, 0, 0, 3001, flags) for x, flags in enumerate((1, 2, 4, 7, 7 | 16, 7 | 32, 7 | 64))]
    level = SQUARE._replace(things=things)

    def imps(skill: int, mode: str) -> int:
        texts = texts_of(draw_svg(level, DrawOptions(skill=skill, mode=mode)))
        return next(int(text.split()[0]) for text in texts if text.endswith((" monster", " monsters")))

    assert [imps(skill, "all") for skill in range(6)] == [7, 5, 5, 5, 5, 5]
    assert [imps(0, mode) for mode in MODES] == [7, 6, 6, 6]
    assert [imps(3, mode) for mode in ("single", "coop", "deathmatch")] == [4, 4, 4]


def test_reject_shows_what_is_hidden_from_the_chosen_sector() -> None:
    level = doom_maps.rooms(3, 1)._replace(lumps={"REJECT": bytes([0b00_100_000, 0])})  # 1 does not see 2
    for chosen, roles in ((0, "from seen seen"), (1, "seen from hidden"), (2, "seen seen from")):
        paths = paths_of(draw_svg(level, DrawOptions(layers={"sectors"}, reject_from=chosen)))
        scale, left, top = matrix_of(draw_svg(level, DrawOptions(layers={"sectors"}, reject_from=chosen)))
        found = [
            path.attributes["class"].removeprefix("f-reject-")
            for x in (128, 384, 640)
            for path in paths
            if path.winds(x * scale + left, top - 128 * scale)
        ]
        assert " ".join(found) == roles
    for chosen in (-1, 3):
        assert f"no REJECT for sector {chosen}" in texts_of(draw_svg(level, DrawOptions(reject_from=chosen)))


@pytest.mark.parametrize("fill", FILLS)
def test_a_fill_says_one_thing(fill: str) -> None:
    sector = ROOMS.sectors[0]
    variants = {
        "light": sector._replace(light=10),
        "floor": sector._replace(floor_height=64),
        "ceiling": sector._replace(ceiling_height=64),
        "tags": sector._replace(tag=7),
    }
    for what, other in variants.items():
        level = ROOMS._replace(sectors=[sector, other])
        paths = paths_of(draw_svg(level, DrawOptions(layers={"sectors"}, fill=fill)))
        assert len({path.attributes["fill"] for path in paths}) == (2 if what == fill else 1)


def test_heights_that_are_far_from_all_others_do_not_make_the_rest_alike() -> None:
    level = doom_maps.rooms(40, 1)
    sectors = [
        sector._replace(floor_height=-32768 if at == 7 else at) for at, sector in enumerate(level.sectors)
    ]
    svg = draw_svg(level._replace(sectors=sectors), DrawOptions(fill="floor"))
    assert len({path.attributes["class"] for path in paths_of(svg) if path.layer == "sectors"}) > 20
    assert "floors 1 to 37" in texts_of(svg)


def test_marks_stand_out_and_are_counted() -> None:
    marks = [
        Mark("added", "line", ((0, 0), (256, 0))),
        Mark("removed", "thing", ((10, 10),)),
        Mark("moved", "thing", ((10, 10), (200, 100))),
        Mark("changed", "sector", ((0, 0), (0, 256), (0, 256), (256, 256), (256, 256), (0, 0))),
        Mark("changed", "thing", ()),
        Mark("changed", "line", ((float("nan"), 0), (0, 1e300))),
        Mark("changed", "sector", ((5, 5),)),
    ]
    svg = draw_svg(ROOMS, DrawOptions(marks=marks))
    assert texts_of(svg)[-4:] == ["1 added", "1 removed", "4 changed", "1 moved"]
    colours = {path.attributes.get("class", "") for path in paths_of(svg) if path.layer == "diff"}
    assert {f"{letter}-{change}" for letter, change in zip("sfff", CHANGES, strict=True)} <= colours | {
        "f-moved"
    }
    decode_png(draw_png(ROOMS, DrawOptions(marks=marks)))


def test_a_mark_outside_of_the_map_is_in_the_picture() -> None:
    mark = Mark("removed", "line", ((5000, 0), (5000, 64)))
    options = DrawOptions(marks=[mark], size=800)
    (line, *_) = [
        path for path in paths_of(draw_svg(ROOMS, options)) if path.attributes.get("class") == "s-removed"
    ]
    width = decode_png(draw_png(ROOMS, options)).width
    assert all(0 < x < width for x, _ in line.rings[0])


def test_the_picture_in_the_documentation_is_what_is_drawn() -> None:
    shown = (Path(__file__).parents[2] / "docs" / "map.svg").read_text("utf-8")
    assert shown == draw_svg(demo_map(), DrawOptions(size=900, title="A small map"))


# Whatever a map is like


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
