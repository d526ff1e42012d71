"""REJECT as it is built: islands, against a plain walk over sectors, and never more than Freedoom's own tables say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import doom_maps

from lumpyard.maps.limits import OverLimit
from lumpyard.maps.model import DoomMap, Line, Sector, Side
from lumpyard.maps.reject import MAX_SECTORS, islands, table_size

ROOM = Sector(0, 128, b"FLOOR4_8", b"CEIL3_5", 160, 0, 0)


def of_pairs(sectors: int, pairs: list[tuple[int, int]]) -> DoomMap:
    """A map that has only what REJECT looks at: a two-sided line for each pair."""
    sides = [Side(0, 0, b"-", b"-", b"-", sector) for pair in pairs for sector in pair]
    lines = [Line(0, 0, 4, 0, 0, 2 * number, 2 * number + 1) for number in range(len(pairs))]
    return DoomMap("MAP01", "doom", [], lines, sides, [], [ROOM] * sectors, {})


def reached(start: int, pairs: list[tuple[int, int]]) -> set[int]:
    seen: set[int] = set()
    ahead = [start]
    while ahead:
        sector = ahead.pop()
        if sector not in seen:
            seen.add(sector)
            ahead += [b for a, b in pairs if a == sector] + [a for a, b in pairs if b == sector]
    return seen


graphs = st.integers(1, 20).flatmap(
    lambda n: st.tuples(
        st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=15)
    )
)


@given(graphs)
def test_a_bit_is_set_exactly_where_no_chain_of_two_sided_lines_joins_two_sectors(
    graph: tuple[int, list[tuple[int, int]]],
) -> None:
    """ "Bit number a * sectors + b ... Bits are taken from the lowest bit of each byte first." """
    sectors, pairs = graph
    lump = islands(of_pairs(sectors, pairs))
    assert isinstance(lump, bytes)
    assert len(lump) == (sectors * sectors + 7) // 8
    bits = [lump[bit // 8] >> bit % 8 & 1 for bit in range(len(lump) * 8)]
    for a in range(sectors):
        seen = reached(a, pairs)
        assert bits[a * sectors : (a + 1) * sectors] == [int(b not in seen) for b in range(sectors)]
    assert not any(bits[sectors * sectors :])


def test_a_map_without_sectors_has_an_empty_table() -> None:
    assert islands(of_pairs(0, [])) == b""


def test_sides_and_sectors_that_do_not_exist_join_nothing() -> None:
    level = of_pairs(2, [(0, 60000)])
    lines = [
        *level.lines,
        Line(0, 0, 4, 0, 0, 0, 9),
        Line(0, 0, 4, 0, 0, None, None),
        Line(0, 0, 4, 0, 0, 0, None),
    ]
    assert islands(level._replace(lines=lines)) == b"\x06"


def test_more_sectors_than_any_engine_takes_are_told() -> None:
    found = islands(of_pairs(MAX_SECTORS + 1, []))
    assert isinstance(found, OverLimit)
    assert (found.id, found.found, found.most) == ("reject-too-many-sectors", 32768, 32767)


@pytest.mark.parametrize("game", ["freedoom1", "freedoom2", "freedm"])
def test_no_pair_is_rejected_that_freedooms_own_tables_do_not_reject(game: str) -> None:
    """ "a subset of the shipped one in 100/100" """
    for name in doom_maps.of_game(game):
        level = doom_maps.freedoom(game, name)
        ours, theirs = islands(level), level.lumps["REJECT"]
        assert isinstance(ours, bytes)
        assert len(ours) == len(theirs) == table_size(len(level.sectors))
        assert int.from_bytes(ours, "little") & ~int.from_bytes(theirs, "little") == 0, name
