"""Several threads read while others mount: each sees the mounts of one moment, and nothing breaks."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import TYPE_CHECKING

import pytest
from tests.builders.mounts import make_ewad, make_mpq, make_pak, make_wad, write_tree

from lumpyard.errors import NotFoundError
from lumpyard.vfs import Vfs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

READERS = 6
ROUNDS = 60


@pytest.fixture(autouse=True)
def contention(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Threads take turns a thousand times as often as they are used to."""
    monkeypatch.chdir(tmp_path)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(*jobs: Callable[[], None]) -> None:
    """Run jobs at once, each in a thread of its own; the first error is raised."""
    barrier = Barrier(len(jobs))

    def started(job: Callable[[], None]) -> None:
        barrier.wait()
        job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        for future in [pool.submit(started, job) for job in jobs]:
            future.result()


def test_many_readers_of_compressed_lumps_under_a_small_budget() -> None:
    """Every read drives out what another just put in."""
    files = [(f"d{number}/x", b"%d" % number * 3000) for number in range(12)]
    with Vfs(cache_size=10_000) as vfs:
        vfs.mount_bytes(make_ewad(files[:6], compressed=True), "a")
        vfs.mount_bytes(make_mpq(files[6:], packed=True), "b")

        def read_all() -> None:
            for number in range(ROUNDS):
                name, raw = files[number * 7 % 12]
                assert vfs.read(name) == raw
                with vfs.view(name) as view:
                    assert view.data == raw
                with vfs.open(name) as file:
                    assert file.read() == raw

        together(*[read_all] * READERS)


def test_readers_see_the_tree_before_a_change_or_after_it() -> None:
    write_tree("loose", [("a", b"loose"), ("only", b"loose")])
    Path("x.ewad").write_bytes(make_ewad([("a", b"ewad" * 99), ("b", b"b")], compressed=True))
    Path("y.pak").write_bytes(make_pak([("a", b"pak"), ("b", b"p")]))
    done = Event()
    vfs = Vfs()
    vfs.mount("loose")

    def read() -> None:
        while not done.is_set():
            assert vfs.read("a") in {b"loose", b"ewad" * 99, b"pak"}
            try:
                with vfs.view("b") as view:
                    assert bytes(view.data) in {b"b", b"p"}
            except NotFoundError:
                pass
            assert set(vfs) in ({"a", "only"}, {"a", "b", "only"})
            assert vfs.explain("a").winner is not None

    def change() -> None:
        try:
            for _ in range(ROUNDS):
                one = vfs.mount("x.ewad")
                two = vfs.mount("y.pak")
                vfs.refresh()
                vfs.unmount(one)
                vfs.unmount(two)
        finally:
            done.set()

    together(change, *[read] * READERS)
    assert vfs.read("a") == b"loose"
    assert len(vfs.mounts) == 1
    vfs.close()


def test_mounts_from_several_threads_are_all_there() -> None:
    with Vfs() as vfs:

        def mount(thread: int) -> None:
            for number in range(10):
                vfs.mount_bytes(make_wad([(f"L{thread}{number}", b"x")]), f"{thread}.{number}")

        together(*[lambda thread=thread: mount(thread) for thread in range(READERS)])
        assert len(list(vfs)) == READERS * 10
        assert sorted(mounted.number for mounted in vfs.mounts) == list(range(READERS * 10))


def read_on(vfs: Vfs) -> None:
    while True:
        assert vfs.read("a") == b"x" * 5000


def test_readers_that_are_under_way_when_all_is_closed_end_well() -> None:
    Path("x.ewad").write_bytes(make_ewad([("a", b"x" * 5000)]))
    for _ in range(10):
        vfs = Vfs()
        vfs.mount("x.ewad")

        def read(vfs: Vfs = vfs) -> None:
            with pytest.raises(ValueError, match="the file system is closed"):
                read_on(vfs)

        together(vfs.close, *[read] * 3)
