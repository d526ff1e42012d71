"""`only` and `exclude`: which lumps of its sets an archive takes."""

from __future__ import annotations

from tests.builders.manifests import a_manifest, a_rule, a_set, a_table, an_archive, patterns
from tests.builders.plans import a_plan, named, warnings_of
from tests.builders.tree import MemoryTree

from lumpyard.plan import name_selector

TREE = MemoryTree("art/a.png", "art/a.wip.png", "art/b.txt")
PAIRS = a_table(a_rule("pair", ".png", products=lambda name, _: [name, f"{name}.dbg"]))


def names(archive: object, tree: MemoryTree = TREE) -> list[str]:
    plan = a_plan(a_manifest(a_set("s", name="x/{path}", root="art"), archive), tree)  # type: ignore[arg-type]
    return [lump.name for lump in plan.lumps]


def test_only_and_exclude_match_lump_names_and_exclude_wins() -> None:
    assert names(an_archive("base", "s", only="x/*.png", exclude="**/*.wip.*")) == ["x/a.png"]
    assert names(an_archive("base", "s", exclude="**/*.png")) == ["x/b.txt"]
    assert names(an_archive("base", "s", only=["**", "!x/b.txt"], exclude=["**", "!x/a.png"])) == ["x/a.png"]


def test_a_pattern_that_matches_no_lump_name_is_a_warning_at_its_place() -> None:
    archive = an_archive("base", "s", only=["**", "x/a.pgn"], exclude=["art/**", "!x/c"])
    assert warnings_of(a_manifest(a_set("s", name="x/{path}", root="art"), archive), TREE) == [
        "assets.yaml:91:14: warning[W0202]: only: no lump name matches 'x/a.pgn' (did you mean 'x/a.png'?)",
        (
            "assets.yaml:92:12: warning[W0202]: exclude: no lump name matches 'art/**' (it is matched against"
            " lump names)"
        ),
        "assets.yaml:92:14: warning[W0202]: exclude: no lump name matches 'x/c'",
    ]


def test_a_rule_run_keeps_what_the_archive_takes_and_says_what_it_drops() -> None:
    manifest = a_manifest(
        a_set("s", "*.png", root="art"), an_archive("base", "s", exclude=["*.dbg", "a.wip.png*"])
    )
    lumps = named(a_plan(manifest, TREE, PAIRS))
    assert list(lumps) == ["a.png"]
    assert (lumps["a.png"].products, lumps["a.png"].made) == (("a.png",), ("a.png", "a.png.dbg"))


def test_names_that_are_known_after_cooking_are_left_to_the_build() -> None:
    late = a_table(a_rule("late", ".png", products=lambda *_: None))
    archive = an_archive("base", "s", only="deep/**", exclude="**/*.dbg")
    plan = a_plan(a_manifest(a_set("s", "*.png", root="art"), archive), TREE, late)
    assert [(lump.name, lump.products) for lump in plan.lumps] == [("a.png", None), ("a.wip.png", None)]
    assert plan.warnings == ()
    takes = name_selector(plan.only, plan.exclude)
    assert [name for name in ("deep/a", "deep/a.dbg", "a") if takes(name)] == ["deep/a"]


def test_no_pattern_takes_all() -> None:
    assert name_selector((), ())("x")
    assert not name_selector((), patterns("x", 1))("x")
