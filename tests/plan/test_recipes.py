"""How files are made: overrides, the choice of a rule, options, encodings, and their problems."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.builders.manifests import a_manifest, a_rule, a_set, a_table, an_archive, options_node, override
from tests.builders.plans import a_plan, named, problems_of
from tests.builders.tree import MemoryTree

from lumpyard.errors import Place
from lumpyard.manifest.model import AUTO, Compression, Tool
from lumpyard.plan import Encoding
from lumpyard.plan.recipes import make_encoding

HC = Compression("lz4hc", 9)


@dataclass(frozen=True, slots=True)
class Size:
    most: int = 512
    mips: bool = True


@dataclass(frozen=True, slots=True)
class Picky:
    most: int = 0

    def check(self) -> str:
        return "most must be even" if self.most % 2 else ""


@dataclass(frozen=True, slots=True)
class Broken:
    def check(self) -> str:
        raise ValueError("two\nlines")


@dataclass(frozen=True, slots=True)
class Running:
    tool: str = "zdbsp"


IMAGE = a_rule("image", ".png", ".TGA".lower(), fourcc="TEXR", schema=2, options=Size)
TABLE = a_table(IMAGE, a_rule("text", ".txt", ".d.txt"), a_rule("notes", ".d.txt"))


def test_the_rule_is_the_sets_else_the_one_that_has_the_suffix_else_raw() -> None:
    tree = MemoryTree("a.png", "b.TGA", "c.d.txt.txt", "d", ".png", "e.PNG/f")
    lumps = named(a_plan(a_manifest(a_set("s", "**"), ignore=()), tree, TABLE))
    assert {name: lump.recipe.rule.kind for name, lump in lumps.items()} == {
        "a.png": "image",
        "b.TGA": "image",
        "c.d.txt.txt": "text",
        "d": "raw",
        "e.PNG/f": "raw",
    }
    lumps = named(a_plan(a_manifest(a_set("s", "**", rule="text")), tree, TABLE))
    assert {lump.recipe.rule.kind for lump in lumps.values()} == {"text"}


def test_two_rules_that_have_a_suffix_is_an_error_that_names_both() -> None:
    tree = MemoryTree("a.d.txt", "b.v2.D.txt", "c.txt")
    assert problems_of(a_manifest(a_set("s")), tree, TABLE) == [
        (
            "assets.yaml:10:3: error[E0211]: set 's' has '.d.txt' files, and rules 'notes' and 'text' take"
            " that suffix"
            " (say which: `rule: notes`)"
        )
    ]
    a_plan(a_manifest(a_set("s", rule="notes")), tree, TABLE)


def test_an_unknown_rule_is_an_error_with_the_nearest_as_a_hint() -> None:
    sets = a_set("s", rule="imge"), a_set("t", line=30, rule="zzz", name="t/{path}")
    assert problems_of(a_manifest(*sets), MemoryTree("a"), TABLE) == [
        "assets.yaml:13:12: error[E0210]: unknown rule 'imge' (did you mean 'image'?)",
        "assets.yaml:33:12: error[E0210]: unknown rule 'zzz' (`lumpyard rules` lists those there are)",
    ]


def test_an_unknown_rule_of_an_override_stands_at_the_override() -> None:
    manifest = a_manifest(a_set("s", overrides=[override("a", 50, rule="imge")]))
    assert problems_of(manifest, MemoryTree("a"), TABLE) == [
        "assets.yaml:53:12: error[E0210]: unknown rule 'imge' (did you mean 'image'?)"
    ]


def test_overrides_apply_in_order_and_later_ones_win_key_by_key() -> None:
    overrides = [
        override("ui/**", 50, schema=4, alignment=256),
        override("**/b.*", 60, schema=5, fourcc="BBBB", name="b/{path}"),
    ]
    tree = MemoryTree("art/a.png", "art/ui/a.png", "art/ui/b.png", "art/b.png")
    manifest = a_manifest(a_set("s", "**", root="art", schema=3, overrides=overrides))
    found = {
        lump.sources[0]: (lump.name, lump.recipe.schema, lump.recipe.fourcc, lump.recipe.alignment)
        for lump in a_plan(manifest, tree).lumps
    }
    assert found == {
        "art/a.png": ("a.png", 3, None, 16),
        "art/ui/a.png": ("ui/a.png", 4, None, 256),
        "art/ui/b.png": ("b/ui/b.png", 5, 0x42424242, 256),
        "art/b.png": ("b/b.png", 5, 0x42424242, 16),
    }


def test_an_override_that_matches_no_file_of_the_set_is_an_error_unless_the_set_is_optional() -> None:
    overrides = [
        override(text, 50 + 10 * at) for at, text in enumerate(("*.tga", "art/a.png", "ui", "skip/c.png"))
    ]
    tree = MemoryTree("art/a.png", "art/ui/b.png", "art/skip/c.png")
    files = ["**", "!skip/**"]
    assert problems_of(a_manifest(a_set("s", files, root="art", overrides=overrides)), tree) == [
        "assets.yaml:50:12: error[E0204]: no file of set 's' matches '*.tga'",
        (
            "assets.yaml:60:12: error[E0204]: no file of set 's' matches 'art/a.png' (`match` is relative to"
            " root: 'a.png')"
        ),
        (
            "assets.yaml:70:12: error[E0204]: no file of set 's' matches 'ui' (the files below that"
            " folder are 'ui/**')"
        ),
        "assets.yaml:80:12: error[E0204]: no file of set 's' matches 'skip/c.png'",
    ]
    a_plan(a_manifest(a_set("s", files, root="art", overrides=overrides, optional=True)), tree)


def test_type_zero_in_the_manifest_is_zero_and_silence_is_none() -> None:
    for said, expected in ((None, None), ("", 0), ("TEXR", 0x52584554)):
        plan = a_plan(a_manifest(a_set("s", fourcc=said)), MemoryTree("a"))
        assert plan.lumps[0].recipe.fourcc == expected


def test_options_are_read_for_the_rule_and_their_text_is_canonical() -> None:
    tree = MemoryTree("a.png", "b.png")
    overrides = [override("b.png", 50, options=options_node(59, most="64"))]
    manifest = a_manifest(a_set("s", options=options_node(19, mips="false"), overrides=overrides))
    recipes = [lump.recipe for lump in a_plan(manifest, tree, TABLE).lumps]
    assert [recipe.options for recipe in recipes] == [Size(mips=False), Size(most=64, mips=False)]
    assert [recipe.options_text for recipe in recipes] == [
        '{"mips":false,"most":512}',
        '{"mips":false,"most":64}',
    ]


def test_options_that_do_not_fit_the_rule_are_errors_at_their_places() -> None:
    manifest = a_manifest(a_set("s", options=options_node(19, most="big", mip="true")))
    problems = problems_of(manifest, MemoryTree("a.png"), TABLE)
    assert [problem.partition("]: ")[0] for problem in problems] == [
        "assets.yaml:19:20: error[E0122",
        "assets.yaml:19:28: error[E0120",
    ]
    assert all("(rule 'image')" in problem for problem in problems)


def test_options_must_fit_every_rule_that_the_suffixes_choose() -> None:
    manifest = a_manifest(a_set("s", options=options_node(19, most="64")))
    problems = problems_of(manifest, MemoryTree("a.png", "b.txt", "c"), TABLE)
    assert [problem.partition("]: ")[0] for problem in problems] == ["assets.yaml:19:12: error[E0120"] * 2
    assert ["(rule 'raw')" in problem for problem in problems] == [True, False]
    assert ["(rule 'text')" in problem for problem in problems] == [False, True]


def test_a_rules_own_check_of_its_options_speaks_at_the_options() -> None:
    table = a_table(a_rule("picky", ".p", options=Picky), a_rule("broken", ".b", options=Broken))
    sets = a_set("s", "*.p", options=options_node(19, most="3")), a_set("t", "*.b", line=30)
    assert problems_of(a_manifest(*sets), MemoryTree("a.p", "a.b"), table) == [
        "assets.yaml:19:12: error[E0139]: most must be even (rule 'picky')",
        "assets.yaml:30:3: error[E0217]: rule 'broken' failed to check its options: ValueError: two lines",
    ]


def test_a_tool_that_the_manifest_does_not_have_is_told_where_it_is_named() -> None:
    """A rule says which tools it runs with its options, so nothing need be cooked to know."""
    runs = a_rule("runs", ".r", options=Running, tools=lambda options: (options.tool,))
    broken = a_rule("broken", ".b", tools=lambda _: 1 // 0)
    table = a_table(runs, broken)
    sets = a_set("s", "*.r", options=options_node(19, tool="dxd")), a_set("t", "*.r", line=30)
    manifest, tool = a_manifest(*sets), Tool("dxc", Place("assets.yaml"), "dxc")
    tree = MemoryTree("a.r", "a.b")
    assert problems_of(manifest._replace(tools={"dxc": tool}), tree, table) == [
        (
            "assets.yaml:19:20: error[E0218]: rule 'runs' runs 'dxd', which is not among the tools"
            " (did you mean 'dxc'?)"
        ),
        (
            "assets.yaml:30:3: error[E0218]: rule 'runs' runs 'zdbsp', which is not among the tools"
            " (add it to `tools` in the manifest)"
        ),
    ]
    a_plan(a_manifest(sets[0], tools={"dxd": tool}), tree, table)
    (said,) = problems_of(a_manifest(a_set("u", "*.b")), tree, table)
    assert "error[E0217]: rule 'broken' failed to check its options: ZeroDivisionError" in said


@pytest.mark.parametrize(
    ("compress", "ship", "expected"),
    [
        (AUTO, None, Encoding("lz4", 0, 5, 64 << 20)),
        (AUTO, HC, Encoding("lz4hc", 9, 5, 64 << 20)),
        (AUTO, Compression("none"), Encoding("none")),
        (Compression("lz4"), HC, Encoding("lz4", 0, 0, 0)),
        (Compression("none"), HC, Encoding("none")),
        (Compression("lz4hc", 12, 3), None, Encoding("lz4hc", 12, 3, 0)),
    ],
)
def test_ship_compress_replaces_codec_and_level_of_auto_not_its_limits(
    compress: Compression, ship: Compression | None, expected: Encoding
) -> None:
    """docs/design.md: "`ship.compress` replaces codec and level of `auto`, not its limits"."""
    assert make_encoding(compress, ship) == expected


def test_ship_compress_counts_in_ship_plans_only_and_silence_is_auto() -> None:
    manifest = a_manifest(a_set("s"), ship_compress=HC)
    codecs = [
        a_plan(manifest, MemoryTree("a"), profile=profile).lumps[0].recipe.encoding.codec
        for profile in ("pack", "ship")
    ]
    assert codecs == ["lz4", "lz4hc"]


def test_an_archives_alignment_holds_where_its_sets_say_nothing() -> None:
    sets = a_set("s", "a"), a_set("t", "b", line=30, alignment=256)
    plan = a_plan(a_manifest(*sets, an_archive("base", "s", "t", alignment=64)), MemoryTree("a", "b"))
    assert [lump.recipe.alignment for lump in plan.lumps] == [64, 256]


def test_a_recipe_says_its_set_its_place_and_its_rules_digest() -> None:
    recipe = a_plan(a_manifest(a_set("s", line=7)), MemoryTree("a.png"), TABLE).lumps[0].recipe
    assert (recipe.set_id, str(recipe.place), recipe.rule_digest) == (
        "s",
        "assets.yaml:7:3",
        "digest of image 1",
    )


def test_a_set_whose_root_is_missing_has_that_problem_alone() -> None:
    manifest = a_manifest(a_set("s", root="gone", overrides=[override("*.tga", 50, schema=4)]))
    assert problems_of(manifest, MemoryTree("a")) == [
        "assets.yaml:11:12: error[E0201]: root 'gone': there is no folder gone"
    ]
