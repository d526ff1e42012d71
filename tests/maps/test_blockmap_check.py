"""What is found in a BLOCKMAP that is not right, and that nothing in it is too broken to be looked at."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import doom_maps

from lumpyard.maps import blockmap_compare, blockmap_lists
from lumpyard.maps.blockmap import build_blockmap
from lumpyard.maps.blockmap_check import check_blockmap
from lumpyard.maps.limits import OverLimit
from lumpyard.maps.model import DoomMap, Vertex

LEVEL = doom_maps.plan(
    doom_maps.box(0, 0, 500, 300), [(0, 1, 0, None), (1, 2, 0, None), (2, 3, 0, None), (3, 0, 0, None)]
)


def built_of(level: DoomMap) -> bytes:
    made = build_blockmap(level)
    assert isinstance(made, bytes)
    return made


BUILT = built_of(LEVEL)
COLUMNS, ROWS = 4, 3


def found(lump: bytes) -> list[tuple[str, str, int | None]]:
    return [
        (each.id, each.level, each.number)
        for each in check_blockmap(LEVEL._replace(lumps={"BLOCKMAP": lump}))
    ]


def with_words(*changes: tuple[int, int]) -> bytes:
    """The lump with other words."""
    lump = bytearray(BUILT)
    for at, word in changes:
        struct.pack_into("<H", lump, 2 * at, word)
    return bytes(lump)


def offset_of(column: int, row: int) -> int:
    """The word where a cell's list starts."""
    return int(struct.unpack_from("<H", BUILT, 2 * (4 + row * COLUMNS + column))[0])


def with_lists(lists: list[list[int]]) -> bytes:
    """A lump with the grid of the right one and such lists, each cell's its own."""
    at = 4 + COLUMNS * ROWS
    offsets: list[int] = []
    words: list[int] = []
    for numbers in lists:
        offsets.append(at + len(words))
        words += [0, *numbers, 0xFFFF]
    return BUILT[:8] + struct.pack(f"<{len(offsets) + len(words)}H", *offsets, *words)


def lists_of() -> list[list[int]]:
    """The lists of the right one: line 0 is west, 1 north, 2 east, 3 south."""
    lists: list[list[int]] = [[] for _ in range(COLUMNS * ROWS)]
    for row in range(ROWS):
        for column in range(COLUMNS):
            edges = (column == 0, row == 2, column == 3, row == 0)
            lists[row * COLUMNS + column] = [number for number, edge in enumerate(edges) if edge]
    return lists


def test_what_is_right_has_no_finding() -> None:
    assert struct.unpack_from("<hhHH", BUILT) == (-8, -8, COLUMNS, ROWS)
    assert found(BUILT) == found(with_lists(lists_of())) == []


def test_no_blockmap_is_no_fault() -> None:
    """ "empty BLOCKMAP = 'engine builds it'" """
    assert found(b"") == [("blockmap-empty", "info", None)]
    assert check_blockmap(LEVEL)[0].id == "blockmap-empty"


def test_a_32_bit_blockmap_is_named() -> None:
    """ "unknown 4-byte tag = 'extended blockmap', not garbage" """
    assert found(b"XBM1" + bytes(40)) == [("blockmap-extended", "info", None)]


@pytest.mark.parametrize("size", [1, 7, 9, 31])
def test_a_lump_that_ends_in_its_header_or_offsets_is_truncated(size: int) -> None:
    assert found(BUILT[:size]) == [("blockmap-truncated", "error", None)]


def test_an_offset_outside_the_lists_is_told_with_its_cell() -> None:
    """ "verify every offset and every line number" """
    lump = with_words((4, 3))
    assert found(lump) == [
        ("blockmap-offset", "error", None),
        *[("blockmap-missing", "error", n) for n in (0, 3)],
    ]
    first = check_blockmap(LEVEL._replace(lumps={"BLOCKMAP": lump}))[0]
    last = len(BUILT) // 2 - 1
    assert (
        first.message
        == f"BLOCKMAP's list of column 0, row 0 starts at word 3; lists are in words 16 to {last}"
    )
    assert (first.x, first.y) == (-8, -8)
    assert found(with_words((4, 0x8447)))[0] == ("blockmap-offset", "error", None)


