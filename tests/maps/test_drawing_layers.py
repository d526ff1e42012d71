"""What pictures of maps show, layer by layer: lines, things, exits, locks and changes."""

from __future__ import annotations

import re

import pytest
from tests.builders import doom_maps
from tests.builders.pictures import decode_png, paths_of, texts_of

from lumpyard.maps.drawing import (
    CHANGES,
    DEFAULT_LAYERS,
    LAYERS,
    MODES,
    DrawOptions,
    Mark,
    draw_png,
    draw_svg,
)
from lumpyard.maps.model import DoomMap, Thing, Vertex

ALL = frozenset(LAYERS)
SQUARE = doom_maps.square()
ROOMS = doom_maps.rooms(2, 1)


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
