"""Maps are found by their lumps, whatever the marker is called."""

from __future__ import annotations

import pytest

from lumpyard.archives.wad.maps import Maps, find_maps

DOOM = "THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS REJECT BLOCKMAP"
FIVE = "THINGS LINEDEFS SIDEDEFS VERTEXES SECTORS"
GL = "GL_VERT GL_SEGS GL_SSECT GL_NODES GL_PVS"


def of(text: str) -> Maps:
    return find_maps([name.encode() for name in text.split()])


def shapes(text: str) -> list[tuple[int, int, str]]:
    """Of each map the marker's entry, the number of its lumps and its form."""
    return [(found.marker, len(found.lumps), found.form) for found in of(text).maps]


def told(text: str) -> list[tuple[str, int | None]]:
    return [(finding.code, finding.entry) for finding in of(text).findings]


@pytest.mark.parametrize("marker", ["MAP01", "E1M1", "MAP100", "TITLEMAP", "X", "start"])
def test_a_marker_of_any_name_with_the_lumps_of_a_map_behind_it(marker: str) -> None:
    text = f"A {marker} {DOOM} B"
    assert shapes(text) == [(1, 10, "doom")]
    assert told(text) == []


def test_five_lumps_are_a_map_without_nodes() -> None:
    """ "Five-lump maps are valid maps without nodes." """
    assert shapes(f"MAP01 {FIVE} MAP02 {FIVE}") == [(0, 5, "doom"), (6, 5, "doom")]


def test_behavior_makes_that_map_hexen_and_no_other() -> None:
    """ "Format is per map." """
    text = f"MAP01 {DOOM} BEHAVIOR SCRIPTS MAP02 {DOOM} MAP03 {DOOM} BEHAVIOR DECORATE"
    assert shapes(text) == [(0, 12, "hexen"), (13, 10, "doom"), (24, 11, "hexen")]
    assert told(text) == []


def test_a_marker_followed_by_textmap_is_a_map() -> None:
    """ "Marker followed by TEXTMAP is a map." """
    text = "MAP01 TEXTMAP ZNODES BEHAVIOR SCRIPTS DIALOGUE ENDMAP MAP02 TEXTMAP ENDMAP"
    assert shapes(text) == [(0, 6, "udmf"), (7, 2, "udmf")]
    assert told(text) == []


def test_what_stands_between_textmap_and_endmap_belongs_to_the_map_and_is_told() -> None:
    """ "Warn: non-map lump inside TEXTMAP..ENDMAP." """
    text = "MAP01 TEXTMAP DECORATE ZNODES ENDMAP DECORATE"
    assert shapes(text) == [(0, 4, "udmf")]
    assert told(text) == [("map-foreign", 2)]
    assert (
        of(text).findings[0].message == "entry 2 ('DECORATE'): it stands inside the map of entry 0 ('MAP01')"
    )


def test_a_textmap_without_endmap_has_the_lumps_that_are_known() -> None:
    text = f"MAP01 TEXTMAP ZNODES TITLEPIC MAP02 TEXTMAP BEHAVIOR ENDMAP MAP03 TEXTMAP E1M1 {DOOM}"
    assert shapes(text) == [(0, 2, "udmf"), (4, 3, "udmf"), (8, 1, "udmf"), (10, 10, "doom")]
    assert told(text) == [("map-unclosed", 0), ("map-unclosed", 8)]


def test_a_textmap_at_the_end_is_a_map_of_one_lump() -> None:
    assert shapes("MAP01 TEXTMAP") == [(0, 1, "udmf")]
    assert shapes("MAP01 TEXTMAP ZNODES") == [(0, 2, "udmf")]
    assert told("MAP01 TEXTMAP") == [("map-unclosed", 0)]


def test_gl_lumps_belong_to_the_map_before() -> None:
    """ "GL_<map> + GL_* lumps belong to the map before." """
    text = f"MAP01 {DOOM} GL_MAP01 {GL} E1M1 {DOOM} GL_LEVEL {GL} LONGNAME {DOOM} GL_LONGN {GL}"
    assert shapes(text) == [(0, 16, "doom"), (17, 16, "doom"), (34, 16, "doom")]
    assert told(text) == []


