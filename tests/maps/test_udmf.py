"""UDMF: a text's blocks, and the map that they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.builders import doom_map

from lumpyard.maps import udmf
from lumpyard.maps.reading import read_lumps

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap

NAMESPACE = 'namespace = "zdoom";\n'


def plain(document: udmf.Document) -> tuple[object, ...]:
    """What a document says, without where it says it; 1, 1.0 and true are three things."""
    return repr(document.fields), [(block.kind, repr(block.fields)) for block in document.blocks]


def parsed(text: str) -> udmf.Document:
    return udmf.parse(text.encode("utf-8", "surrogateescape"))


def read(*blocks: str, namespace: str = NAMESPACE) -> DoomMap:
    return read_lumps("MAP01", {"TEXTMAP": "".join([namespace, *blocks]).encode(), "ENDMAP": b""})


def told(found: DoomMap | udmf.Document) -> list[tuple[int | None, str]]:
    return [(damage.offset, damage.message) for damage in found.damage]


names = some.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
numbers = some.integers(-(1 << 31), (1 << 32) - 1) | some.floats(allow_nan=False, allow_infinity=False)
values = some.booleans() | numbers | some.text(some.characters(exclude_categories=["Cs"]), max_size=12)
fields = some.dictionaries(names, values, max_size=6)
blocks = some.builds(udmf.Block, names, fields, some.just(1))
documents = some.builds(udmf.Document, fields, some.lists(blocks, max_size=5))


@given(documents)
def test_a_rendered_document_is_parsed_back(document: udmf.Document) -> None:
    """The law of the round trip, of any names and values."""
    back = udmf.parse(udmf.render(document))
    assert back.damage == []
    assert plain(back) == plain(document)


@given(some.binary(max_size=60))
def test_bytes_that_are_not_utf_8_come_back(raw: bytes) -> None:
    quoted = raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    (value,) = udmf.parse(b'x = "' + quoted + b'";').fields.values()
    assert str(value).encode("utf-8", "surrogateescape") == raw


@given(some.text(some.sampled_from('ab{}=;"/\\*\n 1.x-'), max_size=40))
def test_no_text_raises(text: str) -> None:
    document = parsed(text)
    assert all("\n" not in damage.message and damage.offset for damage in document.damage)
    udmf.to_map("", document, {})


def test_no_truncation_and_no_flipped_byte_raises() -> None:
    text = doom_map.udmf_text()
    for at in range(len(text)):
        for changed in (text[:at], text[:at] + bytes([text[at] ^ 0x5F]) + text[at + 1 :]):
            assert read_lumps("MAP01", {"TEXTMAP": changed}).format == "udmf"


def test_the_small_map() -> None:
    found = read_lumps("MAP01", {"TEXTMAP": doom_map.udmf_text(), "ENDMAP": b""})
    assert (found.format, found.namespace, found.damage) == ("udmf", "zdoom", [])
    assert [(vertex.x, vertex.y) for vertex in found.vertices] == doom_map.VERTICES
    assert [(line.v1, line.v2, line.front, line.back) for line in found.lines] == [
        (v1, v2, front, None if back == doom_map.NONE else back)
        for v1, v2, _, _, _, front, back in doom_map.LINES
    ]
    assert [(side.middle, side.upper, side.sector) for side in found.sides] == [
        (middle, b"-", sector) for _, _, _, _, middle, sector in doom_map.SIDES
    ]
    assert [sector[:5] for sector in found.sectors] == [
        (low, high, floor, ceiling, 160) for low, high, floor, ceiling, *_ in doom_map.SECTORS
    ]
    assert [(thing.x, thing.y, thing.angle, thing.type) for thing in found.things] == [
        (x + 0.5, y, angle, kind) for x, y, angle, kind, _ in doom_map.THINGS
    ]


@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        ("1", 1),
        ("+7", 7),
        ("-12", -12),
        ("010", 10),
        ("0x1F", 31),
        ("4294967295", 4294967295),
        ("1.5", 1.5),
        ("-64.000", -64.0),
        ("1.", 1.0),
        (".5", 0.5),
        ("2.5e3", 2500.0),
        ("1e-2", 0.01),
        ("true", True),
        ("FALSE", False),
        ('""', ""),
        ('"a;b}c//d"', "a;b}c//d"),
        (r'"say \"hi\" \\ \n"', r'say "hi" \ \n'),
        ('"two\nlines"', "two\nlines"),
    ],
)
def test_values(spelling: str, value: object) -> None:
    """Integer, float, quoted string and keyword, as the grammar has them."""
    document = parsed(f"a={spelling};b{{c={spelling};}}")
    assert repr(document.fields) == repr({"a": value})
    assert repr(document.blocks[0].fields) == repr({"c": value})
    assert document.damage == []


def test_space_and_comments_may_stand_anywhere() -> None:
    text = "/* a **/ x /**/ = // b\n 1 /* ; */ ;\nthing // 0\n{ // {\n y /*}*/ = 2;/* */ }//"
    document = parsed(text)
    assert plain(document) == (repr({"x": 1}), [("thing", repr({"y": 2}))])
    assert document.damage == []


def test_braces_by_the_million_are_passed_over() -> None:
    """Reading goes on behind the block that they open."""
    deep = "{" * 1_000_000
    document = parsed(f'namespace = "a"; {deep}{"}" * 1_000_000} x = 5;')
    assert document.fields == {"namespace": "a", "x": 5}
    assert len(document.damage) == 1


def test_names_are_without_case() -> None:
    document = parsed("NameSpace = 1; THING { X = 2; }")
    assert plain(document) == (repr({"namespace": 1}), [("thing", repr({"x": 2}))])


def test_blocks_know_their_line() -> None:
    assert [block.line for block in parsed("a{}\n\n// b\nc\n{\nx=1;\n}\nd{}").blocks] == [1, 4, 8]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a{\n x = 1;\n", 1, "the block a is not closed by a }"),
        ("\nx = 5 y = 6;", 2, "'x = 5 y = 6;' where a block or an assignment should be"),
        ("a\n{\nx 1;\n}", 3, "'x 1;' where an assignment or a } should be"),
        ("}", 1, "'}' where a block or an assignment should be"),
        ("\n\na { x = foo; }", 3, "x = 'foo' is no number, true, false or string in quotes"),
        ("x = 4294967296;", 1, "x = '4294967296' is beyond 32 bits"),
        ("x = 1e999;", 1, "x = '1e999' is beyond the numbers of a computer"),
        (f"x = {'9' * 5000};", 1, f"x = '{'9' * 37}...' is too long for a number"),
        ("a { x = 1;\nx = 2; }", 2, "x is assigned twice; the last holds"),
        ("a { b { x = 1; } }", 1, "'b { x = 1; } }' where an assignment or a } should be"),
        (
            "/* a",
            1,
            "'/* a' where a block or an assignment should be; the comment that starts in line 1 has no end",
        ),
        (
            'a {}\nx =\n"a; b { }\n',
            2,
            "'x =' where a block or an assignment should be; the string that starts in line 3 has no end",
        ),
        ("\ufeffx = 5;", 1, "the text starts with a byte order mark, which no engine reads"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, line: int, message: str) -> None:
    assert (line, message) in told(parsed(text))


def test_reading_goes_on_behind_what_cannot_be_read() -> None:
    text = 'x = ;\na { y = "}"; z ! 1; w = 2; }\nq;\nb { c { d = 1; } e = 3; }\nf = 4;'
    document = parsed(text)
    expected = [("a", repr({"y": "}", "w": 2})), ("b", repr({"e": 3}))]
    assert plain(document) == (repr({"f": 4}), expected)
    assert [line for line, _ in told(document)] == [1, 2, 3, 4]


def test_a_text_of_nothing_but_faults_is_left() -> None:
    document = parsed("?;\n" * 100_000)
    assert len(document.damage) == 101
    assert told(document)[-1] == (100, "too many faults; the rest of the text is left")


@pytest.mark.parametrize(
    "text",
    [
        "/*" * 50_000,
        "/* " * 50_000,
        '"\\' * 50_000,
        '"' + "a" * 100_000,
        "a{" * 50_000,
        "a{b=1;" * 50_000,
        "x=" * 50_000,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    """Each is read at most a hundred times over, which is when the faults are too many."""
    assert parsed(text).damage


def test_unknown_fields_are_kept_as_they_were_read() -> None:
    extra = 'user_name = "x"; comment = "c"; alpha = 0.5;'
    found = read(
        f"thing {{ x = 1; y = 2; type = 3; {extra} }}",
        f"linedef {{ v1 = 0; v2 = 1; sidefront = 0; {extra} }}",
        f"sidedef {{ sector = 0; {extra} }}",
        f'sector {{ texturefloor = "A"; textureceiling = "B"; {extra} }}',
        "vertex { x = 1; y = 1; }",
        f"vertex {{ x = 1; y = 2; zfloor = 8.0; {extra} }}",
        f"future {{ {extra} }} {extra}",
    )
    expected = {"user_name": "x", "comment": "c", "alpha": 0.5}
    assert [found.things[0].extra, found.lines[0].extra, found.sides[0].extra] == [expected] * 3
    assert [found.sectors[0].extra, found.extra] == [expected] * 2
    assert found.vertex_extra == {1: {"zfloor": 8.0, **expected}}
    assert found.damage == []


def test_all_fields_of_records() -> None:
    found = read(
        "thing { id = 9; x = 1.5; y = 2; height = 3.5; angle = 45; type = 6; special = 80; arg0 = 1; arg4 = 255; }",
        "linedef { id = 7; v1 = 1; v2 = 2; special = 11; arg1 = 3; sidefront = 4; sideback = 5; }",
        "linedef { id = -1; v1 = 1; v2 = 2; sidefront = 4; sideback = -1; }",
        'sidedef { offsetx = 1; offsety = -2; texturetop = "T"; texturebottom = "B"; texturemiddle = "M"; '
        "sector = 3; }",
        "sidedef { sector = 1; }",
        'sector { heightfloor = -8; heightceiling = 64; texturefloor = "F"; textureceiling = "C"; lightlevel = 255; '
        "special = 9; id = 12; }",
        'sector { texturefloor = "F"; textureceiling = "C"; }',
    )
    assert found.damage == []
    assert found.things[0] == (1.5, 2, 45, 6, 0, 9, 3.5, 80, (1, 0, 0, 0, 255), {})
    assert found.lines[0] == (1, 2, 0, 11, 7, 4, 5, (0, 3, 0, 0, 0), {})
    assert found.lines[1] == (1, 2, 0, 0, 0, 4, None, (0, 0, 0, 0, 0), {})
    assert found.sides == [(1, -2, b"T", b"B", b"M", 3, {}), (0, 0, b"-", b"-", b"-", 1, {})]
    assert found.sectors == [(-8, 64, b"F", b"C", 255, 9, 12, {}), (0, 0, b"F", b"C", 160, 0, 0, {})]


@pytest.mark.parametrize(
    ("fields", "flags"),
    [
        (["skill1"], 1),
        (["skill2"], 1),
        (["skill3"], 2),
        (["skill4", "skill5"], 4),
        (["ambush", "dormant"], 8 | 16),
        (["class1", "class2", "class3"], 32 | 64 | 128),
        (["single", "coop", "dm"], 256 | 512 | 1024),
        (["friend"], 8192),
    ],
)
def test_flags_of_things_are_hexens_bits(fields: list[str], flags: int) -> None:
    """ "1, 2, 4 skills; 8 ambush; 16 dormant; 32 fighter, 64 cleric, 128 mage; 256 single player, 512 co-op, …"."""
    text = "".join(f"{name} = true;" for name in fields)
    (thing,) = read(f"thing {{ x = 0; y = 0; type = 1; {text} skill9 = true; countsecret = false; }}").things
    assert thing.flags == flags
    assert thing.extra == {**dict.fromkeys(fields, True), "skill9": True, "countsecret": False}


@pytest.mark.parametrize(
    ("fields", "flags"),
    [
        (["blocking", "blockmonsters", "twosided", "dontpegtop", "dontpegbottom"], 31),
        (["secret", "blocksound", "dontdraw", "mapped"], 480),
        (["repeatspecial"], 512),
        (["playercross"], 0),
        (["playeruse"], 1 << 10),
        (["impact", "missilecross"], 3 << 10),
        (["passuse"], 0),
    ],
)
def test_flags_of_lines_are_hexens_bits(fields: list[str], flags: int) -> None:
    """ "Doom's bits 0 to 8; bit 9 (512) repeatable; bits 10 to 12 how the special is set off"."""
    text = "".join(f"{name} = true;" for name in fields)
    (line,) = read(f"linedef {{ v1 = 0; v2 = 1; sidefront = 0; {text} }}").lines
    assert line.flags == flags


def test_bit_9_of_a_line_is_booms_in_dooms_namespace() -> None:
    (line,) = read(
        "linedef { v1 = 0; v2 = 1; sidefront = 0; passuse = true; }", namespace='namespace = "Doom";'
    ).lines
    assert line.flags == 512


def test_what_makes_no_sense_in_a_field_is_told_with_the_line_of_its_block() -> None:
    found = read(
        'thing { x = "1"; y = true; type = 1.5; angle = 1e30; }\n',
        "linedef { v1 = -5; v2 = 2.0; sidefront = -2; }\n",
        "sidedef { texturetop = 7; }\n",
        'sector { texturefloor = "A"; heightfloor = 1.0; lightlevel = 12.5; }',
    )
    assert told(found) == [
        (2, "thing 0: x = '1' is no number"),
        (2, "thing 0: y = True is no number"),
        (2, "thing 0: type = 1.5 is no whole number"),
        (2, "thing 0: angle = 1e+30 is no whole number"),
        (3, "linedef 0: v1 = -5 is no number of a record"),
        (3, "linedef 0: v2 = 2.0 is no number of a record"),
        (3, "linedef 0: sidefront = -2 is no number of a record"),
        (4, "sidedef 0: texturetop = 7 is no string in quotes"),
        (4, "sidedef 0: it has no sector"),
        (5, "sector 0: lightlevel = 12.5 is no whole number"),
        (5, "sector 0: it has no textureceiling"),
    ]
    line = found.lines[0]
    assert (line.v1, line.v2, found.sides[0].sector) == (udmf.NOWHERE, udmf.NOWHERE, udmf.NOWHERE)
    assert (found.things[0].x, found.sectors[0].floor_height, found.sectors[0].light) == (0, 1, 160)


@pytest.mark.parametrize("namespace", ["", "namespace = 5;", 'namespace = "";'])
def test_a_text_without_namespace_is_told(namespace: str) -> None:
    message = 'the text names no namespace; it should start with one, such as namespace = "doom";'
    assert told(read(namespace=namespace)) == [(1, message)]


def test_a_side_beyond_16_bits() -> None:
    """Case 77: a 16-bit sidedef limit in UDMF."""
    (line,) = read("linedef { v1 = 70000; v2 = 70001; sidefront = 70002; sideback = 65535; }").lines
    assert (line.v1, line.front, line.back) == (70000, 70002, 65535)
