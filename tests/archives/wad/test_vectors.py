"""Every vector that is no EWAD gets its verdict and its entries, by `auto` and by the format's name."""

from __future__ import annotations

from typing import Any

import pytest
from tests.builders import vectors

from lumpyard.archives.directory import DirectoryArchive
from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.archives.writing import WRITERS, NewLump, encode_archive
from lumpyard.errors import ArchiveError, MalformedError, UnsupportedError

FORMATS = ("iwad", "pwad", "pack", "wad2", "wad3")
VECTORS = [name for prefix in FORMATS for name in vectors.names(prefix)]
SOUND = [name for name in VECTORS if "entries" in vectors.expectations()[name]]
# What "the writer" of the specification makes; the others are arranged otherwise.
CANONICAL = [name for name in SOUND if name.partition("-")[2] in {"good", "empty", "name-junk"}]
WHY = {  # what the vectors call the broken rule, and the code of ours
    "signature": "signature",
    "shorter than its header": "header",
    "directory outside the file": "directory",
    "directory in the header": "directory",
    "lump outside the file": "range",
    "lump in the header": "offset",
    "lump sizes exceed the cap": "cap",
    "compressed": "compressed",
}


def expected(name: str) -> dict[str, Any]:
    return vectors.expectations()[name]


def opened(name: str) -> DirectoryArchive:
    archive = open_archive(vectors.read(name), name[:4].upper())
    assert isinstance(archive, DirectoryArchive)
    return archive


def test_the_vectors_are_all_there() -> None:
    assert len(VECTORS) == 202 - len(vectors.names("ewad"))
    assert len(CANONICAL) == 15


@pytest.mark.parametrize("name", [name for name in VECTORS if name not in SOUND])
def test_a_broken_vector_gets_its_verdict_and_the_code_of_its_rule(name: str) -> None:
    error = {"malformed": MalformedError, "unsupported": UnsupportedError}[expected(name)["load"]]
    with pytest.raises(error) as caught:
        open_archive(vectors.read(name), name[:4].upper())
    assert caught.value.code == WHY[expected(name)["why"]]


@pytest.mark.parametrize("name", [name for name in VECTORS if name not in SOUND])
def test_auto_gives_a_broken_vector_the_same_verdict(name: str) -> None:
    with pytest.raises(ArchiveError) as caught:
        open_archive(vectors.read(name))
    found = "malformed" if isinstance(caught.value, MalformedError) else "unsupported"
    assert found == expected(name)["load"]


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_vector_has_the_expected_entries(name: str) -> None:
    archive = opened(name)
    found = [
        {
            "kind": lump.kind or 0,
            "name": lump.name.hex() if lump.name is not None else None,
            "offset": lump.offset,
            "stored": lump.stored_size,
        }
        for lump in archive.lumps
    ]
    assert (archive.format, archive.size, found) == tuple(
        expected(name)[key] for key in ("kind", "size", "entries")
    )
    assert verify_archive(archive) == []


@pytest.mark.parametrize("name", SOUND)
def test_auto_reads_a_sound_vector_as_its_format(name: str) -> None:
    assert open_archive(vectors.read(name)).format == expected(name)["kind"]


@pytest.mark.parametrize("name", CANONICAL)
def test_our_writer_makes_the_vector_again_from_what_we_read(name: str) -> None:
    """The vectors' writer and ours know only the specification, and lay out the same file."""
    archive = opened(name)
    lumps = [
        NewLump(lump.raw_name or lump.name or b"", lump.stored_size, lump.raw_size, kind=lump.kind or 0)
        for lump in archive.lumps
    ]
    stored = [archive.stored(index) for index in range(len(lumps))]
    assert encode_archive(WRITERS[archive.format], lumps, stored) == vectors.read(name)
