"""Differences of sizes: a sign where there is a difference, and exact bytes."""

from __future__ import annotations

import pytest

from lumpyard.console.signed import signed_bytes, signed_percent, signed_size


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (5, "+5"), (-1234567, "-1,234,567")])
def test_bytes_are_exact(number: int, text: str) -> None:
    assert signed_bytes(number) == text


@pytest.mark.parametrize(("number", "text"), [(0, "0 B"), (5, "+5 B"), (-1500, "-1.50 kB")])
def test_sizes_have_their_unit(number: int, text: str) -> None:
    assert signed_size(number) == text


@pytest.mark.parametrize(
    ("change", "of", "text"),
    [
        (0, 5, ""),
        (5, 0, ""),
        (1, 1000, "+0.1%"),
        (-1, 1000, "-0.1%"),
        (1, 10**6, "less than 0.1%"),
        (-1, 10**6, "less than 0.1%"),
        (-999_999, 10**6, "-99.9%"),
        (-(10**6), 10**6, "-100.0%"),
        (999_999, 10**6, "+100.0%"),
        (3, 2, "+150.0%"),
    ],
)
def test_percents_are_to_a_tenth(change: int, of: int, text: str) -> None:
    assert signed_percent(change, of) == text
