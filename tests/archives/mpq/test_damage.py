"""Any damage gives an error, a missing name, or the bytes that were written: never others, never a part.

The archives have checksums of whole files, so what could go unseen is seen, as long as `(attributes)` itself is whole.
One thing cannot be seen without digests of tables: an entry of the hash table that leads to another file.
"""

from __future__ import annotations

import random

import pytest
from tests.archives.mpq.samples import SMALL
from tests.builders import mpq
from tests.builders.mpq import Written, build

from lumpyard.archives.mpq.reader import view
from lumpyard.archives.verifying import verify_archive
from lumpyard.errors import ArchiveError

LAYOUTS: dict[str, dict[str, object]] = {
    "1": {"version": 1},
    "2-packed": {"version": 2, "packed": True, "high_words": True},
    "3-hetbet": {"version": 3, "hetbet": True, "classic": False},
    "4": {"version": 4},
}
EVERY_LAYOUT = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


def small(layout: dict[str, object], files: list[Written] = SMALL) -> bytes:
    return build(files, shift=0, slots=8, **layout)  # type: ignore[arg-type]


def outcomes(data: bytes, *, lenient: bool = False) -> list[bytes | str]:
    """What each file of `SMALL` is read as: its bytes, or why not; first why the archive is not opened at all."""
    try:
        archive = view(data, lenient=lenient)
    except ArchiveError as error:
        return [error.code if error.entry is None else f"entry {error.entry}"]
    found: list[bytes | str] = []
    for file in SMALL:
        try:
            index = archive.find(file.name)
            found.append("not found" if index is None else bytes(archive.read(index)))
        except ArchiveError as error:
            found.append(error.code)
    return found


def check(changed: bytes, what: object, *, lenient: bool = False) -> bool:
    """Whether all files are read; none may have other bytes than its own."""
    found = outcomes(changed, lenient=lenient)
    if isinstance(found[0], str) and len(found) == 1:
        return False
    others = [file.raw for file in SMALL] if changed[12] < 3 else []  # version 4 has digests
    if found[-1] == SMALL[-1].raw:
        for file, read in zip(SMALL, found, strict=True):
            assert isinstance(read, str) or read in (file.raw, *others), (what, file.name)
    return found == [file.raw for file in SMALL]


@EVERY_LAYOUT
def test_flipped_bits_never_give_other_bytes(layout: dict[str, object]) -> None:
    data = small(layout)
    assert check(data, "nothing")
    fine = 0
    header_bits = mpq.HEADER_SIZES[int(str(layout["version"]))] * 8
    for bit in [*range(header_bits), *range(header_bits, len(data) * 8, 13)]:
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        fine += check(bytes(changed), bit, lenient=bit % 2 == 0)
    assert fine < header_bits + 100  # most are found


@EVERY_LAYOUT
def test_every_byte_that_is_missing_or_too_much_is_noticed(layout: dict[str, object]) -> None:
    data = small(layout)
    for at in range(mpq.HEADER_SIZES[int(str(layout["version"]))], len(data), 17):
        assert not check(data[:at] + data[at + 1 :], at)
        assert not check(data[:at] + b"Z" + data[at:], at)


@EVERY_LAYOUT
def test_blocks_of_zeros_ones_and_noise_never_give_other_bytes(layout: dict[str, object]) -> None:
    data = small(layout)
    chance = random.Random(7)
    for at in range(0, len(data), 29):
        size = chance.choice([1, 4, 16, 200])
        for junk in (bytes(size), b"\xff" * size, chance.randbytes(size)):
            changed = data[:at] + junk + data[at + size :]
            check(changed[: len(data)], (at, size))


def test_archives_of_noise_are_refused_or_survived() -> None:
    chance = random.Random(8)
    for _ in range(300):
        head = bytearray(build([], version=chance.randrange(1, 5)))
        head[chance.randrange(12, 14) :] = chance.randbytes(chance.randrange(0, 400))
        outcomes(bytes(head), lenient=True)
        outcomes(b"MPQ\x1a" + chance.randbytes(300))
        outcomes(b"MPQ\x1b" + chance.randbytes(300))


@pytest.mark.parametrize("index", range(3))
def test_a_damaged_file_does_not_keep_the_others_from_being_read(index: int) -> None:
    data = small({"version": 1})
    lump = view(data).lumps[index]
    for at in range(lump.offset, lump.offset + lump.stored_size, 5):
        changed = bytearray(data)
        changed[at] ^= 0x55
        archive = view(bytes(changed))
        assert [found.entry for found in verify_archive(archive)] == [index]
        assert [archive.read(other) for other in range(len(SMALL)) if other != index] == [
            file.raw for other, file in enumerate(SMALL) if other != index
        ]


def test_verify_does_not_decode_the_same_bytes_for_ever() -> None:
    data = build([Written(b"a", bytes(5000), mpq.COMPRESS)] * 20, slots=32)
    data += bytes(300)
    assert verify_archive(view(data)) == []
    first = mpq.block_entries(data)[0]
    for block in range(1, 20):
        data = mpq.with_block(data, block, position=first[0], stored_size=first[1])
    assert verify_archive(view(data)) == []
    long = build([Written(b"a", bytes(5000))] * 20, slots=32)
    small = long[: 32 + 5000] + long[mpq.header(long, 16) :]
    at = 32 + 5000
    small = mpq.with_header(mpq.with_header(small, 16, at), 20, at + 16 * 32)
    for block in range(20):
        small = mpq.with_block(small, block, position=32)
    assert [(found.code, found.entry) for found in verify_archive(view(small))] == [("cap", None)]
