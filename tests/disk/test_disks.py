"""The suite that every Disk runs: the real one and its twin in memory answer alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from lumpyard.disk.door import Disk, RealDisk
from lumpyard.disk.memory import MemoryDisk
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(params=["real", "memory"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Disk:
    """Each kind of disk, empty."""
    return RealDisk(str(tmp_path)) if request.param == "real" else MemoryDisk()


def test_what_is_written_is_read(disk: Disk) -> None:
    disk.write("a/b.txt", b"1")
    disk.write("a/b.txt", b"22")
    assert disk.read("a/b.txt") == b"22"


@pytest.mark.parametrize("path", ["missing", "missing/a", "file/a"])
def test_what_is_not_there_is_not_found(disk: Disk, path: str) -> None:
    disk.write("file", b"")
    with pytest.raises(FileNotFoundError):
        disk.read(path)
    assert not disk.exists(path)
    assert disk.stat(path) is None
    assert disk.list(path) is None
    assert not disk.remove(path)


def test_a_write_makes_the_folders_above(disk: Disk) -> None:
    disk.write("a/b/c", b"")
    assert disk.exists("a")
    assert disk.exists("a/b")
    assert disk.exists("a/b/c")


def test_a_folder_lists_files_and_folders_by_bytes(disk: Disk) -> None:
    for path in ("b", "é", "Z", "\udcff", "sub/x", "a.sub/y", "sub2/deep/z"):
        disk.write(path, path.encode("utf-8", "surrogateescape"))
    found = disk.list("")
    assert found is not None
    assert found.names == ("Z", "b", "é", "\udcff")
    assert found.folders == ("a.sub", "sub", "sub2")
    assert found.odd == ()
    assert len(found.stats) == 4 * 32
    below = disk.list("sub2")
    assert below is not None
    assert (below.names, below.folders) == ((), ("deep",))


def test_the_stat_tells_of_a_change(disk: Disk) -> None:
    disk.write("a", b"1")
    before = disk.stat("a")
    disk.write("a", b"2")
    after = disk.stat("a")
    assert before is not None
    assert after is not None
    assert before.size == after.size == 1
    assert before != after
    disk.make_folder("folder")
    assert disk.stat("folder") is None


def test_what_is_removed_is_gone_and_its_folder_stays(disk: Disk) -> None:
    disk.write("a/b", b"")
    assert disk.remove("a/b")
    assert not disk.remove("a/b")
    assert not disk.exists("a/b")
    assert disk.exists("a")


def test_a_folder_is_made_once_or_twice(disk: Disk) -> None:
    disk.make_folder("a/b")
    disk.make_folder("a/b")
    found = disk.list("a")
    assert found is not None
    assert found.folders == ("b",)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda disk: disk.read("folder"), "it is a folder, not a file"),
        (lambda disk: disk.write("folder", b""), "it is a folder, not a file"),
        (lambda disk: disk.remove("folder"), "Is a directory"),
        (lambda disk: disk.list("file"), "it is a file, not a folder"),
        (lambda disk: disk.make_folder("file"), "Not a directory"),
        (lambda disk: disk.make_folder("file/a"), "Not a directory"),
        (lambda disk: disk.write("file/a", b""), "Not a directory"),
    ],
)
def test_a_file_is_no_folder_and_a_folder_no_file(
    disk: Disk, act: Callable[[Disk], object], message: str
) -> None:
    disk.make_folder("folder")
    disk.write("file", b"")
    with pytest.raises(DiskError, match=f"^cannot .*: {message}$"):
        act(disk)


def test_the_disk_in_memory_logs_what_is_read_and_written() -> None:
    disk = MemoryDisk({"in": b"1", "a/other": b"2"})
    assert (disk.reads, disk.writes) == ([], [])
    disk.write("out", disk.read("in"))
    assert (disk.reads, disk.writes) == (["in"], ["out"])


PATHS = st.sampled_from(["a", "b", "a/a", "a/b", "b/a/a", "b/a"])


def test_both_disks_answer_alike_whatever_is_done(tmp_path: Path) -> None:
    """Any run of calls gives the same answers on both."""
    runs = iter(range(1_000_000))

    class Alike(RuleBasedStateMachine):
        @initialize()
        def start(self) -> None:
            folder = tmp_path / str(next(runs))
            folder.mkdir()
            self.disks: list[Disk] = [RealDisk(str(folder)), MemoryDisk()]

        def both(self, act: Callable[[Disk], object]) -> None:
            answers = []
            for disk in self.disks:
                try:
                    answers.append(act(disk))
                except (DiskError, FileNotFoundError) as error:
                    answers.append(type(error))
            assert answers[0] == answers[1]

        @rule(path=PATHS, data=st.binary(max_size=3))
        def write(self, path: str, data: bytes) -> None:
            self.both(lambda disk: disk.write(path, data))

        @rule(path=PATHS)
        def look(self, path: str) -> None:
            self.both(lambda disk: disk.read(path))
            self.both(lambda disk: disk.exists(path))
            self.both(lambda disk: (found := disk.stat(path)) and found.size)
            self.both(lambda disk: (found := disk.list(path)) and (found.names, found.folders, found.odd))

        @rule(path=PATHS)
        def remove(self, path: str) -> None:
            self.both(lambda disk: disk.remove(path))

        @rule(path=PATHS)
        def make_folder(self, path: str) -> None:
            self.both(lambda disk: disk.make_folder(path))

    run_state_machine_as_test(Alike)
