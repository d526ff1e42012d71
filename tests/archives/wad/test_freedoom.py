"""Freedoom's three IWADs (Debian packages freedoom and freedm), read and written again.

Without these packages the tests fail, and say what to install; they are not skipped.
"""

from __future__ import annotations

import struct
from functools import cache

import pytest
from tests.builders import judges, wad

from lumpyard.archives.directory import DirectoryArchive
from lumpyard.archives.naming import entry_paths
from lumpyard.archives.opening import open_archive
from lumpyard.archives.wad.namespaces import namespaces
from lumpyard.archives.writing import WRITERS, NewLump, encode_archive

ALL = pytest.mark.parametrize("name", ["freedoom1", "freedoom2", "freedm"])
BLOCKS = {"S": "sprites", "P": "patches", "F": "flats"}


@cache
def iwad(name: str) -> DirectoryArchive:
    archive = open_archive(judges.game(name))
    assert isinstance(archive, DirectoryArchive)
    return archive


@ALL
def test_the_entries_are_those_of_the_plain_reader(name: str) -> None:
    archive = iwad(name)
    assert archive.format == "IWAD"
    assert archive.warnings == []
    found = [(lump.name, bytes(archive.read(at))) for at, lump in enumerate(archive.lumps)]
    assert found == wad.lumps(bytes(archive.data))


@ALL
def test_written_again_the_entries_their_bytes_and_the_signature_are_the_same(name: str) -> None:
    """ "Byte-for-byte round trip of entry list and signature." """
    archive = iwad(name)
    lumps = [
        NewLump(lump.raw_name or lump.name or b"", lump.stored_size, lump.raw_size) for lump in archive.lumps
    ]
    assert WRITERS["IWAD"].check(lumps) == []
    made = encode_archive(WRITERS["IWAD"], lumps, [archive.stored(at) for at in range(len(lumps))])
    assert made[:4] == b"IWAD"
    assert wad.lumps(made) == wad.lumps(bytes(archive.data))
    places = [struct.unpack_from("<II", made, len(made) - 16 * at) for at in range(len(lumps), 0, -1)]
    ends = [offset + size for offset, size in places]
    assert [offset for offset, _ in places] == [12, *ends[:-1]]
    assert 0 <= archive.size - len(made) < 4000  # the gaps between the original's lumps, each on 4 bytes


@ALL
def test_every_map_and_every_block_is_found(name: str) -> None:
    archive = iwad(name)
    found = namespaces(archive.lumps)
    names = [lump.name or b"" for lump in archive.lumps]
    maps = [names[one.marker] for one in found.maps]
    if name == "freedoom1":
        assert maps == [b"E%dM%d" % (episode, number) for episode in range(1, 5) for number in range(1, 10)]
    else:
        assert maps == [b"MAP%02d" % number for number in range(1, 33)]
    assert {(len(one.lumps), one.form) for one in found.maps} == {(10, "doom")}
    for prefix, space in BLOCKS.items():
        start, end = (names.index(f"{prefix}_{what}".encode()) for what in ("START", "END"))
        assert [at for at, other in enumerate(found.spaces) if other == space] == [*range(start + 1, end)]


@ALL
def test_every_entry_has_a_path(name: str) -> None:
    archive = iwad(name)
    paths = entry_paths(archive)
    assert len({*paths}) == len(paths)
    assert not any("~" in (path or "") for path in paths)
    expected = 36 if name == "freedoom1" else 32
    assert sum((path or "").endswith("/THINGS") for path in paths) == expected
