"""Law: a digest has all that decides the products and nothing else; an ask holds until its answer changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from blake3 import blake3
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.world import MemoryWorld, a_lump, a_recipe, still_answers

from lumpyard.build.asks import (
    ask_again,
    cook_digest,
    path_fault,
    request_digest,
)
from lumpyard.build.cooking.cook import cook
from lumpyard.rule import Product, Rule
from lumpyard.store import Ask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random
    from typing import Any

    from lumpyard.rule import Source


TEXT = st.text(
    st.characters(codec="utf-8") | st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF), max_size=8
)
ASKS = st.lists(st.builds(Ask, TEXT, TEXT, TEXT), max_size=5)


def asking(ask: Callable[[Source], object]) -> Rule:
    """A rule that asks its source one thing."""

    def run(sources: Sequence[Source], _: object) -> list[Product]:
        ask(sources[0])
        return [Product(b"made")]

    return Rule(kind="asking", version=1, cook=run)


@given(ASKS, st.randoms())
def test_the_order_of_the_asks_and_their_repetition_do_not_matter(asks: list[Ask], random: Random) -> None:
    shuffled = asks + asks[:2]
    random.shuffle(shuffled)
    assert cook_digest(b"r", asks) == cook_digest(b"r", shuffled)


@given(ASKS, ASKS)
def test_other_asks_have_another_cook_digest(one: list[Ask], other: list[Ask]) -> None:
    same = set(one) == set(other)
    assert (cook_digest(b"r", one) == cook_digest(b"r", other)) is same


@given(
    st.lists(
        st.tuples(TEXT, TEXT, st.lists(st.binary(min_size=32, max_size=32), max_size=2)),
        min_size=2,
        max_size=2,
    )
)
def test_other_rules_options_or_sources_have_another_request_digest(pair: Any) -> None:
    recipe = a_recipe(asking(lambda source: source.data))
    one, other = (
        request_digest(recipe._replace(rule_digest=rule, options_text=options), digests)
        for rule, options, digests in pair
    )
    assert (one == other) is (pair[0] == pair[1])


def test_the_digests_are_blake3_of_a_label_and_of_each_part_after_its_length() -> None:
    """Kept digests must mean the same in every version; a change of this layout needs a new label."""
    recipe = a_recipe(asking(lambda source: source.data))._replace(rule_digest="r", options_text="{}")
    source = bytes(range(32))
    request = request_digest(recipe, [source])
    expected = blake3(
        b"lumpyard request 1\0"
        b"\x01\0\0\0\0\0\0\0r"
        b"\x02\0\0\0\0\0\0\0{}"
        b"\x20\0\0\0\0\0\0\0" + source
    )  # fmt: skip
    assert request == expected.digest()
    expected = blake3(
        b"lumpyard cook 1\0"
        b"\x20\0\0\0\0\0\0\0" + request +
        b"\x06\0\0\0\0\0\0\0exists"
        b"\x03\0\0\0\0\0\0\0a.h"
        b"\x02\0\0\0\0\0\0\0no"
    )  # fmt: skip
    assert cook_digest(request, [Ask("exists", "a.h", "no")]) == expected.digest()


def test_name_set_archive_type_and_place_are_in_no_digest() -> None:
    recipe = a_recipe(asking(lambda source: source.data))
    moved = recipe._replace(
        set_id="others", place=recipe.place._replace(line=99), fourcc=7, schema=8, alignment=64
    )
    assert request_digest(recipe, []) == request_digest(moved, [])
    one = cook(a_lump(recipe, "a.txt"), [b"x"], MemoryWorld())
    other = cook(a_lump(moved, "other/b.txt", name="zz"), [b"x"], MemoryWorld())
    assert one.asks == other.asks == ()


FLIPS = {
    "read": (lambda s: s.read("x.h"), {"x.h": b"1"}, {"x.h": b"2"}),
    "read, file goes": (lambda s: s.read("x.h"), {"x.h": b"1"}, {}),
    "exists": (lambda s: s.exists("x.h"), {}, {"x.h": b""}),
    "exists, file goes": (lambda s: s.exists("x.h"), {"x.h": b""}, {}),
    "glob": (lambda s: s.glob("*.h"), {"x.h": b""}, {"x.h": b"", "y.h": b""}),
    "glob, file renamed": (lambda s: s.glob("*.h"), {"x.h": b""}, {"y.h": b""}),
    "glob of nothing": (lambda s: s.glob("*.h"), {}, {"y.h": b""}),
}


@pytest.mark.parametrize("case", FLIPS)
def test_a_changed_answer_is_noticed_and_gives_another_cook_digest(case: str) -> None:
    ask, before, after = FLIPS[case]
    lump = a_lump(a_recipe(asking(ask)))
    cooked = cook(lump, [b"x"], MemoryWorld(before))
    assert cooked.asks
    assert all(still_answers(ask, MemoryWorld(before), lump) for ask in cooked.asks)
    assert not all(still_answers(ask, MemoryWorld(after), lump) for ask in cooked.asks)
    now = [
        Ask(kind, subject, ask_again(kind, subject, MemoryWorld(after), lump) or "")
        for kind, subject, _ in cooked.asks
    ]
    assert cook_digest(b"r", now) != cook_digest(b"r", cooked.asks)


@pytest.mark.parametrize(
    ("ask", "holds", "changes"),
    [
        (lambda s: s.path, {"name": "other"}, {"sources": ("moved/a.txt",)}),
        (lambda s: s.name, {"sources": ("moved/a.txt",)}, {"name": "other"}),
    ],
)
def test_path_and_name_count_only_for_the_rule_that_reads_them(
    ask: Callable[[Source], object], holds: Mapping[str, Any], changes: Mapping[str, Any]
) -> None:
    lump = a_lump(a_recipe(asking(ask)))
    [noted] = cook(lump, [b"x"], MemoryWorld()).asks
    assert still_answers(noted, MemoryWorld(), lump._replace(**holds))
    assert not still_answers(noted, MemoryWorld(), lump._replace(**changes))


def test_the_path_of_each_gathered_source_is_an_ask_of_its_own() -> None:
    def run(sources: Sequence[Source], _: object) -> list[Product]:
        return [Product(sources[1].path.encode())]

    lump = a_lump(a_recipe(Rule(kind="atlas", version=1, cook=run)), "a", "b", name="atlas")
    cooked = cook(lump, [b"", b""], MemoryWorld())
    assert cooked.asks == (Ask("path", "1", "b"),)
    assert not still_answers(cooked.asks[0], MemoryWorld(), lump._replace(sources=("a",)))


def test_a_file_that_was_edited_and_changed_back_answers_as_before() -> None:
    lump = a_lump(a_recipe(asking(lambda s: s.read("x.h"))))
    world = MemoryWorld({"x.h": b"1"})
    [ask] = cook(lump, [b"x"], world).asks
    world.files["x.h"] = b"2"
    assert not still_answers(ask, world, lump)
    world.files["x.h"] = b"1"
    assert still_answers(ask, world, lump)


def test_an_ask_of_a_kind_from_a_newer_version_is_never_answered() -> None:
    assert not still_answers(
        Ask("weather", "here", "fine"), MemoryWorld(), a_lump(a_recipe(asking(lambda source: source.data)))
    )


def test_files_counts_names_and_bytes_and_namesakes_counts_names_only() -> None:
    lump = a_lump(a_recipe(asking(lambda source: source.data)))
    world = MemoryWorld({"a/x.h": b"1", "a/y.h": b"1", "a/no.h": b"1"})
    files = Ask("files", json.dumps(["!a/no.h", "a/*.h"]), "")
    namesakes = Ask("namesakes", json.dumps([["**/*.h"], ["x.h"]]), "")

    def answers() -> list[str | None]:
        return [ask_again(ask.kind, ask.subject, world, lump) for ask in (files, namesakes)]

    before = answers()
    world.files["a/no.h"] = b"2"
    assert answers() == before
    world.files["a/x.h"] = b"2"
    assert [now == old for now, old in zip(answers(), before, strict=True)] == [False, True]
    world.files["a/x.h"] = b"1"
    world.files["b/X.H"] = b""  # a disk that ignores case finds it as x.h
    assert answers() == before, "b/X.H is not matched by **/*.h, so it was never staged"
    world.files["b/X.h"] = b""
    assert [now == old for now, old in zip(answers(), before, strict=True)] == [True, False]


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd",
        "../x",
        "a/../../x",
        "a/..",
        "..",
        ".",
        "./a",
        "a//b",
        "a/",
        "a\\b",
        "C:/x",
        "a\0b",
        "\ud800",
        b"a",
        None,
    ],
)
def test_a_path_that_is_not_plainly_inside_the_project_is_refused(path: object) -> None:
    assert path_fault(path)


@pytest.mark.parametrize(
    "path", ["a", "a/b.h", ".hidden", "a..b/c", "...", "a b", "é", "\udcff", "a:b", "~", "$HOME/x", "-rf"]
)
def test_a_plain_path_is_taken_as_it_is(path: str) -> None:
    assert path_fault(path) == ""
