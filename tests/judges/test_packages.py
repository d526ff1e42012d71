"""WADs that people and their tools made: each is read strictly, written anew, and not a lump has changed.

oblige: maps and prefabricated parts, with gaps, empty lumps at offset 0, data behind the directory, extended nodes.
vizdoom: UDMF maps with ACS scripts, and two whole Freedoom games. comrad-bench: maps in Hexen's format.
"""

from __future__ import annotations

import struct
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.builders import judges, packages, wad
from tests.builders.rewriting import rewritten_file

from lumpyard.archives.opening import open_archive

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

SETS = {"oblige": 227, "vizdoom": 20, "comrad-bench": 117}  # WADs in each
ODD = {  # two lumps DIALOGUE in a map; flats between TX_START and TX_END
    "vizdoom": {"map-repeat": 3},
    "comrad-bench": {"block-overlap": 68},
}


@pytest.fixture(scope="module")
def sets(fetched: dict[str, Path]) -> dict[str, dict[str, bytes]]:
    return {name: packages.wads(fetched[name]) for name in SETS}


@pytest.mark.parametrize("name", SETS)
def test_every_wad_is_read_strictly(name: str, sets: dict[str, dict[str, bytes]]) -> None:
    """None of them needs a lenient reading; what is odd in them is told."""
    archives = [open_archive(data) for data in sets[name].values()]
    assert len(archives) == SETS[name]
    assert Counter(found.code for archive in archives for found in archive.warnings) == ODD.get(name, {})


@pytest.mark.parametrize("name", SETS)
def test_every_wad_is_written_anew_entry_by_entry(name: str, sets: dict[str, dict[str, bytes]]) -> None:
    """Signature, count, order, names with what stands behind their zeros, and bytes, by the tests' own reader."""
    for path, data in sets[name].items():
        ours = rewritten_file(data)
        assert ours[:4] == data[:4], path
        assert wad.lumps(ours) == wad.lumps(data), path
        assert len(ours) == 12 + sum(16 + len(raw) for _, raw in wad.lumps(data)), path


def test_the_set_is_as_odd_as_it_should_be(sets: dict[str, dict[str, bytes]]) -> None:
    """Else the tests above would say less than they seem to."""
    odd = {"gaps": 0, "empty at offset 0": 0, "bytes behind the directory": 0, "extended nodes": 0}
    for data in sets["oblige"].values():
        lumps, start = struct.unpack_from("<II", data, 4)
        entries = list(struct.iter_unpack("<II8s", data[start : start + 16 * lumps]))
        odd["gaps"] += 12 + 16 * lumps + sum(size for _, size, _ in entries) < len(data)
        odd["empty at offset 0"] += any(offset == size == 0 for offset, size, _ in entries)
        odd["bytes behind the directory"] += start + 16 * lumps < len(data)
        odd["extended nodes"] += any(data[offset : offset + 4] == b"XNOD" for offset, _, _ in entries)
    assert odd == {
        "gaps": 221,
        "empty at offset 0": 197,
        "bytes behind the directory": 160,
        "extended nodes": 112,
    }


def test_zdbsp_builds_the_same_from_each_rewritten_map(
    sets: dict[str, dict[str, bytes]], tmp_path: Path
) -> None:
    differing = []
    for number, (path, data) in enumerate(sets["oblige"].items()):
        built = []
        for which, written in (("before", data), ("after", rewritten_file(data))):
            folder = tmp_path / f"{number}-{which}"
            folder.mkdir()
            (folder / "in.wad").write_bytes(written)
            built.append(judges.rebuilt(folder / "in.wad", folder))
        if built[0] != built[1] or built[0][0] != 0 or not built[0][1]:
            differing.append(path)
    assert differing == []


def outside(data: bytes) -> bytes:
    """What is in none of header, directory and lumps."""
    left = bytearray(data)
    lumps, start = struct.unpack_from("<II", data, 4)
    left[:12], left[start : start + 16 * lumps] = bytes(12), bytes(16 * lumps)
    for offset, size, _ in struct.iter_unpack("<II8s", data[start : start + 16 * lumps]):
        left[offset : offset + size] = bytes(size)
    return bytes(left)


@pytest.mark.parametrize(("name", "step"), [("oblige", 4), ("vizdoom", 1), ("comrad-bench", 6)])
def test_a_wad_is_an_ewad_and_itself_again(
    name: str, step: int, sets: dict[str, dict[str, bytes]], run: Run, tmp_path: Path
) -> None:
    """Byte for byte, but for what stood between lumps where that was more than zeros: that is told."""
    there, between, back = (tmp_path / name for name in ("1.wad", "2.ewad", "3.wad"))
    for path, data in list(sets[name].items())[::step]:
        there.write_bytes(data)
        assert run("convert", there, between, "--format", "EWAD").status == 0, path
        ran = run("convert", between, back, "--format", data[:4].decode())
        lost = sum(map(bool, outside(data)))
        assert ran.status == 0, path
        assert (back.read_bytes() == data) == (not lost), path
        assert ("bytes outside of header" in ran.err) == bool(lost), path
        assert wad.lumps(back.read_bytes()) == wad.lumps(data), path
