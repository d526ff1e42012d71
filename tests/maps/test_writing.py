"""Records become the bytes that they were read from."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.builders import doom_map, judges

from lumpyard.errors import MalformedError, UnsupportedError
from lumpyard.maps import writing
from lumpyard.maps.model import Line, Sector, Side, Thing, Vertex
from lumpyard.maps.reading import read_lumps
from lumpyard.maps.writing import encode_lumps

RECORDS = ["THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS"]


@pytest.mark.parametrize("game", ["freedoom1", "freedoom2", "freedm"])
def test_all_known_maps_come_back_to_the_bit(game: str) -> None:
    for name, lumps in doom_map.maps_of(judges.game(game)).items():
        back = encode_lumps(read_lumps(name, lumps))
        assert [*back.items()] == [*lumps.items()]


@given(some.tuples(*[some.binary(max_size=90)] * 5), some.booleans())
def test_lumps_of_any_bytes_come_back(raw: tuple[bytes, ...], hexen: bool) -> None:
    """The law of the round trip: junk behind names, and bytes that are no whole record."""
    lumps = dict(zip(RECORDS, raw, strict=True)) | {"NODES": b"XNOD"} | ({"BEHAVIOR": b""} if hexen else {})
    assert [*encode_lumps(read_lumps("MAP01", lumps)).items()] == [*lumps.items()]


@pytest.mark.parametrize("lumps", [doom_map.DOOM, doom_map.HEXEN_MAP], ids=["doom", "hexen"])
def test_records_without_the_lumps_they_were_read_from(lumps: dict[str, bytes]) -> None:
    found = read_lumps("MAP01", lumps)
    bare = encode_lumps(found._replace(lumps={}))
    assert bare == {name: lumps[name] for name in RECORDS}
    assert list(bare) == RECORDS


def test_a_lump_that_was_not_there_is_put_where_it_belongs() -> None:
    found = read_lumps("MAP01", {"LINEDEFS": b"", "NODES": b"", "SCRIPTS": b"", "EXTRA": b""})
    back = encode_lumps(
        found._replace(things=[Thing(1, 2, 3, 4, 5)], sectors=[Sector(0, 1, b"A", b"B", 2, 3, 4)])
    )
    assert list(back) == ["THINGS", "LINEDEFS", "NODES", "SECTORS", "SCRIPTS", "EXTRA"]


def test_only_what_was_changed_changes() -> None:
    """Junk behind a name stays with the name, also in a record of which another field changes."""
    rows = [(0, 8, b"A\0JUNK!!", b"B\0\0\0\0\0\0x", 1, 2, 3), (0, 8, b"C\0JUNK!!", b"ABCDEFGH", 0, 0, 0)]
    lumps = {**doom_map.DOOM, "SECTORS": doom_map.table("SECTORS", rows) + b"end"}
    found = read_lumps("MAP01", lumps)
    changed = [found.sectors[0]._replace(light=99, ceiling=b"NEW"), found.sectors[1]]
    expected = [(0, 8, b"A\0JUNK!!", b"NEW", 99, 2, 3), rows[1]]
    assert (
        encode_lumps(found._replace(sectors=changed))["SECTORS"]
        == doom_map.table("SECTORS", expected) + b"end"
    )
    fewer = encode_lumps(found._replace(sectors=changed[:1]))["SECTORS"]
    assert fewer == doom_map.table("SECTORS", expected[:1])  # what was at the end is no part of fewer records


def test_a_whole_number_with_a_point_is_a_whole_number() -> None:
    assert writing.encode_vertices([Vertex(64.0, -1)]) == struct.pack("<hh", 64, -1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"vertices": [Vertex(0, 0), Vertex(0.5, 1)]},
            "VERTEXES: x of record 1 is 0.5, which does not fit its field",
        ),
        ({"vertices": [Vertex(1, 32768)]}, "VERTEXES: y of record 0 is 32768, which does not fit its field"),
        (
            {"sides": [Side(0, 0, b"TOOLONGNAME", b"-", b"-", 0)]},
            "SIDEDEFS: upper of record 0 is b'TOOLONGNAME', ",
        ),
        ({"sides": [Side(0, 0, b"-", b"A\0B", b"-", 0)]}, r"SIDEDEFS: lower of record 0 is b'A\\x00B', "),
        ({"lines": [Line(0, 70000, 0, 0, 0, 0, None)]}, "LINEDEFS: v2 of record 0 is 70000, "),
        ({"sectors": [Sector(0, 0, b"", b"", 0, -1, 0)]}, "SECTORS: special of record 0 is -1, "),
    ],
)
def test_what_does_not_fit_is_named(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(MalformedError, match=message):
        encode_lumps(read_lumps("MAP01", doom_map.DOOM)._replace(**changed))


def test_udmf_has_no_records() -> None:
    with pytest.raises(UnsupportedError, match="records are of the formats doom and hexen, not udmf"):
        encode_lumps(read_lumps("MAP01", {"TEXTMAP": doom_map.udmf_text()}))
