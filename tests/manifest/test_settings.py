"""Settings over settings: key by key, and options by their own keys while the rule stays the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.builders.documents import load

from lumpyard.errors import Place
from lumpyard.manifest.model import Node, Settings
from lumpyard.manifest.nodes import pairs, text_of
from lumpyard.manifest.settings import overlay

numbers = st.none() | st.integers(0, 3)
plain_settings = st.builds(
    Settings,
    rule=st.none() | st.sampled_from(["raw", "text"]),
    fourcc=st.none() | st.sampled_from(["", "AAAA"]),
    schema=numbers,
    alignment=numbers,
    places=st.dictionaries(st.sampled_from(["rule", "schema"]), st.just(Place("a", 1, 1))),
)


def said(options: Node | None) -> dict[str, str] | None:
    return None if options is None else {text_of(key): text_of(value) for key, value in pairs(options)}


def options_over(lower: str, upper: str) -> dict[str, str] | None:
    document = f"version: 1\nsets: {{a: {{files: b, {lower}, overrides: [{{match: b, {upper}}}]}}}}"
    lump_set = load(document).sets["a"]
    return said(overlay(lump_set.settings, lump_set.overrides[0].settings).options)


@given(plain_settings, plain_settings, plain_settings)
def test_settings_lie_over_each_other_in_any_grouping(a: Settings, b: Settings, c: Settings) -> None:
    assert overlay(overlay(a, b), c) == overlay(a, overlay(b, c))


@given(plain_settings, plain_settings)
def test_the_upper_wins_where_it_says_something(lower: Settings, upper: Settings) -> None:
    both = overlay(lower, upper)
    for key in ("rule", "fourcc", "schema", "alignment"):
        said_above = getattr(upper, key)
        assert getattr(both, key) == (getattr(lower, key) if said_above is None else said_above)
    assert both.places == {**lower.places, **upper.places}


def test_options_that_the_upper_leaves_out_stay() -> None:
    assert options_over("options: {x: 1, y: 2}", "options: {y: 3, z: 4}") == {"x": "1", "y": "3", "z": "4"}
    assert options_over("options: {x: 1}", "schema: 1") == {"x": "1"}
    assert options_over("schema: 1", "options: {x: 1}") == {"x": "1"}
    assert options_over("rule: t, options: {x: 1}", "rule: t, options: {y: 2}") == {"x": "1", "y": "2"}


def test_another_rule_starts_without_the_options_of_the_first() -> None:
    assert options_over("rule: t, options: {x: 1}", "rule: u, options: {y: 2}") == {"y": "2"}
    assert options_over("rule: t, options: {x: 1}", "rule: u") is None


def test_options_know_the_files_they_came_from() -> None:
    manifest = load(
        "version: 1\ninclude: 1.yaml\ndefaults: {options: {x: [1]}}", "sets: {a: {files: b, options: {y: 2}}}"
    )
    options = manifest.sets["a"].settings.options
    assert options is not None
    assert {text_of(key): value.path for key, value in pairs(options)} == {"x": "assets.yaml", "y": "1.yaml"}
