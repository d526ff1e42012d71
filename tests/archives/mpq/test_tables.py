"""Where an archive starts, what its header and its tables may say, and what is refused."""

from __future__ import annotations

import struct
from hashlib import md5

import pytest
from tests.archives.mpq.samples import COMPLETE
from tests.builders import mpq
from tests.builders.mpq import COMPRESS, Written, build, with_header
from tests.builders.mpq_corpus import archive_named

from lumpyard.archives.mpq.header import find_header
from lumpyard.archives.mpq.reader import MpqView, view
from lumpyard.archives.opening import open_archive
from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

FILES = [
    Written(b"a.txt", b"aaa"),
    Written(b"b.txt", b"bbb"),
    mpq.listfile([Written(b"a.txt"), Written(b"b.txt")]),
]
ONE = build(FILES)


def code_of(data: bytes, *, lenient: bool = False) -> str:
    """The code with which an archive is refused, `unsupported` in front where it is that."""
    with pytest.raises(ArchiveError) as caught:
        view(data, lenient=lenient)
    assert caught.value.entry is None
    assert "\n" not in str(caught.value)
    return ("unsupported " if isinstance(caught.value, UnsupportedError) else "") + caught.value.code


def opens(data: bytes, *, lenient: bool = False) -> MpqView:
    """The archive, all of whose files have the bytes that were written."""
    archive = view(data, lenient=lenient)
    assert [archive.read(index) for index in range(len(archive.lumps))] == [file.raw for file in FILES]
    return archive


@pytest.mark.parametrize(
    "prefix", [b"", bytes(512), b"MZ" + bytes(8190), b"HM3W" + bytes(508), b"MPQ?" + bytes(1020)]
)
def test_an_archive_starts_at_a_multiple_of_512(prefix: bytes) -> None:
    archive = opens(prefix + ONE)
    assert archive.header.start == len(prefix)
    assert archive.lumps[0].offset == len(prefix) + 32
    assert archive.size == len(prefix) + len(ONE)


def test_it_is_found_at_each_such_place() -> None:
    for blocks in [*range(70), 1023, 1024, 2047, 2048, 2049, 4096, 5000]:
        assert find_header(memoryview(bytes(512 * blocks) + ONE)) == 512 * blocks


@pytest.mark.parametrize("prefix", [b"x", bytes(511), bytes(513), bytes(256)])
def test_elsewhere_it_is_not_looked_for(prefix: bytes) -> None:
    assert code_of(prefix + ONE) == "signature"


@pytest.mark.parametrize("behind", [16, 0x123, 0x200, 0x400])
@pytest.mark.parametrize("before", [b"", bytes(1024)])
def test_user_data_says_where_the_header_is(behind: int, before: bytes) -> None:
    user_data = (b"MPQ\x1b" + struct.pack("<III", 0x200, behind, 16)).ljust(behind, b"u")
    assert opens(before + user_data + ONE).header.start == len(before) + behind


@pytest.mark.parametrize("behind", [0, 4, 0x1000, 0xFFFFFFFF])
def test_user_data_that_leads_nowhere_is_passed_over(behind: int) -> None:
    user_data = (b"MPQ\x1b" + struct.pack("<III", 0x200, behind, 16)).ljust(0x200, b"u")
    assert opens(user_data + ONE).header.start == 0x200
    assert code_of(user_data) == "signature"


def test_a_header_behind_128_mib_is_not_looked_for() -> None:
    far = memoryview(bytearray(1 << 27) + ONE)
    assert find_header(far) is None
    assert find_header(far[512:]) == (1 << 27) - 512


def test_every_short_file_is_malformed() -> None:
    for size in range(4):
        assert code_of(ONE[:size]) == "signature"
    for size in range(4, 32):
        assert code_of(ONE[:size]) == "header"


