"""Engines and libraries find in our PAKs what we put there: PhysFS, DarkPlaces; and a PAK of Quake is read and kept."""

from __future__ import annotations

import hashlib
import random
import struct
from typing import TYPE_CHECKING

import pytest
from tests.builders import judges, plain
from tests.builders.rewriting import content, rewritten_file

from lumpyard.archives.opening import open_archive

if TYPE_CHECKING:
    from pathlib import Path

LUMPS = [
    (f"{folder}/{number:03}.{suffix}".encode(), random.Random(number).randbytes(number * 7))
    for folder, suffix in (("maps", "bsp"), ("progs/deep/er", "mdl"), ("sound", "wav"))
    for number in range(200)
]


def as_found(lumps: list[tuple[bytes, bytes]]) -> list[tuple[str, int, str]]:
    return sorted((name.decode(), len(raw), hashlib.sha256(raw).hexdigest()) for name, raw in lumps)


def ours(lumps: list[tuple[bytes, bytes]]) -> bytes:
    return rewritten_file(plain.pak(lumps))


def test_physfs_finds_every_byte_in_a_pak_of_six_hundred_lumps(tmp_path: Path) -> None:
    pak = tmp_path / "ours.pak"
    pak.write_bytes(ours(LUMPS))
    assert judges.mounted(pak) == as_found(LUMPS)


def test_physfs_sees_one_changed_byte_and_refuses_a_cut_directory(tmp_path: Path) -> None:
    """So that the test above would fail if anything were wrong."""
    changed, cut = tmp_path / "changed.pak", tmp_path / "cut.pak"
    changed.write_bytes(ours([*LUMPS[:-1], (LUMPS[-1][0], LUMPS[-1][1][:-1] + b"\0")]))
    cut.write_bytes(ours(LUMPS)[:-1])
    assert judges.mounted(changed) not in (None, as_found(LUMPS))
    assert judges.mounted(cut) is None


def test_physfs_finds_the_lumps_of_our_wads(tmp_path: Path) -> None:
    lumps = [
        (b"PLAYPAL", b"colours"),
        (b"EMPTY", b""),
        (b"A12345_8", b"eight"),
        (b"S_START", b""),
        (b"S_END", b""),
    ]
    for signature in (b"IWAD", b"PWAD"):
        path = tmp_path / f"{signature.decode()}.wad"
        path.write_bytes(rewritten_file(plain.wad(lumps, signature)))
        found = judges.mounted(path)
        assert found is not None
        assert set(found) == set(as_found(lumps))


def test_a_quake_server_reads_the_scripts_in_a_pak_of_six_hundred_lumps(tmp_path: Path) -> None:
    """Each script says its own word, so that each one's place and size have been right."""
    scripts = [
        (f"say/{number:03}.cfg".encode(), b"echo word-%d-%d\n" % (number, number**3)) for number in range(300)
    ]
    everything = b"".join(b"exec " + name + b"\n" for name, _ in scripts)
    lumps = [*LUMPS[:299], (b"all.cfg", everything), *scripts]

    lines = judges.served(ours(lumps), ["path", "exec all.cfg", "dir maps/*"], tmp_path)

    assert any(line.endswith("pak0.pak (600 files)") for line in lines), lines[:30]
    words = [line.strip() for line in lines if line.startswith("word-")]
    assert words == [f"word-{number}-{number**3}" for number in range(300)]
    assert {line.strip() for line in lines} >= {name.decode() for name, _ in LUMPS[:200]}


def test_a_quake_server_that_lacks_a_script_does_not_say_its_word(tmp_path: Path) -> None:
    lines = judges.served(ours([(b"b.cfg", b"echo word-b\n")]), ["exec a.cfg", "exec b.cfg"], tmp_path)
    assert [line.strip() for line in lines if "word" in line] == ["word-b"]


def test_a_pak_made_for_quake_is_read_and_kept(tmp_path: Path) -> None:
    data = judges.data_of(*judges.QUAKE_PAK)
    archive = open_archive(data)
    assert (archive.format, list(archive.warnings)) == ("PAK", [])
    new = tmp_path / "ours.pak"
    new.write_bytes(rewritten_file(data))

    start, size = struct.unpack_from("<II", data, 4)
    expected = [
        (name.partition(b"\0")[0], data[offset : offset + stored])
        for name, offset, stored in struct.iter_unpack("<56sII", data[start : start + size])
    ]
    assert [(lump.name, bytes(archive.read(index))) for index, lump in enumerate(archive.lumps)] == expected
    assert content(open_archive(new.read_bytes())) == content(archive)
    assert judges.mounted(new) == judges.mounted(judges.QUAKE_PAK[0]) == as_found(expected)


@pytest.mark.parametrize("name", [b"a" * 55, b"folder/" + b"b" * 48])
def test_the_longest_name_that_we_write_is_whole_everywhere(name: bytes, tmp_path: Path) -> None:
    """ "write <= 55": one engine cuts a name that fills all 56 bytes."""
    pak = tmp_path / "ours.pak"
    pak.write_bytes(ours([(name, b"long")]))
    assert judges.mounted(pak) == as_found([(name, b"long")])
    lines = judges.served(pak.read_bytes(), ["dir *", "dir folder/*"], tmp_path)
    assert name.decode() in {line.strip() for line in lines}
