"""What holds for every plan, whatever the folders and the patterns."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.builders.manifests import a_manifest, a_rule, a_set, a_table, an_archive, override
from tests.builders.tree import MemoryTree, name_bytes

from lumpyard.errors import Place, ProblemsError
from lumpyard.plan import ArchivePlan, plan_archive

PARTS = ["a", "b", "ab", "a.png", "b.PNG", ".h", ".h.png", "x~", "build", "é", "\udcff", "a-b"]
paths = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map("/".join)
globs = st.lists(
    st.sampled_from([*PARTS, "*", "**", "*.png", "?", "[ab]", "[!a]*", ".*", "*a*", "**"]),
    min_size=1,
    max_size=4,
).map("/".join)
NOWHERE = Place("")
TABLE = a_table(a_rule("image", ".png"))


@st.composite
def trees(draw: Any) -> list[str]:
    """Paths of files, none of which is also a folder."""
    drawn = draw(st.lists(paths, max_size=12, unique=True))
    return [path for path in drawn if not any(other.startswith(f"{path}/") for other in drawn)]


def plan(manifest: Any, tree: MemoryTree) -> ArchivePlan | str:
    """A plan, or the text of its problems."""
    try:
        return plan_archive(manifest, "base", "ship", TABLE, tree)
    except ProblemsError as error:
        return str(error)


def sources(planned: ArchivePlan) -> list[str]:
    return [path for lump in planned.lumps for path in lump.sources]


def naive_match(pattern: list[str], path: list[str]) -> bool:
    """A glob as docs/manifest.md says it, part by part, by trying everything."""
    if not pattern:
        return not path
    if pattern == ["**"]:
        return bool(path) and not any(part.startswith(".") for part in path)
    if pattern[0] == "**":
        return naive_match(pattern[1:], path) or (
            bool(path) and not path[0].startswith(".") and naive_match(pattern, path[1:])
        )
    return bool(path) and naive_part(pattern[0], path[0]) and naive_match(pattern[1:], path[1:])


def naive_part(pattern: str, name: str) -> bool:
    if name.startswith(".") and not pattern.startswith("."):
        return False
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(naive_part_rest(pattern[1:], name[at:]) for at in range(len(name) + 1))
    return naive_part_rest(pattern, name)


def naive_part_rest(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(naive_part_rest(pattern[1:], name[at:]) for at in range(len(name) + 1))
    if not name:
        return False
    if pattern[0] == "[":
        inside, rest = pattern[1:].split("]", 1)
        holds = name[0] not in inside[1:] if inside[0] == "!" else name[0] in inside
        return holds and naive_part_rest(rest, name[1:])
    return pattern[0] in ("?", name[0]) and naive_part_rest(pattern[1:], name[1:])


@given(trees(), st.lists(globs, min_size=1, max_size=3), st.lists(globs, max_size=2), st.booleans())
def test_each_source_appears_exactly_where_the_globs_say(
    files: list[str], takes: list[str], takes_away: list[str], ignoring: bool
) -> None:
    ignore = (".*", "*~") if ignoring else ()
    texts = [*(f"!{text}" for text in takes_away), *takes]
    planned = plan(
        a_manifest(a_set("s", texts, optional=True, rule="raw"), ignore=ignore), MemoryTree(*files)
    )
    if isinstance(planned, str):  # a folder where a pattern names a file: one problem, and no plan
        assert "is a folder, not a file" in planned
        return
    expected = [
        path
        for path in files
        if any(naive_match(text.split("/"), path.split("/")) for text in takes)
        and not any(naive_match(text.split("/"), path.split("/")) for text in takes_away)
        and not any(naive_part(text, part) for text in ignore for part in path.split("/"))
        and not (path.startswith("build/"))
    ]
    assert sources(planned) == sorted(expected, key=name_bytes)


@given(trees(), st.lists(globs, min_size=1, max_size=3), st.integers(0, 99))
def test_the_plan_is_the_same_for_any_order_of_listing(files: list[str], takes: list[str], seed: int) -> None:
    manifest = a_manifest(
        a_set("s", takes, overrides=[override("**/*.png", 50, schema=4)], gather=True, name="{stem}")
    )

    def shuffled(names: list[str]) -> list[str]:
        return random.Random(seed).sample(names, len(names))

    assert plan(manifest, MemoryTree(*files)) == plan(manifest, MemoryTree(*files, order=shuffled))


@given(trees(), globs, globs)
def test_moving_a_set_definition_changes_only_places(files: list[str], first: str, second: str) -> None:
    def planned(first_line: int, second_line: int, *, swapped: bool) -> Any:
        sets = [
            a_set("one", first, line=first_line, optional=True, name="1/{path}", rule="raw"),
            a_set("two", second, line=second_line, optional=True, name="2/{path}", rule="raw", schema=3),
        ]
        archive = an_archive("base", *(("two", "one") if swapped else ("one", "two")))
        manifest = a_manifest(*(reversed(sets) if swapped else sets), archive)
        made = plan(manifest, MemoryTree(*files))
        if isinstance(made, str):
            return sorted(line.partition(": ")[2] for line in made.splitlines())
        return [lump._replace(recipe=lump.recipe._replace(place=NOWHERE)) for lump in made.lumps]

    assert planned(10, 30, swapped=False) == planned(40, 10, swapped=True)


@given(trees(), st.lists(globs, min_size=1, max_size=3))
def test_lumps_stand_in_the_order_of_their_names_bytes_whatever_the_order_of_patterns(
    files: list[str], takes: list[str]
) -> None:
    made = plan(a_manifest(a_set("s", takes, optional=True)), MemoryTree(*files))
    again = plan(a_manifest(a_set("s", takes[::-1], optional=True)), MemoryTree(*files))
    if isinstance(made, str) or isinstance(again, str):
        assert isinstance(made, str)
        assert isinstance(again, str)
        return
    assert made.lumps == again.lumps
    names = [name_bytes(lump.name) for lump in made.lumps]
    assert names == sorted(set(names))


def test_no_folder_is_listed_that_no_pattern_can_match_in() -> None:
    tree = MemoryTree("art/ui/a.png", "art/ui/deep/b.png", "sound/c.wav", "build/d.png", "x.png")
    plan(a_manifest(a_set("s", "ui/*.png", root="art")), tree)
    assert set(tree.scans) == {"", "art", "art/ui"}


def test_literal_paths_list_only_their_own_folders() -> None:
    tree = MemoryTree("art/a.png", "art/deep/b.png", "sound/c.wav")
    planned = plan(a_manifest(a_set("s", ["art/a.png"])), tree)
    assert isinstance(planned, ArchivePlan)
    assert sources(planned) == ["art/a.png"]
    assert set(tree.scans) == {"", "art"}


def test_lumps_of_one_set_that_share_every_setting_share_one_recipe_value() -> None:
    files = [f"{folder}/{name}.png" for folder in "abc" for name in "xyz"]
    made = plan(
        a_manifest(
            a_set(
                "s",
                "**",
                overrides=[override("a/**", 50, schema=4), override("b/**", 70, schema=4, rule="image")],
            )
        ),
        MemoryTree(*files),
    )
    assert isinstance(made, ArchivePlan)
    recipes = {id(lump.recipe): lump.recipe for lump in made.lumps}
    assert sorted(recipe.schema or 0 for recipe in recipes.values()) == [0, 4]
