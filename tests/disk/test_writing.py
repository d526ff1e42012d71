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
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.faults import CHANGING, Fault, failing

from lumpyard import disk
from lumpyard.disk import temporaries
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OLD = b"old bytes"
NEW = b"new" * 100_000


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(folder: str = ".") -> list[str]:
    """What is in a folder, hidden files too."""
    return sorted(os.listdir(folder))


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


def test_a_sparse_file_takes_no_room() -> None:
    with disk.NewFile("a") as new:
        new.write_at(1 << 32, [b"x"])
        new.truncate(1 << 33)
        new.commit(durable=False)
    found = os.stat("a")
    assert (found.st_size, found.st_blocks < 100) == (1 << 33, True)


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


@given(st.lists(st.integers(0, 300_000), max_size=6), st.integers(0, 5))
def test_pieces_are_written_one_after_the_other_in_small_calls(sizes: list[int], offset: int) -> None:
    pieces = [bytes([number + 1]) * size for number, size in enumerate(sizes)]
    fault = Fault(-1, 0)
    with disk.NewFile("a") as new:
        with failing(fault):
            new.write_at(offset, [memoryview(piece) if len(piece) % 2 else piece for piece in pieces])
        with new.map() as mapping:
            assert bytes(mapping.data) == (bytes(offset) + b"".join(pieces) if any(sizes) else b"")
    assert len(fault.calls) <= len(sizes) + sum(sizes) // disk.PIECE + 1


def test_no_call_writes_more_than_a_piece_or_too_many_buffers(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, int]] = []
    real = os.pwritev

    def spy(fd: int, pieces: list[bytes], offset: int) -> int:
        calls.append((len(pieces), sum(map(len, pieces))))
        return real(fd, pieces, offset)

    monkeypatch.setattr(os, "pwritev", spy)
    disk.write_file("a", NEW)
    with disk.NewFile("b") as new:
        new.write_at(0, [b"x"] * 5000)
        new.commit(durable=False)
    assert max(buffers for buffers, _ in calls) == disk.IOV_MAX
    assert max(size for _, size in calls) == disk.PIECE == 128 << 10
    assert disk.read_file("b") == b"x" * 5000


@pytest.mark.parametrize("most", [1, 7, 1000])
def test_short_writes_are_carried_on(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.pwritev
    monkeypatch.setattr(os, "pwritev", lambda fd, pieces, at: real(fd, [b"".join(pieces)[:most]], at))
    data = bytes(range(256)) * 3
    with disk.NewFile("a") as new:
        new.write_at(1, [data[:5], b"", data[5:]])
        new.commit(durable=False)
    assert disk.read_file("a") == b"\0" + data


def test_a_write_that_gets_nowhere_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "pwritev", lambda *_: 0)
    with pytest.raises(DiskError, match=r"^cannot write a: the system writes no more"):
        disk.write_file("a", OLD)
    assert names() == []


