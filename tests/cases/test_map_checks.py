"""Maps that broke engines, editors and node builders, and what the checks say of them.

Each docstring says where that was reported.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import checked_map, doom_map, wad
from tests.builders.checked_map import CONTEXT, EXIT, LEFT, OPENING, clean, line, lumps, stored

from lumpyard.archives.opening import open_archive
from lumpyard.maps.checks import CheckContext, check_map, check_names
from lumpyard.maps.finding import find_maps
from lumpyard.maps.model import DOOM64, HEXEN, DoomMap, Line, Vertex
from lumpyard.maps.reading import read_lumps, read_map
from lumpyard.maps.tables.games import BOOM, VANILLA, ZDOOM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lumpyard.maps.problems import MapFinding

BASE = stored(clean())


def check(level: DoomMap, target: str = VANILLA) -> dict[str, MapFinding]:
    """The findings by id, the first of each."""
    found = check_map(level, CheckContext(target=target, textures=CONTEXT.textures))
    return {one.id: one for one in reversed(found)}


def checked(some: Mapping[str, bytes], target: str = VANILLA) -> dict[str, MapFinding]:
    return check(read_lumps("MAP01", some), target)


def in_archive(*sets: tuple[str, Mapping[str, bytes]]) -> list[DoomMap]:
    entries = [entry for marker, each in sets for entry in doom_map.set_of(each, marker)]
    archive = open_archive(wad.build(entries))
    return [read_map(place, archive.read) for place in find_maps(archive)]


def test_the_base_is_clean() -> None:
    assert checked(BASE) == {}


def test_a_foreign_lump_inside_a_map_is_an_error_that_names_it() -> None:
    """odamex/odamex#811: a picture stood before BLOCKMAP, and players walked through walls."""
    some = {name: raw for name, raw in BASE.items() if name != "BLOCKMAP"}
    (level,) = in_archive(("MAP01", {**some, "CWILV00": b"picture", "BLOCKMAP": BASE["BLOCKMAP"]}))
    found = check(level)
    assert set(found) == {"lump-foreign"}
    assert found["lump-foreign"].level == "error"
    assert "CWILV00" in found["lump-foreign"].message


def test_a_map_of_the_five_edited_lumps_lacks_nothing_but_nodes() -> None:
    """devinacker/omgifol#34: such a map was "missing SECTORS"."""
    five = {name: BASE[name] for name in ("THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS")}
    found = checked(five)
    assert {id_: one.level for id_, one in found.items()} == {
        "nodes-missing": "info",
        "blockmap-empty": "info",
    }


def test_a_lump_of_no_map_inside_a_text_map_is_a_warning() -> None:
    """sirjuddington/SLADE#1389: DECORATE inside the map's block works by luck."""
    text = doom_map.udmf_text()
    (level,) = in_archive(("MAP01", {"TEXTMAP": text, "DECORATE": b"actor", "ENDMAP": b""}))
    found = check(level, ZDOOM)
    assert found["lump-in-text-map"].level == "warning"
    assert "lump-foreign" not in found


def test_each_map_of_an_archive_is_checked_in_its_own_format() -> None:
    """fragglet/wadptr#15: one BEHAVIOR made the tool read all maps as Hexen's."""
    doom, hexen = in_archive(("MAP01", BASE), ("MAP02", doom_map.HEXEN_MAP))
    assert hexen.format == HEXEN
    assert check(doom) == {}
    assert not {"lump-size", "line-vertex", "line-side"} & set(check(hexen))


def test_a_map_of_a_console_is_an_unsupported_format_and_no_heap_of_errors() -> None:
    """fragglet/wadptr#16: lumps of Doom 64 are no multiple of the records' sizes."""
    level = read_lumps("MAP01", {**BASE, "SECTORS": bytes(25), "LEAFS": b"1", "LIGHTS": b"2", "MACROS": b"3"})
    assert level.format == DOOM64
    found = check(level)
    assert set(found) == {"map-format"}
    assert "unsupported map format" in found["map-format"].message


