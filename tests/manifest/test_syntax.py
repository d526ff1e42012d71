"""YAML to nodes: the tree is what was written, with its places, and nothing but problems ever leaves."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.documents import Files, told_of
from tests.manifest.test_values import WHOLE

from lumpyard.errors import ProblemsError
from lumpyard.manifest.model import Node
from lumpyard.manifest.nodes import items_of, pairs, text_of
from lumpyard.manifest.syntax import parse_yaml

PARSERS = ["libyaml", "python"]
texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff")
)
values = st.recursive(texts, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=20)


def plain(node: Node) -> object:
    if node.kind == "list":
        return [plain(item) for item in items_of(node)]
    if node.kind == "map":
        return {text_of(key): plain(value) for key, value in pairs(node)}
    return text_of(node)


def parse(text: str, parser: str = "libyaml") -> Node:
    with pytest.MonkeyPatch.context() as patch:
        if parser == "python":
            patch.delattr(yaml, "CSafeLoader")
        node, problems = parse_yaml("x.yaml", text)
    assert problems == []
    return node


@pytest.mark.parametrize("parser", PARSERS)
@given(value=values)
def test_json_is_yaml_and_comes_back_as_it_was(parser: str, value: Any) -> None:
    assert plain(parse(json.dumps(value, ensure_ascii=False), parser)) == value


@given(values)
def test_both_parsers_give_the_same_tree(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    assert parse(text, "libyaml") == parse(text, "python")


@pytest.mark.parametrize("parser", PARSERS)
def test_lines_and_columns_count_from_1_in_characters(parser: str) -> None:
    node = parse("é: [ü, 'x y']\r\n\"k\":\r\n  - |\r\n    text\r\n  -\r\nz:\r\n", parser)
    (first, listed), (second, block), (third, nothing) = pairs(node)
    assert first == Node("scalar", "é", 1, 1)
    assert items_of(listed) == (Node("scalar", "ü", 1, 5), Node("scalar", "x y", 1, 8, quoted=True))
    assert second == Node("scalar", "k", 2, 1, quoted=True)
    assert items_of(block)[0] == Node("scalar", "text\n", 3, 5, quoted=True)
    assert text_of(items_of(block)[1]) == ""
    assert (third, nothing) == (Node("scalar", "z", 6, 1), Node("scalar", "", 6, 1))


@pytest.mark.parametrize("parser", PARSERS)
def test_a_directive_and_document_marks_are_no_problem(parser: str) -> None:
    assert plain(parse("%YAML 1.1\n--- # start\na: b\n...\n", parser)) == {"a": "b"}


def test_every_truncation_of_a_manifest_is_read_or_told() -> None:
    for end in range(len(WHOLE)):
        check(WHOLE[:end].encode())


def test_every_changed_character_of_a_manifest_is_read_or_told() -> None:
    for at in range(len(WHOLE)):
        char = '*{"\t\n\0é['[at % 8]
        check((WHOLE[:at] + char + WHOLE[at + 1 :]).encode())


@given(st.binary())
def test_any_bytes_are_read_or_told(data: bytes) -> None:
    check(data)


@given(st.text(st.sampled_from("ab:-?,[]{}#&*!|>'\"%@` \n\t\\0~<=é"), max_size=40))
def test_anything_that_looks_like_yaml_is_read_or_told(text: str) -> None:
    check(text.encode())
    check(b"version: 1\nsets: {a: {files: [" + text.encode())
    check(b"version: 1\nsets:\n  a:\n    files: " + text.encode())


def check(data: bytes) -> None:
    """No other error leaves, and each problem has its place in the file and one line."""
    lines = data.decode("utf-8", "replace").splitlines() or [""]
    for place, code, message, hint in told_of({"assets.yaml": data}):
        path, *numbers = place.split(":")
        assert path == "assets.yaml"
        assert code
        assert "\n" not in message + hint
        if numbers:
            assert 1 <= int(numbers[0]) <= len(lines) + 1


# Bombs cost what they weigh: aliases are never followed.
BOMBS = [
    "a: &a [x]\n"
    + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)},*{chr(97 + n)}]\n" for n in range(20)),
    "a: &a {x: 1}\n"
    + "".join(f"{chr(98 + n)}: &{chr(98 + n)} {{<<: [*{chr(97 + n)}, *{chr(97 + n)}]}}\n" for n in range(20)),
    "[" * 100_000,
    "{a: " * 100_000,
    "- " * 100_000,
    "? " * 100_000,
]


@pytest.mark.parametrize("bomb", BOMBS, ids=range(len(BOMBS)))
def test_a_bomb_is_told_like_any_other_mistake(bomb: str) -> None:
    told = told_of({"assets.yaml": bomb})
    assert told
    assert len(told) < 200


def test_a_scanner_error_without_a_place_is_still_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str, **loader: object) -> list[object]:
        raise yaml.YAMLError("something\nodd")

    monkeypatch.setattr(yaml, "parse", fail)
    with pytest.raises(ProblemsError, match="something odd"):
        parse_yaml("x.yaml", "a: 1")


def test_files_are_read_once_and_in_order() -> None:
    from lumpyard.manifest import load_manifest

    files = Files(
        {"assets.yaml": "version: 1\ninclude: [b.yaml, a.yaml]", "a.yaml": "{}", "b.yaml": "include: a.yaml"}
    )
    load_manifest("assets.yaml", files.read)
    assert files.reads == ["assets.yaml", "b.yaml", "a.yaml"]
