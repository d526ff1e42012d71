"""Archives above 4 GiB, as sparse files."""

from __future__ import annotations

import mmap
import os
import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import mpq
from tests.builders.mpq import EXISTS, Written

from lumpyard.archives.mpq.reader import view
from lumpyard.errors import MalformedError

if TYPE_CHECKING:
    from pathlib import Path

FAR = 5 << 30


def far_archive(path: Path) -> None:
    """A version 2 archive: one file 32 bytes above 4 GiB, most tables at 5 GiB, and between them a hole.

    The high words come first, so that the stated size of the archive, its lowest 32 bits, is within them.
    """
    files, places = [Written(b"near.txt", b"near"), Written(b"far.txt", b"far")], [48, (4 << 30) + 32]
    blocks = b"".join(
        struct.pack("<4I", at & mpq.MASK, len(file.raw), len(file.raw), EXISTS)
        for at, file in zip(places, files, strict=True)
    )
    hashes = mpq.encrypted(mpq.hash_table(files, 16), mpq.base_key(b"(hash table)"))
    blocks = mpq.encrypted(blocks, mpq.base_key(b"(block table)"))
    low, high = FAR & mpq.MASK, FAR >> 32
    header = struct.pack("<4sIIHHIIII", b"MPQ\x1a", 44, 46, 1, 3, low, low + len(hashes), 16, 2)
    header += struct.pack("<QHH", 44, high, high)
    with path.open("wb") as file:
        file.write(header + struct.pack("<2H", 0, 1) + b"near")
        file.seek(places[1])
        file.write(b"far")
        file.seek(FAR)
        file.write(hashes + blocks)


def test_positions_above_4_gib_are_those_of_the_high_words(tmp_path: Path) -> None:
    path = tmp_path / "far.mpq"
    far_archive(path)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        archive = view(mapped)
        assert [archive.find(name) for name in (b"near.txt", b"far.txt")] == [0, 1]
        assert [lump.offset for lump in archive.lumps] == [48, (4 << 30) + 32]
        assert [bytes(archive.read(index)) for index in (0, 1)] == [b"near", b"far"]
        del archive
    os.truncate(path, (4 << 30) + 33)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        with pytest.raises(MalformedError) as caught:
            view(mapped)
        assert caught.value.code == "truncated"
        del caught
