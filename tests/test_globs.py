"""Globs: the compiled matcher agrees with a naive one, whatever the pattern and the path."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lumpyard.errors import UsageError
from lumpyard.globs import GlobError, any_match, escape_glob, parse_glob

ALPHABET = "ab.-!^]["


def naive(pattern: str, path: str) -> bool:
    """Whether a glob matches, written down from the documentation by trying everything."""
    return naive_parts(pattern.split("/"), path.split("/"))


def naive_parts(pattern: list[str], path: list[str]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        skips = [0] if len(pattern) > 1 else []  # as the last part it takes at least the file itself
        if path and not path[0].startswith("."):
            skips += [1]
        return any(
            naive_parts(pattern if skip else pattern[1:], path[skip:])
            or (pattern == ["**"] and skip == 1 == len(path))
            for skip in skips
        )
    return bool(path) and naive_part(pattern[0], path[0]) and naive_parts(pattern[1:], path[1:])


def naive_part(pattern: str, name: str) -> bool:
    if name.startswith(".") != pattern.startswith("."):
        return False
    return naive_chars(pattern, name)


def naive_chars(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(naive_chars(pattern[1:], name[skip:]) for skip in range(len(name) + 1))
    if not name:
        return False
    if pattern[0] == "?":
        return naive_chars(pattern[1:], name[1:])
    if pattern[0] == "[":
        inside, rest = naive_class(pattern)
        negated = inside[0] == "!"
        return (name[0] in naive_members(inside[negated:])) != negated and naive_chars(rest, name[1:])
    return pattern[0] == name[0] and naive_chars(pattern[1:], name[1:])


def naive_class(pattern: str) -> tuple[str, str]:
    start = 3 if pattern[1] == "!" else 2
    end = pattern.index("]", start)
    return pattern[1:end], pattern[end + 1 :]


def naive_members(inside: str) -> str:
    if len(inside) > 2 and inside[1] == "-":
        return "".join(map(chr, range(ord(inside[0]), ord(inside[2]) + 1))) + naive_members(inside[3:])
    return inside[0] + naive_members(inside[1:]) if inside else ""


classes = st.sampled_from(
    ["[a-c]", "[!a]", "[]]", "[!]]", "[.a]", "[a-]", "[-a]", "[+-9]", "[!.]", "[a^]", "[*?]", "[[]"]
)
pattern_parts = st.one_of(
    st.just("**"),
    st.lists(st.one_of(st.sampled_from("ab.-!^]*?"), classes), min_size=1, max_size=5).map("".join),
)
patterns = st.lists(pattern_parts, min_size=1, max_size=5).map("/".join)
path_parts = st.text(ALPHABET + "\n*\udc80", min_size=1, max_size=4).filter(
    lambda part: part not in (".", "..")
)
paths = st.lists(path_parts, min_size=1, max_size=6).map("/".join)


@given(patterns, st.lists(paths, min_size=1, max_size=8))
@example("**/.x/**/b", [".x/.x/b", "a/.x/b", ".x/a/b"])
@example("**/a/**/a/**", ["a/a", "a/a/a", "a/a/.a", "a/b/a/b"])
@example("*a*ab*b", ["aabb", "aab", "aababb"])
def test_a_glob_matches_what_the_naive_matcher_matches(pattern: str, candidates: list[str]) -> None:
    try:
        glob = parse_glob(pattern)
    except GlobError:
        return
    for path in candidates:
        assert glob.matches(path) == naive(pattern, path), path
        assert any_match([glob])(path) == glob.matches(path)
        assert (glob.regex.fullmatch(path) is not None) == glob.matches(path)


@given(patterns, paths)
def test_a_lister_that_follows_prefix_depth_and_may_descend_misses_no_match(pattern: str, path: str) -> None:
    try:
        glob = parse_glob(pattern)
    except GlobError:
        return
    if glob.matches(path):
        parts = path.split("/")
        assert all(glob.may_descend("/".join(parts[:depth])) for depth in range(len(parts)))
        assert glob.max_depth is None or len(parts) <= glob.max_depth
        assert not glob.prefix or path.startswith(f"{glob.prefix}/")


@given(paths)
def test_an_escaped_path_matches_itself_and_nothing_else(path: str) -> None:
    glob = parse_glob(escape_glob(path))
    assert glob.matches(path) == naive(escape_glob(path), path)
    assert not glob.matches(f"{path}x")


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.png", ["a.png", "a.b.png"], ["a/b.png", ".png", ".a.png", "a.PNG", "a.png\n"]),
        ("**/*.png", ["a.png", "x/y/a.png"], [".x/a.png", "x/.a.png"]),
        ("a/**", ["a/b", "a/b/c"], ["a", "a/.b", "a/.b/c", "b/a/c"]),
        ("**", ["a", "a/b"], [".a", "a/.b"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "a/.x/b"]),
        (".*", [".a"], ["a"]),
        ("**/.*", [".a", "x/.a"], [".x/.a", "x/a"]),
        ("?", ["a", "é", "\udcff", "\U0001f600"], ["", "ab", "/", "."]),
        ("[.]a", [], [".a"]),
        ("[a-c]x", ["ax", "bx"], ["dx", "-x"]),
        ("[!a-c]x", ["dx", "-x"], ["ax", "/x", ".x"]),
        ("[+-9]", ["0", "+"], ["/", "."]),
        ("[*][?][[]", ["*?["], ["abc"]),
        (r"a[\]b", ["a\\b"], ["ab", "a/b"]),
        ("{a,b}", ["{a,b}"], ["a", "b"]),
        ("~/$HOME", ["~/$HOME"], []),
        ("STRASSE", ["STRASSE"], ["straße", "strasse"]),
    ],
)
def test_each_form_matches_what_the_documentation_says(
    pattern: str, matching: list[str], others: list[str]
) -> None:
    glob = parse_glob(pattern)
    assert [path for path in matching + others if glob.matches(path)] == matching


@pytest.mark.parametrize(
    ("pattern", "rule"),
    [
        ("", "it is empty"),
        ("/a", "it is absolute"),
        ("C:/a", "it is absolute"),
        ("C:\\a", "it is absolute"),
        ("a/../b", "it has `..` as a part"),
        ("./a", "it has `.` as a part"),
        ("a//b", "it has an empty part between two slashes"),
        ("a/", "it ends in a slash"),
        ("a[b", "a `[` without its `]`"),
        ("[a/b]", "a `[` without its `]`"),
        ("[]", "a `[` without its `]`"),
        ("[!]", "a `[` without its `]`"),
        ("a**", "`**` stands only for whole parts"),
        ("***", "`**` stands only for whole parts"),
        ("a\\*", "it has a backslash"),
        ("[^a]", "`[^a]` starts with `^`"),
        ("[z-a]", "`z-a` in `[z-a]` runs backwards"),
        ("a\0", "it holds a NUL"),
    ],
)
def test_a_glob_that_means_nothing_is_refused_by_the_rule_it_breaks(pattern: str, rule: str) -> None:
    with pytest.raises(UsageError, match=re.escape(rule)) as caught:
        parse_glob(pattern)
    assert isinstance(caught.value, GlobError)
    assert caught.value.rule == rule
    assert "\n" not in str(caught.value)


def test_every_ascii_character_is_itself_inside_and_outside_of_brackets() -> None:
    for char in map(chr, range(1, 128)):
        if char not in "/.*?[\\":
            assert parse_glob(f"x{char}").matches(f"x{char}"), char
        if char not in "/!^]":
            assert parse_glob(f"x[{char}{char}-{char}]").matches(f"x{char}"), char
            assert parse_glob(f"x[!{char}]").matches(f"x{char}") is False, char


@pytest.mark.parametrize(
    ("pattern", "prefix", "max_depth", "is_literal"),
    [
        ("a/b/c.png", "a/b", 3, True),
        ("c.png", "", 1, True),
        ("a/b*/c", "a", 3, False),
        ("a/b/**", "a/b", None, False),
        ("**/a", "", None, False),
        ("a[b]/c", "", 2, False),
    ],
)
def test_a_lister_learns_where_to_start_and_how_deep_to_go(
    pattern: str, prefix: str, max_depth: int | None, is_literal: bool
) -> None:
    glob = parse_glob(pattern)
    assert (glob.prefix, glob.max_depth, glob.is_literal) == (prefix, max_depth, is_literal)


@pytest.mark.parametrize(
    ("pattern", "entered", "passed_by"),
    [
        ("a/*/c.png", ["", "a", "a/b"], ["b", "a/.b", "a/b/c", "a/b/c.png"]),
        ("a/**", ["", "a", "a/b", "a/b/c"], ["ab", "b", "a/.b"]),
        ("**/x/*", ["", "a", "a/x", "a/x/y"], [".a"]),
        ("a/b", ["", "a"], ["a/b", "ab"]),
        ("*", [""], ["a"]),
    ],
)
def test_folders_that_can_hold_no_match_are_not_entered(
    pattern: str, entered: list[str], passed_by: list[str]
) -> None:
    glob = parse_glob(pattern)
    assert [folder for folder in entered + passed_by if glob.may_descend(folder)] == entered


def test_a_pattern_of_many_stars_takes_no_exponential_time() -> None:
    assert not parse_glob("*a" * 40 + "b").matches("a" * 250)
    assert not parse_glob("**/a/" * 20 + "b").matches("a/" * 250 + "c")


def test_globs_that_are_asked_together_answer_as_one() -> None:
    matches = any_match([parse_glob(text) for text in ("a", "b/c", "*.x", "**/y")])
    assert [path for path in ("a", "b/c", "1.x", "q/y", "b", "q/1.x") if matches(path)] == [
        "a",
        "b/c",
        "1.x",
        "q/y",
    ]
    assert not any_match([])("a")
