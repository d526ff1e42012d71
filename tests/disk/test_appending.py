"""Append-only files: one writer at a time, in small writes, and nothing half-understood after a fault."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumpyard.disk import appending, locking
from lumpyard.errors import DiskError

if TYPE_CHECKING:
    from pathlib import Path


def content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


@pytest.fixture
def path(tmp_path: Path) -> str:
    return f"{tmp_path}/file"


def created(path: str) -> appending.Appender:
    appender = appending.create_appender(path)
    assert appender is not None
    return appender


def test_what_is_appended_is_in_the_file_at_once(path: str) -> None:
    appender = created(path)
    assert appender.append([b"one", bytearray(b"two")]) == 0
    assert appender.append([memoryview(b"three")]) == 6
    assert content(path) == b"onetwothree"
    assert appender.size == 11
    appender.sync()
    appender.cut(3)
    assert appender.append([b"!"]) == 3
    assert content(path) == b"one!"
    appender.close()


@settings(deadline=None)
@given(st.lists(st.sampled_from([0, 1, 5, 131071, 131072, 131073, 400_000]), max_size=6))
def test_no_write_is_larger_than_128_kib(sizes: list[int]) -> None:
    pieces = [bytes([number]) * size for number, size in enumerate(sizes)]
    batches = list(appending._batches(pieces))
    assert b"".join(view for batch in batches for view in batch) == b"".join(pieces)
    assert all(sum(map(len, batch)) <= 131072 for batch in batches)
    assert len(batches) <= sum(sizes) // 131072 + 1


def test_a_write_that_takes_only_a_part_is_gone_on_with(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    writev = os.writev
    monkeypatch.setattr(os, "writev", lambda fd, views: writev(fd, [views[0][:3]]))
    appender = created(path)
    appender.append([b"one more", b"", b"and another"])
    assert content(path) == b"one moreand another"
    appender.close()


def test_a_system_that_writes_nothing_and_gives_no_reason_is_an_error(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "writev", lambda _fd, _views: 0)
    appender = created(path)
    with pytest.raises(DiskError, match=r"cannot append to .*: the system writes no more"):
        appender.append([b"x"])
    appender.close()


def test_where_there_is_no_writev_the_same_is_written(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "writev")
    appender = created(path)
    appender.append([b"one", b"two" * 100_000])
    assert content(path) == b"one" + b"two" * 100_000
    appender.close()


def test_a_fault_is_one_line_with_path_and_reason(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    appender = created(path)
    for name, call in (("writev", lambda: appender.append([b"x"])), ("fsync", appender.sync)):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            with pytest.raises(DiskError) as caught:
                call()
            assert str(caught.value) == f"cannot append to {path}: No space left on device"
    appender.close()


def test_a_new_file_is_really_new(path: str) -> None:
    created(path).close()
    assert appending.create_appender(path) is None
    os.unlink(path)
    os.symlink("/nowhere", path)
    assert appending.create_appender(path) is None
    with pytest.raises(DiskError, match=r"cannot make .*: No such file or directory"):
        appending.create_appender(f"{path}-folder/file")


def test_only_one_writes_at_a_time(path: str) -> None:
    first = created(path)
    first.append([b"first"])
    assert appending.reopen_appender(path) is None
    first.close()
    second = appending.reopen_appender(path)
    assert second is not None
    assert second.size == 5
    second.append([b" second"])
    assert content(path) == b"first second"
    second.close()


def test_a_forked_child_that_closes_its_copy_leaves_the_lock(path: str) -> None:
    appender = created(path)
    child = os.fork()
    if child == 0:
        appender.close()
        os._exit(0)
    os.waitpid(child, 0)
    assert appending.reopen_appender(path) is None
    appender.close()


def test_what_is_no_plain_file_is_not_appended_to(path: str) -> None:
    assert appending.reopen_appender(path) is None
    os.mkdir(path)
    assert appending.reopen_appender(path) is None
    os.mkfifo(f"{path}-fifo")
    assert appending.reopen_appender(f"{path}-fifo") is None
    created(f"{path}-real").close()
    os.symlink(f"{path}-real", f"{path}-link")
    assert appending.reopen_appender(f"{path}-link") is None
    assert appending.reopen_appender(f"{path}\0") is None


def test_a_file_that_lost_its_name_is_not_appended_to(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was unlinked between the opening and the lock: what is written there would be lost."""
    lock = locking.lock_file

    def unlink_first(descriptor: int, *, wait: bool) -> None:
        os.unlink(path)
        lock(descriptor, wait=wait)

    monkeypatch.setattr(appending, "lock_file", unlink_first)
    assert appending.create_appender(path) is None
    with open(path, "wb"):
        pass
    assert appending.reopen_appender(path) is None


def test_without_locks_only_new_files_are_written(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(_descriptor: int, *, wait: bool) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(appending, "lock_file", no_locks)
    appender = created(path)
    appender.append([b"x"])
    appender.close()
    assert appending.reopen_appender(path) is None


def test_sizes_of_what_is_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    (tmp_path / "folder").mkdir()
    os.symlink("a", tmp_path / "link")
    os.symlink("nowhere", tmp_path / "dangling")
    os.mkfifo(tmp_path / "fifo")
    strange = b"caf\xe9".decode("utf-8", "surrogateescape")
    with open(bytes(tmp_path) + b"/caf\xe9", "wb") as file:
        file.write(b"x")
    expected = {"a": 3, "folder": None, "link": None, "dangling": None, "fifo": None, strange: 1}
    assert appending.file_sizes(str(tmp_path)) == expected
    assert appending.file_sizes(f"{tmp_path}/nothing") == {}
    with pytest.raises(DiskError, match=r"cannot list .*: Not a directory"):
        appending.file_sizes(f"{tmp_path}/a")


def test_a_folders_stamp_changes_with_its_names(tmp_path: Path) -> None:
    folder = f"{tmp_path}/folder"
    assert appending.folder_stamp(folder) == 0
    appending.make_durable_folder(folder)
    os.utime(folder, ns=(5, 5))
    assert appending.folder_stamp(folder) == 5
    created(f"{folder}/x").close()
    assert appending.folder_stamp(folder) > 5


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    appending.make_durable_folder(f"{tmp_path}/a/b/c")
    appending.make_durable_folder(f"{tmp_path}/a/b/c")
    assert os.path.isdir(f"{tmp_path}/a/b/c")
    appending.sync_names(f"{tmp_path}/a/b/c")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(DiskError, match=r"cannot make folder"):
        appending.make_durable_folder(f"{tmp_path}/file/x")
