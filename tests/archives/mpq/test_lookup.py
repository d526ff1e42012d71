"""Which file a name leads to: case, slashes, locales, twins, full tables, deleted files."""

from __future__ import annotations

import pytest
from tests.builders import mpq
from tests.builders.mpq import (
    COMPRESS,
    DELETED,
    EXISTS,
    MASK,
    PATCH,
    Written,
    build,
    with_block,
    with_hash,
    with_hashes,
)

from lumpyard.archives.mpq.reader import view
from lumpyard.errors import MalformedError, UnsupportedError

A, B, C = Written(b"dir\\a.txt", b"aaa"), Written(b"b.txt", b"bbb"), Written(b"c.txt", b"ccc")
LIST = mpq.listfile([A, B, C])
LAYOUTS = pytest.mark.parametrize(
    "data", [build([A, B, C]), build([A, B, C], version=4, hetbet=True, classic=False)], ids=["hash", "het"]
)


@LAYOUTS
def test_case_and_kind_of_slash_make_no_difference(data: bytes) -> None:
    archive = view(data)
    for name in (b"dir\\a.txt", b"DIR\\A.TXT", b"dir/a.txt", b"Dir/A.txT"):
        assert archive.find(name) == 0
    for name in (b"", b"a.txt", b"dir\\a.tx", b"dir\\a.txt\0", b"dir\\\\a.txt", b"b.txt ", bytes(1 << 16)):
        assert archive.find(name) is None


def test_only_ascii_letters_have_a_case() -> None:
    archive = view(build([Written(b"caf\xe9.txt", b"x")]))
    assert archive.find(b"CAF\xe9.TXT") == 0
    assert archive.find(b"CAF\xc9.TXT") is None


@LAYOUTS
def test_without_a_list_lumps_have_no_name_but_its_hash(data: bytes) -> None:
    archive = view(data)
    assert [lump.name for lump in archive.lumps] == [None] * 3
    keys = [lump.key for lump in archive.lumps]
    if archive.header.hash_entries:
        assert keys == [mpq.hashed(file.name, 1) | mpq.hashed(file.name, 2) << 32 for file in (A, B, C)]
    else:
        assert keys == [mpq.jenkins(file.name) | 1 << 63 for file in (A, B, C)]
    assert archive.label(1) == f"entry 1 (key {keys[1]:016x})"
    assert view(data, names=[b"B.txt"]).label(1) == "entry 1 ('B.txt')"


def test_an_empty_archive_has_no_files() -> None:
    for data in (build([]), build([], version=2), build([], version=4, hetbet=True, classic=False)):
        archive = view(data)
        assert (archive.lumps, archive.find(b"a"), list(archive.warnings)) == ([], None, [])


def located(*locales: int) -> bytes:
    """An archive with a file of one name for each locale."""
    return build([Written(b"text", b"%x" % locale, 0, locale) for locale in locales])


@pytest.mark.parametrize(
    ("locales", "found"),
    [((0, 0x407, 0x40C), 0), ((0x407, 0), 1), ((0x407, 0x40C), 0), ((0xFFFF,), 0), ((0xFFFF, 0xFFFF0000), 1)],
)
def test_the_neutral_locale_is_first_and_then_what_the_probe_meets(
    locales: tuple[int, ...], found: int
) -> None:
    """Case 149: a file whose locale or platform is 0xFFFF is found all the same."""
    archive = view(located(*locales))
    assert archive.find(b"text") == found
    assert archive.read(found) == b"%x" % locales[found]
    assert [archive.locale(index) for index in range(len(locales))] == [locale & 0xFFFF for locale in locales]
    assert list(archive.warnings) == []


def test_labels_say_the_locale() -> None:
    archive = view(located(0, 0x407), names=[b"text"])
    assert [lump.name for lump in archive.lumps] == [b"text", b"text"]
    assert [archive.label(index) for index in (0, 1)] == [
        "entry 0 ('text')",
        "entry 1 ('text', locale 0x0407)",
    ]


@pytest.mark.parametrize("locale", [0, 0x407])
def test_of_twins_the_first_in_probe_order_is_read_and_the_second_is_a_warning(locale: int) -> None:
    """Case 146: two hash entries of one name and one locale."""
    twins = [Written(b"twin", b"first", 0, locale), Written(b"other"), Written(b"twin", b"second", 0, locale)]
    archive = view(build(twins), names=[b"twin"])
    found = archive.find(b"twin")
    assert found == 0
    assert archive.read(found) == b"first"
    assert archive.read(2) == b"second"
    (warning,) = archive.warnings
    assert (warning.code, warning.entry, warning.verdict) == ("duplicate", 2, "ok")
    assert "entry 0 ('twin'" in warning.message


