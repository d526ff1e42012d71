"""Options of rules: read by the types of their dataclass, all problems at their places."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.errors import Place, Problem, ProblemsError
from lumpyard.manifest import options_text, read_options
from lumpyard.manifest.nodes import pairs
from lumpyard.manifest.syntax import parse_yaml
from lumpyard.rule import NoOptions

if TYPE_CHECKING:
    from lumpyard.manifest.model import Node


@dataclass(frozen=True, slots=True)
class Many:
    size: int
    fast: bool = False
    scale: float = 1.0
    label: str = ""
    mode: Literal["keep", "drop"] = "keep"
    args: tuple[str, ...] = ()
    sizes: tuple[int, ...] = field(default_factory=tuple)
    limit: int | None = None
    title: str | None = None

    def check(self) -> str:
        return "`limit` must be over `size`" if self.limit is not None and self.limit <= self.size else ""


PARENT = Place("assets.yaml", 7, 5)


def node_of(text: str) -> Node:
    node, problems = parse_yaml("assets.yaml", text)
    assert not problems
    return node


def read(text: str, options_type: type = Many) -> Any:
    return read_options(node_of(text), options_type, "assets.yaml", PARENT)


def problems_of(text: str, options_type: type = Many) -> list[Problem]:
    with pytest.raises(ProblemsError) as caught:
        read(text, options_type)
    return list(caught.value.problems)


def test_what_is_not_said_has_its_default() -> None:
    assert read("{size: 1}") == Many(1)
    assert read_options(None, NoOptions, "assets.yaml") == NoOptions()


def test_each_type_is_read_from_the_text_as_written() -> None:
    text = (
        "{size: 0x10, fast: true, scale: 2.5e-1, label: on, mode: drop, args: [-v, 'a b', 1e3], sizes: [1, 2]"
    )
    assert read(text + ", limit: 99, title: ~}") == Many(
        16, True, 0.25, "on", "drop", ("-v", "a b", "1e3"), (1, 2), 99, "~"
    )


def test_one_alone_is_a_list_of_one_and_a_text_may_be_empty_in_quotes() -> None:
    assert read("{size: 1, args: -v, sizes: 3, label: ''}") == Many(1, args=("-v",), sizes=(3,))
    assert read("{size: 1, args: [], sizes: []}") == Many(1)
    assert read("{size: 1, args: ['', a]}") == Many(1, args=("", "a"))


def test_a_float_may_be_a_whole_number() -> None:
    assert read("{size: 1, scale: 3}").scale == 3.0
    assert read("{size: 1, scale: -0.5}").scale == -0.5


@pytest.mark.parametrize(
    ("text", "place", "code", "message", "hint"),
    [
        ("{sise: 1}", "1:2", "E0120", "unknown key 'sise' in options", "did you mean 'size'?"),
        ("{size: 1, fast: yes}", "1:17", "E0122", "expected true or false, found 'yes'", "write true"),
        ("{size: 1.5}", "1:8", "E0122", "expected a whole number, decimal or 0x, found '1.5'", ""),
        (
            "{size: 9223372036854775808}",
            "1:8",
            "E0123",
            "9223372036854775808 is out of range, which is -2^63 to 2^63-1",
            "",
        ),
        ("{size: 1, scale: .inf}", "1:18", "E0122", "expected a number, found '.inf'", ""),
        ("{size: 1, scale: '2'}", "1:18", "E0122", 'expected a number, found the text "2"', ""),
        ("{size: 1, scale: 1e999}", "1:18", "E0123", "1e999 is out of range", ""),
        (
            "{size: 1, mode: kep}",
            "1:17",
            "E0124",
            "expected one of keep, drop, found 'kep'",
            "did you mean 'keep'?",
        ),
        ("{size: 1, args: {a: b}}", "1:17", "E0122", "expected a value or a list of them, found a map", ""),
        ("{size: 1, args: [[a]]}", "1:18", "E0122", "expected a text, found a list", ""),
        (
            "{size: 1, sizes: [1, x]}",
            "1:22",
            "E0122",
            "expected a whole number, decimal or 0x, found 'x'",
            "",
        ),
        ("{size: 1, label: }", "1:11", "E0126", "expected a text, found nothing", ""),
        (
            "{size: 1, label: {in}}",
            "1:18",
            "E0122",
            "expected a text, found a map",
            "a text that starts with '{' needs quotes: \"{in}\"",
        ),
        ("[size]", "1:1", "E0122", "expected a map (options), found a list", ""),
    ],
)
def test_each_mistake_is_told_at_its_place(text: str, place: str, code: str, message: str, hint: str) -> None:
    found = [problem for problem in problems_of(text) if problem.place != PARENT]
    assert [(str(p.place), p.code, p.message, p.hint) for p in found] == [
        (f"assets.yaml:{place}", code, message, hint)
    ]


def test_a_rule_without_options_has_none_to_offer() -> None:
    @dataclass(frozen=True)
    class Nothing:
        """No options."""

    (problem,) = problems_of("{fast: true}", Nothing)
    assert problem.hint == "no key can stand here"


def test_what_is_missing_is_told_at_the_parents_key() -> None:
    assert problems_of("{}") == [Problem(PARENT, "E0121", "options needs the key 'size'")]
    with pytest.raises(ProblemsError) as caught:
        read_options(None, Many, "assets.yaml", PARENT)
    assert caught.value.problems == (Problem(PARENT, "E0121", "options needs the key 'size'"),)


def test_all_mistakes_come_at_once() -> None:
    assert [problem.code for problem in problems_of("{fast: 1, x: 2}")] == ["E0122", "E0120", "E0121"]


def test_a_rule_may_refuse_a_combination_in_its_own_words() -> None:
    assert problems_of("{size: 5, limit: 5}") == [Problem(PARENT, "E0139", "`limit` must be over `size`")]


def test_a_place_is_in_the_file_that_a_node_says() -> None:
    node = node_of("{size: x}")
    ((key, value),) = pairs(node)
    moved = node._replace(value=((key, value._replace(path="more.yaml")),))
    with pytest.raises(ProblemsError, match=r"more\.yaml:1:8"):
        read_options(moved, Many, "assets.yaml")


def test_a_type_that_no_option_can_have_is_a_fault_of_the_rule() -> None:
    @dataclass(frozen=True)
    class Odd:
        what: complex = 0j

    with pytest.raises(TypeError, match="complex"):
        read("{what: 1}", Odd)


options = st.builds(
    Many,
    size=st.integers(-(1 << 63), (1 << 63) - 1),
    fast=st.booleans(),
    scale=st.floats(allow_nan=False, allow_infinity=False),
    label=st.text(),
    args=st.lists(st.text()).map(tuple),
    limit=st.none() | st.integers(),
)


@given(options)
def test_the_text_of_options_is_canonical_json(value: Many) -> None:
    text = options_text(value)
    assert text.isascii()
    said = json.loads(text)
    assert Many(**{**said, "args": tuple(said["args"]), "sizes": tuple(said["sizes"])}) == value
    assert json.dumps(said, sort_keys=True, separators=(",", ":")) == text


def test_the_text_of_options_has_defaults_too() -> None:
    assert options_text(Many(1, label="é")) == (
        '{"args":[],"fast":false,"label":"\\u00e9","limit":null,"mode":"keep","scale":1.0,"size":1,"sizes":[],"title":null}'
    )


@dataclass(frozen=True)
class Entry:
    id: str
    why: str
    x: float | None = None


@dataclass(frozen=True)
class Listed:
    ignore: tuple[Entry, ...] = ()


def test_a_list_may_have_entries_of_several_keys() -> None:
    value = read("ignore: [{id: a, why: b}, {id: c, why: d, x: -64}]", Listed)
    assert value == Listed((Entry("a", "b"), Entry("c", "d", -64.0)))
    assert options_text(value) == (
        '{"ignore":[{"id":"a","why":"b","x":null},{"id":"c","why":"d","x":-64.0}]}'
    )


def test_each_entry_of_a_list_says_what_is_wrong_with_it() -> None:
    found = problems_of("ignore: [{id: a}, {id: c, why: d, y: 1}, {id: e, why: f, x: wide}, plain]", Listed)
    assert [(problem.place.column, problem.message) for problem in found] == [
        (10, "an entry needs the key 'why'"),
        (35, "unknown key 'y' in an entry"),
        (61, "expected a number, found 'wide'"),
        (68, "expected a map (an entry), found 'plain'"),
    ]