def test_gl_lumps_of_a_map_that_is_elsewhere_stand_alone() -> None:
    assert shapes(f"GL_MAP01 {GL} GL_MAP02 {GL}") == [(0, 5, "gl"), (6, 5, "gl")]
    assert shapes(f"MAP01 {DOOM} GL_MAP02 {GL}") == [(0, 10, "doom"), (11, 5, "gl")]
    assert shapes(f"A {GL}") == []


def test_a_foreign_lump_does_not_end_a_map_and_is_none_of_its_lumps() -> None:
    """ "Error naming the foreign lump; no positional guess." """
    text = f"MAP01 {DOOM.replace('BLOCKMAP', 'CWILV00 BLOCKMAP')} MAP02 {DOOM}"
    first, second = of(text).maps
    assert first.lumps == (1, 2, 3, 4, 5, 6, 7, 8, 9, 11)
    assert second.marker == 12
    assert told(text) == [("map-foreign", 10)]


def test_two_foreign_lumps_are_passed_over_and_three_end_a_map() -> None:
    early = DOOM.removesuffix(" BLOCKMAP")
    assert shapes(f"MAP01 {early} A BLOCKMAP") == [(0, 10, "doom")]
    assert shapes(f"MAP01 {early} A B BLOCKMAP") == [(0, 10, "doom")]
    assert shapes(f"MAP01 {early} A B C BLOCKMAP") == [(0, 9, "doom")]
    assert shapes(f"MAP01 {early} A B") == [(0, 9, "doom")]
    assert told(f"MAP01 {early} A B BLOCKMAP") == [("map-foreign", 10), ("map-foreign", 11)]


def test_the_next_map_is_not_foreign() -> None:
    text = f"MAP01 {FIVE} MAP02 {DOOM}"
    assert shapes(text) == [(0, 5, "doom"), (6, 10, "doom")]
    assert shapes(f"MAP01 LINEDEFS VERTEXES MAP02 {DOOM}") == [(0, 2, "doom"), (3, 10, "doom")]
    assert shapes(f"MAP01 {FIVE} F_START BLOCKMAP F_END") == [(0, 5, "doom")]


def test_a_lump_that_comes_twice_is_told() -> None:
    """ "SSECTORS and NODES both named SEGS": "report by position and name"."""
    text = f"MAP01 {DOOM.replace('SSECTORS NODES', 'SEGS SEGS')}"
    assert shapes(text) == [(0, 10, "doom")]
    assert told(text) == [("map-repeat", 6), ("map-repeat", 7)]


def test_maps_of_one_name_are_told_with_both_places() -> None:
    text = f"MAP01 {DOOM} MAP01 {DOOM}"
    assert shapes(text) == [(0, 10, "doom"), (11, 10, "doom")]
    (finding,) = of(text).findings
    assert (finding.code, finding.entry) == ("map-twice", 11)
    assert "entry 11 ('MAP01'): entry 0 ('MAP01') starts a map of the same name" in finding.message


def test_a_near_miss_of_a_maps_name_is_told_and_not_taken_for_it() -> None:
    """ "Exact match by default; a 'near miss' diagnostic naming the entry." """
    names = [b"MAP01 L", *(name.encode() for name in DOOM.split())]
    found = find_maps(names)
    assert [one.marker for one in found.maps] == [0]
    (finding,) = found.findings
    assert (finding.code, finding.entry, finding.verdict) == ("map-name", 0, "ok")
    assert finding.message.startswith("entry 0 ('MAP01 L'): it starts like 'MAP01'")


@pytest.mark.parametrize(
    "text",
    ["", "THINGS", "A THINGS B", "THINGS LINEDEFS SIDEDEFS", "S_START THINGS LINEDEFS S_END", "A REJECT"],
)
def test_few_or_headless_lumps_are_no_map(text: str) -> None:
    assert of(text).maps == []
    assert of(text).findings == []


def test_an_empty_name_is_no_marker() -> None:
    assert find_maps([b"", *(name.encode() for name in DOOM.split())]).maps == []
