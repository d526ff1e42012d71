"""Lumps become records; what is wrong with them is a value."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import doom_map, judges, wad

from lumpyard.archives.opening import open_archive
from lumpyard.errors import MalformedError
from lumpyard.maps import records
from lumpyard.maps.finding import find_maps
from lumpyard.maps.reading import read_lumps, read_map
from lumpyard.records import layout

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap

TOTALS = {  # things, lines, sides, vertices, sectors of all maps, as the plain reader counts them
    "freedoom1": (15465, 85490, 124369, 81866, 14414),
    "freedoom2": (11982, 73900, 112499, 73455, 11313),
    "freedm": (2545, 20658, 31058, 19541, 3598),
}
READ = [("THINGS", "things"), ("LINEDEFS", "lines"), ("SIDEDEFS", "sides"), ("VERTEXES", "vertices")]
READ += [("SECTORS", "sectors")]


def maps(data: bytes) -> list[DoomMap]:
    archive = open_archive(data)
    return [read_map(place, archive.read) for place in find_maps(archive)]


def read(*entries: wad.Entry) -> DoomMap:
    (found,) = maps(wad.build(entries))
    return found


def rows(found: DoomMap, field: str) -> list[tuple[object, ...]]:
    """A map's records as the plain reader has them, but for what is behind the NUL of names."""
    fields = {"things": 5, "lines": 7, "sides": 6, "vertices": 2, "sectors": 7}[field]
    plain = [record[:fields] for record in getattr(found, field)]
    return [tuple(doom_map.NONE if value is None else value for value in row) for row in plain]


