"""What is written is read back, the same lumps give the same bytes, and any string table is read."""

from __future__ import annotations

import random  # noqa: TC003 - hypothesis reads the annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import ewad
from tests.builders.ewad import Written

from lumpyard import lz4
from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.records import StoredLump
from lumpyard.archives.ewad.verify import load, verify
from lumpyard.archives.ewad.writer import write_ewad
from lumpyard.errors import ArchiveError

NAMES = st.one_of(
    st.binary(min_size=1, max_size=255).map(lambda name: name.replace(b"\0", b"/")),
    st.text("abc/._é", min_size=1, max_size=20).map(str.encode),
)
ALIGNMENTS = st.integers(0, 12).map(lambda power: 1 << power)
SEEDS = st.integers(0, 2**64 - 1)


@st.composite
def lumps(draw: st.DrawFn) -> list[StoredLump]:
    names = draw(st.lists(NAMES, unique=True, max_size=12))
    return [draw(lump(name)) for name in names]


@st.composite
def lump(draw: st.DrawFn, name: bytes) -> StoredLump:
    raw = draw(st.one_of(st.binary(max_size=60), st.integers(0, 2000).map(bytes)))
    compressed = draw(st.booleans())
    stored = lz4.compress(raw, "lz4") if compressed else raw
    fourcc, schema = draw(st.integers(0, 2**32 - 1)), draw(st.integers(0, 2**16 - 1))
    return StoredLump(name, stored, len(raw), fourcc, schema, int(compressed))


def as_written(found: StoredLump) -> Written:
    return Written(
        found.name, found.stored, found.raw_size if found.flags else None, found.fourcc, found.schema
    )


@given(lumps(), ALIGNMENTS, SEEDS, st.booleans())
def test_our_writer_and_the_plain_one_make_the_same_bytes(
    given_lumps: list[StoredLump], alignment: int, seed: int, named: bool
) -> None:
    expected = ewad.build([*map(as_written, given_lumps)], alignment=alignment, seed=seed, named=named)
    assert write_ewad(given_lumps, alignment, seed, named=named) == expected


@given(lumps(), ALIGNMENTS, SEEDS)
def test_what_is_loaded_is_what_was_written(given_lumps: list[StoredLump], alignment: int, seed: int) -> None:
    data = write_ewad(given_lumps, alignment, seed)
    archive = view(data)
    assert sorted(load(data)) == sorted(given_lumps)
    assert verify(archive) == []
    assert (archive.alignment, archive.seed) == (alignment, seed)


@given(lumps(), st.randoms(use_true_random=False), st.booleans())
def test_the_order_given_makes_no_difference(
    given_lumps: list[StoredLump], chance: random.Random, named: bool
) -> None:
    shuffled = given_lumps.copy()
    chance.shuffle(shuffled)
    assert write_ewad(shuffled, named=named) == write_ewad(given_lumps, named=named)


@given(lumps(), SEEDS, st.booleans(), NAMES)
def test_each_name_finds_its_lump_and_no_other(
    given_lumps: list[StoredLump], seed: int, named: bool, other: bytes
) -> None:
    archive = view(write_ewad(given_lumps, seed=seed, named=named))
    for one in given_lumps:
        index = archive.find(one.name)
        assert index is not None
        assert archive.stored(index) == one.stored
        assert len(archive.read(index)) == one.raw_size
        assert archive.find_key(archive.keys[index]) == index
    assert (archive.find(other) is None) == (other not in {one.name for one in given_lumps})


@given(lumps(), st.randoms(use_true_random=False), st.binary(max_size=3))
@settings(max_examples=50)
def test_a_string_table_in_any_order_with_anything_between_is_read(
    given_lumps: list[StoredLump], chance: random.Random, junk: bytes
) -> None:
    order = chance.sample(range(len(given_lumps)), len(given_lumps))
    data = ewad.build([*map(as_written, given_lumps)], table_order=order, junk=junk)
    assert sorted(load(data)) == sorted(given_lumps)
    assert {found.name for found in view(data).lumps} == {one.name for one in given_lumps}


def test_more_lumps_than_are_checked_at_once_are_read() -> None:
    """Entries are checked by the 8,192: the seams must hold, in canonical and in other string tables."""
    many = [Written(b"%d" % number, fourcc=number) for number in range(65536 + 70)]
    data = ewad.build(many)
    assert data == write_ewad([StoredLump(one.name, b"", 0, one.fourcc) for one in many])
    upside_down = ewad.build(many, table_order=list(range(len(many)))[::-1])
    for archive in (view(data), view(upside_down), view(ewad.build(many, named=False))):
        for number in (0, 1, 65535, 65536, 65537, len(many) - 1):
            index = archive.find(b"%d" % number)
            assert index is not None
            assert archive.lumps[index].fourcc == number


def test_a_broken_entry_of_a_later_block_is_found_by_its_index() -> None:
    data = ewad.build([Written(b"%d" % number) for number in range(65536 + 10)])
    assert faults(ewad.with_entry(data, 65536, key=0)) == ("order", 65536)
    assert faults(ewad.with_entry(data, 65540, reserved=1)) == ("reserved", 65540)
    assert faults(ewad.with_entry(data, 65540, name_offset=0)) == ("key", 65540)
    assert faults(ewad.with_entry(ewad.with_entry(data, 65540, flags=4), 7, flags=2)) == ("flags", 7)
    assert faults(ewad.with_entry(ewad.with_entry(data, 65540, raw_size=4), 7, flags=2)) == ("raw", 65540)


def faults(data: bytes) -> tuple[str, int | None]:
    with pytest.raises(ArchiveError) as caught:
        view(data)
    return caught.value.code, caught.value.entry
