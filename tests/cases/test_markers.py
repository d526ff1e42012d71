"""Blocks of lumps between markers, as other programs lost them. Each docstring says where that was reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import plain, wad
from tests.builders.rewriting import rewritten_file
from tests.cases.test_wad_files import MAP, warned

from lumpyard.archives.naming import entry_paths
from lumpyard.archives.opening import open_archive
from lumpyard.archives.wad.namespaces import namespaces

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def paths(*lumps: bytes) -> list[str | None]:
    """The paths of lumps that are empty but for their names."""
    return entry_paths(open_archive(plain.wad([(name, b"") for name in lumps])))


def found(lumps: list[bytes], name: bytes, space: str = "") -> int | None:
    return namespaces(open_archive(plain.wad([(lump, b"") for lump in lumps])).lumps).find(name, space)


def test_a_block_that_is_not_closed_ends_at_the_next_marker_or_map() -> None:
    """devinacker/omgifol#45: CHEX3.WAD lacks P_END, and all behind P_START went into the patches, maps too."""
    lumps = [
        (b"P_START", b""),
        (b"WALL1", b"1"),
        (b"WALL2", b"2"),
        (b"F_START", b""),
        (b"FLAT", b"3"),
        (b"F_END", b""),
    ]
    archive = open_archive(plain.wad([*lumps, *MAP]))
    assert warned(archive) == [("block-unclosed", 0)]
    assert entry_paths(archive)[1:8] == [
        *("patches/WALL1", "patches/WALL2", "flats/F_START", "flats/FLAT", "flats/F_END"),
        *("MAP01/MAP01", "MAP01/THINGS"),
    ]
    archive = open_archive(plain.wad([*lumps[:3], *MAP]))
    assert warned(archive) == [("block-unclosed", 0)]
    assert entry_paths(archive)[2:5] == ["patches/WALL2", "MAP01/MAP01", "MAP01/THINGS"]


def test_all_blocks_of_a_kind_are_read() -> None:
    """bradharding/doomretro#826: only the first of two was."""
    lumps = (b"FF_START", b"A", b"FF_END", b"X", b"FF_START", b"B", b"FF_END")
    assert paths(*lumps)[1::2] == ["flats/A", "X", "flats/B"]
    assert found(list(lumps), b"A", "flats") == 1
    assert found(list(lumps), b"B", "flats") == 5


def test_inner_markers_are_empty_lumps_of_their_block() -> None:
    """fabiangreffrath/crispy-doom#1093: P1_START in a PWAD kept textures from loading."""
    assert paths(b"P_START", b"P1_START", b"A", b"P1_END", b"P2_START", b"B", b"P2_END", b"P_END", b"C") == [
        *("patches/P_START", "patches/P1_START", "patches/A", "patches/P1_END"),
        *("patches/P2_START", "patches/B", "patches/P2_END", "patches/P_END", "C"),
    ]


def test_names_in_a_block_are_looked_up_in_it_and_nowhere_else() -> None:
    """fabiangreffrath/woof PR112: HI_START holds pictures with the names of textures.

    fabiangreffrath/crispy-doom#408: a flat was picked up as the patch of its name.
    """
    lumps = [
        b"DOOR",
        b"HI_START",
        b"DOOR",
        b"HI_END",
        b"P_START",
        b"BODIES",
        b"P_END",
        b"F_START",
        b"BODIES",
        b"F_END",
    ]
    assert paths(*lumps)[:3:2] == ["DOOR", "hires/DOOR"]
    assert (found(lumps, b"DOOR"), found(lumps, b"DOOR", "hires")) == (0, 2)
    assert (found(lumps, b"BODIES", "patches"), found(lumps, b"BODIES", "flats")) == (5, 8)
    assert found(lumps, b"BODIES") is None


@pytest.mark.parametrize("flats", [[b"F_SKY1", b"SLIME01", b"SLIME02"], [b"SLIME02", b"F_SKY1", b"SLIME01"]])
def test_the_order_in_a_block_is_kept_by_all_that_we_do(flats: list[bytes], run: Run, tmp_path: Path) -> None:
    """kraflab/dsda-doom#138, crispy-doom#954: animations are what stands between two flats, so order is data."""
    lumps = [(b"FF_START", b""), *((name, name) for name in flats), (b"F_END", b"")]
    data = plain.wad(lumps)
    assert rewritten_file(data) == data
    one, two, three, folder = (tmp_path / name for name in ("1.wad", "2.ewad", "3.wad", "lumps"))
    one.write_bytes(data)
    assert run("convert", one, two, "--format", "EWAD").status == 0
    assert run("convert", two, three, "--format", "PWAD").status == 0
    assert wad.lumps(three.read_bytes()) == lumps
    assert run("extract", one, "-C", folder).status == 0
    assert run("pack", folder, tmp_path / "4.wad").status == 0
    assert (tmp_path / "4.wad").read_bytes() == data


def test_pairs_that_nobody_knows_are_blocks_too() -> None:
    """atsb/Doom64EX-Plus PR433: G_START and G_END, of Doom 64's graphics."""
    assert paths(b"G_START", b"A", b"G_END", b"A") == ["G/G_START", "G/A", "G/G_END", "A"]


def test_of_blocks_that_overlap_the_first_has_what_is_in_both() -> None:
    """GZDoom's source: the second does not tag anew what the first has tagged."""
    names = [b"S_START", b"A", b"F_START", b"B", b"S_END", b"C", b"F_END"]
    archive = open_archive(plain.wad([(name, b"") for name in names]))
    assert entry_paths(archive)[1::2] == ["sprites/A", "sprites/B", "flats/C"]
    assert warned(archive) == [("block-overlap", 2)]
