"""Lump names: what templates make of paths, and the law that names keep."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.manifests import a_manifest, a_set
from tests.builders.plans import a_plan, problems_of
from tests.builders.tree import MemoryTree

from lumpyard.plan.names import (
    LONGEST_NAME,
    expand,
    iter_faults,
    name_fault,
    parse_template,
    sorted_by_bytes,
    split_path,
)

PIECES = ["a", "é", "\udcff", ".", "..", "/", "//", "\\", "\0", "x" * 250, "\ud800", "\n", " "]
texts = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)


@given(st.lists(texts, max_size=6, unique=True))
def test_the_quick_look_at_many_names_finds_what_a_look_at_each_finds(names: list[str]) -> None:
    assert [fault.name for fault in iter_faults(names)] == [name for name in names if name_fault(name)]


@given(texts)
def test_a_name_without_a_fault_is_a_clean_relative_path(name: str) -> None:
    if name_fault(name) is None:
        assert 1 <= len(name.encode("utf-8", "surrogateescape")) <= LONGEST_NAME
        assert not {"", ".", ".."}.intersection(name.split("/"))
        assert not {"\0", "\\"}.intersection(name)


@given(st.lists(st.sampled_from(["a", ".", "/", "b.c", "é"]), min_size=1).map("".join))
def test_path_is_dir_and_stem_and_suffix(path: str) -> None:
    """design.md: "{path} = {dir}{stem}{suffix}; {dir} ends in a slash or is empty, {suffix} has its dot"."""
    parts = split_path(path)
    assert "".join(parts) == path
    assert parts.dir == "" or parts.dir.endswith("/")
    assert parts.suffix == "" or parts.suffix.startswith(".")
    assert list(expand(parse_template("{dir}{stem}{suffix}"), [path])) == [path]


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("a/b.tar.gz", ("a/", "b.tar", ".gz")),
        ("a", ("", "a", "")),
        (".x", ("", ".x", "")),
        ("a/.x.y", ("a/", ".x", ".y")),
        ("..x", ("", "..x", "")),
        ("a.", ("", "a", ".")),
        ("a.b/c", ("a.b/", "c", "")),
    ],
)
def test_a_suffix_starts_at_the_last_dot_but_not_at_the_dots_a_name_starts_with(
    path: str, parts: tuple[str, ...]
) -> None:
    assert split_path(path) == parts


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("{path}", "ui/a.b.png"),
        ("gfx/{path}", "gfx/ui/a.b.png"),
        ("{dir}{stem}.tex", "ui/a.b.tex"),
        ("{stem}{suffix}", "a.b.png"),
        ("{dir}atlas.bin", "ui/atlas.bin"),
        ("{suffix}/{suffix}", ".png/.png"),
    ],
)
def test_a_template_names_the_lump(template: str, name: str) -> None:
    plan = a_plan(a_manifest(a_set("s", "**", root="art", name=template)), MemoryTree("art/ui/a.b.png"))
    assert [(lump.name, lump.products) for lump in plan.lumps] == [(name, (name,))]


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("", "E0221", "is empty"),
        ("é" * 128, "E0221", "is 256 bytes long; 255 is the most"),
        ("a\0b", "E0222", "holds a NUL"),
        ("a\\b", "E0222", "has a backslash; lump names have forward slashes"),
        ("/a", "E0222", "starts with a slash"),
        ("a/", "E0222", "ends in a slash"),
        ("a//b", "E0222", "has an empty part between two slashes"),
        ("a/./b", "E0222", "has '.' or '..' as a part"),
        ("..", "E0222", "has '.' or '..' as a part"),
        ("\ud800", "E0222", "holds a surrogate that stands for no byte"),
    ],
)
def test_a_name_that_breaks_the_law_is_told_how(name: str, code: str, message: str) -> None:
    assert name_fault(name) == (name, code, message)


@pytest.mark.parametrize("name", ["a" * 255, "\udcff", "é", "a b", "a\nb", ".x/..y", "a.", "C:x", "CON"])
def test_a_name_that_only_some_file_systems_refuse_is_good(name: str) -> None:
    assert name_fault(name) is None


def test_a_bad_name_is_an_error_with_its_source_and_the_others_are_planned() -> None:
    long = "x" * 300
    tree = MemoryTree(f"{long}.png", "a\\b.png", "c.png")
    hint = "`name` can give the set's lumps other names"
    assert problems_of(a_manifest(a_set("s"), a_set("t", "c.png", line=30)), tree) == [
        (
            f"assets.yaml:10:3: error[E0221]: lump name '{'x' * 79}…' of {long}.png is 304 bytes long; 255"
            " is the most"
            f" ({hint})"
        ),
        (
            "assets.yaml:10:3: error[E0222]: lump name 'a\\b.png' of a\\b.png has a backslash;"
            f" lump names have forward slashes ({hint})"
        ),
        (
            "assets.yaml:30:3: error[E0224]: sets 's' (assets.yaml:10:3) and 't' (assets.yaml:30:3) both"
            " take c.png"
            " as 'c.png' (take it away from one of them with a `!` pattern, or give one another `name`)"
        ),
    ]


def test_a_bad_name_of_a_template_stands_at_the_template() -> None:
    tree = MemoryTree("a.png", "b/c.png")
    assert problems_of(a_manifest(a_set("s", name="{dir}")), tree) == [
        "assets.yaml:18:12: error[E0221]: lump name '' of a.png is empty",
        "assets.yaml:18:12: error[E0222]: lump name 'b/' of b/c.png ends in a slash",
    ]


def test_names_sort_by_bytes_and_not_by_code_points() -> None:
    assert sorted_by_bytes(["\udcff", "\U0001f600", "b", "é", "\uffff"]) == [
        "b",
        "é",
        "\uffff",
        "\U0001f600",
        "\udcff",
    ]
    assert sorted_by_bytes(["\udc80", "é"]) == ["\udc80", "é"]  # 80 and c3 a9


def test_fields_in_capitals_have_their_ascii_letters_in_capitals() -> None:
    template = parse_template("{DIR}{stem}-{STEM}{SUFFIX}-{PATH}-{LUMP}-{lump}")
    assert expand(template, ["a/bé.x"], ["own"]) == ["A/bé-Bé.X-A/Bé.X-OWN-own"]
    assert expand(parse_template("{STEM}"), ["gfx/title.lmp", "x.y.z"]) == ["TITLE", "X.Y"]
    assert expand(parse_template("{LUMP}"), ["gfx/title.lmp"], []) == ["TITLE.LMP"]
