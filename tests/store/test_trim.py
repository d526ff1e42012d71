"""Trimming: what goes first, that it fits, and that a kill at any moment loses nothing that is to stay."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.segments import NAME, raw_record, segment_header, sha

from lumpyard.errors import DiskError
from lumpyard.store import Kind, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

COST = 88 + 1000 + 54  # bytes that a lump of 1000 bytes takes, with its row in the index
BASE = 32 + 20 + 72  # and what a store of one segment takes besides


def lump(number: int) -> bytes:
    return bytes([number]) * 1000


def key(number: int) -> bytes:
    return sha(lump(number))


def put(folder: str, numbers: Iterable[int]) -> None:
    store = Store(folder)
    for number in numbers:
        store.put_raw(key(number), lump(number))
    store.close()


def held(folder: str) -> list[int]:
    """The lumps that are there, each checked."""
    store = Store(folder)
    numbers = [number for number in range(256) if store.raw(key(number)) is not None]
    assert all(store.raw(key(number)) == lump(number) for number in numbers)
    store.close()
    return numbers


def size_of(folder: str) -> int:
    return sum(os.path.getsize(f"{folder}/{name}") for name in os.listdir(folder))


def keeping(*numbers: int) -> Callable[[Kind, bytes], bool]:
    wanted = {key(number) for number in numbers}
    return lambda kind, found: kind == Kind.RAW and found in wanted


def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A segment for every three lumps or so."""
    monkeypatch.setattr("lumpyard.store.writer.SEGMENT_LIMIT", 3000)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return f"{tmp_path}/store"


def test_what_fits_is_kept_whole(folder: str) -> None:
    put(folder, range(10))
    names = sorted(os.listdir(folder))
    result = Store(folder).trim(10**6, keeping())
    assert (result.dropped, result.kept, result.busy) == (0, 10, 0)
    assert held(folder) == list(range(10))
    assert set(names) <= set(os.listdir(folder))


def test_what_plans_do_not_use_goes_first_and_the_oldest_of_that(folder: str) -> None:
    put(folder, range(10))
    store = Store(folder)
    assert store.trim(6 * COST + 500, keeping(0, 1, 2, 3)).dropped == 4
    assert held(folder) == [0, 1, 2, 3, 8, 9]
    assert store.trim(3 * COST + 500, keeping(0, 1, 2, 3)).dropped == 3
    assert held(folder) == [1, 2, 3]


