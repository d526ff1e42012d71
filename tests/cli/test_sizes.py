"""Sizes read the same everywhere, and what is shown can be typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.console.sizes import count_text, parse_size, percent_text, share_text, size_text
from lumpyard.errors import UsageError


@given(st.integers(0, 1 << 63))
def test_a_shown_size_is_within_half_a_percent(size: int) -> None:
    assert abs(parse_size(size_text(size)) - size) <= size / 200 if size < 10**18 else True


@given(st.integers(0, 1 << 63))
def test_a_shown_size_has_at_most_three_figures(size: int) -> None:
    assert sum(map(str.isdigit, size_text(size))) <= 3


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.00 kB"),
        (1005, "1.00 kB"),
        (9_996, "10.0 kB"),
        (99_950, "100 kB"),
        (999_499, "999 kB"),
        (999_500, "1.00 MB"),
        (24_000_000, "24.0 MB"),
        (170_000_000, "170 MB"),
        (1 << 63, "9.22 EB"),
    ],
)
def test_sizes_count_in_thousands(size: int, text: str) -> None:
    assert size_text(size) == text


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4096", 4096),
        ("9007199254740993", 9007199254740993),
        ("6G", 6 * 10**9),
        ("6GB", 6 * 10**9),
        ("6 GiB", 6 << 30),
        ("500m", 500_000_000),
        ("1.5k", 1500),
        ("1.5Ki", 1536),
        ("0", 0),
    ],
)
def test_sizes_are_typed_with_units(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "G", "-1", "6X", "1e9", "0x10", "6 G 1", "nan", "\u0661G"])
def test_what_is_no_size_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="is not a size"):
        parse_size(text)


def test_counts_have_their_noun() -> None:
    assert (count_text(1, "lump"), count_text(20_000, "lump"), count_text(2, "entry", "entries")) == (
        "1 lump",
        "20,000 lumps",
        "2 entries",
    )


def test_a_share_of_nothing_is_a_dash() -> None:
    assert (percent_text(1, 3), percent_text(0, 0)) == ("33%", "-")


@pytest.mark.parametrize(
    ("part", "whole", "percent", "share"),
    [
        (0, 0, "-", "-"),
        (0, 9, "0%", "0.0%"),
        (9, 9, "100%", "100.0%"),
        (1, 10**6, "<1%", "<0.1%"),
        (10**6 - 1, 10**6, "99%", ">99.9%"),
        (10**6 + 1, 10**6, ">100%", ">100.0%"),
        (3, 2, "150%", "150.0%"),
    ],
)
def test_what_is_little_or_nearly_all_is_not_shown_as_nothing_or_all(
    part: int, whole: int, percent: str, share: str
) -> None:
    assert (percent_text(part, whole), share_text(part, whole)) == (percent, share)


@given(st.integers(0, 1 << 63), st.integers(1, 1 << 63))
def test_a_share_of_nothing_is_nothing_and_of_all_is_all(part: int, whole: int) -> None:
    assert (percent_text(part, whole) == "0%") == (share_text(part, whole) == "0.0%") == (part == 0)
    assert (percent_text(part, whole) == "100%") == (share_text(part, whole) == "100.0%") == (part == whole)
