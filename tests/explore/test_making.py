"""What goes into a page: budgets, rows, maps, the script that its modules make."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from random import Random
from typing import Any

import lz4.block
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import doom_maps, ewad, images, plain, sounds
from tests.explore.conftest import read_part, subject_of

from lumpyard.explore.assembling import assemble
from lumpyard.explore.embedding import CHUNK, Embedded, embed
from lumpyard.explore.kinds import KINDS
from lumpyard.explore.page import make_page
from lumpyard.explore.places import places_of
from lumpyard.explore.rows import BLOCK, Table, table_of
from lumpyard.explore.subject import Subject, locate


def block_of(html: bytes, name: str) -> bytes:
    found = re.search(rb'id="block-' + name.encode() + rb'">([^<]*)<', html)
    assert found
    return zlib.decompress(b64decode(found[1]))


def table(subjects: list[Subject], offsets: list[int]) -> Table:
    """The rows of archives whose bytes are where one says."""
    places = [places_of(subject.archive) for subject in subjects]
    return table_of(subjects, places, Embedded([], offsets, [], 0))


def facts_of(html: bytes) -> dict[str, Any]:
    found = re.search(rb'id="facts">([^<]*)<', html)
    assert found
    facts: dict[str, Any] = json.loads(found[1])
    return facts


@given(
    st.lists(st.binary(max_size=300), min_size=1, max_size=8),
    st.integers(0, 3000),
)
def test_what_is_embedded_is_in_the_blocks_and_within_the_budget(raws: list[bytes], budget: int) -> None:
    subject = subject_of(plain.pak([(f"lump{at}".encode(), raw) for at, raw in enumerate(raws)]))
    found = embed([subject], budget)
    assert sum(map(len, found.blocks)) == found.size <= budget
    run = b"".join(zlib.decompress(b64decode(block)) for block in found.blocks)
    for raw, offset in zip(raws, found.offsets, strict=True):
        assert offset == -1 or run[offset : offset + len(raw)] == raw
    if budget >= 3000:
        assert all(offset >= 0 for offset, raw in zip(found.offsets, raws, strict=True) if raw)


def test_a_lump_of_many_chunks_is_there_whole() -> None:
    raw = bytes(range(256)) * (CHUNK // 100)
    found = embed([subject_of(plain.pak([(b"large", raw), (b"small", b"s")]))], 64_000_000)
    run = b"".join(zlib.decompress(b64decode(block)) for block in found.blocks)
    assert run[found.offsets[0] :] == raw
    assert run[found.offsets[1]] == ord("s")


@pytest.mark.parametrize(
    ("most", "budget", "asked", "drawn"), [(9, 10**6, 5, 5), (2, 10**6, 2, 2), (9, 0, 0, 0), (9, 40, 2, 1)]
)
def test_no_more_maps_are_drawn_than_may_be_and_have_room(
    most: int, budget: int, asked: int, drawn: int
) -> None:
    """The first come first; what has no room is drawn once at most."""
    numbers: list[int] = []

    def draw(_subject: Subject, _places: object, number: int) -> str:
        numbers.append(number)
        return "<svg/>"

    page = make_page(
        [subject_of(doom_maps.wad_of_many(3)), subject_of(doom_maps.wad_of_many(2))],
        budget,
        draw=draw,
        most_drawn=most,
    )
    assert (numbers, page.drawn, page.maps) == ([0, 1, 2, 0, 1][:asked], drawn, 5)
    maps = json.loads(block_of(page.html, "parts"))["maps"]
    assert [one["drawing"] for one in maps] == [*range(drawn), *[None] * (5 - drawn)]
    assert facts_of(page.html)["drawn"] == drawn


def test_the_palette_and_the_smallest_come_first() -> None:
    noise = Random(1).randbytes(CHUNK)
    wad = plain.wad([(b"LARGE", noise), (b"SMALL", b"s"), (b"PLAYPAL", bytes(768 * 14))])
    found = embed([subject_of(wad)], 20_000)
    assert [offset >= 0 for offset in found.offsets] == [False, True, True]
    assert found.offsets[2] == 0


def test_a_lump_that_cannot_be_decoded_is_named() -> None:
    data = ewad.build([ewad.Written(b"broken", b"\xff\xff", 100), ewad.Written(b"fine", b"fine")])
    page = make_page([subject_of(data)], 1000)
    [(row, message)] = page.unread
    assert "broken" in message
    assert json.loads(block_of(page.html, "parts"))["unread"] == [[row, message]]
    assert page.left_out == 0


def test_rows_hold_what_the_directory_says() -> None:
    subject = subject_of(
        ewad.build(
            [
                ewad.Written(b"a/one.png", images.png(), fourcc=0x52584554, schema=3),
                ewad.Written(b"b", b"text"),
            ]
        )
    )
    found = table([subject], [0, 5])
    [columns] = found.blocks
    for at, lump in enumerate(subject.archive.lumps):
        assert columns["stored"][at] == lump.stored_size
        assert columns["offset"][at] == lump.offset
        assert columns["key"][at] == f"{lump.key:016x}"
        assert columns["path"][at].encode() == lump.name
    one = columns["path"].index("a/one.png")
    assert found.types[columns["type"][one]] == "TEXR"
    assert KINDS[columns["kind"][one]] == "picture"
    assert "name" not in columns
    assert columns["rank"] == [sorted(columns["path"]).index(path) for path in columns["path"]]


def test_rows_are_cut_into_blocks() -> None:
    subject = subject_of(plain.pak([(b"%d" % at, b"") for at in range(BLOCK + 1)]))
    found = table([subject], [-1] * (BLOCK + 1))
    assert [len(block["path"]) for block in found.blocks] == [BLOCK, 1]


def test_rows_count_over_all_archives() -> None:
    subjects = [subject_of(plain.pak([(b"a", b"1"), (b"b", b"2")])), subject_of(plain.pak([(b"c", b"3")]))]
    found = [locate(subjects, row) for row in range(-1, 4)]
    assert [one and (subjects.index(one.subject), one.entry) for one in found] == [
        None,
        (0, 0),
        (0, 1),
        (1, 0),
        None,
    ]


@pytest.mark.parametrize(
    ("name", "raw", "kind"),
    [
        ("PIC", b"\1\0\1\0\0\0\0\0\x0c\0\0\0\xff", "picture"),
        ("SOUND", b"\3\0\x11\x2b\4\0\0\0abcd", "sound"),
        ("SONG", b"MUS\x1a....", "music"),
        ("NOTES", b"some text\n", "text"),
        ("PLAYPAL", bytes(768), "palette"),
        ("X_START", b"", "marker"),
        ("BYTES", bytes(range(200)), "data"),
        ("WAVE", sounds.wav(), "sound"),
        ("PNG", images.png(), "picture"),
    ],
)
def test_kinds_in_a_wad(name: str, raw: bytes, kind: str) -> None:
    subject = subject_of(plain.wad([(name.encode(), raw)]))
    [columns] = table([subject], [-1]).blocks
    assert KINDS[columns["kind"][0]] == kind


def test_what_was_decoded_tells_the_kind_of_a_compressed_lump() -> None:
    """In a stripped archive no suffix does."""
    raw = images.png() + bytes(200)
    stored = lz4.block.compress(raw, store_size=False)
    data = ewad.build([ewad.Written(b"hand.png", stored, len(raw))], named=False)
    kinds = [
        json.loads(block_of(make_page([subject_of(data)], budget).html, "columns0"))["kind"]
        for budget in (0, 10_000)
    ]
    assert [KINDS[kind] for [kind] in kinds] == ["data", "picture"]


def test_the_same_archives_make_the_same_page() -> None:
    data = plain.wad([(b"A", b"a" * 1000), (b"B", b"b")])
    assert make_page([subject_of(data)], 10_000).html == make_page([subject_of(data)], 10_000).html


def test_an_empty_archive_is_a_page_too() -> None:
    html = make_page([subject_of(plain.wad([]))], 1000).html
    assert facts_of(html)["rows"] == 0


def test_the_page_names_no_address() -> None:
    """But for the namespace of SVG in the icon, which nobody asks for."""
    html = make_page([subject_of(plain.wad([]))], 1000).html
    assert set(re.findall(rb"https?://[^'\"\s]+", html)) == {b"http://www.w3.org/2000/svg"}


def test_modules_come_after_what_they_import() -> None:
    parts = {
        "a.js": 'import { b } from "./b.js";\nimport { c } from "./c.js";\nb(c);\n',
        "b.js": 'import { c } from "./c.js";\nexport function b() {\n  return c;\n}\n',
        "c.js": "export const c = 1;\n",
    }
    script = assemble("a", parts.__getitem__)
    assert script == '"use strict";\nconst c = 1;\n\nfunction b() {\n  return c;\n}\n\nb(c);\n'


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'},
            "imports itself",
        ),
        (
            {"a.js": 'import { b } from "./b.js";\nconst b = 1;\n', "b.js": "export const b = 2;\n"},
            "both declare b",
        ),
        ({"a.js": 'import b from "./b.js";\n'}, "cannot be put together"),
        ({"a.js": "export default 1;\n"}, "cannot be put together"),
    ],
)
def test_modules_that_break_the_rules_are_refused(parts: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        assemble("a", parts.__getitem__)


@pytest.mark.parametrize("name", ["main", "worker"])
def test_no_script_could_end_its_element(name: str) -> None:
    script = assemble(name, read_part).lower()
    assert "</script" not in script
    assert "<!--" not in script
    assert "innerhtml" not in script
    assert "eval(" not in script
