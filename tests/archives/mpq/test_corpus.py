"""Archives that StormLib and smpq made: every member has the bytes that StormLib reads; what damaged ones must do."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.mpq_corpus import load, manifest, raw_name

from lumpyard.archives.mpq.reader import view
from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.errors import ArchiveError, MalformedError

if TYPE_CHECKING:
    from lumpyard.archives.model import Archive

ARCHIVES, BAD = manifest()["archives"], manifest()["bad"]


def by_name(archives: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("made", archives, ids=[archive["archive"] for archive in archives])


@by_name(ARCHIVES)
def test_every_member_has_the_bytes_that_stormlib_reads(made: dict[str, Any]) -> None:
    archive = view(load(made))
    for member, size, digest in made["members"]:
        index = archive.find(raw_name(member))
        assert index is not None, member
        raw = archive.read(index)
        assert (len(raw), sha256(raw).hexdigest()) == (size, digest), member
        assert archive.lumps[index].raw_size == size
        middle = archive.read_range(index, size // 3, size // 2)
        assert bytes(middle) == bytes(raw[size // 3 :][: size // 2]), member
    if "must_raise" in made:
        index = archive.find(raw_name(made["must_raise"]))
        assert index is not None
        with pytest.raises(MalformedError, match=f"^entry {index} ") as caught:
            archive.read(index)
        assert caught.value.entry == index


@by_name(ARCHIVES)
def test_lumps_are_all_members_with_their_names(made: dict[str, Any]) -> None:
    expected = {raw_name(name) for name, _, _ in made["members"]}
    expected |= {raw_name(made["must_raise"])} if "must_raise" in made else set()
    archive = view(load(made), names=sorted(expected))
    names = [lump.name for lump in archive.lumps]
    assert None not in names
    assert expected <= set(names)
    if made["archive"] not in {"v1_many.mpq", "v1_locales.mpq"}:  # a sample; one name several times
        assert sorted(map(bytes, filter(None, names))) == sorted(expected)
    if made["archive"] != "v1_locales.mpq":
        for index, name in enumerate(names):
            assert name is not None
            assert archive.find(name) == index
            assert archive.find(name.replace(b"\\", b"/").lower()) == index


@by_name(ARCHIVES)
def test_verify_finds_only_the_member_that_must_raise(made: dict[str, Any]) -> None:
    archive = view(load(made), names=[raw_name(name) for name, _, _ in made["members"]])
    damaged = [archive.find(raw_name(made["must_raise"]))] if "must_raise" in made else []
    assert [found.entry for found in verify_archive(archive)] == damaged


ODD = {
    "prot_arcsize0.w3x": ["archive-size"],
    "prot_blockcount.w3x": ["truncated"],
    "prot_hashcount_hi.w3x": ["entries"],
    "prot_hdrsize.w3x": ["header-size"],
}


@by_name(ARCHIVES)
def test_warnings_name_what_protectors_did_to_a_header_and_nothing_else(made: dict[str, Any]) -> None:
    warnings = view(load(made)).warnings
    assert [found.code for found in warnings] == ODD.get(made["archive"], [])
    assert all(found.verdict == "ok" for found in warnings)


def read_member(made: dict[str, Any]) -> bytes | None:
    """What is read of the member that a damaged archive is about."""
    archive: Archive = open_archive(load(made), "MPQ")
    index = archive.find(raw_name(made["member"]))
    return None if index is None else bytes(archive.read(index))


def outcome(made: dict[str, Any]) -> str:
    """`raise`, `not found`, or the digest of what is read of the member."""
    try:
        raw = read_member(made)
        return "not found" if raw is None else sha256(raw).hexdigest()
    except ArchiveError:
        return "raise"


@by_name(BAD)
def test_a_damaged_archive_does_as_it_must(made: dict[str, Any]) -> None:
    allowed = {"raise or exact": {"raise", made.get("exact_sha256")}}.get(made["must"], {made["must"]})
    assert outcome(made) in allowed


CODES = {
    "wav_sector3_method04.mpq": ("method", 2),
    "wav_sector3_method00.mpq": ("method", 2),
    "wav_sector3_zeroed.mpq": ("huffman", 2),
    "wav_offsets_swapped.mpq": ("sector-table", 2),
    "wav_last_offset_huge.mpq": ("sector-table", 2),
    "block_fsize_plus_10000.mpq": ("sector-table", 0),
    "block_pos_past_eof.mpq": ("range", 0),
    "block_fsize_4g.mpq": ("ratio", 0),
    "block_csize_4g.mpq": ("range", 0),
    "block_flag_both_implode_compress.mpq": ("flags", 0),
    "block_flag_encrypted_though_not.mpq": ("sector-table", 0),
    "block_fsize_1g_stored.mpq": ("size", 0),
    "hash_block_index_huge.mpq": ("hash-entry", None),
    "head_magic_only.mpq": ("header", None),
    "head_header_only.mpq": ("truncated", None),
    "head_tables_cut.mpq": ("truncated", None),
    "head_sector_shift_31.mpq": ("sector-size", None),
    "head_sector_shift_ffff.mpq": ("sector-size", None),
    "head_userdata_loop.mpq": ("signature", None),
}


@by_name([made for made in BAD if made["archive"] in CODES])
def test_an_error_says_what_and_where(made: dict[str, Any]) -> None:
    with pytest.raises(ArchiveError) as caught:
        read_member(made)
    assert (caught.value.code, caught.value.entry) == CODES[made["archive"]]
    assert "\n" not in str(caught.value)


@by_name([made for made in BAD if "sector" in made["archive"] and "wav" in made["archive"]])
def test_one_damaged_member_does_not_keep_the_others_from_being_read(made: dict[str, Any]) -> None:
    """ "Returning the successfully decoded prefix is not a valid recovery." """
    archive = view(load(made))
    damaged = archive.find(raw_name(made["member"]))
    assert [found.entry for found in verify_archive(archive)] == [damaged]
