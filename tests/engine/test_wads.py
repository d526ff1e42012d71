"""The tests' own WAD reader, which takes real WADs apart, is right itself."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import vectors, wad

if TYPE_CHECKING:
    from pathlib import Path

SOUND = [
    name
    for kind in ("iwad", "pwad")
    for name in vectors.names(kind)
    if vectors.expectations()[name]["load"] == "ok"
]


def made(*lumps: tuple[bytes, bytes]) -> bytes:
    data = b"".join(raw for _, raw in lumps)
    directory, offset = b"", 12
    for name, raw in lumps:
        directory += struct.pack("<II8s", offset, len(raw), name)
        offset += len(raw)
    return struct.pack("<4sII", b"PWAD", len(lumps), 12 + len(data)) + data + directory


@pytest.mark.parametrize("name", SOUND)
def test_it_finds_the_lumps_of_the_vectors(name: str) -> None:
    data = vectors.read(name)
    expected = [
        (bytes.fromhex(entry["name"]), data[entry["offset"] : entry["offset"] + entry["stored"]])
        for entry in vectors.expectations()[name]["entries"]
    ]
    found = wad.lumps(data)
    assert [raw for _, raw in found] == [raw for _, raw in expected]
    assert [name.partition(b"\0")[0] for name, _ in found] == [name for name, _ in expected]


def test_lumps_of_one_name_get_paths_of_their_own(tmp_path: Path) -> None:
    lumps = [
        (b"PLAYPAL", b"one"),
        (b"MAP01", b""),
        (b"THINGS", b"things 1"),
        (b"MAP02", b""),
        (b"THINGS", b"things 2"),
        (b"S_START", b""),
        (b"VILE\\1", b"sprite"),
        (b"S_END", b""),
        (b"PLAYPAL", b"two"),
        (b"playpal", b"three"),
    ]
    (tmp_path / "x.wad").write_bytes(made(*lumps))
    files = wad.explode(tmp_path / "x.wad", tmp_path / "out")
    assert files == {
        "lumps/PLAYPAL.lmp": b"one",
        "maps/MAP01/MAP01.lmp": b"",
        "maps/MAP01/THINGS.lmp": b"things 1",
        "maps/MAP02/MAP02.lmp": b"",
        "maps/MAP02/THINGS.lmp": b"things 2",
        "sprites/S_START.lmp": b"",
        "sprites/VILE%5C1.lmp": b"sprite",
        "sprites/S_END.lmp": b"",
        "lumps/PLAYPAL~2.lmp": b"two",
        "lumps/playpal.lmp": b"three",
    }
    for path, raw in files.items():
        assert (tmp_path / "out" / path).read_bytes() == raw
