"""An archive of sources on its own: any file gives lumps, or one line that says what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.builders import ewad, mpq, plain

from lumpyard import disk
from lumpyard.build.sources.archived import SourceArchive
from lumpyard.build.sources.entry_tree import path_fault
from lumpyard.disk import STAT, FolderScan
from lumpyard.errors import ArchiveError

if TYPE_CHECKING:
    from pathlib import Path

LUMPS = [(b"A", b"one"), (b"B", b""), (b"C", b"three" * 9)]
ARCHIVES = {
    "wad": plain.wad(LUMPS),
    "wad2": plain.wad2(LUMPS),
    "pak": plain.pak(LUMPS),
    "daikatana": plain.daikatana([(b"A", b"one", None), (b"B.wal", b"\x40\xff", 2)]),
    "ewad": ewad.build([ewad.Written(name, raw) for name, raw in LUMPS]),
    "mpq": mpq.build([mpq.Written(b"A", b"one"), mpq.listfile([mpq.Written(b"A")])]),
}


def opened(path: Path, *, lenient: bool = False) -> SourceArchive:
    stat = disk.stat_file(str(path))
    assert stat is not None
    return SourceArchive("the.archive", str(path), stat, lenient=lenient)


def look_through(archive: SourceArchive) -> int:
    """How many lumps there are, each of the size that is told or not decodable."""
    assert "\n" not in archive.fault
    assert bool(archive.fault) <= (archive.paths == ())
    for path, block in zip(archive.paths, archive.blocks(), strict=True):
        try:
            raw = archive.read(archive.index(path))
        except ArchiveError:
            continue
        assert len(raw) == STAT.unpack(block)[0]
    return len(archive.paths)


@pytest.mark.parametrize("name", ARCHIVES)
def test_each_format_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(ARCHIVES[name])
    archive = opened(path)
    assert (archive.fault, archive.warnings) == ("", ())
    assert look_through(archive) >= 2
    assert archive.read(archive.index("A")) == b"one"
    archive.close()


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("name", ARCHIVES)
def test_any_truncation_gives_lumps_or_one_line(tmp_path: Path, name: str, *, lenient: bool) -> None:
    path = tmp_path / "a"
    for end in range(0, len(ARCHIVES[name]), 3):
        path.write_bytes(ARCHIVES[name][:end])
        archive = opened(path, lenient=lenient)
        look_through(archive)
        archive.close()


@pytest.mark.parametrize("name", ARCHIVES)
def test_any_flipped_byte_gives_lumps_or_one_line(tmp_path: Path, name: str) -> None:
    path, data = tmp_path / "a", ARCHIVES[name]
    for place in range(len(data)):
        for flip in (0x01, 0x80):
            path.write_bytes(data[:place] + bytes([data[place] ^ flip]) + data[place + 1 :])
            archive = opened(path, lenient=True)
            look_through(archive)
            archive.close()


def test_folders_of_an_archive_are_scans_like_those_of_a_disk(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(plain.pak([(b"x/y/b", b"12"), (b"x/a", b"1"), (b"top", b""), (b"x/y/a", b"3")]))
    archive = opened(path)
    top, deep = archive.scan(""), archive.scan("x/y")
    assert isinstance(top, FolderScan)
    assert isinstance(deep, FolderScan)
    assert (top.names, top.folders, top.odd) == (("top",), ("x",), ())
    assert (deep.names, [STAT.unpack_from(deep.stats, at)[0] for at in (0, 32)]) == (("a", "b"), [1, 2])
    assert (archive.scan("nope"), archive.scan("top")) == (None, None)
    archive.close()


def test_blocks_tell_lumps_apart_and_change_with_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(ARCHIVES["pak"])
    first = opened(path)
    again = opened(path)
    assert first.paths == again.paths  # which opens them
    assert first.blocks() == again.blocks()
    assert len(set(first.blocks())) == 3
    lenient = opened(path, lenient=True)
    assert lenient.paths == first.paths
    assert not set(lenient.blocks()) & set(first.blocks())
    (tmp_path / "b").write_bytes(ARCHIVES["pak"])
    other = opened(tmp_path / "b")
    assert other.paths == first.paths
    assert not set(other.blocks()) & set(first.blocks())
    for archive in (first, again, lenient, other):
        archive.close()


def test_an_archive_that_changed_since_it_was_looked_at_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(ARCHIVES["pak"])
    archive = opened(path)
    path.write_bytes(ARCHIVES["wad"])
    assert archive.fault == "it changed while it was being read; run the build again"
    assert archive.paths == ()


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("a/b", ""),
        ("a b", ""),
        (".hidden", ""),
        (None, "has no name"),
        ("", "has an empty name"),
        ("/a", "has a name that is no clean path"),
        ("a/", "has a name that is no clean path"),
        ("a//b", "has a name that is no clean path"),
        ("a/../b", "has a name that is no clean path"),
        ("./a", "has a name that is no clean path"),
        ("a\0b", "has a name that is no clean path"),
        ("a/" * 600 + "b", "has a name of 1,201 characters"),
    ],
)
def test_which_paths_may_be_files(path: str | None, fault: str) -> None:
    assert path_fault(path) == fault
