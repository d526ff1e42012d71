"""Every PAK and DAIKATANA vector gets its verdict, its entries and the digests of its lumps."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from lumpyard.archives.opening import open_archive
from lumpyard.archives.verifying import verify_archive
from lumpyard.errors import MalformedError

FOLDER = Path(__file__).parents[2] / "vectors-pak"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expect.json").read_text("utf-8"))
LISTED = [name for name, expected in EXPECTED.items() if "entries" in expected]
WAYS = pytest.mark.parametrize("way", ["auto", "named"])


def read(name: str) -> bytes:
    return (FOLDER / f"{name}.pak").read_bytes()


def way_of(name: str, way: str) -> str:
    return "auto" if way == "auto" else EXPECTED[name]["format"]


def test_the_vectors_are_all_there() -> None:
    assert len(EXPECTED) == 20
    assert {path.stem for path in FOLDER.glob("*.pak")} == set(EXPECTED)
    assert len(LISTED) == 7


@WAYS
@pytest.mark.parametrize("name", [name for name in EXPECTED if name not in LISTED])
def test_broken_archives_are_malformed(name: str, way: str) -> None:
    assert EXPECTED[name]["verdict"] == "malformed"
    with pytest.raises(MalformedError):
        open_archive(read(name), way_of(name, way))


@WAYS
@pytest.mark.parametrize("name", LISTED)
def test_entries_and_digests_are_the_expected_ones(name: str, way: str) -> None:
    archive = open_archive(read(name), way_of(name, way))
    assert archive.format == EXPECTED[name]["format"]
    found = [{"name": (lump.name or b"").decode(), **contents(archive, index)}
             for index, lump in enumerate(archive.lumps)]  # fmt: skip
    assert found == EXPECTED[name]["entries"]


def contents(archive: Any, index: int) -> dict[str, object]:
    try:
        raw = archive.read(index)
    except MalformedError:
        return {"error": "malformed"}
    assert len(raw) == archive.lumps[index].raw_size
    return {"size": len(raw), "sha256": sha256(raw).hexdigest()}


@WAYS
@pytest.mark.parametrize("name", LISTED)
def test_verify_finds_just_the_lumps_that_do_not_decode(name: str, way: str) -> None:
    archive = open_archive(read(name), way_of(name, way))
    damaged = [index for index, entry in enumerate(EXPECTED[name]["entries"]) if "error" in entry]
    assert [finding.entry for finding in verify_archive(archive)] == damaged
    assert EXPECTED[name]["verdict"] == ("malformed" if damaged else "ok")


def test_overlapping_references_and_odd_ends_are_warned_of() -> None:
    archive = open_archive(read("daikatana-codes"))
    assert archive.warnings == []
    assert verify_archive(archive) == []
    warned = [(archive.lumps[warning.entry or 0].name, warning.code) for warning in archive.warnings]
    assert warned == [
        (b"overlap.wal", "reference"),
        (b"overlap-long.wal", "reference"),
        (b"no-end.wal", "no-end"),
        (b"junk-after-end.wal", "after-end"),
    ]
    assert {warning.verdict for warning in archive.warnings} == {"ok"}
