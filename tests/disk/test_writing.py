"""A final path holds the old file or the new one, whatever fails and wherever."""

from __future__ import annotations

import errno
import itertools
import os
import resource
import signal
import stat
from functools import partial
from typing import TYPE_CHECKING

import pytest
from tests.builders.faults import CHANGING, Fault, failing
from tests.disk.files import NEW, OLD, names

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


def write_new(path: str) -> None:
    """All that a build does to write an archive."""
    with open("source", "rb", buffering=0) as source, disk.NewFile(path) as new:
        new.write_at(64, [NEW[:1000], NEW[1000:]])
        new.copy_from(source.fileno(), 0, 64 + len(NEW), len(OLD))
        new.write_at(0, [bytes(64)])
        new.truncate(64 + len(NEW) + len(OLD))
        new.sync()
        new.commit(durable=True)


@pytest.mark.parametrize("lasting", [False, True])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_a_fault_at_any_call_leaves_the_old_file_or_the_new_one_and_nothing_else(
    error: int, lasting: bool
) -> None:
    os.mkdir("dist")
    for path in ("source", "dist/base.ewad"):
        disk.write_file(path, OLD)
    fault = Fault(-1, error)
    for at in itertools.count():
        fault = Fault(at, error, lasting=lasting)
        try:
            with failing(fault):
                write_new("dist/base.ewad")
        except DiskError as refused:
            assert str(refused) == f"cannot write dist/base.ewad: {os.strerror(error)}"  # noqa: PT017
            renamed = "replace" in fault.calls[:at]
            wanted = bytes(64) + NEW + OLD if renamed else OLD
        else:
            assert at >= len(fault.calls)
            break
        assert disk.read_file("dist/base.ewad") == wanted
        assert names("dist") == ["base.ewad"]
        disk.write_file("dist/base.ewad", OLD)
    assert {"open", "pwritev", "copy_file_range", "ftruncate", "fsync", "close", "replace"} <= set(
        fault.calls
    )


@pytest.mark.parametrize("lasting", [False, True])
def test_a_fault_at_any_call_of_a_first_write_leaves_no_file(lasting: bool) -> None:
    fault = Fault(-1, errno.ENOSPC)
    for at in itertools.count():
        fault = Fault(at, errno.ENOSPC, lasting=lasting)
        try:
            with failing(fault):
                disk.write_file(f"out{at}/below/file", NEW)
        except DiskError as refused:
            assert str(refused) == f"cannot write out{at}/below/file: No space left on device"  # noqa: PT017
        else:
            break
        found = [name for _, _, files in os.walk(f"out{at}") for name in files]
        assert found == (["file"] if "replace" in fault.calls[:at] else [])
    assert fault.calls[:2] == ["mkdir", "mkdir"]


def test_every_changing_call_that_the_faults_know_exists() -> None:
    assert all(hasattr(os, name) for name in CHANGING)


