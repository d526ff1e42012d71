"""Blocks between markers: which lumps are in which namespace, and what is odd about them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.builders import wad
from tests.builders.wad import Entry

from lumpyard.archives.model import Lump
from lumpyard.archives.opening import open_archive
from lumpyard.archives.wad.namespaces import Namespaces, namespaces

BASE = "THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS REJECT BLOCKMAP"


def of(text: str) -> Namespaces:
    """The namespaces of a WAD whose lumps have these names."""
    return namespaces([Lump(name.encode(), 12, 0, 0) for name in text.split()])


def spaces(text: str) -> str:
    """The namespaces in a row; `-` is the global one."""
    return " ".join(space or "-" for space in of(text).spaces)


def told(text: str) -> list[tuple[str, int | None]]:
    found = of(text).findings
    assert all(finding.verdict == "ok" for finding in found)
    return [(finding.code, finding.entry) for finding in found]


def test_lumps_between_markers_are_in_their_namespace_and_markers_in_the_global_one() -> None:
    assert spaces("A S_START B C S_END D") == "- - sprites sprites - -"
    assert told("A S_START B C S_END D") == []


def test_one_and_two_letter_forms_mean_the_same_and_may_be_mixed() -> None:
    for start in ("F", "FF"):
        for end in ("F", "FF"):
            text = f"{start}_START A {end}_END B"
            assert (spaces(text), told(text)) == ("- flats - -", [])
    assert spaces("SS_START A S_END PP_START B P_END") == "- sprites - - patches -"
    assert spaces("P1_START A P1_END f2_start B f2_end") == "- patches - - flats -"


def test_each_known_marker_has_its_namespace() -> None:
    known = {"HI": "hires", "TX": "textures", "VX": "voxels", "C": "colormaps", "A": "acs", "V": "voices"}
    for prefix, space in known.items():
        assert spaces(f"{prefix}_START X {prefix}_END") == f"- {space} -"


def test_unknown_pairs_are_namespaces_too_and_halves_are_plain_lumps() -> None:
    """ "Unknown X_START/X_END pairs are still namespaces." """
    assert spaces("G_START A G_END") == "- G -"
    assert spaces("DS_START A DS_END X1_START B X1_END") == "- DS - - X1 -"
    assert (spaces("G_START A B_END"), told("G_START A B_END")) == ("- - -", [])
    assert spaces("LONG_START A LONG_END") == "- - -"  # such a name has more than 8 bytes


def test_all_blocks_of_a_kind_are_one_namespace_in_order() -> None:
    """ "All blocks of a kind are merged in order." """
    found = of("FF_START A B FF_END X FF_START A C FF_END")
    flats = [at for at, space in enumerate(found.spaces) if space == "flats"]
    assert flats == [1, 2, 6, 7]
    assert [found.find(name, "flats") for name in (b"A", b"B", b"C", b"X")] == [6, 2, 7, None]


def test_inner_markers_are_plain_lumps_of_the_block() -> None:
    """ "Inner markers are plain empty lumps, kept." """
    text = "P_START P1_START A P1_END P2_START B P2_END P_END C"
    assert spaces(text) == "- " + "patches " * 6 + "- -"
    assert told(text) == []
    assert spaces("FF_START F_START A F_END B FF_END") == "- flats flats flats flats -"


def test_an_unclosed_block_ends_at_the_next_marker() -> None:
    """ "Unclosed block ends at the next marker or map head; warn." """
    text = "P_START A B F_START C F_END D"
    assert spaces(text) == "- patches patches - flats - -"
    assert told(text) == [("block-unclosed", 0)]
    (finding,) = of(text).findings
    assert finding.message == (
        "entry 0 ('P_START'): the block that it opens is not closed, and is taken to end before entry 3 ('F_START')"
    )


def test_an_unclosed_block_ends_at_the_next_map_and_takes_none_of_its_lumps() -> None:
    text = f"P_START A MAP01 {BASE} TITLEPIC"
    assert spaces(text) == "- patches -" + " maps" * 10 + " -"
    assert told(text) == [("block-unclosed", 0)]


def test_an_unclosed_block_of_the_end_takes_the_rest() -> None:
    assert spaces("A F_START B C") == "- - flats flats"
    assert "taken to end with the archive" in of("A F_START B C").findings[0].message


def test_a_block_that_opens_twice_was_not_closed_the_first_time() -> None:
    assert spaces("F_START A F_START B F_END C") == "- flats - flats - -"
    assert told("F_START A F_START B F_END C") == [("block-unclosed", 0)]


def test_findings_are_in_the_order_of_the_entries() -> None:
    text = f"MAP01 {BASE} MAP01 {BASE} S_END F_START A MAP02 {BASE} MAP02 {BASE} P_START B"
    assert told(text) == [
        ("map-twice", 11),
        ("block-stray", 22),
        ("block-unclosed", 23),
        ("map-twice", 36),
        ("block-unclosed", 47),
    ]


def test_blocks_of_one_use_follow_each_other_at_once() -> None:
    assert spaces("F_START F_START F_END F_START A F_END") == "- - - - flats -"
    assert told("F_START F_START F_END F_START A F_END") == [("block-unclosed", 0)]
    assert spaces("F_START F1_START F2_START A X_END F_END") == "- flats flats flats flats -"
    assert spaces("P_START P1_START P2_START F3_END P_END A") == "- patches patches patches - -"


def test_an_end_of_another_form_closes_the_innermost_block() -> None:
    """Such as old tools write: `SS_START` … `S_END`."""
    assert spaces("P_START P1_START A P2_END B P_END C") == "- patches patches patches patches - -"
    assert spaces("P_START P1_START A PP_END B PP_END C") == "- patches patches patches patches - -"


def test_a_marker_that_closes_nothing_is_told() -> None:
    assert spaces("A S_END B") == "- - -"
    assert told("A S_END B") == [("block-stray", 1)]


def test_of_overlapping_blocks_the_first_has_the_lumps() -> None:
    """ "First block wins, warn." """
    text = "S_START F_START A F_END B S_END C"
    assert spaces(text) == "- sprites sprites sprites sprites - -"
    assert told(text) == [("block-overlap", 1)]
    text = "S_START F_START A S_END B F_END C"
    assert spaces(text) == "- sprites sprites - flats - -"
    assert told(text) == [("block-overlap", 1)]


def test_namespaces_split_the_lookup() -> None:
    """ "Lookup takes a namespace; global lookup excludes marked blocks." """
    found = of("BODIES P_START BODIES P_END F_START BODIES F_END HI_START BODIES HI_END ONLY")
    assert [found.find(b"BODIES", space) for space in ("", "patches", "flats", "hires", "sprites")] == [
        0,
        2,
        5,
        8,
        None,
    ]
    assert [found.find(b"ONLY"), found.find(b"ONLY", "flats"), found.find(b"F_START")] == [10, None, 4]
    alone = of("F_START SKY F_END")
    assert alone.find(b"SKY") is None


def test_an_archive_finds_a_global_lump_before_one_of_a_block_or_map() -> None:
    """ "A flat picked up as a patch of the same name": global lookup excludes marked blocks."""
    names = f"BODIES F_START BODIES SKY SKY F_END MAP01 {BASE} NODES MAP02 {BASE}".split()
    data = wad.build([Entry(name.encode()) for name in names])
    archive = open_archive(data)
    found = [archive.find(name) for name in (b"BODIES", b"SKY", b"F_START", b"MAP01", b"THINGS", b"X")]
    assert found == [0, 4, 1, 6, 19, None]
    assert open_archive(b"PACK" + data[4:], "PACK").find(b"BODIES") == 2  # PACK has no namespaces


def test_the_order_of_lumps_in_a_block_is_kept_and_the_last_of_a_name_wins() -> None:
    found = of("F_START F_SKY1 SLIME01 SLIME02 SLIME01 F_END SLIME01")
    assert [found.find(b"SLIME01", "flats"), found.find(b"SLIME01")] == [4, 6]


def test_an_empty_name_is_never_found() -> None:
    found = namespaces([Lump(b"", 12, 0, 0), Lump(None, 12, 0, 0)])
    assert (found.spaces, found.find(b"")) == (["", ""], None)


NAMES = st.sampled_from(
    [
        "A",
        "B",
        "S_START",
        "S_END",
        "SS_START",
        "SS_END",
        "F_START",
        "F_END",
        "FF_START",
        "F1_START",
        "F1_END",
        "G_START",
        "G_END",
        "MAP01",
        "THINGS",
        "LINEDEFS",
        "SECTORS",
        "TEXTMAP",
        "ENDMAP",
        "GL_MAP01",
        "GL_VERT",
        "BLOCKMAP",
        "BEHAVIOR",
    ]
)


@given(st.lists(NAMES, max_size=25))
def test_whatever_the_names_every_lump_is_in_one_namespace(names: list[str]) -> None:
    found = of(" ".join(names))
    assert len(found.spaces) == len(names)
    assert all(not found.spaces[one.marker] for one in found.maps)
    in_maps = [entry for one in found.maps for entry in one.lumps]
    assert len(set(in_maps)) == len(in_maps)
    assert [at for at, space in enumerate(found.spaces) if space == "maps"] == sorted(in_maps)
    uses = {block.use for block in found.blocks}
    assert set(found.spaces) - {"", "maps"} <= uses
    for at, name in enumerate(names):
        last = max(
            other
            for other, space in enumerate(found.spaces)
            if (space, names[other]) == (found.spaces[at], name)
        )
        assert found.find(name.encode(), found.spaces[at]) == last


@given(st.lists(NAMES, max_size=25))
def test_lower_case_markers_and_map_lumps_are_as_good(names: list[str]) -> None:
    text = " ".join(names)
    assert of(text).spaces == of(text.lower()).spaces
    assert of(text).maps == of(text.lower()).maps
