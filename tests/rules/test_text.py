"""Rule `text`: whatever the bytes, an answer; the same text gives the same lump, whoever saved it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.source import FakeSource, cooked

from lumpyard_rules.text import RULE

OPTIONS = st.fixed_dictionaries(
    {
        "newline": st.sampled_from(["lf", "crlf", "keep"]),
        "final_newline": st.booleans(),
        "bom": st.sampled_from(["strip", "keep", "refuse"]),
        "encoding": st.sampled_from(["utf-8", "ascii", "any"]),
    }
)
LINES = st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=8))


def run(data: bytes, **options: Any) -> tuple[FakeSource, bytes]:
    return cooked(RULE, "a.txt", data, **options)


@given(data=st.binary() | st.text(alphabet="\r\n\0a\ufeffä").map(str.encode), options=OPTIONS)
def test_any_bytes_give_an_answer_on_one_line(data: bytes, options: dict[str, Any]) -> None:
    source, _ = run(data, **options)
    assert all("\n" not in report.message for report in source.reported)
    assert all(report.line >= 1 and report.column >= 1 for report in source.reported)


@given(data=st.binary() | st.text(alphabet="\r\na").map(str.encode), options=OPTIONS)
def test_cooking_a_cooked_text_changes_nothing(data: bytes, options: dict[str, Any]) -> None:
    if options["bom"] == "strip" and data.startswith(b"\xef\xbb\xbf" * 2):
        return  # the second mark is a character of the text
    _, once = run(data, **options)
    _, twice = run(once, **options)
    assert twice == once


@given(lines=LINES, options=OPTIONS)
def test_every_kind_of_newline_gives_the_same_lump(lines: list[str], options: dict[str, Any]) -> None:
    if options["newline"] == "keep":
        return
    lumps = {run(end.join(lines).encode(), **options)[1] for end in ("\n", "\r\n", "\r")}
    assert len(lumps) == 1


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_keep_and_any_keep_every_byte(text: str) -> None:
    data = text.encode()
    assert run(data, newline="keep", bom="keep", encoding="any")[1] == data


@pytest.mark.parametrize(
    ("data", "options", "expected"),
    [
        (b"a\r\nb\rc\nd", {}, b"a\nb\nc\nd"),
        (b"a\r\nb\rc\nd", {"newline": "crlf"}, b"a\r\nb\r\nc\r\nd"),
        (b"a\r\r\n", {}, b"a\n\n"),
        (b"a", {"final_newline": True}, b"a\n"),
        (b"a\n", {"final_newline": True}, b"a\n"),
        (b"", {"final_newline": True}, b""),
        (b"a", {"final_newline": True, "newline": "crlf"}, b"a\r\n"),
        (b"a\r\nb", {"final_newline": True, "newline": "keep"}, b"a\r\nb\r\n"),
        (b"\xef\xbb\xbfa", {}, b"a"),
        (b"\xef\xbb\xbfa\r\n", {"bom": "keep"}, b"\xef\xbb\xbfa\n"),
        (b"\xef\xbb\xbf", {}, b""),
        (b"\xe9t\xe9\r\n", {"encoding": "any"}, b"\xe9t\xe9\n"),
        (b"\xef\xbb\xbfa", {"encoding": "ascii"}, b"a"),
    ],
)
def test_newlines_and_byte_order_marks_are_as_the_options_say(
    data: bytes, options: dict[str, Any], expected: bytes
) -> None:
    source, lump = run(data, **options)
    assert source.reported == []
    assert lump == expected


@pytest.mark.parametrize(
    ("data", "options", "line", "column", "message"),
    [
        (b"ok\n\xc3\xa4\xff", {}, 2, 2, "byte 0xff is not UTF-8 here (invalid start byte)"),
        (b"a\rb\r\nc\x80", {}, 3, 2, "byte 0x80 is not UTF-8 here (invalid start byte)"),
        (b"\xef\xbb\xbfa\xff", {}, 1, 2, "byte 0xff is not UTF-8 here (invalid start byte)"),
        (b"\xe2\x82", {}, 1, 1, "byte 0xe2 is not UTF-8 here (unexpected end of data)"),
        (b"\xff\xfea\0", {}, 1, 1, "the file starts with a byte order mark of UTF-16, not UTF-8"),
        (b"\xfe\xff\0a", {}, 1, 1, "the file starts with a byte order mark of UTF-16, not UTF-8"),
        (b"a\nb\xc3\xa4", {"encoding": "ascii"}, 2, 2, "'\\xe4' is not ASCII"),
        (b"\xef\xbb\xbfa", {"bom": "refuse"}, 1, 1, "the text starts with a byte order mark"),
    ],
)
def test_the_first_byte_that_does_not_belong_is_told_with_its_place(
    data: bytes, options: dict[str, Any], line: int, column: int, message: str
) -> None:
    source, _ = run(data, **options)
    (report,) = source.reported
    assert (report.message, report.line, report.column) == (message, line, column)
    assert report.hint
    assert not report.warning


def test_a_nul_is_a_warning_since_it_is_mostly_utf_16() -> None:
    source, data = run(b"a\nb\0")
    assert source.errors == []
    assert [(report.message, report.line, report.column) for report in source.reported] == [
        ("the text holds a NUL", 2, 2)
    ]
    assert data == b"a\nb\0"


def test_gathered_texts_are_refused() -> None:
    sources = [FakeSource("a.txt", b"a"), FakeSource("b.txt", b"b")]
    RULE.cook(sources, RULE.options())
    assert "but a.txt was gathered into the same lump" in sources[1].errors[0]