def test_an_empty_blockmap_is_one_that_the_engine_builds() -> None:
    """fragglet/wadptr#17 to #19: it ended the run."""
    assert {id_: one.level for id_, one in checked({**BASE, "BLOCKMAP": b""}).items()} == {
        "blockmap-empty": "info"
    }


@pytest.mark.parametrize("size", [0, 16])
def test_a_short_reject_is_a_warning_for_the_first_engines(size: int) -> None:
    """chocolate-doom#1087, crispy-doom#408: empty, or 16 bytes for 400 sectors; "valid with warning"."""
    level = clean()
    level = level._replace(sectors=[*level.sectors, *[level.sectors[0]] * 398])
    found = check(lumps(level, REJECT=bytes(size)))
    assert found["reject-size"].level == "warning"
    assert f"{size} bytes" in found["reject-size"].message
    assert "20000" in found["reject-size"].message
    assert "reject-size" not in check(lumps(level, REJECT=bytes(size)), BOOM)


def test_a_reject_that_is_too_long_is_told() -> None:
    """Some builders pad it."""
    assert {id_: one.level for id_, one in checked({**BASE, "REJECT": bytes(100)}).items()} == {
        "reject-long": "info"
    }


def test_offsets_of_a_blockmap_are_unsigned() -> None:
    """odamex/odamex#1891: the offset 0x8447 became 18446744073709518855."""
    words = struct.unpack(f"<{len(BASE['BLOCKMAP']) // 2}H", BASE["BLOCKMAP"])
    bad = struct.pack(f"<{len(words)}H", *words[:4], 0x8447, *words[5:])
    found = checked({**BASE, "BLOCKMAP": bad})
    assert "33863" in found["blockmap-offset"].message


def test_a_line_that_a_blockmap_makes_up_is_told_with_its_cell_and_place() -> None:
    """chocolate-doom#72: a list held line 65279, far past the last."""
    words = list(struct.unpack(f"<{len(BASE['BLOCKMAP']) // 2}H", BASE["BLOCKMAP"]))
    words[words[4] + 1] = 0xFEFF
    found = checked({**BASE, "BLOCKMAP": struct.pack(f"<{len(words)}H", *words)})
    assert "column 0, row 0 names line 65279" in found["blockmap-line"].message


def test_a_blockmap_of_more_than_511_columns_is_a_warning() -> None:
    """fabiangreffrath/woof#759: positions overflow."""
    grid = struct.pack("<4h", 0, 0, 520, 1) + struct.pack("<520H", *[524] * 520) + b"\0\0\xff\xff"
    assert checked({**BASE, "BLOCKMAP": grid})["blockmap-wide"].level == "warning"


def test_an_extended_blockmap_is_named() -> None:
    """fabiangreffrath/woof PR2649: XBM1 and 32-bit numbers."""
    assert set(checked({**BASE, "BLOCKMAP": b"XBM1" + bytes(20)})) == {"blockmap-extended"}


def test_a_map_without_nodes_needs_them_built_and_is_no_error() -> None:
    """odamex PR335, fabiangreffrath/woof PR1342: engines crashed."""
    found = checked({**BASE, "SEGS": b"", "SSECTORS": b"", "NODES": b""})
    assert {id_: one.level for id_, one in found.items()} == {"nodes-missing": "info"}


def test_a_seg_that_runs_against_its_side_is_a_warning() -> None:
    """team-eternity/eternity#239: of a line with one side on both sides ZDBSP 1.19 writes a wrong seg side."""
    segs = bytearray(BASE["SEGS"])
    segs[7 * 12 + 8] = 0  # the back of the opening
    found = checked({**BASE, "SEGS": bytes(segs)})
    assert {id_: (one.level, one.number) for id_, one in found.items()} == {"seg-side": ("warning", 7)}


