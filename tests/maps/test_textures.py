"""Names of textures and flats from archives, and which textures have columns that patches share.

The lists are made here, byte by byte. Source: the unofficial Doom specification, "TEXTURE1 and TEXTURE2", "PNAMES".
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import plain

from lumpyard.archives.opening import open_archive
from lumpyard.maps.tables.games import ZDOOM
from lumpyard.maps.textures import Texture, patch_names, patch_width, read_textures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.archives.model import Archive

    Patch = tuple[int, int, int]  # x, y, number

PNAMES = struct.pack("<I8s8s8s", 3, b"wide", b"NARROW", b"NOTHERE")


def picture(width: int) -> bytes:
    return struct.pack("<4h", width, 128, 0, 0) + bytes(8)


def texture_list(*textures: tuple[bytes, int, int, Sequence[Patch]]) -> bytes:
    rows, offsets, at = [], [], 4 + 4 * len(textures)
    for name, width, height, patches in textures:
        row = struct.pack("<8sihhih", name, 0, width, height, 0, len(patches))
        row += b"".join(struct.pack("<5h", *patch, 1, 0) for patch in patches)
        offsets.append(at)
        at += len(row)
        rows.append(row)
    return struct.pack(f"<{len(offsets) + 1}i", len(offsets), *offsets) + b"".join(rows)


def archive(*lumps: tuple[bytes, bytes]) -> Archive:
    return open_archive(plain.wad(list(lumps)))


def base(listed: bytes, *more: tuple[bytes, bytes]) -> Archive:
    patches = [(b"P_START", b""), (b"WIDE", picture(64)), (b"NARROW", picture(16)), (b"P_END", b"")]
    flats = [
        (b"F_START", b""),
        (b"F1_START", b""),
        (b"FLOOR", bytes(4096)),
        (b"F1_END", b""),
        (b"F_END", b""),
    ]
    return archive((b"PNAMES", PNAMES), (b"TEXTURE1", listed), *patches, *flats, *more)


def test_a_texture_has_its_size_and_whether_patches_share_columns() -> None:
    listed = texture_list(
        (b"ONE", 64, 128, [(0, 0, 0)]),
        (b"BESIDE", 80, 72, [(0, 0, 0), (64, 0, 1)]),
        (b"OVER", 64, 128, [(0, 0, 0), (48, 64, 1)]),
        (b"CUT", 64, 128, [(0, 0, 0), (64, 0, 1), (-16, 0, 1)]),
        (b"lower", 64, 128, [(0, 0, 2), (0, 0, 0)]),
    )
    walls = read_textures([base(listed)]).walls
    assert walls == {
        b"ONE": Texture(64, 128, overlapping=False),
        b"BESIDE": Texture(80, 72, overlapping=False),
        b"OVER": Texture(64, 128, overlapping=True),
        b"CUT": Texture(64, 128, overlapping=False),
        b"LOWER": Texture(64, 128, overlapping=False),
    }


def test_flats_are_what_is_between_their_markers_but_markers() -> None:
    found = read_textures([base(texture_list())])
    assert b"FLOOR" in found.flats
    assert b"WIDE" not in found.flats


def test_the_first_of_two_textures_of_a_name_counts() -> None:
    """team-eternity/eternity#324: "vanilla takes the first, port took the last"."""
    twice = texture_list((b"SKY3", 64, 128, []), (b"SKY3", 256, 128, []))
    assert read_textures([base(twice)]).walls[b"SKY3"].width == 64
    both = base(texture_list((b"SKY3", 64, 128, [])), (b"TEXTURE2", texture_list((b"SKY3", 256, 128, []))))
    assert read_textures([both]).walls[b"SKY3"].width == 64


def test_a_list_of_a_later_archive_takes_the_place_of_the_base_but_in_zdoom() -> None:
    first, second = (
        base(texture_list((b"OLD", 64, 128, []))),
        archive((b"TEXTURE1", texture_list((b"NEW", 8, 8, [])))),
    )
    assert read_textures([first, second]).walls.keys() == {b"NEW"}
    assert read_textures([first, second], ZDOOM).walls.keys() >= {b"OLD", b"NEW"}


def test_zdoom_has_textures_of_their_own_block_and_of_a_text_and_takes_one_kind_for_the_other() -> None:
    text = b'// none\nTexture "STARS", 64, 64\n{\n  Patch "WIDE", 0, 0\n}\nflat optional MUD, 64, 64 {}\n'
    text += b"WallTexture Brick, 8, 8"
    more = [(b"TX_START", b""), (b"HIGH", b"\x89PNG\r\n\x1a\n"), (b"TX_END", b""), (b"TEXTURES", text)]
    made = base(texture_list((b"ONE", 64, 128, [])), *more)
    found = read_textures([made], ZDOOM)
    assert {b"HIGH", b"STARS", b"MUD", b"BRICK", b"ONE", b"FLOOR", b"WIDE"} <= found.walls.keys()
    assert {b"HIGH", b"ONE", b"FLOOR"} <= found.flats
    assert read_textures([made]).walls.keys() == {b"ONE"}


def test_archives_with_paths_have_their_folders() -> None:
    pak = open_archive(
        plain.pak(
            [
                (b"pnames.lmp", PNAMES),
                (b"texture1.lmp", texture_list((b"ONE", 64, 128, []))),
                (b"flats/floor.lmp", b"1"),
                (b"textures/high.png", b"2"),
            ]
        )
    )
    found = read_textures([pak], ZDOOM)
    assert {b"ONE", b"HIGH"} <= found.walls.keys()
    assert b"FLOOR" in found.flats


def test_a_width_is_that_of_a_picture_or_a_png() -> None:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\2\0\0\0\3"
    assert (patch_width(picture(64)), patch_width(png), patch_width(b""), patch_width(png[:20])) == (
        64,
        258,
        0,
        0,
    )


def test_freedoms_textures_are_all_there() -> None:
    found = read_textures([open_archive(Path("/usr/share/games/doom/freedoom2.wad").read_bytes())])
    assert found.walls[b"BIGDOOR1"][:2] == (128, 96)
    assert b"F_SKY1" in found.flats
    assert (len(found.walls), len(found.flats)) == (903, 239)


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=80), st.binary(max_size=40), st.binary(max_size=12))
def test_any_bytes_are_a_list_of_textures_as_far_as_they_go(
    listed: bytes, names: bytes, patch: bytes
) -> None:
    read_textures([archive((b"PNAMES", names), (b"TEXTURE1", listed), (b"A", patch))])
    assert len(patch_names(names)) <= len(names) // 8


def test_a_list_that_claims_more_than_it_has_is_read_quickly() -> None:
    row = struct.pack("<8sihhih", b"ONE", 0, 64, 128, 0, 32767) + struct.pack("<5h", 0, 0, 0, 1, 0) * 6000
    claims = struct.pack("<i", 1 << 30) + struct.pack("<i", 80000) * 19999 + row
    assert len(claims) > 80000
    assert read_textures([base(claims)]).walls[b"ONE"] == Texture(64, 128, overlapping=True)