def test_an_offset_beyond_32767_is_read_unsigned() -> None:
    """ "offset read sign-extended (18446744073709518855)" """
    far = 40000
    lump = with_words((4, far)) + bytes(2 * (far - len(BUILT) // 2)) + struct.pack("<4H", 0, 0, 3, 0xFFFF)
    assert found(lump) == []


def test_a_list_without_an_end_is_told() -> None:
    assert found(BUILT[:-2])[0] == ("blockmap-unended", "error", None)


def test_a_line_that_there_is_not_is_told_with_its_place() -> None:
    """ "index check, report block and list position" """
    lump = with_words((offset_of(0, 0) + 2, 0xFEFF))
    findings = check_blockmap(LEVEL._replace(lumps={"BLOCKMAP": lump}))
    assert (
        findings[0].message
        == "BLOCKMAP's list of column 0, row 0 names line 65279 in place 1; there are 4 lines"
    )
    assert [(each.id, each.number) for each in findings] == [("blockmap-line", None), ("blockmap-missing", 3)]
    assert found(with_words((offset_of(0, 0) + 2, 4)))[0] == ("blockmap-line", "error", None)


def test_lists_without_a_zero_are_a_warning_once() -> None:
    """ "GZDoom rebuilds, dsda tolerates | warning" """
    lists = lists_of()
    at = 4 + COLUMNS * ROWS
    offsets: list[int] = []
    words: list[int] = []
    for numbers in lists:
        offsets.append(at + len(words))
        words += [*numbers, 0xFFFF]
    lump = BUILT[:8] + struct.pack(f"<{len(offsets) + len(words)}H", *offsets, *words)
    codes = found(lump)
    assert ("blockmap-no-zero", "warning", None) in codes


def test_a_cell_that_a_line_is_missing_from_is_told_of_the_line() -> None:
    lists = lists_of()
    lists[1].remove(3)
    assert found(with_lists(lists)) == [("blockmap-missing", "error", 3)]


def test_whole_lines_that_are_absent_are_of_their_own_kind_and_told_once() -> None:
    lists = [[number for number in numbers if number < 2] for numbers in lists_of()]
    lump = with_lists(lists)
    assert found(lump) == [("blockmap-missing", "error", 2)]
    message = check_blockmap(LEVEL._replace(lumps={"BLOCKMAP": lump}))[0].message
    assert message == "line 2 and 1 more of 4 lines: in no cell of BLOCKMAP, so nothing hits them"


def test_a_cell_that_a_line_is_not_in_is_told() -> None:
    lists = lists_of()
    lists[5].append(0)
    assert found(with_lists(lists)) == [("blockmap-extra", "info", 0)]


def test_a_cell_whose_corner_a_line_touches_may_have_it() -> None:
    """ "305 extra, all touching the cell at a single corner point" """
    level = doom_maps.plan([(0, 240), (240, 0)], [(0, 1, 0, None)])
    built = built_of(level)
    assert struct.unpack("<8h", built[:16]) == (-8, -8, 2, 2, 8, 10, 10, 10)
    # The line goes from the north-west to the south-east through the inner corner, which is the north-east cell's;
    # of the south-west cell, which is empty here, it touches that corner only.
    both = struct.pack("<hhHH", -8, -8, 2, 2) + struct.pack("<4H3H", 8, 8, 8, 8, 0, 0, 0xFFFF)
    assert check_blockmap(level._replace(lumps={"BLOCKMAP": both})) == []


def test_a_grid_that_does_not_hold_a_line_is_told_of_the_line() -> None:
    far = LEVEL._replace(vertices=[Vertex(x + 200, y) for x, y in LEVEL.vertices], lumps={"BLOCKMAP": BUILT})
    codes = {(each.id, each.number) for each in check_blockmap(far)}
    assert {("blockmap-grid", 1), ("blockmap-grid", 2), ("blockmap-grid", 3)} <= codes


def test_a_very_wide_grid_is_a_warning() -> None:
    """ "warn when columns or rows > 511" """
    level = doom_maps.plan([(-32768, 0), (32767, 0)], [(0, 1, 0, None)])
    built = built_of(level)
    codes = [each.id for each in check_blockmap(level._replace(lumps={"BLOCKMAP": built}))]
    assert codes == ["blockmap-wide"]


def test_another_origin_and_other_sharing_are_legal() -> None:
    lists: list[list[int]] = [[] for _ in range(COLUMNS * ROWS)]
    level = doom_maps.plan([(0, 0), (100, 0)], [(0, 1, 0, None)])
    lists[5] = [0]
    lump = struct.pack("<hhHH", -130, -130, COLUMNS, ROWS) + with_lists(lists)[8:]
    assert check_blockmap(level._replace(lumps={"BLOCKMAP": lump})) == []


def test_of_many_bad_lists_the_first_few_are_told_and_then_their_number() -> None:
    words = range(204, 804, 3)
    lump = (
        struct.pack("<hhHH", -8, -8, 200, 1)
        + struct.pack("<200H", *words)
        + struct.pack("<3H", 0, 9, 0xFFFF) * 200
    )
    findings = [
        each
        for each in check_blockmap(LEVEL._replace(lumps={"BLOCKMAP": lump}))
        if each.id == "blockmap-line"
    ]
    assert len(findings) == 9
    assert (
        findings[0].message == "BLOCKMAP's list of column 0, row 0 names line 9 in place 0; there are 4 lines"
    )
    assert findings[8].message == "192 more lists of BLOCKMAP are like that"


def test_lists_that_share_words_without_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blockmap_lists, "MAX_ENTRIES", 1000)
    cells = 200
    body = [0] * 3000 + [0xFFFF]
    lump = struct.pack("<hhHH", -8, -8, cells, 1)
    lump += struct.pack(f"<{cells}H", *range(4 + cells, 4 + 2 * cells)) + struct.pack(f"<{len(body)}H", *body)
    assert found(lump) == [("blockmap-tangled", "error", None)]


def test_lines_in_more_cells_than_can_be_counted_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blockmap_compare, "MAX_ENTRIES", 9)
    assert [code for code, *_ in found(BUILT)] == ["blockmap-tangled"]


@given(st.binary(max_size=200))
def test_any_bytes_are_looked_at(data: bytes) -> None:
    found(data)
    found(BUILT[:8] + data)
    found(BUILT[:40] + data)


def test_every_word_of_a_right_one_may_be_any_other() -> None:
    for at in range(len(BUILT) // 2):
        for word in (0, 1, 3, 4, 15, 16, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF):
            found(with_words((at, word)))


def test_a_line_as_long_as_a_text_may_say_is_given_up_and_not_counted_out() -> None:
    far = LEVEL._replace(
        vertices=[Vertex(-(2**31), 5), Vertex(2**31, 7), *LEVEL.vertices[2:]], lumps={"BLOCKMAP": BUILT}
    )
    assert {each.level for each in check_blockmap(far)} <= {"error", "info"}
    found = build_blockmap(far)
    assert isinstance(found, OverLimit)
    assert found.id == "blockmap-too-wide"
