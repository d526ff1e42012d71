"""Where lumps stand: "each lump in directory order at the next multiple of the alignment"."""

from __future__ import annotations

from itertools import pairwise, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import ewad
from tests.builders.ewad import Written

from lumpyard.archives.ewad.layout import head_size, order_names, place
from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.records import StoredLump
from lumpyard.archives.ewad.writer import encode_head, write_ewad
from lumpyard.errors import UsageError

POWERS = st.integers(0, 30).map(lambda power: 1 << power)


@given(st.lists(st.tuples(st.integers(0, 2**40), POWERS), max_size=20), st.integers(64, 2**20))
def test_each_offset_is_the_least_multiple_of_its_alignment_after_what_is_before(
    lumps: list[tuple[int, int]], start: int
) -> None:
    sizes, alignments = [size for size, _ in lumps], [alignment for _, alignment in lumps]
    offsets, end = place(sizes, alignments, start)
    before = start
    for offset, size, alignment in zip(offsets, sizes, alignments, strict=True):
        assert offset % alignment == 0
        assert 0 <= offset - before < alignment
        before = offset + size
    assert end == before


def test_an_empty_last_lump_ends_the_file_at_its_offset() -> None:
    assert place([100, 0], repeat(4096), 64) == ([4096, 8192], 8192)
    assert place([0], [512], 65) == ([512], 512)
    assert place([], [], 64) == ([], 64)


@pytest.mark.parametrize("power", range(21))
def test_every_offset_of_an_archive_is_a_multiple_of_its_alignment(power: int) -> None:
    lumps = [StoredLump(b"%d" % number, b"x" * number * 7, number * 7) for number in range(5)]
    data = write_ewad(lumps, 1 << power)
    archive = view(data)
    assert archive.alignment == 1 << power
    assert all(lump.offset % (1 << power) == 0 for lump in archive.lumps)
    assert all(
        0 <= after.offset - (lump.offset + lump.stored_size) < 1 << power
        for lump, after in pairwise(archive.lumps)
    )
    assert data == ewad.build([Written(lump.name, lump.stored) for lump in lumps], alignment=1 << power)


@pytest.mark.parametrize("alignment", [0, 3, 24, 2**30 + 1, 2**31, -16])
def test_other_alignments_are_refused(alignment: int) -> None:
    with pytest.raises(UsageError, match="power of two"):
        head([b"a"], alignment=alignment)


@pytest.mark.parametrize("named", [True, False], ids=["named", "stripped"])
def test_the_head_has_the_announced_size(named: bool) -> None:
    for names in ([], [b"a"], [b"a", b"x" * 255, b"\xff\xfe"]):
        assert len(head(names, named=named)) == head_size(names, named=named)


def test_a_head_alone_tells_where_lumps_far_away_are() -> None:
    """Bytes between head and lumps are the build's to write; the header hash needs none of them."""
    made = head([b"a", b"b"], offsets=[1 << 32, 1 << 33], stored_sizes=[1, 2], raw_sizes=[1, 2])
    assert ewad.rehashed(made) == made
    assert [ewad.entry(made, index, "offset") for index in (0, 1)] == [1 << 32, 1 << 33]


def head(names: list[bytes], *, alignment: int = 16, named: bool = True, **columns: list[int]) -> bytes:
    zeros = [0] * len(names)
    fields = ("offsets", "stored_sizes", "raw_sizes", "content_hashes", "fourccs", "schemas", "flags")
    chosen = {field: columns.get(field, zeros) for field in fields}
    return encode_head(order_names(names), names, alignment=alignment, named=named, **chosen)
