"""Names that are printed can do nothing to a terminal, and look like what they are."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard.console.escape import escape_name


@given(st.text(st.characters()))
def test_nothing_that_a_terminal_obeys_or_reorders_by_is_left(text: str) -> None:
    for char in escape_name(text):
        assert unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(char) not in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )
        assert char not in "\u200e\u200f\u061c"


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_plain_text_is_not_touched(text: str) -> None:
    assert escape_name(text) == text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("textures/wand grün.png", "textures/wand grün.png"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\nb\tc\x7f", r"a\x0ab\x09c\x7f"),
        ("\x9b31m", r"\u{9b}31m"),
        ("\udc9b31m", r"\x9b31m"),
        ("gpj\u202egnp.exe", r"gpj\u{202e}gnp.exe"),
        ("a\u2028b\u0085c", r"a\u{2028}b\u{85}c"),
        ("\ud800", r"\u{d800}"),
        ("emoji \U0001f469\u200d\U0001f680", "emoji \U0001f469\u200d\U0001f680"),
    ],
)
def test_each_kind_is_shown_as_what_it_is(name: str, shown: str) -> None:
    assert escape_name(name) == shown
