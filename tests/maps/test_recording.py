"""The file that says for which maps a WAD was built."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import built_maps, doom_maps
from tests.maps.test_reject_check import exchanged

from lumpyard.errors import MalformedError
from lumpyard.maps.fingerprint import fingerprint
from lumpyard.maps.model import DoomMap, Thing
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.recording import (
    CHANGED,
    NOT_RECORDED,
    RENUMBERED,
    SAME,
    Recorded,
    beside,
    judge,
    name_of,
    parse,
    record,
    render,
)

DIGEST = "0123456789abcdef" * 4


def shipped() -> DoomMap:
    return read_lumps("MAP01", doom_maps.of_game("freedm")["MAP01"])


@given(st.dictionaries(st.text(max_size=9), st.integers(0, 3), max_size=4))
def test_what_is_written_is_read(many: dict[str, int]) -> None:
    records = {
        name_of(shipped_as(name)): [Recorded(f"{at:064x}", DIGEST) for at in range(count + 1)]
        for name, count in many.items()
        if name
    }
    text = render(records)
    assert text.isascii()
    assert parse(text.encode()) == dict(sorted(records.items()))


def shipped_as(name: str) -> DoomMap:
    return doom_maps.square()._replace(name=name)


@given(st.binary(max_size=200))
def test_any_bytes_are_records_or_malformed(data: bytes) -> None:
    for whole in (data, b"lumpyard fingerprints 1\n" + data):
        with suppress(MalformedError):
            assert isinstance(parse(whole), dict)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1 is '', not 'lumpyard fingerprints 1'"),
        ("lumpyard fingerprints 2\n", "line 1 is 'lumpyard fingerprints 2', not 'lumpyard fingerprints 1'"),
        (
            "lumpyard fingerprints 1\n<<<<<<< HEAD\n",
            "line 2 is '<<<<<<< HEAD', not two digests of 64 digits and a map's name",
        ),
    ],
)
def test_what_is_no_record_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse(text.encode())
    assert str(caught.value) == message


def test_the_file_lies_beside_the_wad() -> None:
    assert beside("levels/castle.wad") == "levels/castle.fingerprints"
    assert beside("a.b/castle") == "a.b/castle.fingerprints"
    assert beside(".wad") == ".wad.fingerprints"


def test_a_map_is_the_same_after_a_builder_numbered_its_vertices_anew() -> None:
    level = shipped()
    made = built_maps.built("freedm", "MAP01")
    nodes = {"VERTEXES": made.vertexes, "SEGS": made.segs, "SSECTORS": made.ssectors, "NODES": made.nodes}
    again = read_lumps("MAP01", dict(level.lumps) | nodes)
    assert judge(again, {"MAP01": [record(level)]}) == SAME


def test_numbers_of_sectors_and_what_reject_says_count_beside_the_fingerprint() -> None:
    level = shipped()
    records = {"MAP01": [record(level)]}
    other = exchanged(level, 3, 40)
    assert fingerprint(other) == fingerprint(level)
    assert judge(other, records) == RENUMBERED
    assert judge(level._replace(lumps=dict(level.lumps) | {"REJECT": b""}), records) == RENUMBERED


def test_another_map_is_changed_and_an_unknown_one_is_not_recorded() -> None:
    level = shipped()
    records = {"MAP01": [record(level)]}
    assert judge(level._replace(things=[*level.things, Thing(0, 0, 0, 1, 7)]), records) == CHANGED
    assert judge(level._replace(name="MAP02"), records) == NOT_RECORDED
    assert judge(level._replace(name="map01"), records) == SAME


def test_of_two_maps_of_one_name_each_is_known() -> None:
    one, other = shipped(), read_lumps("MAP01", doom_maps.of_game("freedm")["MAP02"])
    records = {"MAP01": [record(one), record(other)]}
    assert judge(one, records) == judge(other, records) == SAME
