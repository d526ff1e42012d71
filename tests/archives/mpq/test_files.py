"""Reading files: every kind, in every version, whole and in part, also from within another archive."""

from __future__ import annotations

import mmap
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.archives.mpq.samples import COMPLETE, EVERY_KIND, NAMED, NOISE, TEXT
from tests.builders import mpq
from tests.builders.mpq import COMPRESS, CRC, ENCRYPTED, FIX_KEY, IMPLODE, PATCH, SINGLE, Written, build

from lumpyard.archives.mpq.reader import MpqView, view
from lumpyard.archives.opening import open_archive
from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

if TYPE_CHECKING:
    from pathlib import Path

LAYOUTS = {
    "1": {"version": 1},
    "1-prefix": {"version": 1, "prefix": b"MZ" + bytes(1534)},
    "1-gaps": {"version": 1, "gap": b"gap"},
    "1-small-sectors": {"version": 1, "shift": 0},
    "1-large-sectors": {"version": 1, "shift": 15},
    "2": {"version": 2},
    "2-packed": {"version": 2, "packed": True},
    "2-high-words": {"version": 2, "high_words": True},
    "3": {"version": 3},
    "3-hetbet": {"version": 3, "hetbet": True},
    "3-hetbet-only": {"version": 3, "hetbet": True, "classic": False},
    "4": {"version": 4},
    "4-packed": {"version": 4, "packed": True, "hetbet": True, "high_words": True},
    "4-hetbet-only": {"version": 4, "hetbet": True, "classic": False},
}
EVERY_LAYOUT = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


def made(files: list[Written], layout: dict[str, object]) -> bytes:
    return build(files, slots=32, **layout)  # type: ignore[arg-type]


def read(archive: MpqView, name: bytes) -> bytes:
    index = archive.find(name)
    assert index is not None, name
    return bytes(archive.read(index))


def error_of(data: bytes, index: int = 0) -> ArchiveError:
    archive = view(data)
    with pytest.raises(ArchiveError, match=f"^entry {index} ") as caught:
        archive.read(index)
    assert caught.value.entry == index
    with pytest.raises(ArchiveError):  # the same in part
        archive.read_range(index, 0, archive.lumps[index].raw_size)
    return caught.value


@EVERY_LAYOUT
def test_every_kind_of_file_has_the_bytes_that_were_written(layout: dict[str, object]) -> None:
    archive = view(made(COMPLETE, layout))
    assert [lump.name for lump in archive.lumps] == [file.name for file in COMPLETE]
    assert [lump.raw_size for lump in archive.lumps] == [len(file.raw) for file in COMPLETE]
    for index, file in enumerate(COMPLETE):
        assert archive.find(file.name) == index
        assert archive.read(index) == file.raw, file.name
    assert list(archive.warnings) == []
    assert (archive.format, archive.alignment, archive.seed) == ("MPQ", None, None)
    assert (archive.stripped, archive.archive_hash) == (False, None)


@EVERY_LAYOUT
def test_every_part_of_a_file_is_that_part(layout: dict[str, object]) -> None:
    archive = view(made(EVERY_KIND, layout))
    for file in EVERY_KIND:
        index = archive.find(file.name)
        assert index is not None
        for start in (0, 1, 511, 4095, 4096, 4097, len(file.raw) - 1, len(file.raw), 1 << 40):
            for size in (0, 1, 4096, 5000, 1 << 40):
                part = archive.read_range(index, start, size)
                assert part == file.raw[max(start, 0) :][:size], (file.name, start, size)


def test_a_part_needs_only_its_own_sectors() -> None:
    data = build([Written(b"text.txt", TEXT, COMPRESS)])
    archive = view(data)
    damaged = bytearray(data)
    damaged[archive.lumps[0].offset + 20] ^= 0xFF  # in sector 0
    archive = view(damaged)
    assert archive.read_range(0, 4096, 100) == TEXT[4096:4196]
    with pytest.raises(MalformedError, match="sector 0"):
        archive.read_range(0, 4095, 2)


