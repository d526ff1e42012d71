"""Lump names that cannot stand together."""

from __future__ import annotations

from tests.builders.manifests import a_manifest, a_rule, a_set, a_table, an_archive
from tests.builders.plans import a_plan, problems_of, warnings_of
from tests.builders.tree import MemoryTree

from lumpyard.plan.findings import MOST_ALIKE

APART = "give one of the sets another `name`, or take one of the files away"
GATHER = "`gather: true` makes one lump of them; {path} in `name` keeps them apart"


def test_two_sources_for_one_name_is_an_error_that_shows_both_places() -> None:
    tree = MemoryTree("gfx/a.bin", "sfx/a.bin")
    sets = a_set("x", root="gfx"), a_set("y", root="sfx", line=30)
    assert problems_of(a_manifest(*sets), tree) == [
        (
            "assets.yaml:30:3: error[E0223]: two sources for lump 'a.bin': gfx/a.bin of set 'x'"
            " (assets.yaml:10:3)"
            f" and sfx/a.bin of set 'y' (assets.yaml:30:3) ({APART})"
        )
    ]


def test_two_archives_may_have_one_name_from_different_sources() -> None:
    tree = MemoryTree("gfx/a.bin", "sfx/a.bin")
    sets = a_set("x", root="gfx"), a_set("y", root="sfx", line=30)
    a_plan(a_manifest(*sets, an_archive("one", "x"), an_archive("two", "y")), tree)


def test_two_sources_within_one_set_are_told_of_gather() -> None:
    tree = MemoryTree("a/x.png", "b/x.png")
    assert problems_of(a_manifest(a_set("s", name="{stem}.tex")), tree) == [
        (
            "assets.yaml:10:3: error[E0223]: two sources for lump 'x.tex': a/x.png and b/x.png, both of"
            " set 's'"
            f" (assets.yaml:10:3) ({GATHER})"
        )
    ]


def test_one_file_in_two_sets_under_one_name_is_an_error_and_under_two_names_fine() -> None:
    tree = MemoryTree("a.bin")
    assert problems_of(a_manifest(a_set("x"), a_set("y", line=30)), tree) == [
        (
            "assets.yaml:30:3: error[E0224]: sets 'x' (assets.yaml:10:3) and 'y' (assets.yaml:30:3) both"
            " take a.bin as"
            " 'a.bin' (take it away from one of them with a `!` pattern, or give one another `name`)"
        )
    ]
    plan = a_plan(a_manifest(a_set("x"), a_set("y", line=30, name="y/{path}")), tree)
    assert [lump.name for lump in plan.lumps] == ["a.bin", "y/a.bin"]


def test_names_that_a_rule_announces_clash_like_others() -> None:
    tree = MemoryTree("a.hlsl", "a.pdb")
    shader = a_rule("shader", ".hlsl", products=lambda name, _: [name, name.replace("hlsl", "pdb")])
    assert problems_of(a_manifest(a_set("s")), tree, a_table(shader)) == [
        (
            "assets.yaml:10:3: error[E0223]: two sources for lump 'a.pdb': a.hlsl and a.pdb, both of set 's'"
            " (assets.yaml:10:3) (another `name` keeps them apart)"
        )
    ]
    sets = a_set("s", "*.hlsl"), a_set("t", "*.pdb", line=30)
    assert problems_of(a_manifest(*sets, an_archive("base", "t", "s")), tree, a_table(shader)) == [
        (
            "assets.yaml:10:3: error[E0223]: two sources for lump 'a.pdb': a.pdb of set 't'"
            " (assets.yaml:30:3)"
            f" and a.hlsl of set 's' (assets.yaml:10:3) ({APART})"
        )
    ]


def test_lumps_that_only_exclude_keeps_out_do_not_clash() -> None:
    tree = MemoryTree("gfx/a.bin", "sfx/a.bin", "sfx/b.bin")
    sets = a_set("x", root="gfx"), a_set("y", root="sfx", line=30)
    plan = a_plan(a_manifest(*sets, an_archive("base", "x", "y", exclude="a.bin")), tree)
    assert [lump.name for lump in plan.lumps] == ["b.bin"]


def test_thousands_of_clashes_are_counted_rather_than_listed() -> None:
    tree = MemoryTree(*(f"{number:04}" for number in range(1020)))
    problems = problems_of(a_manifest(a_set("x"), a_set("y", line=30)), tree)
    assert len(problems) == MOST_ALIKE + 1
    assert problems[-1] == "assets.yaml:30:3: error[E0224]: … and 1,000 more like these"


def test_names_that_differ_only_in_case_are_one_warning_that_names_both() -> None:
    tree = MemoryTree("Art/x.png", "art/X.png", "b")
    assert warnings_of(a_manifest(a_set("s")), tree) == [
        (
            "assets.yaml:10:3: warning[W0203]: lump names 'Art/x.png' and 'art/X.png' differ only in case"
            " (some file systems can't hold both)"
        )
    ]


def test_names_that_differ_only_in_unicode_form_are_one_warning_that_names_both() -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    tree = MemoryTree(composed, decomposed, "É", "é")
    assert warnings_of(a_manifest(a_set("s")), tree) == [
        (
            f"assets.yaml:10:3: warning[W0203]: lump names '{decomposed}' and '{composed}' differ only in"
            " case or Unicode"
            " form (some file systems can't hold both)"
        ),
        (
            "assets.yaml:10:3: warning[W0203]: lump names 'É' and 'é' differ only in case"
            " (some file systems can't hold both)"
        ),
    ]


def test_names_with_bytes_that_are_not_utf_8_are_compared_too() -> None:
    assert warnings_of(a_manifest(a_set("s")), MemoryTree("\udcffA", "\udcffB", "\udcffa")) == [
        (
            "assets.yaml:10:3: warning[W0203]: lump names '\udcffA' and '\udcffa' differ only in case"
            " (some file systems can't hold both)"
        )
    ]


def test_a_name_that_is_also_a_folder_of_others_is_a_warning() -> None:
    tree = MemoryTree("a/maps", "b/maps/e1/m1", "b/maps/e1/m2")
    sets = a_set("x", root="a"), a_set("y", root="b", line=30)
    assert warnings_of(a_manifest(*sets), tree) == [
        (
            "assets.yaml:10:3: warning[W0204]: lump name 'maps' is also the folder of 'maps/e1/m1'"
            " (no file system can hold both)"
        )
    ]
