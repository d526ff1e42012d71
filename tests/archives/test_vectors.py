"""Every EWAD vector gets its verdict, its entries and its archive hash."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.builders import vectors

from lumpyard.archives.ewad.reader import EwadView, view
from lumpyard.archives.ewad.verify import load, verify
from lumpyard.archives.ewad.writer import write_ewad
from lumpyard.archives.opening import open_archive
from lumpyard.errors import MalformedError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

EWADS = vectors.names("ewad")
SOUND = [name for name in EWADS if "entries" in vectors.expectations()[name]]
FAULTS = {
    "ewad-bad-content-hash": ["content-hash"],
    "ewad-bad-lump-byte": ["content-hash"],
    "ewad-bad-lz4-raw-lies": ["lz4"],
    "ewad-over-16x": ["cap"],
}
CANONICAL = [
    name
    for name in SOUND
    if vectors.expectations()[name]["load"] == "ok"
    and not name.startswith(("ewad-order-", "ewad-shared-", "ewad-trailing-junk"))
]


def verdict(read: Callable[[bytes], object], data: bytes) -> str:
    try:
        read(data)
    except MalformedError:
        return "malformed"
    except UnsupportedError:
        return "unsupported"
    return "ok"


def expected(name: str) -> dict[str, Any]:
    return vectors.expectations()[name]


def test_the_vectors_are_all_there() -> None:
    assert len(vectors.expectations()) == 202
    assert len(EWADS) == 98
    assert len(SOUND) > 30


@pytest.mark.parametrize("name", EWADS)
def test_view_and_open_archive_give_the_expected_verdict(name: str) -> None:
    assert verdict(view, vectors.read(name)) in vectors.verdicts(expected(name), "view")
    assert verdict(open_archive, vectors.read(name)) in vectors.verdicts(expected(name), "view")


@pytest.mark.parametrize("name", EWADS)
def test_load_gives_the_expected_verdict(name: str) -> None:
    assert verdict(load, vectors.read(name)) == expected(name)["load"]


@pytest.mark.parametrize("name", SOUND)
def test_view_finds_the_expected_header(name: str) -> None:
    archive = view(vectors.read(name))
    found = archive.format, archive.size, archive.alignment, archive.seed, archive.stripped
    assert found == tuple(expected(name)[key] for key in ("kind", "size", "alignment", "seed", "stripped"))
    assert f"{archive.archive_hash:016x}" == expected(name)["archive_hash"]


@pytest.mark.parametrize("name", SOUND)
def test_view_finds_the_expected_entries(name: str) -> None:
    archive = view(vectors.read(name))
    assert [as_json(archive, index) for index in range(len(archive.lumps))] == expected(name)["entries"]


def as_json(archive: EwadView, index: int) -> dict[str, Any]:
    lump = archive.lumps[index]
    return {
        "content_hash": f"{lump.content_hash:016x}",
        "flags": lump.flags,
        "key": f"{lump.key:016x}",
        "name": None if lump.name is None else lump.name.hex(),
        "offset": lump.offset,
        "raw": lump.raw_size,
        "schema": lump.schema,
        "stored": lump.stored_size,
        "type": lump.fourcc,
    }


@pytest.mark.parametrize("name", SOUND)
def test_each_lump_is_found_by_its_name(name: str) -> None:
    archive = view(vectors.read(name))
    for index, lump in enumerate(archive.lumps):
        if lump.name is not None:
            assert archive.find(lump.name) == index
            assert archive.find(lump.name + b"x") is None


@pytest.mark.parametrize("name", ["ewad-stripped-1", "ewad-stripped-7", "ewad-stripped-40"])
def test_the_names_of_the_twin_archive_find_the_lumps_of_a_stripped_one(name: str) -> None:
    """ "Lookups still work, since they hash the name under the seed." """
    stripped, named = view(vectors.read(name)), view(vectors.read(name.replace("stripped", "named")))
    for index, lump in enumerate(named.lumps):
        assert lump.name is not None
        assert stripped.find(lump.name) == index
        assert stripped.read(index) == named.read(index)


@pytest.mark.parametrize("name", SOUND)
def test_verify_finds_what_is_wrong_with_the_data(name: str) -> None:
    codes = [finding.code for finding in verify(view(vectors.read(name)))]
    assert codes == FAULTS.get(name, [])


@pytest.mark.parametrize("name", CANONICAL)
def test_our_writer_makes_the_same_bytes(name: str) -> None:
    """The vectors' writer and ours know only the specification, and lay out the same file."""
    data = vectors.read(name)
    archive = view(data)
    assert write_ewad(load(data), archive.alignment, archive.seed) == data


@pytest.mark.parametrize("name", ["ewad-stripped-1", "ewad-stripped-7", "ewad-stripped-40"])
def test_our_writer_strips_to_the_same_bytes(name: str) -> None:
    lumps = load(vectors.read(name.replace("stripped", "named")))
    assert write_ewad(lumps, alignment=32, named=False) == vectors.read(name)


@pytest.mark.parametrize("name", [name for name in SOUND if name.startswith("ewad-lz4-")])
def test_compressed_lumps_decode_to_their_raw_size(name: str) -> None:
    archive = view(vectors.read(name))
    for index, lump in enumerate(archive.lumps):
        assert len(archive.read(index)) == lump.raw_size