def test_stored_files_are_views_of_the_buffer() -> None:
    data = build([Written(b"stored.bin", NOISE)])
    raw = view(data).read(0)
    assert isinstance(raw, memoryview)
    assert raw.obj is data
    assert raw.readonly


def test_a_map_of_a_file_is_read_as_bytes_are(tmp_path: Path) -> None:
    path = tmp_path / "archive.mpq"
    path.write_bytes(build(COMPLETE, slots=32))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        archive = view(mapped)
        assert [bytes(archive.read(index)) for index in range(len(COMPLETE))] == [
            each.raw for each in COMPLETE
        ]
        del archive


@pytest.mark.parametrize("flags", [0, COMPRESS, COMPRESS | ENCRYPTED, COMPRESS | SINGLE])
def test_an_archive_in_an_archive_is_read_from_memory(flags: int) -> None:
    inner = build(COMPLETE, slots=32, version=4, hetbet=True)
    outer = view(build([Written(b"inner.mpq", inner, flags)]))
    archive = open_archive(outer.read(0))
    assert isinstance(archive, MpqView)
    assert [bytes(archive.read(index)) for index in range(len(COMPLETE))] == [file.raw for file in COMPLETE]


def test_eight_threads_read_one_archive() -> None:
    archive = view(build(COMPLETE, slots=32))

    def everything(_: int) -> list[bytes]:
        return [read(archive, file.name) for file in COMPLETE]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(everything, range(32))) == [[file.raw for file in COMPLETE]] * 32


def test_without_a_name_an_encrypted_file_is_read_where_its_sector_table_gives_the_key_away() -> None:
    archive = view(build(EVERY_KIND, slots=32))
    for index, file in enumerate(EVERY_KIND):
        assert archive.lumps[index].name is None
        if file.flags & ENCRYPTED and (file.flags & SINGLE or not file.flags & COMPRESS):
            with pytest.raises(UnsupportedError, match="its name, which is the key, is not known") as caught:
                archive.read(index)
            assert (caught.value.code, caught.value.entry) == ("key", index)
            assert archive.find(file.name) == index  # and now it is
        assert archive.read(index) == file.raw


def test_the_callers_names_are_names() -> None:
    names = [file.name for file in EVERY_KIND]
    archive = view(build(EVERY_KIND, slots=32), names=[b"no.such", *names])
    assert [lump.name for lump in archive.lumps] == names
    assert [archive.read(index) for index in range(len(names))] == [file.raw for file in EVERY_KIND]


def test_the_suffix_of_a_name_changes_nothing() -> None:
    """Case 145: a type guessed from the suffix must not change the decoding."""
    for flags in (0, COMPRESS, COMPRESS | CRC, ENCRYPTED):
        for suffix in (b"wav", b"mpq", b"txt", b"blp", b""):
            name = b"file." + suffix
            assert read(view(build([Written(name, TEXT, flags)])), name) == TEXT


def test_gaps_between_files_are_legal() -> None:
    """Case 152."""
    archive = view(build(COMPLETE, slots=32, gap=bytes(100)))
    assert [archive.read(index) for index in range(len(COMPLETE))] == [file.raw for file in COMPLETE]


def sector(raw: bytes) -> bytes:
    return b"\2" + zlib.compress(raw)


