"""Planned lumps: what rules announce, and files that are gathered into one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders.manifests import a_manifest, a_rule, a_set, a_table, override
from tests.builders.plans import a_plan, named, problems_of
from tests.builders.tree import MemoryTree

from lumpyard.plan import PlannedLump


def announcing(answer: Any, **said: Any) -> Any:
    """A table whose rule `r` takes .r files and announces what a function of the name and options says."""
    return a_table(a_rule("r", ".r", products=answer, **said))


def test_a_lump_is_named_by_its_set_and_its_rule_announces_that_name() -> None:
    lump = a_plan(a_manifest(a_set("s", name="x/{path}")), MemoryTree("a")).lumps[0]
    assert isinstance(lump, PlannedLump)
    assert lump == ("x/a", ("a",), lump.recipe, ("x/a",), None, 0)


def test_what_a_rule_announces_are_the_lumps_names() -> None:
    table = announcing(lambda name, options: [f"{name}.1", f"{name}.2"])
    lumps = a_plan(a_manifest(a_set("s")), MemoryTree("a.r", "b"), table).lumps
    assert [(lump.name, lump.products) for lump in lumps] == [("a.r", ("a.r.1", "a.r.2")), ("b", ("b",))]


def test_a_rule_may_announce_no_names_or_none_yet() -> None:
    for answer, expected in (((), ()), (None, None)):
        plan = a_plan(a_manifest(a_set("s")), MemoryTree("a.r"), announcing(lambda *_, answer=answer: answer))
        assert [lump.products for lump in plan.lumps] == [expected]


def test_lumps_stand_by_the_one_name_they_announce_or_else_by_their_own() -> None:
    answers = {"a.r": ["z"], "b.r": ["y", "x"], "c.r": None, "d.r": ["aa"]}
    plan = a_plan(
        a_manifest(a_set("s")), MemoryTree(*answers, "w"), announcing(lambda name, _: answers[name])
    )
    assert [lump.name for lump in plan.lumps] == ["d.r", "b.r", "c.r", "w", "a.r"]


def raises(name: str, options: object) -> Any:
    raise LookupError("no such\nlevel")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (raises, "failed: LookupError: no such level"),
        (lambda *_: "abc", "answered 'abc', not a list of names"),
        (lambda *_: 3, "answered 3, not a list of names"),
        (lambda *_: ["a", 3], "answered 3 among the names; names are text"),
        (lambda *_: ["a", "b", "a"], "answered 'a' twice"),
        (lambda *_: ["a", "../b"], "answered '../b', which has '.' or '..' as a part"),
        (lambda *_: ["\ud800"], "answered '\ud800', which holds a surrogate that stands for no byte"),
    ],
)
def test_a_rule_that_cannot_say_its_products_is_a_problem_that_names_it(answer: Any, said: str) -> None:
    start = "error[E0212]: rule 'r', asked which lumps it makes of a.r,"
    problems = problems_of(a_manifest(a_set("s")), MemoryTree("a.r"), announcing(answer))
    assert problems == [f"assets.yaml:10:3: {start} {said}"]
    problems = problems_of(a_manifest(a_set("s", rule="r")), MemoryTree("a.r"), announcing(answer))
    assert problems == [f"assets.yaml:13:12: {start} {said}"]


def test_type_and_schema_for_several_products_are_errors_at_their_places() -> None:
    """docs/design.md: "(where a rule yields several products, `type` and `schema` [...] are an error)"."""
    table = announcing(lambda name, _: [name, f"{name}.dbg"] if name > "a" else [name])
    manifest = a_manifest(a_set("s", fourcc="ABCD", overrides=[override("b.r", 50, schema=0)]))
    hint = "(leave it to the rule, which gives each lump its own)"
    assert problems_of(manifest, MemoryTree("b.r"), table) == [
        f"assets.yaml:14:12: error[E0213]: `type` is for one lump, but rule 'r' makes 2 of b.r {hint}",
        f"assets.yaml:55:12: error[E0213]: `schema` is for one lump, but rule 'r' makes 2 of b.r {hint}",
    ]


def test_gathered_files_whose_names_expand_alike_are_one_lump_with_sources_sorted_by_bytes() -> None:
    atlas = a_table(a_rule("atlas"))
    tree = MemoryTree(
        "atlas/ui/b.png", "atlas/ui/a.png", "atlas/hud/é.png", "atlas/hud/\udcff.png", "atlas/hud/z.png"
    )
    manifest = a_manifest(
        a_set("s", "*/*.png", root="atlas", name="{dir}atlas.bin", gather=True, rule="atlas")
    )
    lumps = named(a_plan(manifest, tree, atlas))
    assert {name: lump.sources for name, lump in lumps.items()} == {
        "hud/atlas.bin": ("atlas/hud/z.png", "atlas/hud/é.png", "atlas/hud/\udcff.png"),
        "ui/atlas.bin": ("atlas/ui/a.png", "atlas/ui/b.png"),
    }


def test_gathered_files_with_different_settings_are_an_error() -> None:
    tree = MemoryTree("a/x.r", "a/y.r", "b/z.r")
    manifest = a_manifest(
        a_set("s", name="{dir}all", gather=True, rule="r", overrides=[override("**/y.*", 50, schema=4)])
    )
    assert problems_of(manifest, tree, a_table(a_rule("r"))) == [
        (
            "assets.yaml:10:3: error[E0215]: 'a/all' is gathered from a/x.r and a/y.r, which have"
            " different settings"
            " (gathered files need one rule, type, compression and so on)"
        )
    ]


def test_gathered_files_of_different_rules_are_an_error_that_names_both() -> None:
    manifest = a_manifest(a_set("s", name="{dir}all", gather=True))
    assert problems_of(
        manifest, MemoryTree("a/x.q", "a/y.r"), a_table(a_rule("q", ".q"), a_rule("r", ".r"))
    ) == [
        (
            "assets.yaml:10:3: error[E0215]: 'a/all' is gathered from a/x.q and a/y.r, which have"
            " different settings:"
            " rule 'q' and rule 'r' (name one `rule` for the set)"
        )
    ]


def test_files_cannot_be_gathered_for_a_rule_that_takes_one_as_it_is() -> None:
    manifest = a_manifest(a_set("s", name="{dir}all", gather=True))
    assert problems_of(manifest, MemoryTree("a/x", "a/y", "b/z")) == [
        (
            "assets.yaml:10:3: error[E0216]: rule 'raw' takes one file as it is, but 'a/all' is gathered"
            " from 2:"
            " a/x, a/y … (name a `rule` that makes one lump of several files)"
        )
    ]
