"""Plans of archives: what else than lumps is in them, and which are asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.builders.manifests import a_manifest, a_set, a_table, an_archive
from tests.builders.plans import warnings_of
from tests.builders.tree import MemoryTree

from lumpyard.errors import UsageError
from lumpyard.plan import plan_all, plan_archive
from lumpyard.plan.codes import MEANINGS

TREE = MemoryTree("a", "b")
MANIFEST = a_manifest(
    a_set("s", "a"),
    a_set("t", "b"),
    an_archive("two", "t", "s", alignment=64, dedupe=True),
    an_archive("one", "s", strip=False),
    seed=7,
)


def test_a_plan_has_what_the_manifest_says_of_the_archive() -> None:
    plan = plan_archive(MANIFEST, "two", "ship", a_table(), TREE)
    assert [lump.name for lump in plan.lumps] == ["a", "b"]
    assert plan[:8] == ("two", "ship", "two.ewad", "EWAD", 64, True, True, 7)


def test_only_ship_plans_strip_and_only_where_the_archive_says_so() -> None:
    found = {
        (plan.id, plan.profile): plan.strip
        for profile in ("pack", "ship")
        for plan in plan_all(MANIFEST, profile, a_table(), TREE)
    }
    assert found == {
        ("two", "pack"): False,
        ("one", "pack"): False,
        ("two", "ship"): True,
        ("one", "ship"): False,
    }


def test_all_archives_come_in_the_manifests_order_and_some_in_the_order_asked_for() -> None:
    assert [plan.id for plan in plan_all(MANIFEST, "ship", a_table(), TREE)] == ["two", "one"]
    assert [plan.id for plan in plan_all(MANIFEST, "ship", a_table(), TREE, ["one", "two"])] == ["one", "two"]
    assert plan_all(MANIFEST, "ship", a_table(), TREE, []) == []


def test_an_archive_that_the_manifest_lacks_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"^assets\.yaml has no archive 'twoo'; did you mean 'two'\?$"):
        plan_archive(MANIFEST, "twoo", "ship", a_table(), TREE)
    with pytest.raises(UsageError, match=r"^assets\.yaml has no archive 'x'; it has two, one$"):
        plan_archive(MANIFEST, "x", "ship", a_table(), TREE)


def test_an_archive_without_lumps_is_a_plan_too() -> None:
    manifest = a_manifest(a_set("s", "x", optional=True))
    assert warnings_of(manifest, TREE) == []


def test_folders_are_listed_once_for_all_sets_of_all_archives() -> None:
    tree = MemoryTree("art/a.png", "art/b.txt")
    sets = a_set("s", "art/*.png"), a_set("t", "art/*.txt")
    plan_all(a_manifest(*sets, an_archive("x", "s", "t"), an_archive("y", "s")), "ship", a_table(), tree)
    assert tree.scans.count("art") == 1


def test_every_code_says_in_one_sentence_what_it_means() -> None:
    assert all(code[0] in "EW" and code[1:3] == "02" for code in MEANINGS)
    assert all(
        (meaning[0] == "`" or meaning[0].isupper()) and meaning.endswith(".") for meaning in MEANINGS.values()
    )


def test_planning_needs_no_heavy_import() -> None:
    heavy = "yaml lz4 rich blake3 xxhash doit concurrent importlib.metadata unicodedata difflib"
    code = f"import sys, lumpyard.plan; print(*sorted(set('{heavy}'.split()) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
