"""One scan says what a folder holds: files with their stats, folders, and what is odd."""

from __future__ import annotations

import errno
import os
import socket
import struct
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard import disk, errors
from lumpyard.disk import scan, stats
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a project folder of its own, "project" below another."""
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def scan_of(path: str, project: str = "") -> disk.FolderScan:
    """What a folder holds, which must be there."""
    found = disk.scan_folder(path, project)
    assert found is not None
    return found


def put(*paths: str) -> None:
    """Make files."""
    for path in paths:
        disk.write_file(path, path.encode("utf-8", "surrogateescape"), durable=False)


@given(
    st.sets(
        st.binary(min_size=1, max_size=6).filter(
            lambda name: not {0, 47} & {*name} and name not in {b".", b".."}
        )
    )
)
def test_files_are_sorted_by_the_bytes_of_their_names(
    tmp_path_factory: pytest.TempPathFactory, names: set[bytes]
) -> None:
    folder = os.fsencode(tmp_path_factory.mktemp("names"))
    for name in names:
        with open(os.path.join(folder, name), "wb"):
            pass
    found = scan_of(os.fsdecode(folder))
    assert [name.encode("utf-8", "surrogateescape") for name in found.names] == sorted(names)
    assert (found.folders, found.odd) == ((), ())


def test_the_stats_are_four_little_endian_numbers_a_file() -> None:
    put("b", "a", "cc")
    os.utime("b", ns=(1, -5_000_000_001))
    found = scan_of("")
    assert found.names == ("a", "b", "cc")
    assert len(found.stats) == 3 * 32
    for number, name in enumerate(found.names):
        result = os.stat(name)
        expected = (result.st_size, result.st_mtime_ns, result.st_ctime_ns, result.st_ino)
        assert struct.unpack_from("<qqqq", found.stats, number * 32) == expected
        assert disk.stat_file(name) == expected


def test_what_is_neither_a_file_nor_a_folder_is_odd(folder: Path) -> None:
    put("file")
    disk.make_folder("sub/deep")
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
    os.symlink("nowhere", "dangling")
    os.symlink("self", "self")
    os.symlink("pong", "ping")
    os.symlink("ping", "pong")
    os.symlink("..", "up")
    os.symlink(".", "here")
    os.symlink("/etc", "etc")
    os.symlink("/dev/null", "null")
    os.symlink("pipe", "to-pipe")
    (folder / "project2").mkdir()
    os.symlink("../project2", "sibling")
    found = scan_of("")
    assert found.names == ("file",)
    assert found.folders == ("sub",)
    assert dict(found.odd) == {
        "pipe": "a FIFO",
        "socket": "a socket",
        "dangling": "a dangling link",
        "self": "a link loop",
        "ping": "a link loop",
        "pong": "a link loop",
        "up": "a link that leaves the project",
        "here": "a link loop",
        "etc": "a link that leaves the project",
        "null": "a link that leaves the project",
        "to-pipe": "a link to a FIFO",
        "sibling": "a link that leaves the project",
    }
    assert [name for name, _ in found.odd] == sorted(name for name, _ in found.odd)


@pytest.mark.parametrize("absolute", [False, True])
def test_links_inside_the_project_are_followed(absolute: bool, folder: Path) -> None:
    put("assets/real/a.png")
    os.symlink("real", "assets/folder")
    os.symlink("real/a.png", "assets/file")
    os.symlink(str(folder / "project" / "assets" / "real" / "a.png"), "assets/full")
    top = str(folder / "project") if absolute else ""
    found = scan_of(f"{top}/assets" if absolute else "assets", top)
    assert found.names == ("file", "full")
    assert found.folders == ("folder", "real")
    assert found.odd == ()
    target = disk.stat_file("assets/real/a.png")
    assert target is not None
    assert found.stats == struct.pack("<qqqq", *target) * 2


def test_a_project_that_is_reached_through_a_link_is_one_all_the_same(folder: Path) -> None:
    put("assets/a", "b")
    os.symlink("../b", "assets/link")
    os.symlink("project", folder / "other")
    assert scan_of(f"{folder}/other/assets", f"{folder}/other").names == ("a", "link")


def test_a_link_that_is_retargeted_changes_the_stats() -> None:
    put("a", "b")
    os.symlink("a", "link")
    before = scan_of("").stats
    os.unlink("link")
    os.symlink("b", "link")
    assert scan_of("").stats != before


def test_links_between_two_folders_end() -> None:
    put("a/file", "b/file", "c/d/file")
    os.symlink("../b", "a/to-b")
    os.symlink("../a", "b/to-a")
    os.symlink("../../c", "c/d/up")
    os.symlink("c/d", "sideways")
    assert sorted(disk.iter_files("")) == [
        "a/file",
        "a/to-b/file",
        "b/file",
        "b/to-a/file",
        "c/d/file",
        "sideways/file",
    ]


def test_all_files_come_sorted_folder_by_folder() -> None:
    put("b", "a/b", "a/a/c", "a.txt", "c/d")
    assert list(disk.iter_files("")) == ["a.txt", "b", "a/b", "a/a/c", "c/d"]
    assert list(disk.iter_files("a")) == ["b", "a/c"]
    assert list(disk.iter_files("missing")) == []


@pytest.mark.parametrize("path", ["missing", "missing/sub", "file/sub", "a\0b", "x" * 300, "\ud800"])
def test_a_folder_that_is_not_there_is_none(path: str) -> None:
    put("file")
    assert disk.scan_folder(path, "") is None
    assert disk.stat_file(path) is None
    assert not disk.is_there(path)


def test_a_file_is_no_folder() -> None:
    put("file")
    with pytest.raises(DiskError, match=r"^cannot list file: it is a file, not a folder$"):
        disk.scan_folder("file", "")


def test_a_folder_that_cannot_be_listed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: bytes) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(DiskError, match=r"^cannot list assets: Permission denied$"):
        disk.scan_folder("assets", "")


class Vanished:
    """A directory entry whose file is gone by the time it is looked at, or may not be looked at."""

    name, path = b"gone", b"./gone"

    def __init__(self, kind: str, error: OSError | None = None) -> None:
        self.kind = kind
        self.error = error or FileNotFoundError()

    def is_file(self, **_: bool) -> bool:
        return self.kind == "file"

    def is_dir(self, **_: bool) -> bool:
        return False

    def stat(self, **_: bool) -> os.stat_result:
        raise self.error


def list_also(entry: Vanished, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every folder hold this entry too."""
    real = os.scandir

    class Scan:
        def __init__(self, folder: bytes) -> None:
            self.real = real(folder)

        def __enter__(self) -> Any:
            return [entry, *self.real]

        def __exit__(self, *_: object) -> None:
            self.real.close()

    monkeypatch.setattr(os, "scandir", Scan)


