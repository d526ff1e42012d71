"""Rule `doom-map`: whatever the bytes, an answer; a sound map's lumps pass, under names that options say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import doom_map, plain, wad
from tests.builders.doom_map_rule import by_name, cook
from tests.builders.map_wads import SMALL, map_wad
from tests.builders.source import FakeSource

from lumpyard.errors import ProblemsError
from lumpyard.manifest import read_options
from lumpyard.manifest.syntax import parse_yaml
from lumpyard_rules.doom_map import RULE, Ignored

TEXT = doom_map.udmf_text()


def test_a_sound_map_passes_lump_for_lump() -> None:
    source, products = cook(map_wad(MAP01=SMALL))
    assert source.errors == []
    made = by_name(products)
    assert list(made) == [f"maps/MAP01/{name}" for name in doom_map.ORDER if name in SMALL]
    kept = {name: data for name, data in SMALL.items() if name != "BLOCKMAP"}
    assert {name: made[f"maps/MAP01/{name}"] for name in kept} == kept
    assert {(product.fourcc or RULE.fourcc, product.schema) for product in products} == {("DMAP", 1)}


def test_each_format_has_its_schema() -> None:
    """ "type DMAP, schema 1 Doom, 2 Hexen, 3 UDMF"."""
    assert {product.schema for product in cook(map_wad(MAP01=doom_map.HEXEN_MAP), fail="never")[1]} == {2}
    assert {
        product.schema for product in cook(map_wad(MAP01={"TEXTMAP": TEXT, "ENDMAP": b""}), fail="never")[1]
    } == {3}


def test_a_lump_for_each_map_is_a_wad_of_it() -> None:
    _, products = cook(map_wad(MAP01=SMALL, MAP02=SMALL), layout="map", folder="")
    assert [product.name for product in products] == ["MAP01", "MAP02"]
    names = [name for name, _ in wad.lumps(products[1].data)]
    assert names == [b"MAP02", *(name.encode() for name in doom_map.ORDER if name in SMALL)]
    assert products[0].data.startswith(b"PWAD")


def test_maps_are_taken_by_name_and_what_is_not_there_is_told() -> None:
    source, products = cook(map_wad(MAP01=SMALL, MAP02=SMALL), maps=("map02", "MAP09"))
    assert {str(product.name).split("/")[1] for product in products} == {"MAP02"}
    assert source.errors == ["there is no map MAP09 in it; the option `maps` asks for it"]
    assert [each.hint for each in source.reported if not each.warning] == ["it has MAP01, MAP02"]


def test_names_are_announced_where_options_say_them() -> None:
    options = RULE.options(maps=("MAP01", "MAP02"), layout="map", folder="levels")
    assert RULE.products("x", options) == ("levels/MAP01", "levels/MAP02")
    assert RULE.products("x", RULE.options()) is None
    assert RULE.products("x", RULE.options(maps=("MAP01",))) is None


def test_a_text_is_a_map_called_by_its_file_or_by_the_options() -> None:
    source, products = cook(TEXT, "levels/inn.udmf", fail="never")
    assert [product.name for product in products] == ["maps/INN/TEXTMAP"]
    assert products[0].data == TEXT
    assert [product.name for product in cook(TEXT, "levels/inn.udmf", fail="never", maps=("MAP07",))[1]] == [
        "maps/MAP07/TEXTMAP"
    ]
    assert source.asked == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "neither a WAD nor the text of a UDMF map: "),
        (b"\x89PNG", "neither a WAD nor the text of a UDMF map: "),
        (plain.wad([(b"TITLEPIC", b"x")]), "there are no maps in it"),
        (map_wad(MAP01=SMALL) + b"", ""),
    ],
)
def test_what_is_no_map_is_one_clear_error(data: bytes, message: str) -> None:
    source, products = cook(data)
    assert all(each.startswith(message) for each in source.errors)
    assert bool(products) is not bool(source.errors)


@pytest.mark.parametrize("name", ["\x1b[1m", "A/B", "..", "\udcff", "A\\B"])
def test_names_that_no_lump_can_have_are_refused(name: str) -> None:
    raw = plain.wad(
        [
            (name.encode("utf-8", "surrogateescape"), b""),
            *((lump.encode(), data) for lump, data in SMALL.items()),
        ]
    )
    source, products = cook(raw)
    assert products == []
    assert any("of which no lump's name can be made" in each for each in source.errors)


def test_a_long_name_is_no_maps_in_a_wad() -> None:
    source, products = cook(TEXT, "a-long-name.udmf", layout="map", fail="never")
    assert products == []
    assert any("longer than the 8 characters" in each for each in source.errors)


def test_one_file_at_a_time() -> None:
    sources = [FakeSource("a.wad", map_wad(MAP01=SMALL)), FakeSource("b.wad", map_wad(MAP02=SMALL))]
    list(RULE.cook(sources, RULE.options()))
    assert "this rule takes one file" in sources[1].errors[0]


def options_of(text: str) -> object:
    node, _ = parse_yaml("assets.yaml", text)
    return read_options(node, RULE.options, "assets.yaml")


def test_options_are_read_from_a_manifest() -> None:
    options: Any = options_of(
        "{ignore: [{id: line-zero-length, x: 64, y: -32, why: a camera}], maps: MAP01, game: doom2, things: [5000]}"
    )
    assert options.ignore == (Ignored("line-zero-length", "a camera", 64.0, -32.0),)
    assert (options.maps, options.game, options.things) == (("MAP01",), "doom2", (5000,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{ignore: [{id: line-zero, why: a}]}", "`ignore` names 'line-zero', which is no check's id"),
        ("{ignore: [{id: line-zero-length, why: a, x: 1}]}", "needs both x and y, or neither"),
        ("{ignore: [{id: line-zero-length, why: ' '}]}", "says no reason in `why`"),
        ("{folder: ../x}", "`folder` '../x' is no plain relative path"),
        ("{folder: /x}", "`folder` '/x' is no plain relative path"),
        ("{timeout: 0}", "`timeout` is more than 0"),
        ("{args: -p}", "`args` are for `nodes: zdbsp`"),
    ],
)
def test_options_that_make_no_sense_say_why(text: str, message: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        options_of(text)
    assert message in str(caught.value)


WHOLE = map_wad(MAP01=SMALL)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255), st.sampled_from(["keep", "build", "none"]))
def test_every_flipped_byte_is_an_answer(at: int, by: int, nodes: str) -> None:
    data = bytearray(WHOLE)
    data[at] ^= by
    cook(bytes(data), nodes=nodes)


def test_every_truncation_is_an_answer() -> None:
    for end in range(0, len(WHOLE), 7):
        source, _ = cook(WHOLE[:end])
        assert source.errors
