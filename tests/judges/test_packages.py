"""WADs that people and their tools made: each is read strictly, written anew, and not a lump has changed.

oblige: maps and prefabricated parts, with gaps, empty lumps at offset 0, data behind the directory, extended nodes.
vizdoom: UDMF maps with ACS scripts, and two whole Freedoom games. comrad-bench: maps in Hexen's format.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import judges, packages, wad
from tests.builders.rewriting import rewritten_file

from lumpyard.archives.opening import open_archive

if TYPE_CHECKING:
    from pathlib import Path

    from lumpyard.archives.model import Archive

SETS = {"oblige": 227, "vizdoom": 20, "comrad-bench": 117}  # WADs in each


@pytest.fixture(scope="module")
def sets(fetched: dict[str, Path]) -> dict[str, dict[str, bytes]]:
    return {name: packages.wads(fetched[name]) for name in SETS}


@pytest.mark.parametrize("name", SETS)
def test_every_wad_is_read_strictly_and_without_a_warning(
    name: str, sets: dict[str, dict[str, bytes]]
) -> None:
    archives: dict[str, Archive] = {path: open_archive(data) for path, data in sets[name].items()}
    assert len(archives) == SETS[name]
    assert {path: archive.warnings for path, archive in archives.items() if archive.warnings} == {}


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
