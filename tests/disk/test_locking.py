"""One process at a time, and no lock outlives its holder."""

from __future__ import annotations

import errno
import os
import signal
import sys
import types
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from lumpyard import disk
from lumpyard.disk import locking
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LOCK = ".lumpyard/lock"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def never(holder: str) -> None:
    """For a lock that must be free."""
    raise AssertionError(holder)


def take(describe: str = "test", *, wait: bool = True, on_wait: Callable[[str], None] = never) -> Any:
    """The lock of these tests."""
    return disk.project_lock(LOCK, describe, wait=wait, on_wait=on_wait)


@contextmanager
def holder(then: Callable[[], None] = signal.pause) -> Iterator[int]:
    """Another process that holds the lock, and then does something; its number."""
    ready, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            with take("doit ship"):
                os.write(tell, b"1")
                then()
        finally:
            os._exit(0)
    os.close(tell)
    try:
        assert os.read(ready, 1) == b"1"
        yield pid
    finally:
        os.close(ready)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_the_lock_makes_its_folder_and_says_who_holds_it() -> None:
    with take("doit ship"):
        assert disk.read_file(LOCK) == f"{os.getpid()} doit ship\n".encode()
        assert disk.lock_holder(LOCK) == f"doit ship, process {os.getpid()}"
    assert disk.read_file(LOCK) == b""
    assert disk.lock_holder(LOCK) == "another process"
    with take("again"):
        pass


def test_a_lock_that_is_held_is_refused_at_once_without_waiting() -> None:
    with holder() as pid:
        message = f"cannot lock {LOCK}: it is held by doit ship, process {pid}"
        with pytest.raises(DiskError, match=f"^{message}$"), take(wait=False):
            pass


def test_who_waits_is_told_once_by_whom_and_gets_the_lock_when_its_holder_is_killed() -> None:
    with holder() as pid:
        told: list[str] = []

        def on_wait(text: str) -> None:
            told.append(text)
            os.kill(pid, signal.SIGKILL)

        with take("second", on_wait=on_wait):
            assert told == [f"doit ship, process {pid}"]
            assert disk.lock_holder(LOCK) == f"second, process {os.getpid()}"


def test_the_lock_is_free_after_an_error_inside() -> None:
    with pytest.raises(RuntimeError), take():
        raise RuntimeError
    with take(wait=False):
        pass


def test_a_forked_worker_does_not_keep_the_lock() -> None:
    """The next build starts when the one that held the lock is dead, whatever its workers still do."""
    worker_ready, tell = os.pipe()
    stop, stopper = os.pipe()

    def fork_worker_and_die() -> None:
        if os.fork() == 0:
            os.close(stopper)
            os.write(tell, b"1")
            os.read(stop, 1)  # ends when the test ends, or is killed
            os._exit(0)
        signal.pause()

    with holder(fork_worker_and_die) as pid:
        assert os.read(worker_ready, 1) == b"1"
        os.kill(pid, signal.SIGKILL)
        with take(on_wait=lambda _: None):
            pass
    for fd in (worker_ready, tell, stop, stopper):
        os.close(fd)


def test_a_lock_file_that_is_removed_meanwhile_keeps_nobody_in() -> None:
    """Who waited for a file that is gone takes the one that is there now."""
    with holder() as pid:

        def on_wait(_: str) -> None:
            os.unlink(LOCK)
            disk.write_file(LOCK, b"")
            os.kill(pid, signal.SIGKILL)

        with take("second", on_wait=on_wait):
            assert disk.lock_holder(LOCK) == f"second, process {os.getpid()}"


def test_two_who_wait_get_it_one_after_the_other() -> None:
    log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def worker() -> None:
        with take(on_wait=lambda _: None):
            os.write(log, b"in ")
            os.write(log, b"out ")

    pids = []
    with take():
        for _ in range(4):
            pid = os.fork()
            if pid == 0:
                worker()
                os._exit(0)
            pids.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * 4
    os.close(log)
    assert disk.read_file("log") == b"in out " * 4


def test_a_wait_can_be_interrupted() -> None:
    def on_wait(_: str) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.01)

    with holder():
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            with pytest.raises(KeyboardInterrupt), take(on_wait=on_wait):
                pass
        finally:
            signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("text", [b"", b"nonsense", b"12", b"\xff\xfe \xff", b"x y\n"])
def test_a_holder_that_wrote_nothing_sensible_is_another_process(text: bytes) -> None:
    disk.write_file(LOCK, text)
    assert disk.lock_holder(LOCK) == "another process"
    assert disk.lock_holder("missing") == "another process"


def test_a_full_disk_does_not_keep_the_lock_from_being_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", refuse)
    with take():
        assert disk.read_file(LOCK) == b""


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("folder", "cannot lock folder: Is a directory"),
        ("file/lock", "cannot lock file/lock: Not a directory"),
        ("a\0b", "cannot lock a\0b: "),
    ],
)
def test_a_lock_that_cannot_be_opened_is_an_error(path: str, message: str) -> None:
    os.mkdir("folder")
    disk.write_file("file", b"")
    with pytest.raises(DiskError) as caught, disk.project_lock(path, "", wait=True, on_wait=never):
        pass
    assert str(caught.value).startswith(message)


def test_a_file_system_without_locks_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(locking, "lock_file", refuse)
    with pytest.raises(DiskError, match=r"^cannot lock \.lumpyard/lock: No locks available$"), take():
        pass


class Msvcrt(types.ModuleType):
    """The part of Windows' msvcrt that is used, by what its documentation says."""

    LK_LOCK, LK_NBLCK = 1, 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.calls: list[tuple[int, int, int]] = []
        self.taken = 0

    def locking(self, fd: int, mode: int, size: int) -> None:
        """Lock bytes from the file's position on; LK_LOCK gives up after ten tries, a second apart."""
        self.calls.append((mode, os.lseek(fd, 0, os.SEEK_CUR), size))
        if self.taken:
            self.taken -= 1
            raise OSError(errno.EDEADLK if mode == self.LK_LOCK else errno.EACCES, "taken")


def on_windows(monkeypatch: pytest.MonkeyPatch, taken: int) -> Msvcrt:
    msvcrt = Msvcrt()
    msvcrt.taken = taken
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    return msvcrt


def test_on_windows_a_byte_past_the_text_is_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    msvcrt = on_windows(monkeypatch, taken=0)
    with take("doit ship"):
        assert disk.lock_holder(LOCK) == f"doit ship, process {os.getpid()}"
    assert msvcrt.calls == [(Msvcrt.LK_NBLCK, 1 << 30, 1)]


def test_on_windows_who_waits_tries_until_it_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    msvcrt = on_windows(monkeypatch, taken=3)
    told: list[str] = []
    with take(on_wait=told.append):
        assert told == ["another process"]
    assert [mode for mode, _, _ in msvcrt.calls] == [Msvcrt.LK_NBLCK, *[Msvcrt.LK_LOCK] * 3]


def test_on_windows_a_taken_lock_is_refused_without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    on_windows(monkeypatch, taken=1)
    with pytest.raises(DiskError, match="it is held by another process"), take(wait=False):
        pass