@pytest.mark.parametrize("version", [2, 3, 4])
def test_a_header_that_is_cut_is_malformed(version: int) -> None:
    data = build(FILES, version=version)
    for size in range(32, mpq.HEADER_SIZES[version]):
        assert code_of(data[:size]) == "header"


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_an_archive_that_is_cut_anywhere_is_malformed(version: int) -> None:
    """Case 143: both tables are at the end, and a cut file has lost them."""
    data = build(FILES, version=version, hetbet=version > 2)
    for size in range(mpq.HEADER_SIZES[version], len(data)):
        assert code_of(data[:size]) in {"truncated", "block-table", "hash-table", "digest"}, size


def test_a_cut_says_truncated() -> None:
    """Case 143."""
    data = build(COMPLETE, slots=32)
    assert code_of(data[:-1024]) == "truncated"
    with pytest.raises(MalformedError, match="truncated"):
        view(data[:-1024])


@pytest.mark.parametrize("version", [1, 2, 3, 4])
@pytest.mark.parametrize(("place", "code"), [(16, "hash-table"), (20, "block-table")])
def test_a_table_at_0_is_malformed(version: int, place: int, code: str) -> None:
    """Case 142: "range check; error text"."""
    data = with_header(build(FILES, version=version), place, 0)
    data = rehashed(data) if version == 4 else data
    assert code_of(data) == code
    with pytest.raises(
        MalformedError, match=f"the {code.partition('-')[0]} table starts in the header, at byte 0"
    ):
        view(data)


def rehashed(data: bytes) -> bytes:
    """A version 4 archive with the digest that fits its header."""
    return data[:192] + md5(data[:192]).digest() + data[208:]


@pytest.mark.parametrize(
    ("shift", "code"), [(16, "sector-size"), (31, "sector-size"), (0xFFFF, "sector-size")]
)
def test_a_sector_of_more_than_16_mib_is_malformed(shift: int, code: str) -> None:
    assert code_of(with_header(ONE, 14, shift, "H")) == code


@pytest.mark.parametrize("version", [5, 6, 0xFFFF, 0x10000])
def test_later_versions_are_unsupported(version: int) -> None:
    assert code_of(with_header(ONE, 12, version - 1, "H")) == "unsupported version"


@pytest.mark.parametrize("slots", [3, 15, 17, 0x8000001])
def test_a_hash_table_has_a_power_of_two_entries(slots: int) -> None:
    assert code_of(with_header(ONE, 24, slots)) in {"hash-table", "unsupported limit"}


def test_more_than_512_ki_entries_are_unsupported() -> None:
    assert code_of(with_header(ONE, 24, 0x100000)) == "unsupported limit"
    assert code_of(with_header(ONE, 24, 0x80000)) == "truncated"
    data = build(FILES, version=2)
    assert code_of(with_header(data, 28, 0x7FFFFFFF)) == "unsupported limit"
    assert code_of(with_header(data, 28, 0x80000)) == "block-table"


@pytest.mark.parametrize("size", [0, 31, 33, 0x7FFFFFFF, 0xFFFFFFFF])
def test_version_1_ignores_its_header_size(size: int) -> None:
    archive = opens(with_header(ONE, 4, size))
    assert [finding.code for finding in archive.warnings] == ["header-size"]


@pytest.mark.parametrize("size", [0, 31, len(ONE) + 1, 0xFFFFFFFF])
def test_version_1_ignores_its_archive_size(size: int) -> None:
    archive = opens(with_header(ONE, 8, size))
    assert [finding.code for finding in archive.warnings] == ["archive-size"]


@pytest.mark.parametrize("version", [2, 3, 4])
def test_later_versions_have_one_header_size(version: int) -> None:
    data = build(FILES, version=version)
    for size in (0, 32, mpq.HEADER_SIZES[version] - 1, mpq.HEADER_SIZES[version] + 1, 0xFFFFFFFF):
        changed = with_header(data, 4, size)
        changed = rehashed(changed) if version == 4 else changed
        assert code_of(changed) == "header-size"
        if size > mpq.HEADER_SIZES[version]:
            archive = opens(changed, lenient=True)
            assert [finding.code for finding in archive.warnings] == ["header-size"]
        else:
            assert code_of(changed, lenient=True) == "header-size"