def test_numbers_of_vertices_above_32767_are_numbers() -> None:
    """odamex PR1505: "vertex index read signed"."""
    level = clean()
    far = [Vertex(x, y) for x, y in checked_map.POINTS]
    level = level._replace(
        vertices=[*far, *[Vertex(9, 9)] * 39994, *far],
        lines=[one._replace(v1=one.v1 + 40000, v2=one.v2 + 40000) for one in level.lines],
    )
    segs = [struct.pack("<6H", v1 + 40000, v2 + 40000, *rest) for v1, v2, *rest in
            struct.iter_unpack("<6H", checked_map.segs())]  # fmt: skip
    found = check(read_lumps("MAP01", stored(lumps(level, SEGS=b"".join(segs)))))
    assert set(found) == {"vertex-unused", "limit-vertices"}


def test_side_40000_is_a_side_and_the_first_engines_limit_alone() -> None:
    """kraflab/dsda-doom PR785: 0 to 65534 are valid, and 65535 is none."""
    level = clean()
    sides = [*level.sides, *[level.sides[0]] * (40001 - len(level.sides))]
    level = line(level._replace(sides=sides), LEFT, front=40000)
    assert set(check(read_lumps("MAP01", stored(level)))) == {"limit-sides"}
    assert check(read_lumps("MAP01", stored(level)), BOOM) == {}


def test_shared_sides_count_once_and_are_shown() -> None:
    """ZDoom/gzdoom PR1117, sirjuddington/SLADE#484: to edit one in place corrupts the other lines."""
    found = check(line(clean(), 1, front=LEFT))
    assert {id_: one.level for id_, one in found.items()} == {"side-shared": "info"}
    assert "side 0 2 times" in found["side-shared"].message


def test_a_line_without_a_front_side_is_an_error_with_its_number() -> None:
    """chocolate-doom#660: most ports crash, and the first engine runs."""
    found = check(line(clean(), OPENING, front=None))
    assert (found["line-no-front"].level, found["line-no-front"].number) == ("error", OPENING)
    assert f"line {OPENING}" in found["line-no-front"].message


def test_messages_call_a_line_a_line() -> None:
    """crispy-doom#967: a warning printed the seg's number as the line's."""
    found = check(line(clean(), LEFT, flags=5))["line-two-sided-flag"]
    assert (found.object, found.number, found.x, found.y) == ("line", LEFT, 0, 0)
    assert found.message.startswith(f"line {LEFT} ")


def test_a_name_that_leaves_no_room_for_gl_lumps_is_a_warning() -> None:
    """coelckers/prboom-plus#568: MAP100 and `GL_` are nine characters."""
    assert "gl-name-long" in check(clean("MAP100")._replace(gl_nodes="v2"))
    assert "gl-name-long" not in check(clean("MAP10")._replace(gl_nodes="v2"))
    assert "gl-name-long" not in check(clean("MAP100"))


@pytest.mark.parametrize(("many", "told"), [(64, False), (65, True)])
def test_65_scrolling_lines_stop_the_first_engine(many: int, told: bool) -> None:
    """chocolate-doom#1445."""
    level = checked_map.path(clean(), *((500, 20 + 2 * at) for at in range(many + 1)))
    lines: list[Line] = [
        one._replace(special=48) if at > EXIT + 1 else one for at, one in enumerate(level.lines)
    ]
    assert ("limit-scrollers" in check(level._replace(lines=lines))) == told
    assert "limit-scrollers" not in check(level._replace(lines=lines), BOOM)


def test_two_maps_of_one_name_are_an_error_with_both_entries() -> None:
    """Every engine takes the last, and that was empty."""
    empty = dict.fromkeys(BASE, b"")
    entries = [*doom_map.set_of(BASE), *doom_map.set_of(empty)]
    first, (found,) = check_names(find_maps(open_archive(wad.build(entries))))
    assert first == []
    assert (found.id, found.level) == ("map-repeated", "error")
    assert "entries 0 and 11" in found.message