def cut(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(value.split(b"\0")[0] if isinstance(value, bytes) else value for value in row)


def messages(found: DoomMap) -> list[str]:
    return [f"{damage.lump}: {damage.message}" for damage in found.damage]


@pytest.mark.parametrize("game", TOTALS)
def test_every_record_of_every_map_of_a_game_is_as_a_plain_reader_has_it(game: str) -> None:
    data = judges.game(game)
    plain = doom_map.maps_of(data)
    totals = [0] * len(READ)
    for found in maps(data):
        lumps = plain.pop(found.name)
        assert found.lumps == lumps
        assert (found.format, found.nodes, found.gl_nodes, found.damage) == ("doom", "vanilla", "none", [])
        for number, (lump, field) in enumerate(READ):
            expected = [cut(row) for row in doom_map.records(lumps, lump)]
            assert rows(found, field) == expected, (found.name, lump)
            totals[number] += len(expected)
    assert plain == {}
    assert tuple(totals) == TOTALS[game]


@pytest.mark.parametrize(
    ("record", "size"),
    [
        (records.Thing, 10),
        (records.HexenThing, 20),
        (records.Line, 14),
        (records.HexenLine, 16),
        (records.Side, 30),
        (records.Vertex, 4),
        (records.Seg, 12),
        (records.Subsector, 4),
        (records.Node, 28),
        (records.Sector, 26),
    ],
)
def test_records_are_of_the_specified_sizes(record: type, size: int) -> None:
    """ "THINGS … 10 bytes each; LINEDEFS … 14 bytes each; SIDEDEFS … 30 bytes each; …"."""
    assert layout(record).size == size


def test_a_map_in_hexens_format() -> None:
    """ "A thing in Hexen's format: 20 bytes"; "a line in Hexen's format: 16 bytes"; they have no tag."""
    found = read_lumps("MAP01", doom_map.HEXEN_MAP)
    assert (found.format, found.damage) == ("hexen", [])
    first, second = found.things
    assert (first.tid, first.x, first.y, first.height, first.type, first.flags) == (9, 64, 128, 0, 1, 2023)
    assert (second.tid, second.height, second.angle, second.special, second.args) == (
        0,
        16,
        180,
        80,
        (5, 1, 2, 3, 255),
    )
    last = found.lines[-1]
    assert (last.v1, last.v2, last.flags, last.special, last.args) == (1, 4, 4, 11, (7, 16, 0, 0, 0))
    assert (last.tag, last.front, last.back) == (0, 6, 7)
    assert found.lines[0].back is None


def test_numbers_of_records_are_unsigned() -> None:
    """Cases 76, 77: all indices unsigned 16; 0..65534 valid, 65535 = none."""
    lumps = {
        **doom_map.DOOM,
        "LINEDEFS": struct.pack("<HHHHhHH", 40000, 65535, 0x8001, 0x8002, -3, 65534, 65535),
    }
    (line,) = read_lumps("MAP01", lumps).lines
    assert line[:7] == (40000, 65535, 0x8001, 0x8002, -3, 65534, None)


def test_a_line_without_a_front_side_has_none() -> None:
    """Case 80: the side is kept as none."""
    lumps = {**doom_map.DOOM, "LINEDEFS": struct.pack("<HHHHhHH", 0, 1, 0, 0, 0, 65535, 65535)}
    (line,) = read_lumps("MAP01", lumps).lines
    assert (line.front, line.back) == (None, None)


def test_names_end_at_their_nul_and_the_bytes_stay() -> None:
    lumps = {**doom_map.DOOM, "SECTORS": struct.pack("<hh8s8shHh", 0, 8, b"A\0JUNK!!", b"ABCDEFGH", 0, 0, 0)}
    found = read_lumps("MAP01", lumps)
    assert (found.sectors[0].floor, found.sectors[0].ceiling) == (b"A", b"ABCDEFGH")
    assert found.lumps["SECTORS"] == lumps["SECTORS"]


def test_a_lump_that_is_no_multiple_of_its_record_is_read_as_far_as_it_goes() -> None:
    found = read_lumps("MAP01", {**doom_map.DOOM, "LINEDEFS": doom_map.DOOM["LINEDEFS"] + b"abc"})
    (damage,) = found.damage
    assert len(found.lines) == 7
    assert (damage.lump, damage.offset, damage.code) == ("LINEDEFS", 98, "size")
    assert damage.message == "it has 101 bytes, no multiple of 14, a record's size; the last 3 are left out"


@pytest.mark.parametrize("lump", doom_map.EDITED)
def test_a_missing_lump_is_named(lump: str) -> None:
    found = read_lumps("MAP01", {name: raw for name, raw in doom_map.DOOM.items() if name != lump})
    assert messages(found) == [f"{lump}: the map has no {lump}"]


def test_maps_without_what_is_built_are_whole() -> None:
    """Cases 46, 70, 71: five lumps are a map; no nodes is "needs node build", not an error."""
    found = read_lumps("MAP01", doom_map.EDITED)
    assert (found.nodes, found.damage, len(found.lines)) == ("none", [], 7)
    emptied = {name: raw if name in doom_map.EDITED else b"" for name, raw in doom_map.DOOM.items()}
    assert (read_lumps("MAP01", emptied).nodes, read_lumps("MAP01", emptied).damage) == ("none", [])


def test_a_foreign_lump_is_damage_with_its_name_and_stays_among_the_lumps() -> None:
    """Case 44: error naming the foreign lump; no positional guess."""
    entries = doom_map.set_of(doom_map.DOOM)
    found = read(*entries[:10], wad.Entry(b"CWILV00", b"picture"), *entries[10:])
    (damage,) = found.damage
    assert (damage.lump, damage.code) == ("CWILV00", "foreign")
    assert damage.message.startswith("entry 10 of the archive stands inside the map, but is no lump of a map")
    assert list(found.lumps) == [*doom_map.ORDER[:9], "CWILV00", "BLOCKMAP"]
    assert found.lumps["BLOCKMAP"] == doom_map.DOOM["BLOCKMAP"]


def test_a_foreign_lump_between_textmap_and_endmap_is_told() -> None:
    """Case 52: warn: non-map lump inside TEXTMAP..ENDMAP."""
    lumps = {"TEXTMAP": doom_map.udmf_text(), "DECORATE": b"actor", "ENDMAP": b""}
    found = read(*doom_map.set_of(lumps))
    assert [(damage.lump, damage.code) for damage in found.damage] == [("DECORATE", "foreign")]
    assert "position" not in found.damage[0].message


def test_a_textmap_that_no_endmap_closes_is_told_and_read() -> None:
    """Case 89: TEXTMAP without ENDMAP."""
    found = read(*doom_map.set_of({"TEXTMAP": doom_map.udmf_text()}))
    assert messages(found) == ["ENDMAP: no ENDMAP closes the map that starts with TEXTMAP"]
    assert len(found.lines) == 7


def test_repeated_lumps_are_damage() -> None:
    entries = doom_map.set_of(doom_map.DOOM)
    found = read(*entries, wad.Entry(b"THINGS"))
    assert [damage.code for damage in found.damage] == ["repeated"]
    assert (
        found.damage[0].message == "entry 11 of the archive is a second THINGS in this map; the first is read"
    )
    assert len(found.things) == 3


def test_lumps_out_of_order_are_damage() -> None:
    """THINGS and LINEDEFS swapped: most engines crash."""
    swapped = {name: doom_map.DOOM[name] for name in ["LINEDEFS", "THINGS", *doom_map.ORDER[2:10]]}
    found = read_lumps("MAP01", swapped)
    assert [(damage.lump, damage.code) for damage in found.damage] == [("THINGS", "order")]
    assert (len(found.things), len(found.lines)) == (3, 7)


def test_behavior_behind_dooms_records_is_told_and_they_are_read() -> None:
    """Case "BEHAVIOR after Doom records": sizes and index ranges decide."""
    found = read_lumps("MAP01", {**doom_map.DOOM, "BEHAVIOR": b"ACS\0"})
    assert (found.format, found.lines) == ("doom", read_lumps("MAP01", doom_map.DOOM).lines)
    assert [(damage.lump, damage.code) for damage in found.damage] == [("BEHAVIOR", "format")]


def test_index_ranges_decide_where_sizes_fit_both_formats() -> None:
    """Eight lines of Doom's are seven of Hexen's, and two things are one."""
    lines = doom_map.table("LINEDEFS", [*doom_map.LINES, doom_map.LINES[0]])
    things = doom_map.table("THINGS", doom_map.THINGS[:2])
    assert len(lines) % 16 == len(things) % 20 == 0
    lumps = {**doom_map.DOOM, "LINEDEFS": lines, "THINGS": things, "BEHAVIOR": b""}
    assert read_lumps("MAP01", lumps).format == "doom"
    assert len(read_lumps("MAP01", lumps).lines) == 8


def test_hexens_records_without_behavior_are_told_and_read() -> None:
    lumps = {name: raw for name, raw in doom_map.HEXEN_MAP.items() if name != "BEHAVIOR"}
    found = read_lumps("MAP01", lumps)
    assert (found.format, [damage.code for damage in found.damage]) == ("hexen", ["format"])


def test_records_that_fit_neither_format_are_hexens_with_behavior() -> None:
    lumps = {**doom_map.HEXEN_MAP, "LINEDEFS": doom_map.HEXEN_MAP["LINEDEFS"] + b"x"}
    found = read_lumps("MAP01", lumps)
    assert (found.format, [damage.code for damage in found.damage], len(found.lines)) == (
        "hexen",
        ["size"],
        7,
    )


@pytest.mark.parametrize(
    ("lumps", "message"),
    [
        (["LEAFS"], "LEAFS: unsupported map format: a map of the PlayStation's Doom"),
        (["LEAFS", "LIGHTS", "MACROS"], "LEAFS: unsupported map format: a map of Doom 64"),
    ],
)
def test_maps_of_consoles_are_unsupported_not_corrupt(lumps: list[str], message: str) -> None:
    """Case 55: named "unsupported map format", not "corrupt"."""
    found = read_lumps("MAP01", {**doom_map.DOOM, "SIDEDEFS": b"12345", **dict.fromkeys(lumps, b"data")})
    assert [text.partition(";")[0] for text in messages(found)] == [message]
    assert found.lines == ()


def test_an_entry_that_the_archive_cannot_read_is_damage() -> None:
    archive = open_archive(wad.build(doom_map.set_of(doom_map.DOOM)))

    def failing(entry: int) -> bytes:
        if entry == 2:
            raise MalformedError("entry 2 ('LINEDEFS'): the bytes are damaged", "data", 2)
        return bytes(archive.read(entry))

    found = read_map(find_maps(archive)[0], failing)
    assert messages(found) == ["LINEDEFS: it cannot be read: entry 2 ('LINEDEFS'): the bytes are damaged"]
    assert (len(found.things), found.lines) == (3, [])


def test_gl_lumps_and_their_marker_are_among_the_lumps() -> None:
    gl = [wad.Entry(b"GL_MAP01", b"LEVEL=MAP01"), wad.Entry(b"GL_VERT", b"gNd2"), wad.Entry(b"GL_SEGS", b"")]
    found = read(*doom_map.set_of(doom_map.DOOM), *gl)
    assert found.lumps["GL_MAP01"] == b"LEVEL=MAP01"
    assert (found.gl_nodes, found.damage) == ("v2", [])


@pytest.mark.parametrize("lumps", [doom_map.DOOM, doom_map.HEXEN_MAP], ids=["doom", "hexen"])
def test_no_truncation_and_no_flipped_byte_raises(lumps: dict[str, bytes]) -> None:
    """The law: a map of any bytes is read as far as it goes."""
    for name, raw in lumps.items():
        for changed in [*(raw[:end] for end in range(len(raw))), *flipped(raw)]:
            found = read_lumps("MAP01", {**lumps, name: changed})
            assert found.lumps[name] == changed
            assert all(damage.message and "\n" not in damage.message for damage in found.damage)


@pytest.mark.parametrize("lumps", [doom_map.DOOM, doom_map.HEXEN_MAP], ids=["doom", "hexen"])
def test_no_set_of_lumps_raises(lumps: dict[str, bytes]) -> None:
    names = list(lumps)
    for chosen in range(1 << len(names)):
        read_lumps("", {name: lumps[name] for bit, name in enumerate(names) if chosen >> bit & 1})


def flipped(raw: bytes) -> list[bytes]:
    """The bytes with one of them changed, each in turn."""
    return [raw[:at] + bytes([raw[at] ^ 0xFF]) + raw[at + 1 :] for at in range(len(raw))]