@pytest.mark.parametrize(
    ("sectors", "code"),
    [
        ((sector(TEXT[:4096]), sector(TEXT[4096:8191]), sector(TEXT[8192:])), "size"),  # one byte less
        ((sector(TEXT[:4096]), sector(TEXT[4096:8193]), sector(TEXT[8192:])), "zlib"),  # one byte more
        ((sector(TEXT[:4096]), b"", sector(TEXT[8192:])), "sector"),
        ((sector(TEXT[:4096]), b"\2", sector(TEXT[8192:])), "zlib"),
        ((sector(TEXT[:4096]), bytes(4097), sector(TEXT[8192:])), "sector"),
        ((sector(TEXT[:4096]), bytes(40), sector(TEXT[8192:])), "method"),
        ((sector(TEXT[:4096]), sector(bytes(1 << 22)), sector(TEXT[8192:])), "zlib"),  # a bomb
        ((sector(TEXT[:4096]), sector(TEXT[4096:8192])[:-1], sector(TEXT[8192:])), "zlib"),
    ],
)
@pytest.mark.parametrize("flags", [COMPRESS, COMPRESS | ENCRYPTED])
def test_a_sector_of_another_size_is_malformed(sectors: tuple[bytes, ...], code: str, flags: int) -> None:
    """Case 151: "failed sector replaced by zeros and returned as success"."""
    error = error_of(
        build([Written(b"text.txt", TEXT, flags, sectors=sectors), mpq.listfile([Written(b"text.txt")])])
    )
    assert isinstance(error, MalformedError)
    assert error.code == code
    assert "sector 1" in str(error)


@pytest.mark.parametrize("size", [60_000, 1 << 20])
def test_a_bomb_in_a_single_unit_is_malformed(size: int) -> None:
    data = build([Written(b"bomb", bytes(size), COMPRESS | SINGLE, sectors=(sector(bytes(40 << 20)),))])
    assert error_of(data).code == "zlib"


def block_errors() -> list[tuple[str, dict[str, int], str]]:
    size = len(TEXT)
    return [
        ("raw size one less", {"raw_size": size - 1}, "zlib"),
        ("raw size one more", {"raw_size": size + 1}, "size"),
        ("raw size a sector less", {"raw_size": size - 4096}, "sector-table"),
        ("raw size two sectors less", {"raw_size": size - 8192}, "sector-table"),
        ("raw size a sector more", {"raw_size": size + 4096}, "sector-table"),
        ("raw size 0", {"raw_size": 0}, "size"),
        ("raw size 4 GiB", {"raw_size": 0xFFFFFFFF}, "ratio"),
        ("stored size one less", {"stored_size": 100}, "sector-table"),
        ("stored size 0", {"stored_size": 0}, "sector-table"),
        ("stored size 4 GiB", {"stored_size": 0xFFFFFFFF}, "range"),
        ("position past the end", {"position": 0x7FFFFFFF}, "range"),
        ("position elsewhere", {"position": 40}, "sector-table"),
        ("not compressed", {"flags": 0x80000000}, "size"),
        ("imploded too", {"flags": 0x80000000 | COMPRESS | IMPLODE}, "flags"),
        ("encrypted though not", {"flags": 0x80000000 | COMPRESS | ENCRYPTED}, "sector-table"),
        ("single though not", {"flags": 0x80000000 | COMPRESS | SINGLE}, "bzip2"),
        ("a patch", {"flags": 0x80000000 | COMPRESS | PATCH}, "patch"),
    ]


@pytest.mark.parametrize(
    ("fields", "code"), [row[1:] for row in block_errors()], ids=[row[0] for row in block_errors()]
)
def test_a_block_entry_that_lies_is_an_error_of_its_file_alone(fields: dict[str, int], code: str) -> None:
    data = mpq.with_block(build([Written(b"text.txt", TEXT, COMPRESS), *NAMED[5:]], slots=32), 0, **fields)
    archive = view(data, names=[b"text.txt"])
    with pytest.raises(ArchiveError) as caught:
        archive.read(0)
    assert (caught.value.code, caught.value.entry) == (code, 0)
    assert str(caught.value).startswith("entry 0 ('text.txt'): ")
    assert [archive.read(index) for index in range(1, len(NAMED) - 4)] == [file.raw for file in NAMED[5:]]


def test_a_file_whose_bytes_are_not_there_has_no_stored_bytes_either() -> None:
    archive = view(mpq.with_block(build([Written(b"raw", NOISE)]), 0, position=0x7FFFFFFF))
    with pytest.raises(MalformedError) as caught:
        archive.stored(0)
    assert (caught.value.code, caught.value.entry) == ("range", 0)


