"""Reading never hangs, never reads half of a file, and says in one line why it cannot."""

from __future__ import annotations

import os
import resource
import signal
import socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumpyard import disk
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def with_map(path: str) -> None:
    with disk.open_map(path):
        pass


def with_open(path: str) -> None:
    with disk.OpenFile(path):
        pass


READERS: list[Callable[[str], object]] = [
    disk.read_file,
    disk.read_if_there,
    lambda path: disk.read_with_stat(path, 0),
    lambda path: disk.read_with_stat(path, 100),
    with_map,
    with_open,
]


@given(st.binary(max_size=50), st.integers(0, 60))
def test_every_hint_gives_the_same_bytes(data: bytes, hint: int) -> None:
    disk.write_file("a", data, durable=False)
    assert disk.read_with_stat("a", hint) == (data, disk.stat_file("a"))
    assert disk.read_file("a") == data == disk.read_if_there("a")
    with disk.open_map("a") as mapping:
        assert (bytes(mapping.data), mapping.stat) == (data, disk.stat_file("a"))
    with disk.OpenFile("a") as file:
        assert b"".join(file.iter_pieces()) == data
        assert file.read_at(3, hint) == data[3 : 3 + hint]
        assert file.opened == file.stat() == disk.stat_file("a")


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("fifo", "cannot read fifo: it is a FIFO, not a file"),
        ("folder", "cannot read folder: it is a folder, not a file"),
        ("socket", "cannot read socket: it is a socket, not a file"),
        ("/dev/zero", "cannot read /dev/zero: it is a device, not a file"),
        ("/dev/tty", "cannot read /dev/tty: "),
        ("a\0b", "cannot read a\0b: "),
        ("\ud800", "cannot read \ud800: "),
    ],
)
def test_what_is_no_file_is_refused_at_once(read: Callable[[str], object], path: str, message: str) -> None:
    os.mkfifo("fifo")
    os.mkdir("folder")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        with pytest.raises(DiskError) as caught:
            read(path)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_fifo_with_a_silent_writer_does_not_hang() -> None:
    os.mkfifo("fifo")
    writer = os.open("fifo", os.O_RDWR)
    try:
        with pytest.raises(DiskError, match=r"^cannot read fifo: it is a FIFO, not a file$"):
            disk.read_with_stat("fifo", 5)
    finally:
        os.close(writer)


@pytest.mark.parametrize("path", ["missing", "missing/a", "file/a", "x" * 256, "loop"])
def test_what_is_not_there_is_an_error_or_none(path: str) -> None:
    disk.write_file("file", b"")
    os.symlink("loop", "loop")
    assert disk.read_if_there(path) is None
    for read in READERS[:1] + READERS[2:]:
        with pytest.raises(DiskError, match=f"^cannot read {path}: [A-Z][a-z ]+$"):
            read(path)


def test_a_file_over_its_limit_is_not_read() -> None:
    disk.write_file("a", b"12345")
    assert disk.read_file("a", limit=5) == b"12345"
    with pytest.raises(DiskError, match=r"^cannot read a: it has 5 bytes, and at most 4 are allowed$"):
        disk.read_file("a", limit=4)


def test_a_file_that_grows_while_it_is_read_shows_in_its_stat(monkeypatch: pytest.MonkeyPatch) -> None:
    disk.write_file("a", b"12345")
    before = disk.stat_file("a")
    real = os.read

    def read(fd: int, size: int) -> bytes:
        data = real(fd, size)
        with open("a", "ab") as file:
            file.write(b"6")
        monkeypatch.setattr(os, "read", real)
        return data

    monkeypatch.setattr(os, "read", read)
    data, after = disk.read_with_stat("a", 5)
    assert data == b"12345"
    assert after != before
    assert after.size == 6


@pytest.mark.parametrize("most", [1, 3])
def test_short_reads_are_carried_on(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytes(range(20))
    disk.write_file("a", data)
    read, pread = os.read, os.pread
    monkeypatch.setattr(os, "read", lambda fd, size: read(fd, min(size, most)))
    monkeypatch.setattr(os, "pread", lambda fd, size, at: pread(fd, min(size, most), at))
    assert disk.read_file("a") == data
    assert disk.read_with_stat("a", 20)[0] == data
    with disk.OpenFile("a") as file:
        assert file.read_at(2, 15) == data[2:17]
        assert file.read_at(15, 15) == data[15:]


def test_pieces_are_small_and_may_start_and_end_anywhere() -> None:
    data = bytes(300_000)
    disk.write_file("a", data)
    with disk.OpenFile("a") as file:
        assert [len(piece) for piece in file.iter_pieces()] == [
            disk.PIECE,
            disk.PIECE,
            300_000 - 2 * disk.PIECE,
        ]
        assert sum(len(piece) for piece in file.iter_pieces(7, 200_000)) == 200_000
        assert sum(len(piece) for piece in file.iter_pieces(299_999, 5)) == 1


def test_a_view_may_outlive_its_map() -> None:
    disk.write_file("a", b"12345")
    with disk.open_map("a") as mapping:
        part = mapping.data[1:3]
        assert isinstance(part, memoryview)
    assert bytes(part) == b"23"
    part.release()


def test_a_map_that_does_not_fit_in_memory_is_an_error() -> None:
    with disk.NewFile("a") as new:
        new.truncate(1 << 40)
        new.commit(durable=False)
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        resource.setrlimit(resource.RLIMIT_AS, (1 << 33, 1 << 33))
        try:
            with_map("a")
        except DiskError as error:
            os._exit(0 if str(error) == "cannot map a: Cannot allocate memory" else 1)
        os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0


def test_no_file_stays_open() -> None:
    disk.write_file("a", b"12345")
    before = os.listdir("/proc/self/fd")
    disk.read_file("a")
    disk.read_with_stat("a", 1)
    with_map("a")
    with_open("a")
    for path in ("missing", "/dev/zero", "."):
        for read in READERS[2:]:
            with pytest.raises(DiskError):
                read(path)
    assert os.listdir("/proc/self/fd") == before