def in_child(work: Callable[[], object]) -> int:
    """Wait status of a forked process that did some work; 0 when it went well."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:  # noqa: BLE001 - whatever it is, the child must end here
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1]


def test_a_real_limit_on_file_size_leaves_the_old_file() -> None:
    disk.write_file("base.ewad", OLD)

    def work() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        with pytest.raises(DiskError, match=r"^cannot write base.ewad: File too large$"):
            disk.write_file("base.ewad", NEW)

    assert in_child(work) == 0
    assert disk.read_file("base.ewad") == OLD
    assert names() == ["base.ewad"]


def test_a_killed_process_leaves_the_old_file_and_a_temporary_that_is_swept() -> None:
    disk.write_file("base.ewad", OLD)

    def work() -> None:
        with disk.NewFile("base.ewad") as new:
            new.write_at(0, [NEW])
            os.kill(os.getpid(), signal.SIGKILL)

    assert os.WTERMSIG(in_child(work)) == signal.SIGKILL
    assert disk.read_file("base.ewad") == OLD
    assert len(names()) == 2
    assert disk.sweep_temporaries("") == 1
    assert names() == ["base.ewad"]


def test_forked_processes_write_and_only_the_maker_commits() -> None:
    with disk.NewFile("base.ewad") as new:

        def work(number: int) -> None:
            with new:
                new.write_at(number * 1000, [bytes([number]) * 1000])

        assert [in_child(partial(work, number)) for number in range(4)] == [0] * 4
        assert len(names()) == 1  # the children's `with` has discarded nothing
        new.commit(durable=False)
    assert disk.read_file("base.ewad") == b"".join(bytes([number]) * 1000 for number in range(4))


def test_a_forked_process_cannot_commit() -> None:
    with disk.NewFile("base.ewad") as new:
        assert in_child(partial(new.commit, durable=False)) != 0
        assert not os.path.exists("base.ewad")


def stop_half_way() -> None:
    with disk.NewFile("out/base.ewad") as new:
        new.write_at(0, [b"x"])
        raise KeyboardInterrupt


def test_what_is_not_committed_is_gone() -> None:
    with pytest.raises(KeyboardInterrupt):
        stop_half_way()
    assert names("out") == []


def test_discarding_twice_or_after_a_commit_is_nothing() -> None:
    with disk.NewFile("a") as new:
        new.commit(durable=False)
        new.discard()
        new.discard()
    assert names() == ["a"]


def test_the_commit_gives_the_stat_of_the_file_under_its_name() -> None:
    assert disk.write_file("a", OLD) == disk.stat_file("a")
    assert disk.write_file("a", OLD, durable=False) == disk.stat_file("a")


def test_what_is_written_can_be_looked_at_before_it_has_its_name() -> None:
    with disk.NewFile("a") as new:
        with new.map() as empty:
            assert empty.data == b""
        new.write_at(3, [b"abc"])
        with new.map() as mapping:
            assert bytes(mapping.data) == b"\0\0\0abc"
            assert mapping.stat.size == 6


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o000])
def test_a_new_file_has_the_mode_that_the_umask_leaves(umask: int) -> None:
    before = os.umask(umask)
    try:
        disk.write_file("a", OLD)
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat("a").st_mode) == 0o666 & ~umask


def test_a_link_is_replaced_and_what_it_leads_to_is_left_alone() -> None:
    disk.write_file("elsewhere", OLD)
    os.symlink("elsewhere", "a")
    disk.write_file("a", NEW)
    assert not os.path.islink("a")
    assert disk.read_file("elsewhere") == OLD


def test_a_name_of_the_greatest_length_is_written() -> None:
    name = "é" * 127 + "x"
    disk.write_file(name, OLD)
    assert os.listdir(b".") == [name.encode()]


def make_fifo() -> None:
    os.mkfifo("there")


@pytest.mark.parametrize(
    ("path", "make", "message"),
    [
        ("there", lambda: os.mkdir("there"), "cannot write there: it is a folder, not a file"),
        ("there", make_fifo, "cannot write there: it is a FIFO, not a file"),
        ("there/a", lambda: disk.write_file("there", b""), "cannot write there/a: Not a directory"),
        ("there/b/a", lambda: disk.write_file("there", b""), "cannot write there/b/a: Not a directory"),
        ("there/a", lambda: os.symlink("nowhere", "there"), "cannot write there/a: Not a directory"),
        ("x" * 256, lambda: None, f"cannot write {'x' * 256}: File name too long"),
        ("y/" + "x" * 256, lambda: None, f"cannot write y/{'x' * 256}: File name too long"),
        ("x" * 256 + "/a", lambda: None, f"cannot write {'x' * 256}/a: File name too long"),
        ("a\0b", lambda: None, "cannot write a\0b: lstat: embedded null character in path"),
        (
            "\ud800",
            lambda: None,
            "cannot write \ud800: 'utf-8' codec can't encode character '\\ud800' in position 0",
        ),
        ("/dev/null", lambda: None, "cannot write /dev/null: it is a device, not a file"),
        ("/proc/a", lambda: None, "cannot write /proc/a: No such file or directory"),
    ],
)
def test_what_is_in_the_way_is_said_in_one_line(path: str, make: Callable[[], None], message: str) -> None:
    make()
    before = names()
    with pytest.raises(DiskError) as caught:
        disk.write_file(path, NEW)
    assert str(caught.value).startswith(message)
    assert [name for name in names() if name != "y"] == before


def test_a_file_is_only_written_if_it_changes() -> None:
    assert disk.write_if_changed("a", OLD)
    before = disk.stat_file("a")
    assert not disk.write_if_changed("a", OLD)
    assert disk.stat_file("a") == before
    for other in (b"", OLD[:-1], OLD + b"x", b"OLD BYTES"):
        assert disk.write_if_changed("a", other)
        assert disk.read_file("a") == other