def test_probe_order_counts_and_not_the_order_of_the_table() -> None:
    """A name whose probe goes round the end of the table meets the entries at its start last."""
    name = next(name for name in (b"%d" % n for n in range(1000)) if mpq.hashed(name, 0) % 4 == 3)
    data = build([Written(name, b"first"), Written(name, b"second")], slots=4)
    assert [entry[3] for entry in mpq.hash_entries(data)] == [1, MASK, MASK, 0]
    assert view(data).find(name) == 0


def test_a_probe_ends_at_an_entry_that_was_never_used() -> None:
    name = next(name for name in (b"%d" % n for n in range(1000)) if mpq.hashed(name, 0) % 4 == 1)
    data = build([Written(name, b"x")], slots=4)
    entries = mpq.hash_entries(data)
    entries[1], entries[3] = entries[3], entries[1]
    assert view(with_hashes(data, entries)).find(name) is None
    entries[1] = [MASK, MASK, MASK, MASK - 1]  # deleted, not free
    assert view(with_hashes(data, entries)).find(name) is None  # entry 2 is free
    entries[2] = entries[1]
    assert view(with_hashes(data, entries)).find(name) == 0


def test_a_probe_ends_after_one_round() -> None:
    data = build([A, B])
    for index in (MASK - 1, 77):
        junk = [entry if entry[3] != MASK else [1, 2, 0, index] for entry in mpq.hash_entries(data)]
        archive = view(with_hashes(data, junk))
        assert archive.find(b"no\\such\\file.txt") is None
        assert archive.find(A.name) == 0


def test_of_thousands_of_entries_with_one_name_some_are_looked_at() -> None:
    data = build([A, B], slots=1024)
    a = next(entry for entry in mpq.hash_entries(data) if entry[3] == 0)
    archive = view(with_hashes(data, [a] * 1024), names=[A.name])
    assert archive.find(A.name) == 0
    assert archive.lumps[0].name == A.name


def test_a_hash_entry_without_a_block_is_no_missing_file() -> None:
    """The name is there: to say "not found" would let a loose file take its place."""
    data = with_hash(build([A, B, LIST]), B.name, block=0x00FFFFF0)
    archive = view(data)
    with pytest.raises(MalformedError, match=r"'b\.txt'.*block 16777200") as caught:
        archive.find(B.name)
    assert caught.value.code == "hash-entry"
    assert [finding.code for finding in archive.warnings] == ["hash-entry"]
    assert archive.find(A.name) == 0
    assert archive.lumps[1].name is None  # the file is there, but no name leads to it


def test_the_highest_four_bits_of_a_block_index_are_ignored() -> None:
    archive = view(with_hash(build([A, B]), B.name, block=0x50000001))
    assert archive.find(B.name) == 1


def test_deleted_files_are_no_lumps() -> None:
    gone = with_block(build([A, B, C, LIST]), 1, flags=0)
    marked = with_block(build([A, B, C, LIST]), 1, flags=EXISTS | DELETED)
    for data in (gone, marked):
        archive = view(data)
        assert [lump.name for lump in archive.lumps] == [A.name, C.name, b"(listfile)"]
        assert archive.find(B.name) is None
        assert archive.find(C.name) == 1
        assert archive.read(1) == b"ccc"


def test_a_deleted_file_does_not_hide_one_of_another_locale() -> None:
    data = with_block(located(0, 0x407), 0, flags=0)
    archive = view(data)
    assert archive.find(b"text") == 0
    assert archive.read(0) == b"407"


def test_a_patch_is_unsupported() -> None:
    archive = view(with_block(build([A, B]), 0, flags=EXISTS | PATCH))
    assert archive.find(A.name) == 0
    with pytest.raises(UnsupportedError) as caught:
        archive.read(0)
    assert (caught.value.code, caught.value.entry) == ("patch", 0)
    assert archive.read(1) == b"bbb"


def test_flags_are_those_of_the_block() -> None:
    archive = view(build([A, Written(b"z", b"z" * 99, COMPRESS)]))
    assert [lump.flags for lump in archive.lumps] == [EXISTS, EXISTS | COMPRESS]
    assert bytes(archive.stored(0)) == b"aaa"
    assert archive.lumps[1].stored_size == len(archive.stored(1)) < 99
