"""Extraction writes new whole files strictly below its folder, or nothing, whatever is in the way."""

from __future__ import annotations

import errno
import itertools
import os
import signal
import stat
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.extractions import both_ways, plan, tree, unpack
from tests.builders.faults import Fault, failing

from lumpyard import disk
from lumpyard.errors import DiskError, MalformedError, UnsupportedError
from lumpyard.extract import extract

if TYPE_CHECKING:
    from pathlib import Path


@both_ways
def test_a_lump_that_does_not_read_prevents_no_other() -> None:
    def read(entry: int) -> bytes:
        if entry == 1:
            raise MalformedError("entry 1: its LZ4 block is broken", "lz4", 1)
        if entry == 2:
            raise UnsupportedError("entry 2: compressed in an unknown way", "codec", 2)
        return b"%d" % entry

    failures = extract(plan("a", "b", "c/d", "e"), read, "out")
    assert [(failure.entry, failure.error.code) for failure in failures] == [(1, "lz4"), (2, "codec")]
    assert tree("out") == {"a": b"0", "e": b"3"}


@both_ways
def test_what_is_there_is_not_replaced_unless_asked() -> None:
    disk.write_file("out/b/c", b"mine")
    with pytest.raises(DiskError, match=r"^cannot write out/b/c: File exists$"):
        unpack("a", "b/c")
    assert tree("out") == {"b/c": b"mine"}
    assert unpack("a", "b/c", overwrite=True) == []
    assert tree("out") == {"a": b"0", "b/c": b"1"}


@both_ways
def test_a_file_that_appears_meanwhile_is_not_replaced() -> None:
    def read(entry: int) -> bytes:
        disk.write_file("out/b", b"mine")
        return b"%d" % entry

    with pytest.raises(DiskError, match=r"^cannot write out/b: File exists$"):
        extract(plan("b"), read, "out")
    assert tree("out") == {"b": b"mine"}


def make_link(path: str, target: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(target, path)


@both_ways
@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(("link", "name"), [("out/a", "a/x"), ("out/a/b", "a/b/x"), ("out/a", "a/b/c/x")])
def test_a_planted_link_to_a_folder_is_never_followed(
    link: str, name: str, overwrite: bool, folder: Path
) -> None:
    disk.make_folder("outside/b/c")
    make_link(link, str(folder / "outside"))
    with pytest.raises(DiskError, match=f"^cannot write out/{name}: a link is where a folder must be$"):
        unpack("first", name, overwrite=overwrite)
    assert os.listdir("outside") == ["b"]
    assert tree("outside") == {}
    assert not os.path.exists("out/first")


@both_ways
def test_a_planted_link_to_a_file_is_replaced_and_not_written_through() -> None:
    disk.write_file("outside", b"mine")
    make_link("out/a", "../outside")
    with pytest.raises(DiskError, match=r"^cannot write out/a: File exists$"):
        unpack("a")
    assert unpack("a", overwrite=True) == []
    assert tree() == {"out/a": b"0", "outside": b"mine"}


@both_ways
@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(
    ("make", "name", "message"),
    [
        (os.mkfifo, "a", "cannot write out/a: a FIFO is in its place"),
        (os.mkfifo, "a/b", "cannot write out/a/b: a FIFO is where a folder must be"),
        (os.mkdir, "a", "cannot write out/a: a folder is in its place"),
        (os.mknod, "a/b", "cannot write out/a/b: a file is where a folder must be"),
    ],
)
def test_what_is_in_the_way_is_said(make: object, name: str, message: str, overwrite: bool) -> None:
    os.mkdir("out")
    assert callable(make)
    make("out/a")
    with pytest.raises(DiskError, match=f"^{message}$"):
        unpack("first", name, overwrite=overwrite)
    assert os.listdir("out") == ["a"]


@pytest.mark.parametrize("what", ["file", "fifo"])
def test_a_target_that_is_no_folder_is_refused(what: str) -> None:
    if what == "file":
        disk.write_file("out", b"mine")
    else:
        os.mkfifo("out")
    with pytest.raises(DiskError, match=r"^cannot write out/a: Not a directory$"):
        unpack("a")


@both_ways
def test_the_folder_itself_may_be_a_link() -> None:
    os.mkdir("real")
    os.symlink("real", "out")
    assert unpack("a/b") == []
    assert tree("real") == {"a/b": b"0"}


@both_ways
def test_files_get_plain_modes() -> None:
    unpack("a/b")
    umask = os.umask(0o022)
    os.umask(umask)
    assert stat.S_IMODE(os.stat("out/a/b").st_mode) == 0o666 & ~umask
    assert stat.S_IMODE(os.stat("out/a").st_mode) == 0o777 & ~umask
    assert os.stat("out/a/b").st_nlink == 1


@both_ways
def test_a_file_system_without_hard_links_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    assert unpack("a/b") == []
    assert tree("out") == {"a/b": b"0"}
    with pytest.raises(DiskError, match="File exists"):
        unpack("a/b")


@both_ways
@pytest.mark.parametrize("lasting", [False, True])
def test_a_fault_at_any_call_leaves_whole_files_only(lasting: bool) -> None:
    at = 0
    while True:
        disk.remove_folder_tree("out")
        fault = Fault(at, errno.ENOSPC, lasting=lasting)
        try:
            with failing(fault):
                unpack("a/b", "a/c", "d")
        except DiskError as refused:
            assert str(refused).endswith(": No space left on device")  # noqa: PT017
        else:
            break
        assert tree().items() <= {"out/a/b": b"0", "out/a/c": b"1", "out/d": b"2"}.items()
        at += 1
    assert at > 10


def test_a_killed_extraction_leaves_whole_files_under_final_names() -> None:
    data = os.urandom(1 << 20)
    pid = os.fork()
    if pid == 0:

        def read(entry: int) -> bytes:
            if entry == 2:
                os.kill(os.getpid(), signal.SIGKILL)
            return data

        extract(plan("a/b", "a/c", "d"), read, "out")
    assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL
    assert tree("out") == {"a/b": data, "a/c": data}


def test_folders_swapped_for_links_meanwhile_lead_nowhere(folder: Path) -> None:
    """Another program swaps a folder for a link to one outside, as fast as it can."""
    disk.make_folder("outside")
    disk.make_folder("out/a")
    os.symlink(str(folder / "outside"), "link")
    stop = threading.Event()
    junk = itertools.count()

    def put(path: str) -> None:
        while True:
            try:
                os.rename(path, "out/a")
            except OSError:  # the extraction has just made a folder there
                os.rename("out/a", f"junk{next(junk)}")
            else:
                break

    def swap() -> None:
        while not stop.is_set():
            os.rename("out/a", "kept")
            put("link")
            os.rename("out/a", "link")
            put("kept")

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for number in range(100):
            try:
                unpack(f"a/{number}")
            except DiskError:
                continue
    finally:
        stop.set()
        swapper.join()
    assert os.listdir("outside") == []


def test_no_folder_stays_open() -> None:
    before = os.listdir("/proc/self/fd")
    unpack("a/b/c/d", "a/b/e", "f/g", "h")
    with pytest.raises(DiskError):
        unpack("a/b/c/d")
    assert os.listdir("/proc/self/fd") == before


@given(st.binary(max_size=300_000))
def test_bytes_arrive_as_they_are(data: bytes) -> None:
    extract(plan("a"), lambda _: memoryview(data), "out", overwrite=True)
    assert disk.read_file("out/a") == data
