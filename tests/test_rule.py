"""What a rule must be, and what `lumpyard.rule` offers to those who write one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.source import FakeSource

from lumpyard.rule import (
    NoOptions,
    Product,
    Rule,
    fourcc_number,
    is_fourcc,
    only,
    own_name,
    place_of,
    read_text,
)


def make(**fields: Any) -> Rule:
    return Rule(**{"kind": "level", "version": 1, "cook": lambda *_: [], **fields})


@dataclass
class Loose:
    """Options that could change."""


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": "Level"}, "kind must be lower-case letters, digits and '-'"),
        ({"kind": ""}, "kind must be"),
        ({"kind": "1st"}, "kind must be"),
        ({"version": 0}, "version must be 1 or more"),
        ({"cook": None}, "cook must be callable"),
        ({"products": ("a",)}, "products must be callable"),
        ({"tools": ("a",)}, "tools must be callable"),
        ({"suffixes": {"lvl"}}, "suffixes are lower case, start with a dot"),
        ({"suffixes": {".LVL"}}, "suffixes are lower case"),
        ({"suffixes": {"."}}, "not it alone"),
        ({"suffixes": ".lvl"}, "suffixes"),
        ({"fourcc": "LVL"}, "fourcc must be four printable ASCII characters"),
        ({"fourcc": "LVL\n"}, "fourcc must be"),
        ({"schema": -1}, "schema must be 0 to 65535"),
        ({"schema": 65536}, "schema must be"),
        ({"options": Loose}, "options must be a frozen dataclass"),
        ({"options": dict}, "options must be a frozen dataclass"),
    ],
)
def test_a_rule_that_could_not_work_is_refused_when_it_is_made(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        make(**fields)
    assert f"rule {fields.get('kind', 'level')!r}: " in str(caught.value)
    assert message in str(caught.value)


def test_a_rule_has_sensible_defaults_and_can_be_hashed() -> None:
    rule = make(suffixes={".lvl"}, libraries=["a"])
    assert (rule.options, rule.fourcc, rule.schema, rule.costly, rule.verbatim) == (
        NoOptions,
        "",
        0,
        False,
        False,
    )
    assert rule.products("maps/e1", NoOptions()) == own_name("maps/e1", NoOptions()) == ("maps/e1",)
    assert hash(rule) == hash(rule)
    assert Product(b"x") == (b"x", None, None, None)


def test_a_fourcc_is_a_number_whose_lowest_byte_is_its_first_character() -> None:
    assert fourcc_number("TEXT") == 0x54584554
    assert fourcc_number("") == 0
    assert is_fourcc("A B~")
    assert not is_fourcc("ABC\u00e4")


@given(before=st.text("a\u00e4\U0001f600\n\r", max_size=12), after=st.text("a\n\r", max_size=3))
def test_a_place_counts_lines_and_characters_as_editors_do(before: str, after: str) -> None:
    data = (before + after).encode()
    at = len(before.encode())
    inside = before.endswith("\r") and after.startswith("\n")  # the LF belongs to the line that its CR ends
    lines = (before[:-1] if inside else before).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert place_of(data, at) == (len(lines), len(lines[-1]) + 1)


@given(data=st.binary(), at=st.integers(0, 300))
def test_every_offset_of_every_file_has_a_place(data: bytes, at: int) -> None:
    line, column = place_of(data, at)
    assert line >= 1
    assert column >= 1


def test_a_byte_order_mark_takes_no_column() -> None:
    assert place_of("\ufeffab".encode(), 4) == (1, 2)
    assert place_of("a\n\ufeffab".encode(), 5) == (2, 2)


def test_a_text_is_read_or_its_first_bad_byte_reported() -> None:
    assert read_text(FakeSource("a", "\ufeffä".encode())) == "\ufeffä"
    source = FakeSource("a", b"ok\n\xc3(")
    assert read_text(source) is None
    (report,) = source.reported
    assert (report.line, report.column, report.hint) == (2, 1, "save the file as UTF-8")
    assert report.message == "byte 0xc3 is not UTF-8 here (invalid continuation byte)"


def test_only_gives_the_first_source_and_reports_the_others() -> None:
    sources = [FakeSource(path, b"") for path in ("a", "b", "c")]
    assert only(sources) is sources[0]
    assert [len(source.errors) for source in sources] == [0, 1, 1]
