"""What a rule must be, and what `lumpyard.rule` offers to those who write one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

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
from lumpyard.rule.kinds import FileKind, find_kind, need, read_kind


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
        ({"version": "2"}, "version must be"),
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
        ({"schema": 1.5}, "schema must be"),
        ({"libraries": "Pillow"}, "libraries must be a tuple of names"),
        ({"expands": True}, "have the fields exclude, format, lenient, names, only, rule"),
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


class Model(NamedTuple):
    """Headers of a format that a rule of the project's own reads."""

    faces: int
    notes: tuple[str, ...]


def read_model(data: bytes) -> Model:
    need(len(data) > 4, "the file ends after its first 4 bytes")
    return Model(data[4], ("no normals",))


KINDS = (FileKind("md2", (".md2",), b"IDP2", read_model), FileKind("mdl", (".mdl",), b"IDPO", read_model))


@pytest.mark.parametrize(
    ("path", "data", "faces", "said"),
    [
        ("a.md2", b"IDP2\7", 7, ["no normals"]),
        ("a", b"IDPO\7", 7, ["MDL is not allowed here; the option `formats` says md2", "no normals"]),
        ("a.MD2", b"IDP2", None, ["not a usable MD2: the file ends after its first 4 bytes"]),
        (
            "a.md2",
            b"",
            None,
            ["not a MD2: the file starts with nothing (it is empty), not bytes 49 44 50 32"],
        ),
        ("a.md2", b"IDP3", None, ["not a MD2: IDP3 is of another game"]),
        ("a.md2", b"IDPO\7", None, ["the name says MD2, the bytes are MDL"]),
        ("a.x", b"?", None, ["no model"]),
    ],
)
def test_files_of_several_formats_are_told_apart_and_read(
    path: str, data: bytes, faces: int | None, said: list[str]
) -> None:
    source = FakeSource(path, data)
    kind = find_kind(source, KINDS, "no model")
    model = kind and read_kind(source, kind, ["md2"], {b"IDP3": "IDP3 is of another game"})
    assert (model.faces if model else None) == faces
    assert [problem.message for problem in source.reported] == said