def test_bytes_behind_an_archive_are_ignored() -> None:
    for version in (1, 2, 3, 4):
        data = build(FILES, version=version, hetbet=version > 2) + b"NGIS" + bytes(300)
        assert list(opens(data).warnings) == []


@pytest.mark.parametrize("bits", [0x10000000, 0xF0000000])
def test_version_1_ignores_the_highest_bits_of_its_counts(bits: int) -> None:
    for place in (24, 28):
        archive = opens(with_header(ONE, place, mpq.header(ONE, place) | bits))
        assert [finding.code for finding in archive.warnings] == ["entries"]


@pytest.mark.parametrize("entries", [4, 0x5555, 0x0FFFFFFF])
def test_a_block_table_that_cannot_be_so_long_is_cut_to_what_names_lead_to(entries: int) -> None:
    archive = opens(with_header(ONE, 28, entries))
    assert [finding.code for finding in archive.warnings] == ["truncated"]
    behind = opens(with_header(ONE, 28, entries) + bytes(16 * 7))  # seven more would fit, and are none
    assert len(behind.lumps) == 3


def test_lenient_a_cut_block_table_is_read_as_far_as_it_goes() -> None:
    data = ONE[:-16]
    assert code_of(data) == "truncated"
    archive = view(data, lenient=True)
    assert [finding.code for finding in archive.warnings] == [
        "archive-size",
        "truncated",
        "hash-entry",
        "hash-entry",
    ]
    assert archive.find(b"b.txt") == 1
    assert archive.read(1) == b"bbb"
    with pytest.raises(MalformedError, match="block 2, and there are 2"):
        archive.find(b"(listfile)")


def test_positions_of_version_1_have_32_bits_that_wrap() -> None:
    prefix = bytes(1024)
    data = mpq.with_block(ONE, 0, position=0x100000000 - 1024)
    assert view(prefix + data).read(0) == prefix[:3]


def test_high_words_reach_beyond_4_gib() -> None:
    data = bytearray(build(FILES, version=2, high_words=True))
    data[-6:-4] = (7).to_bytes(2, "little")
    archive = view(bytes(data))
    assert [lump.offset >> 32 for lump in archive.lumps] == [7, 0, 0]
    with pytest.raises(MalformedError) as caught:
        archive.read(0)
    assert (caught.value.code, caught.value.entry) == ("range", 0)
    assert archive.read(1) == b"bbb"


def test_every_bit_of_the_metadata_of_version_4_is_covered() -> None:
    """Its header and its tables have digests: whichever bit is turned over, nothing is read."""
    data = build(FILES, version=4, hetbet=True, high_words=True, classic=True)
    tables = [(mpq.header(data, 16), 16 * 16), (mpq.header(data, 20), 16 * 3), (mpq.header(data, 32, "Q"), 6)]
    covered = [*range(208), *(at for start, size in tables for at in range(start, start + size))]
    for at in covered:
        for bit in range(8):
            changed = bytearray(data)
            changed[at] ^= 1 << bit
            code = code_of(bytes(changed))
            assert code == "digest" or at < 208, (at, code)


def test_lenient_a_wrong_digest_is_a_warning() -> None:
    data = bytearray(build(FILES, version=4, hetbet=True))
    data[112:208] = bytes(range(96))
    assert code_of(bytes(data)) == "digest"
    archive = opens(bytes(data), lenient=True)
    assert [finding.code for finding in archive.warnings] == ["digest"] * 3  # header, hash and block table


def test_digests_of_zeros_are_none() -> None:
    data = bytearray(build(FILES, version=4, hetbet=True))
    data[112:208] = bytes(96)
    assert list(opens(bytes(data)).warnings) == []


