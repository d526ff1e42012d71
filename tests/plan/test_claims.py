"""The `claim` lint."""

from __future__ import annotations

from tests.builders.manifests import a_manifest, a_set, an_archive, patterns
from tests.builders.tree import MemoryTree

from lumpyard.plan import claim_problems

TREE = MemoryTree("art/a.png", "art/b.tga", "art/.c", "art/d.psd", "doc/e.txt", "build/f.png")

HINT = "add it to one, ignore it, or take it away from claim with '!'"


def claims(*claim: str, tree: MemoryTree = TREE, **said: object) -> list[str]:
    manifest = a_manifest(
        a_set("s", "*.png", root="art"),
        a_set("unused", "art/*.tga", line=30),
        an_archive("base", "s", exclude="**"),
        claim=patterns(claim, 6),
        **said,
    )
    return [
        f"{problem} ({problem.hint})" if problem.hint else str(problem)
        for problem in claim_problems(manifest, tree)
    ]


def test_a_claimed_file_in_no_set_that_nothing_ignores_is_a_warning_at_the_claim() -> None:
    assert claims("**") == [
        f"assets.yaml:6:12: warning[W0210]: art/d.psd is in no set ({HINT})",
        f"assets.yaml:6:12: warning[W0210]: doc/e.txt is in no set ({HINT})",
    ]


def test_a_claim_can_take_away_and_the_first_that_matches_is_named() -> None:
    assert claims("art/**", "!doc/**", "**") == [
        f"assets.yaml:6:12: warning[W0210]: art/d.psd is in no set ({HINT})"
    ]


def test_a_claim_that_matches_no_file_is_a_warning() -> None:
    assert claims("asets/**", "art/*.png") == [
        "assets.yaml:6:12: warning[W0211]: claim: no file matches 'asets/**'"
    ]


def test_a_manifest_that_claims_nothing_lists_nothing() -> None:
    tree = MemoryTree("x")
    assert claims(tree=tree) == []
    assert tree.scans == []
