"""Maps are found by the lumps behind a marker, whatever it is called."""

from __future__ import annotations

import pytest
from tests.builders import doom_map, judges, wad

from lumpyard.archives.opening import open_archive
from lumpyard.maps.finding import MapPlace, find_maps

COUNTS = {"freedoom1": 36, "freedoom2": 32, "freedm": 32}


def places(*entries: wad.Entry) -> list[MapPlace]:
    return find_maps(open_archive(wad.build(entries)))


def empty(*names: str) -> list[wad.Entry]:
    return [wad.Entry(name.encode()) for name in names]


@pytest.mark.parametrize("game", COUNTS)
def test_all_maps_of_a_game_are_found_in_order(game: str) -> None:
    data = judges.game(game)
    found = find_maps(open_archive(data))
    assert [place.name for place in found] == list(doom_map.maps_of(data))
    assert len(found) == COUNTS[game]
    assert {place.format for place in found} == {"doom"}
    assert all(list(place.lumps) == doom_map.ORDER[:10] for place in found)
    assert all([*place.lumps.values()] == [*range(place.marker + 1, place.marker + 11)] for place in found)
    assert not any(place.repeated or place.foreign or place.gl for place in found)


@pytest.mark.parametrize("name", ["MAP01", "HUB", "e1m1", "MAP01 L", "\x7f", "MAP100"])
def test_a_map_may_have_any_name(name: str) -> None:
    (place,) = places(*doom_map.set_of(doom_map.DOOM, name))
    assert (place.name, place.marker, place.lumps["THINGS"]) == (name, 0, 1)


def test_a_marker_may_hold_data() -> None:
    entries = doom_map.set_of(doom_map.DOOM)
    (place,) = places(wad.Entry(b"NOTES"), entries[0]._replace(data=b"[level info]"), *entries[1:])
    assert place.marker == 1


def test_a_map_of_the_five_edited_lumps_is_a_map() -> None:
    """Case 46: five-lump maps are valid maps without nodes."""
    (place,) = places(*doom_map.set_of(doom_map.EDITED))
    assert list(place.lumps) == ["THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS"]


def test_the_format_is_each_maps_own() -> None:
    """Case 53: one BEHAVIOR lump made a tool read all maps as Hexen's."""
    sets = [doom_map.set_of(doom_map.DOOM), doom_map.set_of(doom_map.HEXEN_MAP, "MAP02")]
    text = {"TEXTMAP": doom_map.udmf_text(), "BEHAVIOR": b"", "ENDMAP": b""}
    found = places(*sets[0], *sets[1], *doom_map.set_of(text, "MAP03"))
    assert [place.format for place in found] == ["doom", "hexen", "udmf"]


def test_lump_names_in_lower_case_are_found() -> None:
    (place,) = places(*doom_map.set_of({name.lower(): raw for name, raw in doom_map.DOOM.items()}))
    assert list(place.lumps) == doom_map.ORDER[:10]


def test_gl_lumps_behind_a_map_belong_to_it() -> None:
    """Case 49: GL_MAP01 taken as a separate map."""
    gl = empty("GL_MAP01", "GL_VERT", "GL_SEGS", "GL_SSECT", "GL_NODES", "GL_PVS")
    first, second = places(*doom_map.set_of(doom_map.DOOM), *gl, *doom_map.set_of(doom_map.DOOM, "MAP02"))
    assert first.gl_marker == 11
    assert first.gl == {"GL_VERT": 12, "GL_SEGS": 13, "GL_SSECT": 14, "GL_NODES": 15, "GL_PVS": 16}
    assert (second.name, second.gl_marker, second.marker) == ("MAP02", None, 17)


def test_a_marker_gl_level_is_a_marker_of_gl_lumps_too() -> None:
    """For maps whose name leaves no room for `GL_` in front of it."""
    (place,) = places(*doom_map.set_of(doom_map.DOOM, "HUBWORLD"), *empty("GL_LEVEL", "GL_VERT", "GL_SEGS"))
    assert (place.gl_name, place.gl_marker, list(place.gl)) == ("GL_LEVEL", 11, ["GL_VERT", "GL_SEGS"])


def test_gl_lumps_alone_are_no_map() -> None:
    assert places(*empty("GL_MAP01", "GL_VERT", "GL_SEGS", "GL_SSECT", "GL_NODES")) == []


def test_a_foreign_lump_inside_a_map_is_told() -> None:
    """Case 44: a picture lump sits inside the map set."""
    entries = doom_map.set_of(doom_map.DOOM)
    (place,) = places(*entries[:10], wad.Entry(b"CWILV00", b"picture"), *entries[10:])
    assert place.foreign == [("CWILV00", 10)]
    assert place.lumps["BLOCKMAP"] == 11


def test_a_repeated_lump_is_told_and_the_first_is_taken() -> None:
    """A case of archives, 11: SSECTORS and NODES both named SEGS."""
    entries = doom_map.set_of(doom_map.DOOM)
    twice = [
        entry._replace(name=b"SEGS") if entry.name in {b"SSECTORS", b"NODES"} else entry for entry in entries
    ]
    (place,) = places(*twice)
    assert place.repeated == [("SEGS", 6), ("SEGS", 7)]
    assert place.lumps["SEGS"] == 5


@pytest.mark.parametrize(
    ("lumps", "form"),
    [(["LEAFS"], "playstation"), (["LEAFS", "LIGHTS", "MACROS"], "doom64"), (["MACROS"], "doom")],
)
def test_maps_of_consoles_are_named(lumps: list[str], form: str) -> None:
    (place,) = places(*doom_map.set_of(doom_map.DOOM), *empty(*lumps))
    assert place.format == form


def test_both_of_two_maps_of_one_name_are_found() -> None:
    """Case 91: MAP01 twice, second one empty."""
    second = [entry._replace(data=b"") for entry in doom_map.set_of(doom_map.DOOM)]
    first, again = places(*doom_map.set_of(doom_map.DOOM), *second)
    assert (first.name, first.marker, again.name, again.marker) == ("MAP01", 0, "MAP01", 11)


def test_an_archive_of_another_format_may_have_no_maps() -> None:
    assert find_maps(open_archive(b"PACK" + bytes([12, 0, 0, 0, 0, 0, 0, 0]), "PAK")) == []
