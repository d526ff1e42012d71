"""Rule `json`: RFC 8259 to the letter; what passes keeps its numbers, strings and order."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.source import FakeSource, cooked

from lumpyard_rules.json import MOST_FAULTS, RULE
from lumpyard_rules.json.quick import is_plainly_valid
from lumpyard_rules.json.strict import parse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
LIKE_JSON = st.text(alphabet='{}[]:,"\\/*u0dD81eE+-.tfn \n\tab', max_size=40)


def run(text: str | bytes, **options: Any) -> tuple[FakeSource, bytes]:
    return cooked(RULE, "a.json", text.encode() if isinstance(text, str) else text, **options)


@given(value=VALUES, indent=st.sampled_from([None, 0, 2, "\t"]), ascii_only=st.booleans())
def test_what_python_writes_passes_unchanged(value: object, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    try:
        text.encode()
    except UnicodeEncodeError:  # half characters cannot be in a file
        return
    source, data = run(text)
    assert source.errors == []
    assert data == text.encode()


@given(value=VALUES, indent=st.sampled_from([None, 0, 2, "\t"]))
def test_a_minified_text_means_the_same_and_is_the_shortest(value: object, indent: Any) -> None:
    _, data = run(json.dumps(value, indent=indent), minify=True)
    assert data.decode() == json.dumps(value, separators=(",", ":"))


@given(text=LIKE_JSON | st.text(), depth=st.integers(1, 6))
def test_the_quick_answer_is_yes_exactly_where_the_strict_parser_reports_nothing(
    text: str, depth: int
) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    found = parse(text, comments=False, max_depth=depth)
    assert is_plainly_valid(text, depth) == (found.faults == [])


@given(text=LIKE_JSON)
def test_what_the_strict_parser_takes_python_takes_too(text: str) -> None:
    found = parse(text, comments=False, max_depth=100)
    if found.faults == []:
        json.loads(text)
        assert json.loads("".join(found.tokens)) == json.loads(text)


@given(data=st.binary() | LIKE_JSON.map(str.encode), comments=st.booleans(), minify=st.booleans())
def test_any_bytes_give_an_answer_on_one_line(data: bytes, comments: bool, minify: bool) -> None:
    source, _ = run(data, comments=comments, minify=minify)
    assert all("\n" not in report.message + report.hint for report in source.reported)


@given(value=VALUES)
def test_a_text_without_its_last_byte_is_refused_unless_it_is_a_number(value: object) -> None:
    text = json.dumps(value)
    source, _ = run(text[:-1])
    assert source.errors or isinstance(value, int | float)


BROKEN: list[tuple[str, int, int, str]] = [
    ("", 1, 1, "the file is empty; a JSON value is expected"),
    (" \n ", 2, 2, "the file is empty; a JSON value is expected"),
    ("[1,]", 1, 3, "a comma before ']'; a value must follow it"),
    ('{"a": 1,\n}', 1, 8, "a comma before '}'; a value must follow it"),
    ('{"a": 1,\n "b" 2}', 2, 6, "expected ':' after a key, found '2'"),
    ("[1\n 2]", 2, 2, "expected ',' or ']' after a value of the list, found '2' (it opens in line 1)"),
    ('\n{"a": [1}', 2, 9, "expected ',' or ']' after a value of the list, found '}' (it opens in line 2)"),
    (
        '{\n"a": 1\n',
        3,
        1,
        "expected ',' or '}' after a value of the object, found the end of the file (it opens",
    ),
    ("[", 1, 2, "expected a value, found the end of the file"),
    ("{a: 1}", 1, 2, "expected a key in double quotes or '}', found 'a'"),
    ("{'a': 1}", 1, 2, "expected a key in double quotes or '}', found \"'\""),
    ('{"a": 1, 2}', 1, 10, "expected a key in double quotes after ',', found '2'"),
    ("['a']", 1, 2, 'expected a value, found "\'"'),
    ("[01]", 1, 2, "expected a value, found '01'"),
    ("[1.]", 1, 2, "expected a value, found '1.'"),
    ("[.5]", 1, 2, "expected a value, found '.5'"),
    ("[+1]", 1, 2, "expected a value, found '+1'"),
    ("[1e]", 1, 2, "expected a value, found '1e'"),
    ("[0x10]", 1, 2, "expected a value, found '0x10'"),
    ("[-]", 1, 2, "expected a value, found '-'"),
    ("[NaN]", 1, 2, "expected a value, found 'NaN'"),
    ("[-Infinity]", 1, 2, "expected a value, found '-Infinity'"),
    ("[True]", 1, 2, "expected a value, found 'True'"),
    ("[nul]", 1, 2, "expected a value, found 'nul'"),
    ("[\u00b2]", 1, 2, "expected a value, found '\\xb2'"),
    ("[\u00a01]", 1, 2, "expected a value, found '\\xa0'"),
    ("1 2", 1, 3, "expected the end of the file after the value, found '2'"),
    ("[1] // x", 1, 5, "a comment, which JSON does not have"),
    ('"abc', 1, 1, "the string that opens here has no closing quote in its line"),
    ('["abc\n"]', 1, 2, "the string that opens here has no closing quote in its line"),
    ('"a\tb"', 1, 3, "control character '\\t' in a string"),
    ('"a\\x"', 1, 3, "'\\x' is not an escape of JSON"),
    ('"\u00e4\\u12G4"', 1, 3, "'\\u12' is not an escape of JSON"),
    ("\ufeff{}", 1, 1, "the file starts with a byte order mark, which JSON does not allow"),
    ("[\r\n1,\r\n]", 2, 2, "a comma before ']'"),
    ('["\u2028\U0001f600", x]', 1, 8, "expected a value, found 'x'"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), BROKEN)
def test_a_mistake_is_told_with_its_place_and_what_was_expected(
    text: str, line: int, column: int, message: str
) -> None:
    source, _ = run(text)
    (report,) = source.reported
    assert report.message.startswith(message)
    assert (report.line, report.column, report.warning) == (line, column, False)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[NaN]", "JSON numbers are finite; write null or a text"),
        ("[None]", "write null"),
        ("[True]", "write true"),
        ("[01]", "a number has no leading zero, and digits on both sides of its point"),
        ("{a: 1}", "texts and keys stand in double quotes"),
        ("[1,]", "remove the comma"),
        ("[1] /* x */", "remove it, or set the option `comments: true`"),
        ('"a\tb"', "write \\u0009"),
    ],
)
def test_a_mistake_that_other_languages_teach_gets_a_hint(text: str, hint: str) -> None:
    source, _ = run(text)
    assert source.reported[0].hint == hint


@pytest.mark.parametrize(
    "number", ["0", "-0", "1e999", "1E+2", "-1.50", "123456789012345678901234567890", "1" * 5000]
)
def test_numbers_keep_their_text(number: str) -> None:
    """RFC 8259, section 6: any number of digits is allowed; what a parser can hold is its own matter."""
    source, data = run(f"[ {number} ]", minify=True)
    assert source.reported == []
    assert data == f"[{number}]".encode()


def test_a_repeated_key_is_told_with_its_first_place() -> None:
    source, _ = run('{"a": 1,\n "b": {"a": 2},\n "\\u0061": 3,\n "a": 4}')
    assert [(report.message, report.line, report.column) for report in source.reported] == [
        ('the key "\\u0061" is there twice in one object (first in line 1)', 3, 2),
        ('the key "a" is there twice in one object (first in line 1)', 4, 2),
    ]


def test_repeated_keys_are_counted_where_they_are_too_many() -> None:
    source, _ = run("{" + ",".join(['"a": 1'] * 1000) + "}")
    assert len(source.errors) == MOST_FAULTS + 1
    assert source.errors[-1] == "949 more problems like these"


def test_half_a_character_is_a_warning() -> None:
    r"""RFC 8259, section 8.2: the grammar allows `"\uDEAD"`; what software makes of it is unpredictable."""
    source, data = run(r'["\uDEAD", "\ud83d\ude00", "\\ud800", "\ud800\ud800"]')
    assert source.errors == []
    assert [(report.column, report.message[:6]) for report in source.reported] == [
        (3, r"\uDEAD"),
        (40, r"\ud800"),
        (46, r"\ud800"),
    ]
    assert data.startswith(b'["\\uDEAD"')


@pytest.mark.parametrize("minify", [False, True])
def test_comments_are_never_in_the_lump(minify: bool) -> None:
    text = '// start\n{ /* one\n two */ "a": "// no /* comment */" } // end'
    source, data = run(text, comments=True, minify=minify)
    assert source.reported == []
    expected = '{"a":"// no /* comment */"}' if minify else '\n{  "a": "// no /* comment */" } '
    assert data.decode() == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1 /* ]", "the comment that opens here is not closed"),
        ("1/**/2", "expected the end of the file after the value, found '2'"),
        ("[1 / 2]", "expected ',' or ']' after a value of the list, found '/'"),
    ],
)
def test_comments_must_be_whole(text: str, message: str) -> None:
    source, _ = run(text, comments=True)
    assert source.errors[0].startswith(message)


@pytest.mark.parametrize("depth", [1, 1000])
def test_nesting_is_allowed_up_to_the_option(depth: int) -> None:
    source, _ = run("[" * depth + "]" * depth, max_depth=depth)
    assert source.errors == []
    source, _ = run('{"a":' * depth + "[]" + "}" * depth, max_depth=depth)
    (report,) = source.reported
    assert report.message == f"nested deeper than {depth}"
    assert report.column == 5 * depth + 1


def test_a_million_brackets_are_no_crash() -> None:
    source, _ = run("[" * 1_000_000)
    assert source.errors == ["nested deeper than 1000"]
    source, data = run("[" * 100_000 + "]" * 100_000, max_depth=1_000_000, minify=True)
    assert source.errors == []
    assert len(data) == 200_000


def test_brackets_in_strings_are_no_nesting() -> None:
    source, _ = run('["[[[[\\"[[[["]', max_depth=1)
    assert source.errors == []


@pytest.mark.parametrize(
    ("data", "line", "column", "message"),
    [
        (b'{"a": "\xff"}', 1, 8, "byte 0xff is not UTF-8 here (invalid start byte)"),
        (b'{"\xc3\xa4": 1,\n"b": "\xc3', 2, 7, "byte 0xc3 is not UTF-8 here (unexpected end of data)"),
        (b"\xff\xfe{\0}\0", 1, 1, "the file starts with a byte order mark of UTF-16, not UTF-8"),
    ],
)
def test_bytes_that_are_not_utf_8_are_told_with_their_place(
    data: bytes, line: int, column: int, message: str
) -> None:
    source, _ = run(data)
    (report,) = source.reported
    assert (report.line, report.column, report.message) == (line, column, message)


def test_a_max_depth_of_nothing_is_refused() -> None:
    assert RULE.options(max_depth=0).check() == "max_depth is 0; it must be 1 or more"
    assert RULE.options().check() == ""


def test_no_broken_text_takes_time_by_the_square_of_its_length() -> None:
    """Each of these took minutes with a parser that looks at a run again from each of its places."""
    for text in ('\\"' * 1_000_000, '"' + '\\"' * 1_000_000, '"\\q' * 1_000_000, "[1 " * 300_000):
        source, _ = run(text)
        assert source.errors