def test_sector_checksums_are_checked() -> None:
    data = build([Written(b"text.txt", TEXT + NOISE, COMPRESS | CRC), mpq.listfile([Written(b"text.txt")])])
    end = view(data).lumps[0].offset + view(data).lumps[0].stored_size
    damaged = bytearray(data)
    damaged[end - 1000] ^= 1  # in a sector of noise, which is stored as it is
    error = error_of(bytes(damaged))
    assert error.code == "sector-checksum"


def test_a_sector_checksum_of_zero_or_all_ones_is_none() -> None:
    data = build([Written(b"text.txt", TEXT[:4096], COMPRESS | CRC)])
    lump = view(data).lumps[0]
    end = lump.offset + lump.stored_size  # of the one checksum

    def stating(checksum: bytes) -> bytes:
        return data[: end - 4] + checksum + data[end:]

    for none in (bytes(4), b"\xff" * 4):
        assert view(stating(none)).read(0) == TEXT[:4096]
    assert error_of(stating(b"\1\2\3\4")).code == "sector-checksum"


@pytest.mark.parametrize("flags", [0, COMPRESS, ENCRYPTED, COMPRESS | SINGLE])
def test_checksums_of_whole_files_are_checked(flags: int) -> None:
    files = [Written(b"text.txt", TEXT, flags)]
    for attributes, code in (
        (mpq.attributes(files, crcs={b"text.txt": 1}), "crc32"),
        (mpq.attributes([Written(b"text.txt", NOISE)], crcs={b"text.txt": zlib.crc32(TEXT)}), "md5"),
    ):
        archive = view(build([*files, attributes]), names=[b"text.txt"])
        with pytest.raises(MalformedError, match=r"\(attributes\) has the") as caught:
            archive.read(0)
        assert (caught.value.code, caught.value.entry) == (code, 0)
    fine = mpq.attributes([Written(b"text.txt", NOISE)], crcs={b"text.txt": 0}, md5s=False)
    assert read(view(build([*files, fine])), b"text.txt") == TEXT


def test_a_flag_for_sector_checksums_that_are_not_there_is_ignored() -> None:
    """Old archives have the flag and a sector table without the additional entry."""
    data = build([Written(b"text.txt", TEXT, COMPRESS), Written(b"enc.txt", TEXT, COMPRESS | ENCRYPTED)])
    for block in (0, 1):
        data = mpq.with_block(data, block, flags=mpq.block_entries(data)[block][3] | CRC)
    archive = view(data)
    assert [archive.read(0), archive.read(1)] == [TEXT, TEXT]
    assert archive.find(b"enc.txt") == 1
    assert archive.read(1) == TEXT


@given(
    sizes=st.lists(
        st.sampled_from([0, 1, 3, 4, 511, 512, 513, 1023, 1024, 1025, 1600]), min_size=1, max_size=6
    ),
    flags=st.lists(
        st.sampled_from([0, COMPRESS, CRC | COMPRESS, SINGLE, SINGLE | COMPRESS]), min_size=6, max_size=6
    ),
    encrypted=st.lists(st.sampled_from([0, ENCRYPTED, ENCRYPTED | FIX_KEY]), min_size=6, max_size=6),
    layout=st.sampled_from(list(LAYOUTS.values())),
    packs=st.booleans(),
)
@settings(max_examples=80)
def test_whatever_is_written_is_read(
    sizes: list[int], flags: list[int], encrypted: list[int], layout: dict[str, object], packs: bool
) -> None:
    files = [
        Written(
            b"folder%d\\file%d" % (size, place), (TEXT if packs else NOISE)[place : place + size], flag | key
        )
        for place, (size, flag, key) in enumerate(zip(sizes, flags, encrypted, strict=False))
    ]
    archive = view(made([*files, mpq.listfile(files)], {**layout, "shift": 0}))
    assert [lump.name for lump in archive.lumps] == [*(file.name for file in files), b"(listfile)"]
    for file in files:
        assert read(archive, file.name.upper().replace(b"\\", b"/")) == file.raw
