"""Every byte of a file belongs to exactly one row, whatever its format, and whatever its ranges do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import ewad
from tests.builders.small_archives import small_archives

from lumpyard.archives.opening import open_archive
from lumpyard.archives.structure import (
    DIRECTORY,
    HEADER,
    NAMES,
    PADDING,
    PARTS,
    Region,
    regions_of,
    share_out,
)
from lumpyard.report.inventory import of_archive

if TYPE_CHECKING:
    from pathlib import Path

RANGES = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30)), max_size=12)


@given(st.integers(0, 64), RANGES, RANGES)
def test_the_rows_add_up_to_the_size_wherever_ranges_lie(
    size: int, taken: list[tuple[int, int]], lumps: list[tuple[int, int]]
) -> None:
    regions = [Region(PARTS[number % 3], *place) for number, place in enumerate(taken)]
    shares = share_out(size, regions, [at for at, _ in lumps], [length for _, length in lumps])
    assert shares.size == size
    assert sum(end - start for start, end in shares.gaps) == shares.parts[PADDING] >= sum(shares.before)
    assert all(0 <= own <= length for own, (_, length) in zip(shares.own, lumps, strict=True))


@given(st.integers(0, 64), RANGES)
def test_a_byte_is_padding_where_no_range_holds_it(size: int, lumps: list[tuple[int, int]]) -> None:
    """Byte by byte, as plainly as it can be said."""
    owners = [
        next((at for at, (start, length) in enumerate(lumps) if start <= byte < start + length), None)
        for byte in range(size)
    ]
    shares = share_out(size, [], [at for at, _ in lumps], [length for _, length in lumps])
    assert shares.parts[PADDING] == owners.count(None)
    held = {byte for start, end in shares.gaps for byte in range(start, end)}
    assert held == {byte for byte, owner in enumerate(owners) if owner is None}


def test_the_rows_of_archives_of_every_format_add_up(tmp_path: Path) -> None:
    for archives in small_archives(tmp_path).values():
        for data in archives:
            archive = open_archive(data, lenient=True)
            found = of_archive("a", archive)
            assert found.shares.size == len(data) == found.size
            assert sum(found.shares.own) <= sum(lump.stored_size for lump in archive.lumps)
            assert len({*found.names}) == len(found.names) == len(archive.lumps)


def test_an_ewad_s_parts_are_those_of_its_specification() -> None:
    """64 bytes of header, 56 for each entry, the names with a NUL each."""
    data = ewad.build([ewad.Written(b"a", b"xy"), ewad.Written(b"bc", b"z" * 20)])
    parts = of_archive("a", open_archive(data)).shares.parts
    assert (parts[HEADER], parts[DIRECTORY], parts[NAMES]) == (64, 112, 5)
    assert parts[PADDING] == len(data) - 64 - 112 - 5 - 22


def test_lumps_that_share_a_place_pay_for_it_once() -> None:
    data = ewad.build([ewad.Written(name, b"same") for name in (b"a", b"b", b"c")], dedupe=True)
    assert sorted(of_archive("a", open_archive(data)).shares.own) == [0, 0, 4]


@pytest.mark.parametrize("named", [True, False])
def test_padding_stands_before_the_lump_that_asks_for_it(named: bool) -> None:
    lumps = [ewad.Written(b"a", b"1"), ewad.Written(b"b", b"2", alignment=256)]
    found = of_archive("a", open_archive(ewad.build(lumps, named=named)))
    at = next(
        at
        for at, lump in enumerate(found.lumps)
        if found.archive is not None and found.archive.read(at) == b"2"
    )
    assert found.shares.before[at] > 16
    assert sum(found.shares.before) == found.shares.parts[PADDING]


def test_what_stands_in_front_of_an_mpq_is_its_header(tmp_path: Path) -> None:
    data = small_archives(tmp_path)["MPQ"][0]
    archive = open_archive(bytes(512) + data, "MPQ")
    assert regions_of(archive)[0].size == 512 + 32
    assert of_archive("a", archive).shares.size == 512 + len(data)