@pytest.mark.parametrize("missing", [["pwritev"], ["pwritev", "pwrite"], ["pwritev", "pwrite", "pread"]])
def test_where_calls_are_missing_the_same_bytes_are_written(
    missing: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.write_file("source", NEW)
    for name in [*missing, "copy_file_range"]:
        monkeypatch.delattr(os, name)
    with disk.OpenFile("source") as source, disk.NewFile("a") as new:
        new.write_at(10, [OLD, NEW])
        new.copy_from(source.fd, 5, 0, 10)
        new.commit(durable=False)
        assert source.read_at(3, 200_000) == NEW[3:200_003]
    assert disk.read_file("a") == NEW[5:15] + OLD + NEW


@pytest.mark.parametrize("error", [errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP])
def test_a_range_is_copied_by_reading_where_the_kernel_cannot(
    error: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, "copy_file_range", refuse)
    disk.write_file("source", NEW)
    with disk.OpenFile("source") as source, disk.NewFile("a") as new:
        new.copy_from(source.fd, 1, 2, len(NEW) - 1)
        new.commit(durable=False)
    assert disk.read_file("a") == b"\0\0" + NEW[1:]


def test_a_range_that_ends_too_early_is_an_error() -> None:
    disk.write_file("source", OLD)
    with (
        disk.OpenFile("source") as source,
        disk.NewFile("a") as new,
        pytest.raises(DiskError, match=r"^cannot write a: what is copied ends too early$"),
    ):
        new.copy_from(source.fd, 1, 0, len(OLD) + 1)


def test_a_short_copy_is_carried_on(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.copy_file_range
    monkeypatch.setattr(
        os, "copy_file_range", lambda a, b, size, at, to: real(a, b, min(size, 99_999), at, to)
    )
    disk.write_file("source", NEW)
    with disk.OpenFile("source") as source, disk.NewFile("a") as new:
        new.copy_from(source.fd, 0, 0, len(NEW))
        new.commit(durable=False)
    assert disk.read_file("a") == NEW


def test_a_failed_wait_for_the_device_is_not_tried_again() -> None:
    """A second fsync may succeed without the data being there."""
    fault = Fault(-1, errno.EIO)
    disk.write_file("a", OLD)
    with failing(fault):
        disk.write_file("other", NEW)
    at = fault.calls.index("fsync")
    again = Fault(at, errno.EIO)
    with failing(again), pytest.raises(DiskError):
        disk.write_file("a", NEW)
    assert again.calls.count("fsync") == 1
    assert disk.read_file("a") == OLD


def test_nothing_is_waited_for_unless_it_must_be_durable() -> None:
    fault = Fault(-1, 0)
    with failing(fault):
        disk.write_file("new/folder/a", OLD, durable=False)
    assert "fsync" not in fault.calls


def test_a_durable_write_waits_for_the_file_then_renames_then_waits_for_the_names() -> None:
    fault = Fault(-1, 0)
    with failing(fault):
        disk.write_file("new/folder/a", OLD)
    assert [call for call in fault.calls if call in {"fsync", "replace"}] == [
        "fsync",
        "replace",
        *["fsync"] * 3,
    ]


def test_a_file_system_that_cannot_flush_folders_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(fd: int) -> None:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        real(fd)

    monkeypatch.setattr(os, "fsync", fsync)
    disk.write_file("a", OLD)
    assert disk.read_file("a") == OLD


def on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have renames over a file refused, as Windows does where the file is mapped."""

    def replace(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "name", "nt")


def test_a_mapped_target_is_moved_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """ "If a running game maps the target (Windows), the old file is moved aside and removed later"."""
    disk.write_file("a", OLD)
    on_windows(monkeypatch)
    real = os.unlink
    monkeypatch.setattr(os, "unlink", lambda *_: (_ for _ in ()).throw(PermissionError()))
    disk.write_file("a", NEW, durable=False)
    assert disk.read_file("a") == NEW
    (aside,) = set(names()) - {"a"}
    assert disk.read_file(aside) == OLD
    monkeypatch.setattr(os, "unlink", real)
    assert disk.sweep_temporaries("") == 1


def test_a_mapped_target_is_put_back_where_the_new_file_cannot_come(monkeypatch: pytest.MonkeyPatch) -> None:
    disk.write_file("a", OLD)
    on_windows(monkeypatch)
    real, calls = os.rename, []

    def rename(old: bytes, new: bytes) -> None:
        calls.append(new)
        if len(calls) == 2:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        real(old, new)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(DiskError, match=r"^cannot write a: Permission denied$"):
        disk.write_file("a", NEW, durable=False)
    assert disk.read_file("a") == OLD
    assert names() == ["a"]


def test_sweeping_takes_only_what_is_ours() -> None:
    keep = [
        ".base.ewad.lumpyard-tmp",
        "base.ewad.0123456789abcdef.lumpyard-tmp",
        ".base.ewad.0123456789ABCDEF.lumpyard-tmp",
        ".base.ewad.0123456789abcdef.lumpyard-tmp.txt",
    ]
    for name in [*keep, ".base\n.ewad.0123456789abcdef.lumpyard-tmp", "..0123456789abcdef.lumpyard-tmp"]:
        disk.write_file(name, b"")
    os.mkdir(".folder.0123456789abcdef.lumpyard-tmp")
    os.symlink("nowhere", ".link.0123456789abcdef.lumpyard-tmp")
    assert disk.sweep_temporaries("") == 2
    assert len(names()) == len(keep) + 2
    assert disk.sweep_temporaries("missing") == 0


def test_no_two_temporary_names_are_alike() -> None:
    assert len({temporaries.temporary_name(b"a") for _ in range(1000)}) == 1000
