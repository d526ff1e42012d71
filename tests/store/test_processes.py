"""Several processes and threads at one store: forked workers, two builds, a build against a trim."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from typing import TYPE_CHECKING

import pytest
from tests.builders.segments import sha

from lumpyard.store import Kind, Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")


def forked(work: Callable[[], None]) -> int:
    """Number of a child process that does some work and ends."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        work()
        status = 0
    except BaseException:  # noqa: BLE001 - it must not come back into the test run
        traceback.print_exc(file=sys.stderr)
    finally:
        os._exit(status)


def joined(*children: int) -> None:
    statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert statuses == [0] * len(children)


def lump(number: int) -> bytes:
    return number.to_bytes(4, "little") * 25


def key(number: int) -> bytes:
    return sha(lump(number))


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return f"{tmp_path}/store"


def test_forked_workers_write_segments_of_their_own(folder: str) -> None:
    store = Store(folder)
    store.put_raw(key(0), lump(0))

    def work(first: int) -> None:
        assert store.raw(key(0)) == lump(0)
        for number in range(first, first + 50):
            store.put_raw(key(number), lump(number))
            assert store.raw(key(number)) == lump(number)
        store.sync()
        store.close()

    children = [forked(lambda first=first: work(first)) for first in (1, 51, 101)]  # type: ignore[misc]
    joined(*children)
    store.put_raw(key(500), lump(500))
    store.refresh()
    assert all(store.raw(key(number)) == lump(number) for number in (*range(151), 500))
    store.close()
    assert len([name for name in os.listdir(folder) if name.endswith(".seg")]) in (2, 3, 4)
    assert Store(folder).verify() == []
    assert os.path.exists(f"{folder}/index-1")


def test_only_the_process_that_made_the_store_writes_the_index(folder: str) -> None:
    store = Store(folder)
    assert store.raw(key(0)) is None

    def work() -> None:
        for number in range(100):
            store.put_raw(key(number), lump(number))
        store.close()

    joined(forked(work))
    assert not os.path.exists(f"{folder}/index-1")
    store.close()
    assert os.path.exists(f"{folder}/index-1")


def test_a_worker_that_is_killed_loses_nothing_that_it_put(folder: str) -> None:
    store = Store(folder)
    store.put_raw(key(0), lump(0))

    def work() -> None:
        store.put_raw(key(1), lump(1))
        os.kill(os.getpid(), signal.SIGKILL)

    child = forked(work)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    store.refresh()
    assert store.raw(key(1)) == lump(1)
    store.put_raw(key(2), lump(2))
    assert Store(folder).raw(key(2)) == lump(2)


def test_a_fork_while_another_thread_is_inside_does_not_hang(folder: str) -> None:
    store = Store(folder)
    store.put_raw(key(0), lump(0))
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with store._keeper.lock():
            inside.set()
            leave.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()

    def work() -> None:
        signal.alarm(20)
        assert store.raw(key(0)) == lump(0)
        store.put_raw(key(1), lump(1))

    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # 3.12 warns of forks beside threads
        child = forked(work)
    leave.set()
    thread.join()
    joined(child)
    store.refresh()
    assert store.raw(key(1)) == lump(1)


def test_threads_share_a_store(folder: str) -> None:
    store = Store(folder)
    faults: list[BaseException] = []

    def work(first: int) -> None:
        try:
            for number in range(first, first + 60):
                store.put_raw(key(number), lump(number))
                store.put_encoded([(key(number), number)])
                assert store.raw(key(number)) == lump(number)
                assert store.compressed_size(key(number)) == number
                if number % 20 == 0:
                    store.refresh()
                    store.sync()
        except BaseException as fault:  # noqa: BLE001 - shown by the test's own thread
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 30, 60, 90)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    store.close()
    assert Store(folder).info().records["raw"] == 150


def test_two_builds_use_one_store_at_once(folder: str) -> None:
    """Each finds what the other has put, or puts it too; nothing is wrong and nothing lost."""

    def work() -> None:
        for _ in range(4):
            store = Store(folder, on_warning=lambda text: os._exit(text.encode()[0]))
            for number in range(60):
                found = store.raw(key(number))
                assert found in (None, lump(number))
                store.put_raw(key(number), lump(number))
                assert store.raw(key(number)) == lump(number)
            store.close()

    joined(forked(work), forked(work), forked(work))
    store = Store(folder)
    assert store.verify() == []
    assert store.info().records["raw"] == 60


def test_builds_and_trims_do_not_disturb_each_other(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to stay is found at any time, also by a build that runs while its segments are replaced."""
    monkeypatch.setattr("lumpyard.store.writer.SEGMENT_LIMIT", 3000)
    staying = {key(number) for number in range(30)}
    store = Store(folder)
    for number in range(60):
        store.put_raw(key(number), lump(number))
    store.close()

    def build(seed: int) -> None:
        for round_ in range(30):
            store = Store(folder, on_warning=lambda text: os._exit(text.encode()[0]))
            for number in range(30):
                assert store.raw(key(number)) == lump(number)
            for number in range(1000 * seed + 10 * round_, 1000 * seed + 10 * round_ + 10):
                store.put_raw(key(number), lump(number))
            for number in range(30):
                assert store.raw(key(number)) == lump(number)
            store.close()

    def trim() -> None:
        for _ in range(60):  # what is to stay fits beside what the builds are writing
            Store(folder).trim(30 * 250 + 10_000, lambda kind, found: kind == Kind.RAW and found in staying)

    joined(forked(lambda: build(1)), forked(trim), forked(lambda: build(2)), forked(trim))
    store = Store(folder)
    assert store.verify() == []
    assert all(store.raw(key(number)) == lump(number) for number in range(30))