@pytest.mark.parametrize("kind", ["file", "pipe"])
def test_a_file_that_vanishes_meanwhile_is_not_there(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put("a")
    list_also(Vanished(kind), monkeypatch)
    assert scan_of("").names == ("a",)
    assert scan_of("").odd == ()


@pytest.mark.parametrize("kind", ["file", "pipe"])
@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.ESTALE, errno.ENAMETOOLONG])
def test_a_file_that_cannot_be_looked_at_is_an_error_and_not_left_out(
    kind: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a folder that may be listed, but not entered."""
    put("assets/a")
    list_also(Vanished(kind, OSError(number, os.strerror(number))), monkeypatch)
    with pytest.raises(DiskError, match=f"^cannot list assets: {os.strerror(number)}$"):
        disk.scan_folder("assets", "")


def test_a_link_to_what_may_not_be_looked_at_is_odd(monkeypatch: pytest.MonkeyPatch) -> None:
    os.symlink("/elsewhere/a", "link")

    def refuse(_: bytes) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "stat", refuse)
    assert scan_of("").odd == (("link", "a link to what may not be looked at"),)


@pytest.mark.parametrize("inode", [2**63 - 1, 2**63, 2**64 - 1])
def test_an_inode_of_any_size_fits(inode: int) -> None:
    result = os.stat_result((0o100644, inode, 1, 1, 0, 0, 5, 0, 0, 0), {"st_mtime_ns": 6, "st_ctime_ns": 7})
    stat = stats.to_stat(result)
    assert scan.STAT.unpack(scan.STAT.pack(*stat)) == stat
    assert stat.inode % 2**64 == inode


def test_where_times_of_change_mean_nothing_they_are_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    put("a")
    for module in (scan, stats):
        monkeypatch.setattr(module, "CHANGES_ARE_STAMPED", False)
    found = disk.stat_file("a")
    assert found is not None
    assert (found.size, found.ctime_ns, found.inode) == (1, 0, 0)
    assert scan_of("").stats == scan.STAT.pack(*found)


def test_a_stat_is_of_regular_files_only() -> None:
    os.mkfifo("pipe")
    os.symlink("pipe", "link")
    assert [disk.stat_file(path) for path in ("", "pipe", "link")] == [None] * 3
    assert disk.is_there("pipe")
    os.symlink("nowhere", "dangling")
    assert disk.is_there("dangling")


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_names_are_the_same_under_every_locale(locale: str) -> None:
    """Without UTF-8 mode and under the locale C, Python itself would take names for ASCII."""
    put("é", "\udcff", "sub/ö")
    code = (
        "import lumpyard.disk as d;"
        "print(ascii((d.scan_folder('', ''), list(d.iter_files('')), d.read_file('\\xe9'))))"
    )
    roots = os.path.dirname(os.path.dirname(errors.__file__))
    env = {"PYTHONPATH": roots, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    child = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    found = scan_of("")
    assert found.names == ("é", "\udcff")
    assert child.stdout == ascii((found, ["é", "\udcff", "sub/ö"], "é".encode())) + "\n"
    assert child.stderr == ""


def test_real_paths_follow_links_and_keep_what_is_missing(folder: Path) -> None:
    os.symlink("..", "up")
    assert disk.real_path("up/x") == f"{folder}/x"
    assert disk.real_path("") == f"{folder}/project"


def test_the_clock_is_that_of_new_files() -> None:
    before = disk.file_clock("state")
    put("a")
    found = disk.stat_file("a")
    after = disk.file_clock("state")
    assert found is not None
    assert before <= found.mtime_ns <= after
    assert os.listdir("state") == []


def test_a_clock_that_cannot_be_read_is_an_error() -> None:
    put("state")
    with pytest.raises(DiskError, match=r"^cannot write to state: Not a directory$"):
        disk.file_clock("state")


def test_what_is_no_folder_is_called_by_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DiskError, match=r"pipe: it is a FIFO, not a folder$"):
        disk.scan_folder(f"{tmp_path}/pipe", str(tmp_path))
