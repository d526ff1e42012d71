"""Pictures of maps as files: the same bytes always, of the size asked for, with nothing that fetches or runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.builders import doom_maps
from tests.builders.demo_map import demo_map
from tests.builders.pictures import SVG, decode_png, texts_of

from lumpyard.maps.drawing import (
    LAYERS,
    DrawOptions,
    Mark,
    draw_png,
    draw_svg,
)
from lumpyard.maps.model import DoomMap

ALL = frozenset(LAYERS)
SQUARE = doom_maps.square()
ROOMS = doom_maps.rooms(2, 1)
EMPTY = DoomMap("MAP01", "doom", (), (), (), (), (), {})
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


def test_the_size_of_a_map_is_that_of_its_lines_though_its_picture_is_larger() -> None:
    points = [(0, 0), (0, 64), (30000, 64), (30000, 0)]
    corridor = doom_maps.plan(points, [(at, (at + 1) % 4, 0, None) for at in range(4)])
    removed = Mark("removed", "thing", [(0, 900)])
    for marks in ((), (removed,)):
        facts = [text for text in texts_of(draw_svg(corridor, DrawOptions(marks=marks))) if " units" in text]
        assert facts[0].endswith("30,000 by 64 units")


def test_the_picture_in_the_documentation_is_what_is_drawn() -> None:
    shown = (Path(__file__).parents[2] / "docs" / "map.svg").read_text("utf-8")
    assert shown == draw_svg(demo_map(), DrawOptions(size=900, title="A small map"))