def test_age_goes_by_segments(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small_segments(monkeypatch)
    put(folder, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    store = Store(folder)
    for left in range(9, 0, -1):
        assert store.trim(left * COST + 32 * 5 + 200, keeping()).dropped == 1
        assert held(folder) == list(range(left))


def test_rewritten_segments_keep_their_age(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small_segments(monkeypatch)
    put(folder, range(9))
    Store(folder).trim(8 * COST + 300, keeping(*range(1, 9)))
    put(folder, [20, 21, 22])
    Store(folder).trim(7 * COST + 400, keeping())
    assert held(folder) == [5, 6, 7, 8, 20, 21, 22]


@pytest.mark.parametrize("lumps", range(11))
def test_the_store_fits_afterwards_and_nothing_more_was_dropped_than_needed(folder: str, lumps: int) -> None:
    put(folder, range(10))
    limit = BASE + lumps * COST
    result = Store(folder).trim(limit, keeping())
    assert result.size_after == size_of(folder) <= limit
    assert result.kept == lumps
    assert len(held(folder)) == lumps
    assert limit - result.size_after < 200


def test_to_nothing_leaves_an_empty_store_that_works(folder: str) -> None:
    put(folder, range(10))
    assert Store(folder).trim(0, keeping(1, 2, 3)).kept == 0
    assert held(folder) == []
    put(folder, [1])
    assert held(folder) == [1]


def test_dead_bytes_go_without_any_need(folder: str) -> None:
    os.mkdir(folder)
    with open(f"{folder}/{NAME}", "wb") as file:
        twice = raw_record(lump(1))
        file.write(
            segment_header() + twice + raw_record(lump(2)) + twice + b"junk" * 30 + twice + twice[:500]
        )
    store = Store(folder)
    result = store.trim(10**6, keeping())
    assert (result.dropped, result.kept) == (0, 2)
    assert held(folder) == [1, 2]
    assert store.verify() == []
    assert store.info().dead_size == 0


def test_damaged_records_are_not_carried_along(folder: str) -> None:
    os.mkdir(folder)
    with open(f"{folder}/{NAME}", "wb") as file:
        bad = raw_record(lump(1))[:-1] + b"x"
        file.write(segment_header() + bad + raw_record(lump(2)) + raw_record(lump(3)))
    store = Store(folder)
    store.trim(3 * COST, keeping(1, 3))
    assert store.verify() == []
    assert held(folder) == [3]


def test_of_two_copies_the_one_that_holds_stays(folder: str) -> None:
    os.mkdir(folder)
    with open(f"{folder}/{NAME}", "wb") as file:
        file.write(segment_header() + raw_record(lump(1)) + raw_record(lump(1))[:-1] + b"x")
    Store(folder).trim(10**6, keeping(1))
    assert held(folder) == [1]
    assert Store(folder).verify() == []


def test_what_stays_where_it_is_is_durable_before_anything_goes(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that goes may have been the only one that a power cut would have left."""
    prepared(folder)
    calls: list[str] = []
    patched_calls(
        monkeypatch, lambda _turn, name, args: calls.append("goes" if is_unlink(name, args) else name)
    )
    Store(folder).trim(LIMIT, keeping(*STAYING))
    assert calls[: calls.index("writev")].count("fsync") >= 2


def test_what_others_are_writing_is_left_alone(folder: str) -> None:
    put(folder, range(5))
    writer = Store(folder)
    writer.put_raw(key(5), lump(5))
    result = Store(folder).trim(0, keeping())
    assert (result.busy, result.dropped, result.kept) == (1, 0, 6)
    writer.put_raw(key(6), lump(6))
    writer.close()
    assert held(folder) == list(range(7))


def test_what_others_are_writing_counts(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder, range(5))
    monkeypatch.setattr("lumpyard.store.writer.SEGMENT_LIMIT", 5000)
    writer = Store(folder)
    for number in range(5, 9):
        writer.put_raw(key(number), lump(number))
    result = Store(folder).trim(BASE + 52 + 6 * COST, keeping())
    assert (result.busy, result.dropped) == (1, 3)
    assert held(folder) == [3, 4, 5, 6, 7, 8]


def test_a_segment_that_cannot_be_read_is_not_taken_for_a_damaged_one(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(folder, range(5))

    def unreadable(*_: object) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(os, "pread", unreadable)
        with pytest.raises(DiskError, match="Input/output error"):
            Store(folder).trim(10**6, keeping())
    assert held(folder) == list(range(5))


def test_a_reader_goes_on_while_its_segments_are_replaced(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_segments(monkeypatch)
    put(folder, range(30))
    readers = [Store(folder) for _ in range(3)]
    readers[1].raw(key(1))  # has files open
    for reader in readers:
        reader.refresh()
    Store(folder).trim(20 * COST, keeping(*range(3, 20)))
    for reader in readers:
        assert all(reader.raw(key(number)) == lump(number) for number in range(3, 20))


def test_one_that_trims_goes_on_to_write(folder: str) -> None:
    store = Store(folder)
    store.put_raw(key(1), lump(1))
    store.put_raw(key(2), lump(2))
    assert store.trim(COST + 300, keeping(1)).kept == 1
    assert store.raw(key(1)) == lump(1)
    assert store.raw(key(2)) is None
    store.put_raw(key(3), lump(3))
    store.close()
    assert held(folder) == [1, 3]


def prepared(folder: str) -> None:
    """A store with whole, torn and doubled segments; lumps 4 to 7 are to stay."""
    put(folder, range(8))
    with open(f"{folder}/{NAME}", "wb") as file:
        file.write(segment_header() + raw_record(lump(5)) + raw_record(lump(7)) + raw_record(lump(9))[:-5])
    store = Store(folder)
    store.refresh()
    store.verify()
    store.close()


STAYING = [4, 5, 6, 7]
LIMIT = 7 * COST  # what is to stay fits beside a segment that cannot be locked
CALLS = ("open", "close", "writev", "pwritev", "ftruncate", "fsync", "replace", "unlink", "mkdir")


def patched_calls(monkeypatch: pytest.MonkeyPatch, before: Callable[[int, str, Any], None]) -> None:
    """Call `before` with a number, a name and the arguments before each call of `os` that changes something."""
    turn = 0

    def wrapped(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            nonlocal turn
            turn += 1
            before(turn, name, args)
            return None if name == "fsync" else call(*args, **kwargs)  # it counts, and need not take its time

        return counted

    for name in CALLS:
        monkeypatch.setattr(os, name, wrapped(name, getattr(os, name)))


def check_after_crash(folder: str) -> None:
    assert set(STAYING) <= set(held(folder))
    store = Store(folder)
    assert [problem for problem in store.verify() if "incomplete" not in problem] == []
    store.trim(LIMIT, keeping(*STAYING))
    store.close()
    assert set(held(folder)) >= set(STAYING)
    assert size_of(folder) <= LIMIT
    assert store.verify() == []
    assert set(os.listdir(folder)) == {
        "index-1",
        "trim.lock",
        *(n for n in os.listdir(folder) if n.endswith(".seg")),
    }
    store.close()


def test_a_kill_before_any_system_call_loses_nothing(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each trim ends, without another word, before its n-th call that changes something; a write may be half done."""
    write = os.write
    for turn in range(1, 200):
        here = f"{folder}-{turn}"
        prepared(here)
        child = os.fork()
        if child == 0:
            status = 1
            try:

                def die(now: int, name: str, args: Any, stop: int = turn) -> None:
                    if now == stop:
                        if name == "writev":
                            write(args[0], bytes(args[1][0])[:7])
                        os._exit(9)

                patched_calls(monkeypatch, die)
                Store(here).trim(LIMIT, keeping(*STAYING))
                status = 0
            finally:
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in (0, 9)
        check_after_crash(here)
        if status == 0:
            assert turn > 20
            return
    raise AssertionError


@pytest.mark.parametrize("forever", [False, True])
@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC])
def test_a_fault_at_any_system_call_loses_nothing(
    folder: str, monkeypatch: pytest.MonkeyPatch, error: int, forever: bool
) -> None:
    for turn in range(1, 200):
        here = f"{folder}-{turn}"
        prepared(here)
        last = 0

        def fail(now: int, name: str, _args: Any, stop: int = turn) -> None:
            nonlocal last
            last = now
            if name != "close" and (now == stop or (forever and now > stop)):
                raise OSError(error, os.strerror(error))

        with monkeypatch.context() as patch:
            patched_calls(patch, fail)
            with suppress(DiskError):
                Store(here).trim(LIMIT, keeping(*STAYING))
        check_after_crash(here)
        if last < turn:
            assert turn > 20
            return
    raise AssertionError


def test_what_stays_is_durable_before_the_old_segment_goes(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the last write of a copy and the unlink of a segment, the copy and its name are synced."""
    prepared(folder)
    calls: list[str] = []
    with monkeypatch.context() as patch:
        patched_calls(
            patch, lambda _turn, name, args: calls.append("segment goes" if is_unlink(name, args) else name)
        )
        Store(folder).trim(LIMIT, keeping(*STAYING))
    assert calls.count("segment goes") == 2
    for at, call in enumerate(calls):
        if call == "segment goes":
            last_write = max(n for n in range(at) if calls[n] == "writev")
            assert calls[last_write:at].count("fsync") == 2


def is_unlink(name: str, args: Any) -> bool:
    return name == "unlink" and args[0].endswith(b".seg")


def test_a_fault_is_one_line_that_says_what_and_why(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_turn: int, name: str, _args: Any) -> None:
        if name == "writev":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    prepared(folder)
    patched_calls(monkeypatch, full)
    with pytest.raises(
        DiskError, match=r"^cannot append to .*/store/0000000[17]-.*\.seg: No space left on device$"
    ):
        Store(folder).trim(LIMIT, keeping(*STAYING))
