"""Broken MPQs with every compression method: a documented error or exactly the size; checksums are checked."""

from __future__ import annotations

import math
import random
from functools import cache

import pytest
from tests.builders import mpq_adpcm
from tests.builders.implode import implode
from tests.builders.mpq import (
    COMPRESS,
    CRC,
    ENCRYPTED,
    FIX_KEY,
    IMPLODE,
    SINGLE,
    Written,
    attributes,
    build,
    listfile,
)
from tests.builders.mpq_huffman import huffman
from tests.builders.mpq_packing import lzma_with_end_mark, pack
from tests.builders.mutants import mpq_mutant, mutant

from lumpyard.archives.mpq.codecs.weights import WEIGHTS
from lumpyard.archives.mpq.reader import MpqView, view
from lumpyard.archives.verifying import verify_archive
from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

SECTOR = 1024  # shift 1
# Small numbers and zeros, which every method makes shorter, also the Huffman code for sounds.
TEXT = b"".join(bytes([number * number % 32, 1, 2]) + bytes(8) for number in range(82))
TONE = [round(5000 * math.sin(at / 5)) for at in range(300)]


@cache
def sound(channels: int, method: int) -> tuple[bytes, bytes]:
    """A sector of a sound, and its samples."""
    stream, raw = mpq_adpcm.encode(TONE, channels, 5)
    mask = 0x40 if channels == 1 else 0x80
    packed = {0: bytes, 1: lambda data: huffman(data, 7, WEIGHTS[7]), 8: implode}[method](stream)
    return bytes((mask | method,)) + packed, raw


@cache
def files(version: int) -> list[Written]:
    """One for each method, some encrypted, some with checksums, some single units, all of two sectors else."""
    made = []
    for mask in (0x01, 0x02, 0x08, 0x10, 0x20, 0x22, 0x28, 0x03):
        flags = COMPRESS | (CRC if mask & 0x02 else 0) | (ENCRYPTED | FIX_KEY if mask & 0x08 else 0)
        whole = TEXT.ljust(SECTOR, b"\0")
        made.append(
            Written(b"m%02x" % mask, whole + TEXT, flags, sectors=(pack(whole, mask), pack(TEXT, mask)))
        )
        made.append(Written(b"u%02x" % mask, TEXT, COMPRESS | SINGLE, sectors=(pack(TEXT, mask),)))
    for channels in (1, 2):
        for method in (0, 1, 8):
            stored, raw = sound(channels, method)
            made.append(Written(b"a%d%d.wav" % (channels, method), raw, COMPRESS, sectors=(stored,)))
    made.append(Written(b"imploded", TEXT, IMPLODE, sectors=(implode(TEXT, coded=True),)))
    if version > 1:
        made.append(Written(b"lzma", TEXT, COMPRESS, sectors=(b"\x12" + lzma_with_end_mark(TEXT),)))
    made.append(listfile(made))
    return [*made, attributes(made)]


ARCHIVES = {
    "1": build(files(1), slots=64, shift=1),
    "1 at 512": build(files(1), slots=64, shift=1, prefix=bytes(512)),
    "2": build(files(2), slots=64, shift=1, version=2, high_words=True),
    "3": build(files(3), slots=64, shift=1, version=3, hetbet=True),
    "4": build(files(4), slots=64, shift=1, version=4, packed=True),
    "4, HET and BET alone": build(files(4), slots=64, shift=1, version=4, hetbet=True, classic=False),
}
PLAIN = [
    ARCHIVES["1"],
    ARCHIVES["2"],
    ARCHIVES["3"],
]  # whose tables stand at the places of the header, not packed


def opened(data: bytes) -> MpqView | None:
    try:
        return view(data, names=[b"m02", b"imploded"])
    except (MalformedError, UnsupportedError) as error:
        assert "\n" not in str(error)  # noqa: PT017 - most mutants open
        return None


def outcome(archive: MpqView, index: int) -> bytes | ArchiveError:
    """The raw bytes of an entry, exactly its raw size, or an error that is about it."""
    try:
        raw = bytes(archive.read(index))
    except (MalformedError, UnsupportedError) as error:
        found = error
    else:
        assert len(raw) == archive.lumps[index].raw_size
        return raw
    assert found.entry == index
    assert str(found).startswith(f"entry {index} ")
    assert "\n" not in str(found)
    return found


@pytest.mark.parametrize("name", ARCHIVES)
def test_the_archives_are_sound(name: str) -> None:
    archive = view(ARCHIVES[name])
    for file in files(archive.header.version):
        index = archive.find(file.name)
        assert index is not None
        assert archive.read(index) == file.raw, file.name
    assert verify_archive(archive) == []


def hold(data: bytes) -> None:
    """What holds for an archive of any bytes."""
    archive = opened(data)
    if archive is None:
        return
    outcomes = [outcome(archive, index) for index in range(len(archive.lumps))]
    damaged = {index for index, found in enumerate(outcomes) if isinstance(found, ArchiveError)}
    assert {found.entry for found in verify_archive(archive) if found.verdict != "ok"} == damaged
    assert all(found.verdict == "ok" for found in archive.warnings)


@pytest.mark.parametrize("seed", range(8))
def test_mutants_give_errors_or_files_of_their_size(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        hold(mutant(list(ARCHIVES.values()), rng))
        hold(mpq_mutant(PLAIN, rng))


@pytest.mark.parametrize("name", ["1", "4, HET and BET alone"])
@pytest.mark.parametrize("flags", [COMPRESS | CRC, COMPRESS | CRC | ENCRYPTED | FIX_KEY])
def test_with_checksums_no_damage_of_stored_bytes_is_read_as_something_else(name: str, flags: int) -> None:
    """Sector checksums are of stored bytes, so they hold for sounds too."""
    stored, raw = sound(1, 1)
    file = Written(b"voice.wav", raw, flags, sectors=(stored,))
    data = build(
        [file, Written(b"other", TEXT)], version=int(name[0]), classic=len(name) == 1, hetbet=len(name) > 1
    )
    archive = view(data)
    index = archive.find(b"voice.wav")
    assert index is not None
    start, size = archive.lumps[index].offset, archive.lumps[index].stored_size
    for place in range(start, start + size):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        damaged = view(changed)
        assert damaged.find(b"voice.wav") == index  # which tells the key
        found = outcome(damaged, index)
        assert isinstance(found, ArchiveError) or found == raw