@pytest.mark.parametrize(
    ("place", "code_of_table"), [(60, "het-table"), (52, "bet-table")], ids=["het", "bet"]
)
def test_het_and_bet_tables_of_nonsense_are_malformed(place: int, code_of_table: str) -> None:
    data = build(FILES, version=3, hetbet=True, classic=False)
    assert code_of(with_header(data, place, 8, "Q")) == code_of_table  # in the header
    assert code_of(with_header(data, place, 1 << 40, "Q")) == "truncated"
    assert code_of(with_header(data, place, 70, "Q")) == code_of_table  # no signature there
    start = mpq.header(data, place, "Q")
    for size in (0, 31, 75, len(data), 1 << 26):
        assert code_of(with_header(data, start + 8, size)) == code_of_table
    assert code_of(with_header(data, start + 8, 0xFFFFFFFF)) == "unsupported limit"


@pytest.mark.parametrize("what", ["HET", "BET"])
def test_every_flipped_bit_of_a_het_or_bet_table_is_survived(what: str) -> None:
    """Version 3 has no digests, so a wrong position may go unseen; sizes are always as stated."""
    data = build(FILES, version=3, hetbet=True, classic=False)
    place = mpq.header(data, 60 if what == "HET" else 52, "Q")
    size = 12 + mpq.header(data, place + 8)
    for at in range(place, place + size):
        changed = bytearray(data)
        changed[at] ^= 1 << at % 8
        try:
            archive = view(bytes(changed))
        except ArchiveError:
            continue
        for file in FILES:
            try:
                index = archive.find(file.name)
                assert index is None or len(archive.read(index)) == archive.lumps[index].raw_size
            except ArchiveError:
                pass


def test_hash_and_bet_table_may_be_combined() -> None:
    data = build(FILES, version=3, hetbet=True)
    assert len(opens(with_header(data, 20, 0)).lumps) == 3


def test_the_classic_tables_come_first() -> None:
    data = build(FILES, version=3, hetbet=True)
    assert list(opens(with_header(data, 60, 7, "Q")).warnings) == []  # the HET table is not looked at


@pytest.mark.parametrize("name", ["ctables_v2.mpq", "ctables_v4.mpq"])
def test_a_packed_table_is_cut_or_damaged_and_that_is_malformed(name: str) -> None:
    data = archive_named(name)
    place = mpq.header(data, 16)
    for at in range(place + 1, len(data), 16):
        changed = bytearray(data)
        changed[at] ^= 1
        assert code_of(bytes(changed), lenient=True) in {"hash-table", "block-table"}


def test_a_packed_table_that_is_a_bomb_is_malformed() -> None:
    files = [Written(b"%d" % number) for number in range(40)]
    data = build(files, version=2, slots=64, packed=True)
    assert [len(view(data).lumps), view(data).find(b"39")] == [40, 39]
    assert code_of(with_header(data, 28, 39)) == "block-table"  # it unpacks to more
    assert code_of(with_header(data, 28, 41)) == "block-table"


def test_files_of_another_packing_are_read_behind_packed_tables() -> None:
    files = [Written(b"text.txt", b"text " * 2000, COMPRESS), *FILES[:2]]
    archive = view(build(files, version=2, slots=64, packed=True))
    assert [archive.read(index) for index in range(3)] == [file.raw for file in files]


def test_auto_finds_an_archive_behind_other_bytes() -> None:
    """A map of Warcraft III has 512 bytes of its own in front, an installer is a program."""
    for prefix in (b"HM3W".ljust(512, b"\0"), b"MZ" + bytes(8190), bytes(1 << 20)):
        assert open_archive(prefix + ONE).format == "MPQ"
    for junk in (bytes(4096), b"HM3W" + bytes(508), prefix + b"MPQ", bytes(100) + ONE):
        with pytest.raises(MalformedError) as caught:
            open_archive(junk)
        assert caught.value.code == "signature"
