"""Sectors in pictures of maps: each in its colour, whatever it says, and REJECT."""

from __future__ import annotations

import random
from math import hypot
from xml.etree import ElementTree as ET

import pytest
from tests.builders import doom_maps
from tests.builders.pictures import SVG, decode_png, paths_of, texts_of
from tests.builders.sight_lines import sector_at

from lumpyard.maps.drawing import (
    FILLS,
    DrawOptions,
    draw_png,
    draw_svg,
)
from lumpyard.maps.model import DoomMap, Vertex

ROOMS = doom_maps.rooms(2, 1)
MAPS = [("freedoom2", "MAP01"), ("freedoom2", "MAP12"), ("freedoom1", "E1M1"), ("freedm", "MAP01")]


def gap_to_lines(level: DoomMap, x: float, y: float) -> float:
    """How far the nearest line is from a point."""
    gap = float("inf")
    for line in level.lines:
        (x1, y1), (x2, y2) = level.vertices[line.v1], level.vertices[line.v2]
        run, rise = x2 - x1, y2 - y1
        along = ((x - x1) * run + (y - y1) * rise) / max(run * run + rise * rise, 1)
        along = min(max(along, 0), 1)
        gap = min(gap, hypot(x1 + along * run - x, y1 + along * rise - y))
    return gap


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
        if gap_to_lines(level, x, y) * scale > 2:
            sector = sector_at(level, x, y)
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
        assert f"sector {chosen}" in texts_of(draw_svg(level, DrawOptions(reject_from=chosen)))
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
