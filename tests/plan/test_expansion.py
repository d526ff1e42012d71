"""Archives whose lumps are sources of a set (rule `archive`): "each lump of the archive is a source of its own"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders.manifests import a_manifest, a_rule, a_set, a_table, an_archive, options_node, override
from tests.builders.plans import a_plan, problems_of, warnings_of
from tests.builders.tree import MemoryTree

from lumpyard.errors import Place
from lumpyard.manifest.model import Mount
from lumpyard.plan.tree import Reading
from lumpyard_rules.archive import RULE as ARCHIVE

if TYPE_CHECKING:
    from lumpyard.plan import ArchivePlan

TEXT = a_rule("text", ".txt", fourcc="TEXT")
TABLE = a_table(ARCHIVE, TEXT)
LUMPS = {"MAP01/MAP01": 0, "MAP01/THINGS": 0, "sprites/A": 0, "sprites/B": 0}


def a_tree() -> MemoryTree:
    tree = MemoryTree("vendor/in.wad", "vendor/other.wad", "a.txt")
    tree.archives = {"vendor/in.wad": LUMPS, "vendor/other.wad": {"readme.txt": 0}}
    return tree


def sources(plan: ArchivePlan) -> dict[str, str]:
    return {lump.name: lump.sources[0] for lump in plan.lumps}


def test_each_lump_is_planned_with_a_source_of_its_own() -> None:
    tree = a_tree()
    plan = a_plan(a_manifest(a_set("s", "vendor/in.wad", rule="archive")), tree, TABLE)
    assert sources(plan) == {name: f"vendor/in.wad!{name}" for name in LUMPS}
    assert {lump.recipe.rule.kind for lump in plan.lumps} == {"raw"}
    assert tree.expanded == [("vendor/in.wad", Reading())]


def test_the_name_is_filled_from_the_path_in_the_archive_whatever_the_root() -> None:
    manifest = a_manifest(a_set("s", "in.wad", root="vendor", rule="archive", name="doom/{dir}{lump}.lmp"))
    assert sources(a_plan(manifest, a_tree(), TABLE))["doom/sprites/A.lmp"] == "vendor/in.wad!sprites/A"


def test_lumps_keep_their_order_where_order_is_data() -> None:
    tree = a_tree()
    tree.archives["vendor/in.wad"] = {"Z": 0, "A": 0, "M": 0}
    tree.archives["vendor/other.wad"] = {"B": 0}
    manifest = a_manifest(
        a_set("s", ["vendor/other.wad", "vendor/*.wad"], rule="archive"),
        an_archive("base", "s", format="PWAD", alignment=1),
    )
    assert [lump.name for lump in a_plan(manifest, tree, TABLE).lumps] == ["B", "Z", "A", "M"]


def test_only_and_exclude_choose_by_path() -> None:
    options = options_node(19, only="sprites/*", exclude="**/B")
    manifest = a_manifest(a_set("s", "vendor/*.wad", rule="archive", options=options))
    assert sources(a_plan(manifest, a_tree(), TABLE)) == {"sprites/A": "vendor/in.wad!sprites/A"}


def test_what_the_manifest_ignores_is_no_lump_either() -> None:
    tree = a_tree()
    tree.archives["vendor/in.wad"] = {".lumpyard/origin": 0, "a/.b": 0, "a/Thumbs.db": 0, "a/c": 0, ".d/e": 0}
    plan = a_plan(a_manifest(a_set("s", "vendor/in.wad", rule="archive")), tree, TABLE)
    assert list(sources(plan)) == ["a/c"]


def test_patterns_that_match_nothing_are_warnings() -> None:
    options = options_node(19, only="**", exclude="nothing")
    manifest = a_manifest(a_set("s", "vendor/in.wad", rule="archive", options=options))
    assert warnings_of(manifest, a_tree(), TABLE) == [
        "assets.yaml:19:12: warning[W0202]: exclude: no lump of the archives matches 'nothing'"
    ]


def test_another_rule_may_cook_the_lumps() -> None:
    manifest = a_manifest(
        a_set("s", "vendor/other.wad", rule="archive", options=options_node(19, rule="text"))
    )
    (lump,) = a_plan(manifest, a_tree(), TABLE).lumps
    assert (lump.recipe.rule.kind, lump.recipe.options_text) == ("text", "{}")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"rule": "txet"}, "error[E0210]: unknown rule 'txet' (did you mean 'text'?)"),
        ({"rule": "archive"}, "error[E0231]: rule 'archive' cooks no lumps (name another `rule`)"),
        ({"only": "a//b"}, "error[E0231]: only: pattern 'a//b': it has an empty part between two slashes"),
    ],
)
def test_options_that_mean_nothing_are_told_at_their_place(options: dict[str, str], text: str) -> None:
    manifest = a_manifest(a_set("s", "vendor/in.wad", rule="archive", options=options_node(19, **options)))
    assert problems_of(manifest, a_tree(), TABLE) == [f"assets.yaml:19:12: {text}"]


def test_what_is_no_archive_is_told_of_each_file() -> None:
    tree = MemoryTree("a.wad", "b.wad")
    found = problems_of(a_manifest(a_set("s", "*.wad", rule="archive")), tree, TABLE)
    assert [text.partition(": ")[2] for text in found] == [
        "error[E0230]: a.wad: not an archive",
        "error[E0230]: b.wad: not an archive",
    ]


def test_two_archives_with_one_lump_are_two_sources_for_a_name() -> None:
    tree = a_tree()
    tree.archives["vendor/other.wad"] = {"sprites/A": 0}
    (error,) = problems_of(a_manifest(a_set("s", "vendor/*.wad", rule="archive")), tree, TABLE)
    assert "E0223" in error
    assert "vendor/in.wad!sprites/A and vendor/other.wad!sprites/A" in error


def test_an_override_may_give_one_file_to_the_rule() -> None:
    manifest = a_manifest(
        a_set("s", ["a.txt", "vendor/in.wad"], overrides=[override("**/*.wad", 50, rule="archive")])
    )
    plan = a_plan(manifest, a_tree(), TABLE)
    assert sources(plan) == {"a.txt": "a.txt", **{name: f"vendor/in.wad!{name}" for name in LUMPS}}


def test_mounts_tell_what_they_leave_out() -> None:
    tree = a_tree()
    tree.mount_warned = {0: ("base.mpq: left out: entry 3 has no name",)}
    manifest = a_manifest(a_set("s", "a.txt"), mounts=(Mount("base.mpq", "", Place("assets.yaml", 3, 5)),))
    assert warnings_of(manifest, tree, TABLE) == [
        "assets.yaml:3:5: warning[W0206]: base.mpq: left out: entry 3 has no name"
    ]
