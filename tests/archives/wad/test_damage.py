"""Every truncation, every flipped bit and any bytes at all: a documented error or a valid result."""

from __future__ import annotations

import struct
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import wad
from tests.builders.wad import Entry

from lumpyard.archives.directory import MAX_LUMPS, DirectoryArchive
from lumpyard.archives.naming import entry_paths
from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

FORMATS = ("IWAD", "PWAD", "PACK", "WAD2", "WAD3")
LUMPS = [
    Entry(b"MAP01"),
    Entry(b"THINGS", b"0123456789"),
    Entry(b"LINEDEFS", b"abc"),
    Entry(b"\xc4ATA", b"\x02a\x00\x23\x00\x00"),
    Entry(b"", b"x"),
]
ALL = pytest.mark.parametrize("name", FORMATS)


def use(data: bytes, name: str, *, lenient: bool = False) -> DirectoryArchive:
    """Open an archive and do all that can be done with it."""
    archive = open_archive(data, name, lenient=lenient)
    assert isinstance(archive, DirectoryArchive)
    assert len(entry_paths(archive)) == len(archive.lumps)
    assert verify_archive(archive) == []
    assert all(found.verdict == "ok" for found in archive.warnings)
    for index, lump in enumerate(archive.lumps):
        assert len(archive.read(index)) == lump.raw_size
        assert archive.label(index).startswith(f"entry {index}")
    return archive


@ALL
def test_every_truncation_is_malformed(name: str) -> None:
    data = wad.build(LUMPS, name.encode())
    for end in range(len(data)):
        with pytest.raises(MalformedError):
            open_archive(data[:end], name)


@ALL
def test_every_flipped_bit_gives_an_error_or_an_archive(name: str) -> None:
    data = wad.build(LUMPS, name.encode())
    for bit in range(len(data) * 8):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        for lenient in (False, True):
            with suppress(ArchiveError):
                use(bytes(changed), name, lenient=lenient)


@given(st.sampled_from(FORMATS), st.binary(max_size=150), st.booleans())
def test_any_bytes_behind_a_signature_give_an_error_or_an_archive(
    name: str, data: bytes, lenient: bool
) -> None:
    with suppress(ArchiveError):
        use(name.encode() + data, name, lenient=lenient)


@ALL
@pytest.mark.parametrize("count", [0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, 1006])
def test_a_huge_count_is_refused_before_memory_is_taken(name: str, count: int) -> None:
    """ "Check count*entry <= size-offset in 64 bit before allocating." """
    data = wad.build(LUMPS, name.encode(), count=count)
    tracemalloc.start()
    with pytest.raises(MalformedError, match="the directory reaches past the end") as caught:
        open_archive(data, name)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert caught.value.code == "directory"
    assert peak < 100_000


@ALL
@pytest.mark.parametrize("offset", [0xFFFFFFFF, 0x80000000, 0xFFFFFFF4])
def test_a_directory_offset_is_unsigned_and_does_not_wrap(name: str, offset: int) -> None:
    with pytest.raises(MalformedError) as caught:
        open_archive(wad.build(LUMPS, name.encode(), directory_offset=offset), name)
    assert caught.value.code == "directory"


@ALL
@pytest.mark.parametrize("size", [0xFFFFFFFF, 0x7FFFFFFF, 0xFFFFFFF4])
def test_a_lumps_size_is_unsigned_and_does_not_wrap(name: str, size: int) -> None:
    data = wad.build([Entry(b"A", b"abc"), Entry(b"BIG", b"x", size=size)], name.encode())
    with pytest.raises(MalformedError) as caught:
        open_archive(data, name)
    assert (caught.value.code, caught.value.entry) == ("range", 1)
    assert str(caught.value).startswith("entry 1 ('BIG'): it reaches past the end of the file")


@ALL
def test_more_lumps_than_memory_should_hold_are_unsupported(name: str) -> None:
    """A sparse file of 4 GiB could claim 268 million entries, all of zeros and legal."""
    entry_size = 32 if name in {"WAD2", "WAD3"} else 16
    count = MAX_LUMPS + 1
    data = struct.pack("<4sII", name.encode(), count, 12) + bytes(count * entry_size)
    with pytest.raises(UnsupportedError, match=f"{count} lumps are not read") as caught:
        open_archive(data, name)
    assert caught.value.code == "limit"


@ALL
def test_exactly_as_many_lumps_as_there_may_be_are_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lumpyard.archives.flat.MAX_LUMPS", len(LUMPS))
    assert len(use(wad.build(LUMPS, name.encode()), name).lumps) == len(LUMPS)
    monkeypatch.setattr("lumpyard.archives.flat.MAX_LUMPS", len(LUMPS) - 1)
    with pytest.raises(UnsupportedError):
        open_archive(wad.build(LUMPS, name.encode()), name)


def test_a_directory_of_zeros_has_few_warnings() -> None:
    archive = open_archive(struct.pack("<4sII", b"PWAD", 5000, 12) + bytes(5000 * 16), "PWAD")
    assert [found.code for found in archive.warnings] == ["name-empty"] * 101
    assert archive.warnings[-1].message == "and 4900 more such entries"
