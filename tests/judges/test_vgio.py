"""A reader of Quake's archives that others wrote, vgio, finds in our WAD2 and PAK what we put there."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.builders import packages, plain
from tests.builders.rewriting import rewritten_file
from tests.cases.test_textures import miptex

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import hashlib, json, sys
from vgio.quake import pak, wad

kind = wad.WadFile if sys.argv[1] == "wad" else pak.PakFile
with kind(sys.argv[2]) as archive:
    lumps = [(info, archive.read(info.filename)) for info in archive.infolist()]
    print(json.dumps([
        [info.filename, info.file_size, getattr(info, "type", 0), hashlib.sha256(raw).hexdigest()]
        for info, raw in lumps
    ]))
"""
LUMPS = [
    *((f"WALL{number}".encode(), miptex(b"WALL%d" % number, 16 * number, 64)) for number in range(1, 40)),
    (b"PALETTE", bytes(range(256)) * 3),
    (b"CONCHARS", bytes(range(256)) * 64),
    (b"fifteen letters", b""),
]


@pytest.fixture(scope="module")
def modules(fetched: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packages.unpacked(fetched["vgio"], tmp_path_factory.mktemp("vgio"))


def found(kind: str, path: Path, modules: Path) -> list[tuple[str, int, int, str]] | None:
    """Name, size, type and digest of each lump that vgio finds; None where it does not read the archive."""
    environ = {**os.environ, "PYTHONPATH": str(modules), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", PROGRAM, kind, str(path)]
    done = subprocess.run(command, env=environ, capture_output=True, check=False, timeout=60)
    return [(name, *rest) for name, *rest in json.loads(done.stdout)] if done.returncode == 0 else None


def expected(kind: int) -> list[tuple[str, int, int, str]]:
    return [(name.decode(), len(raw), kind, hashlib.sha256(raw).hexdigest()) for name, raw in LUMPS]


@pytest.mark.parametrize("kind", [0x40, 0x44])
def test_it_finds_every_lump_of_a_wad2_with_its_type(kind: int, modules: Path, tmp_path: Path) -> None:
    (tmp_path / "ours.wad").write_bytes(rewritten_file(plain.wad2(LUMPS, kind=kind)))
    assert found("wad", tmp_path / "ours.wad", modules) == expected(kind)


def test_it_finds_every_lump_of_a_pak(modules: Path, tmp_path: Path) -> None:
    (tmp_path / "ours.pak").write_bytes(rewritten_file(plain.pak(LUMPS)))
    assert found("pak", tmp_path / "ours.pak", modules) == expected(0)


@pytest.mark.parametrize("kind", ["wad", "pak"])
def test_it_sees_a_changed_byte_and_refuses_what_is_no_such_archive(
    kind: str, modules: Path, tmp_path: Path
) -> None:
    """So that the tests above would fail if anything were wrong."""
    changed = [*LUMPS[:-2], (b"CONCHARS", bytes(16384)), LUMPS[-1]]
    (tmp_path / "ours").write_bytes(
        rewritten_file(plain.wad2(changed) if kind == "wad" else plain.pak(changed))
    )
    assert found(kind, tmp_path / "ours", modules) not in (None, expected(0x44 if kind == "wad" else 0))
    (tmp_path / "none").write_bytes(b"PWAD" + bytes(64))
    assert found(kind, tmp_path / "none", modules) is None
