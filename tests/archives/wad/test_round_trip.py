"""What is written is read back, in any arrangement; read and written again, an archive is the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import wad
from tests.builders.wad import Entry

from lumpyard.archives.directory import DirectoryArchive
from lumpyard.archives.opening import open_archive
from lumpyard.archives.writing import WRITERS, NewLump, encode_archive

FORMATS = ("IWAD", "PWAD", "PACK", "WAD2", "WAD3")


@st.composite
def entries(draw: st.DrawFn, format_name: str) -> list[Entry]:
    wide = format_name in {"WAD2", "WAD3"}
    names = st.binary(max_size=15 if wide else 8) | st.sampled_from([b"MAP01", b"S_START", b"A\0junk", b""])
    kinds = st.integers(0, 255) if wide else st.just(0)
    data = st.binary(max_size=30)
    found = draw(st.lists(st.tuples(names, data, kinds), max_size=12))
    return [Entry(name, data, kind=kind) for name, data, kind in found]


FORMAT_AND_ENTRIES = st.sampled_from(FORMATS).flatmap(
    lambda name: st.tuples(st.just(name), entries(name))  # type: ignore[no-untyped-call,unused-ignore]
)


def opened(data: bytes, format_name: str) -> DirectoryArchive:
    archive = open_archive(data, format_name)
    assert isinstance(archive, DirectoryArchive)
    return archive


def rewritten(archive: DirectoryArchive) -> bytes:
    lumps = [
        NewLump(lump.raw_name or lump.name or b"", lump.stored_size, lump.raw_size, kind=lump.kind or 0)
        for lump in archive.lumps
    ]
    stored = [archive.stored(index) for index in range(len(lumps))]
    return encode_archive(WRITERS[archive.format], lumps, stored)


@given(FORMAT_AND_ENTRIES)
def test_our_writer_and_the_plain_one_make_the_same_bytes(given_: tuple[str, list[Entry]]) -> None:
    name, written = given_
    lumps = [NewLump(one.name, len(one.data), len(one.data), kind=one.kind) for one in written]
    made = encode_archive(WRITERS[name], lumps, [one.data for one in written])
    assert made == wad.build(written, name.encode())


@given(FORMAT_AND_ENTRIES, st.booleans(), st.binary(max_size=5), st.binary(max_size=5))
def test_order_duplicates_empty_lumps_and_raw_names_are_read_in_any_arrangement(
    given_: tuple[str, list[Entry]], directory_first: bool, gap: bytes, tail: bytes
) -> None:
    name, written = given_
    data = wad.build(written, name.encode(), directory_first=directory_first, gap=gap, tail=tail)
    archive = opened(data, name)
    found = [(lump.name, bytes(archive.read(at)), lump.kind) for at, lump in enumerate(archive.lumps)]
    wide = name in {"WAD2", "WAD3"}
    assert found == [(one.name.partition(b"\0")[0], one.data, one.kind if wide else None) for one in written]
    assert [lump.raw_name or lump.name for lump in archive.lumps] == [
        one.name.rstrip(b"\0") for one in written
    ]


@given(FORMAT_AND_ENTRIES, st.booleans(), st.binary(max_size=5))
def test_an_archive_that_is_read_and_written_is_the_one_in_the_specifications_layout(
    given_: tuple[str, list[Entry]], directory_first: bool, gap: bytes
) -> None:
    name, written = given_
    canonical = wad.build(written, name.encode())
    assert rewritten(opened(canonical, name)) == canonical
    assert (
        rewritten(opened(wad.build(written, name.encode(), directory_first=directory_first, gap=gap), name))
        == canonical
    )


@given(FORMAT_AND_ENTRIES)
def test_a_name_leads_to_its_last_lump_and_an_empty_one_nowhere(given_: tuple[str, list[Entry]]) -> None:
    """ "Empty names are kept on read, never matched by lookup." """
    name, written = given_
    archive = opened(wad.build(written, name.encode()), name)
    names = [one.name.partition(b"\0")[0] for one in written]
    for found in {*names, b"ABSENT", b""}:
        places = [at for at, other in enumerate(names) if other == found and other]
        if name in {"IWAD", "PWAD"} and b"S_START" in names:  # a block may hide some of them
            assert archive.find(found) in places if places else archive.find(found) is None
        else:
            assert archive.find(found) == (places[-1] if places else None)


@pytest.mark.parametrize("name", FORMATS)
def test_lumps_may_share_bytes_and_all_entries_survive(name: str) -> None:
    """ "Lumps may overlap each other, since some tools share identical data between entries." """
    songs = [
        Entry(b"SONG1", b"same bytes"),
        Entry(b"SONG2", offset=12, size=10),
        Entry(b"S", offset=14, size=4),
    ]
    archive = opened(wad.build(songs, name.encode()), name)
    assert [bytes(archive.read(at)) for at in range(3)] == [b"same bytes", b"same bytes", b"me b"]
    assert archive.warnings == []
    again = opened(rewritten(archive), name)
    assert [bytes(again.read(at)) for at in range(3)] == [b"same bytes", b"same bytes", b"me b"]


def test_signatures_are_kept_and_say_nothing_of_a_files_role() -> None:
    for name in FORMATS:
        assert rewritten(opened(wad.build([], name.encode()), name))[:4] == name.encode()
