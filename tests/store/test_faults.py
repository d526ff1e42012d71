"""A file system that refuses: the store is done without, and says so once."""

from __future__ import annotations

import errno
import os
import resource
import signal
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.segments import sha

from lumpyard.errors import DiskError
from lumpyard.store import Ask, CookedRecord, KeptProduct, Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RECORD = CookedRecord((Ask("exists", "x", "no"),), (KeptProduct(None, bytes(32), 1, None, None),))


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return f"{tmp_path}/store"


def test_a_folder_that_cannot_be_made_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    warnings: list[str] = []
    store = Store(f"{tmp_path}/file/store", warnings.append)
    assert store.raw(sha(b"1")) is None
    store.put_raw(sha(b"1"), b"1")
    store.put_encoded([(b"b" * 32, b"2")])
    store.put_cooked(b"c" * 32, RECORD)
    store.sync()
    store.refresh()
    assert store.raw(sha(b"1")) is None
    store.close()
    assert len(warnings) == 1
    assert warnings[0].startswith("the store cannot be read, and what it holds is made again: cannot list ")


def test_a_file_in_place_of_the_folder_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "store").write_bytes(b"precious")
    warnings: list[str] = []
    store = Store(f"{tmp_path}/store", warnings.append)
    store.put_raw(sha(b"1"), b"1")
    assert store.raw(sha(b"1")) is None
    store.close()
    assert warnings == [
        f"the store cannot be read, and what it holds is made again: cannot list {tmp_path}/store: Not a directory"
    ]
    with pytest.raises(DiskError):
        store.info()
    assert (tmp_path / "store").read_bytes() == b"precious"


def test_a_disk_that_is_full_costs_only_what_came_after(folder: str) -> None:
    """The record that did not fit is taken back, and nothing more is tried."""
    warnings: list[str] = []
    store = Store(folder, warnings.append)
    store.put_raw(sha(b"before"), b"before")
    (name,) = os.listdir(folder)
    size = os.path.getsize(f"{folder}/{name}")
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, limits[1]))
    try:
        store.put_raw(sha(bytes(2 << 20)), bytes(2 << 20))
        store.put_raw(sha(b"after"), b"after")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, old)
    reason = f"cannot append to {folder}/{name}: File too large"
    assert warnings == [f"the store cannot be written, and what is made from here on is not kept: {reason}"]
    assert os.path.getsize(f"{folder}/{name}") == size
    assert store.raw(sha(b"before")) == b"before"
    assert store.raw(sha(b"after")) is None
    store.sync()
    store.close()
    assert len(warnings) == 1
    again = Store(folder)
    again.put_raw(sha(b"after"), b"after")
    assert again.verify() == []
    assert again.raw(sha(b"after")) == b"after"


CALLS = (
    "open",
    "writev",
    "ftruncate",
    "fsync",
    "replace",
    "unlink",
    "mkdir",
    "scandir",
    "stat",
    "pread",
    "fstat",
)


fsync = os.fsync


class Faults:
    """The calls of `os` that matter, one of which fails at a given turn, once or from then on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, below: str) -> None:
        self.turn = 0
        self.fail_at = -1
        self.forever = False
        self.error = errno.EIO
        self.below = below.encode()
        for name in CALLS:
            monkeypatch.setattr(os, name, self.wrapped(getattr(os, name)))

    def wrapped(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            path = args[0] if isinstance(args[0], bytes) else self.below
            if self.fail_at < 0 or not path.startswith(self.below):
                return call(*args, **kwargs)
            self.turn += 1
            if self.turn == self.fail_at or (self.forever and self.turn > self.fail_at):
                raise OSError(self.error, os.strerror(self.error))
            return None if call is fsync else call(*args, **kwargs)  # it counts, and need not take its time

        return counted

    def arm(self, turn: int, *, forever: bool, error: int) -> None:
        self.turn, self.fail_at, self.forever, self.error = 0, turn, forever, error

    def disarm(self) -> None:
        self.fail_at = -1


def build(store: Store) -> None:
    """Some of everything that a build does with a store."""
    for number in range(3):
        data = bytes([number]) * 1000
        found = store.raw(sha(data))
        assert found in (None, data)
        if found is None:
            store.put_raw(sha(data), data)
        block = store.block(sha(data))
        assert block in (None, data[:10])
        if block is None:
            store.put_encoded([(sha(data), data[:10])])
        assert store.compressed_size(bytes([number]) * 32) in (None, number)
        store.put_encoded([(bytes([number]) * 32, number)])
        assert store.compressed_size(bytes([number + 10]) * 32) in (None, 7)
        store.put_encoded([(bytes([number + 10]) * 32, 7), (sha(data)[::-1], data[:20])])
        assert store.block(sha(data)[::-1]) in (None, data[:20])
        cooked = store.cooked(sha(data))
        assert cooked in ([], [RECORD])
        store.put_cooked(sha(data), RECORD)
    store.sync()
    store.refresh()


@pytest.mark.parametrize("error", [errno.EIO, errno.EACCES])
@pytest.mark.parametrize("forever", [False, True])
def test_no_fault_of_the_file_system_leaves_the_store(
    folder: str, monkeypatch: pytest.MonkeyPatch, error: int, forever: bool
) -> None:
    """Each call fails in turn, once or from then on: no exception, no wrong bytes, and a sound store afterwards."""
    monkeypatch.setattr("lumpyard.store.catalog.WORTH_WRITING", 1)
    faults = Faults(monkeypatch, folder)
    for turn in range(1, 400):
        here = f"{folder}-{turn}"
        warnings: list[str] = []
        faults.arm(turn, forever=forever, error=error)
        store = Store(here, warnings.append)
        build(store)
        store.close()
        build(store)
        store.close()
        done = faults.turn < turn
        faults.disarm()
        again = Store(here)
        build(again)
        build(again)
        again.close()
        assert [problem for problem in again.verify() if "incomplete" not in problem] == []
        assert set(os.listdir(here)) <= {
            "index-1",
            *(name for name in os.listdir(here) if name.endswith(".seg")),
        }
        again.close()
        if done:
            assert turn > 50
            return
    raise AssertionError


def test_without_file_locks_each_process_writes_a_segment_of_its_own(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(_descriptor: int, *, wait: bool) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("lumpyard.disk.appending.lock_file", no_locks)
    for number in range(3):
        store = Store(folder)
        store.put_raw(sha(bytes([number])), bytes([number]))
        store.close()
    assert len(os.listdir(folder)) == 3
    store = Store(folder)
    assert all(store.raw(sha(bytes([number]))) == bytes([number]) for number in range(3))
