"""The store: what was put comes back, to whoever opens the folder, and whatever else lies in it."""

from __future__ import annotations

import os
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders.segments import BLOCK, NAME, RAW, SIZE, raw_record, record, segment, segment_header, sha
from tests.store.segments import check_filled, fill, read, segments, write

from lumpyard.errors import UnsupportedError
from lumpyard.store import Kind, Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_nothing_is_opened_or_made_before_it_is_needed(folder: str) -> None:
    store = Store(folder)
    store.close()
    assert not os.path.exists(folder)
    assert store.cooked(b"c" * 32) == []
    assert store.raw(b"r" * 32) is None
    assert store.block(b"b" * 32) is None
    assert store.compressed_size(b"b" * 32) is None
    store.refresh()
    store.sync()
    assert store.verify() == []
    assert store.info().size == 0
    assert store.trim(0, lambda _kind, _key: False) == (0, 0, 0, 0, 0)
    store.close()
    assert not os.path.exists(folder)


def test_what_was_put_is_found_at_once(folder: str) -> None:
    store = Store(folder)
    fill(store)
    check_filled(store)
    store.close()
    check_filled(store)
    store.close()


def test_what_was_put_is_found_by_others_without_a_close(folder: str) -> None:
    """A killed process loses nothing that was put."""
    writer = Store(folder)
    fill(writer)
    check_filled(Store(folder))


def test_one_kind_is_not_found_as_another(folder: str) -> None:
    store = Store(folder)
    store.put_raw(sha(b"raw"), b"raw")
    assert store.block(sha(b"raw")) is None
    assert store.compressed_size(sha(b"raw")) is None
    assert store.cooked(sha(b"raw")) == []


def test_the_segment_holds_just_the_records(folder: str) -> None:
    store = Store(folder)
    store.put_raw(sha(b"raw"), b"raw")
    store.put_encoded([(b"b" * 32, b"block")])
    store.put_encoded([(b"s" * 32, 77)])
    (name,) = segments(folder)
    mark = bytes.fromhex(name[9:25])
    records = [
        (RAW, sha(b"raw"), b"raw"),
        (BLOCK, b"b" * 32, b"block"),
        (SIZE, b"s" * 32, (77).to_bytes(8, "little")),
    ]
    assert read(folder, name) == segment(records, mark)


def test_a_segment_by_another_writer_is_read(folder: str) -> None:
    write(folder, NAME, segment([(RAW, sha(b"raw"), b"raw"), (BLOCK, b"b" * 32, b"block")]))
    store = Store(folder)
    assert store.raw(sha(b"raw")) == b"raw"
    assert store.block(b"b" * 32) == b"block"


def test_putting_twice_writes_once(folder: str) -> None:
    store = Store(folder)
    fill(store)
    sizes = [os.path.getsize(f"{folder}/{name}") for name in segments(folder)]
    fill(store)
    fill(other := Store(folder))
    other.close()
    assert [os.path.getsize(f"{folder}/{name}") for name in segments(folder)] == sizes


def test_a_thousand_builds_leave_one_segment(folder: str) -> None:
    """A segment that another process left whole and small is gone on with."""
    for number in range(30):
        store = Store(folder)
        store.put_raw(sha(bytes([number])), bytes([number]))
        store.close()
    assert len(segments(folder)) == 1
    store = Store(folder)
    assert all(store.raw(sha(bytes([number]))) == bytes([number]) for number in range(30))


def test_a_full_segment_is_followed_by_the_next(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lumpyard.store.writer.SEGMENT_LIMIT", 1000)
    store = Store(folder)
    for number in range(30):
        store.put_raw(sha(bytes([number]) * 100), bytes([number]) * 100)
    store.sync()
    assert [name[:8] for name in segments(folder)] == [f"{number:08}" for number in range(1, 6)]
    other = Store(folder)
    assert all(other.raw(sha(bytes([n]) * 100)) == bytes([n]) * 100 for n in range(30))


def test_what_follows_a_full_segment_is_younger_than_all_others(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lumpyard.store.writer.SEGMENT_LIMIT", 300)
    first, second = Store(folder), Store(folder)
    first.put_raw(sha(b"1"), b"1")
    second.put_raw(sha(b"2"), b"2")
    first.refresh()
    for number in range(10, 14):
        first.put_raw(sha(bytes([number])), bytes([number]))
    assert [name[:8] for name in segments(folder)] == ["00000001", "00000001", "00000002"]


def traced(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]) -> list[str]:
    """A list that each call of these functions of `os` is noted in, as its name and the file it is about."""
    calls: list[str] = []

    def wrapped(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(descriptor: int, *args: Any) -> Any:
            target = os.readlink(f"/proc/self/fd/{descriptor}")
            calls.append(f"{name} {os.path.basename(target)[-3:]}")
            return call(descriptor, *args)

        return noted

    for name in names:
        monkeypatch.setattr(os, name, wrapped(name, getattr(os, name)))
    return calls


def test_sync_waits_for_the_data_and_once_for_the_name(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(folder)
    os.makedirs(folder)
    calls = traced(monkeypatch, ("writev", "fsync"))
    store.put_raw(sha(b"1"), b"1")
    assert calls == ["writev seg"]
    store.sync()
    assert calls == ["writev seg", "fsync seg", "fsync ore"]
    store.sync()
    store.put_raw(sha(b"2"), b"2")
    store.sync()
    assert calls[3:] == ["writev seg", "fsync seg"]


def test_new_folders_are_durable_by_name(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = traced(monkeypatch, ("fsync",))
    Store(folder).put_raw(sha(b"1"), b"1")
    assert len(calls) == 3  # of "project", ".lumpyard" and "store"


def test_asking_whether_it_can_keep_leaves_nothing_and_makes_durable_folders(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = traced(monkeypatch, ("fsync",))
    assert Store(folder).can_keep()
    assert os.listdir(folder) == []
    assert len(calls) == 3


def test_a_sync_covers_segments_that_were_left_full(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lumpyard.store.writer.SEGMENT_LIMIT", 100)
    os.makedirs(folder)
    calls = traced(monkeypatch, ("writev", "fsync"))
    store = Store(folder)
    store.put_raw(sha(b"1"), b"1")
    store.put_raw(sha(b"2"), b"2")
    store.sync()
    assert calls == ["writev seg", "fsync seg", "fsync ore"] * 2


def test_what_is_put_in_one_go_comes_back_as_if_it_were_put_one_by_one(
    folder: str, warnings: list[str]
) -> None:
    """More than one call of the system takes, and more than one piece of 128 KiB."""
    sizes = [(number.to_bytes(32, "big"), number) for number in range(1500)]
    blocks = [(number.to_bytes(32, "little"), bytes([number]) * 3000) for number in range(1, 100)]
    at_once, one_by_one = Store(folder), Store(f"{folder}/other")
    at_once.put_encoded([*sizes, *blocks])
    at_once.put_encoded([])
    for key, size in sizes:
        one_by_one.put_encoded([(key, size)])
    for key, block in blocks:
        one_by_one.put_encoded([(key, block)])
    for store in (at_once, Store(folder, warnings.append), one_by_one):
        assert [store.compressed_size(key) for key, _ in sizes] == [size for _, size in sizes]
        assert [store.block(key) for key, _ in blocks] == [block for _, block in blocks]
    assert at_once.info().records == one_by_one.info().records
    assert at_once.verify() == warnings == []


def test_foreign_files_in_the_folder_are_left_alone(folder: str, warnings: list[str]) -> None:
    fill(Store(folder))
    write(folder, "notes.txt", b"hello")
    write(folder, "00000001-nothex.seg", b"hello")
    write(folder, "00000002-" + "0" * 16 + ".seg", b"LYSTORE")
    write(folder, "00000003-" + "0" * 16 + ".seg", segment([(BLOCK, b"x" * 32, b"x")]))  # another's mark
    os.mkdir(f"{folder}/00000004-{'0' * 16}.seg")
    os.mkfifo(f"{folder}/00000005-{'0' * 16}.seg")
    os.symlink("/etc/passwd", f"{folder}/00000006-{'0' * 16}.seg")
    os.symlink("nowhere", f"{folder}/00000007-{'0' * 16}.seg")
    store = Store(folder, warnings.append)
    check_filled(store)
    assert store.block(b"x" * 32) is None
    store.put_encoded([(b"y" * 32, b"y")])
    assert warnings == []
    assert [problem.split(": ")[0][len(folder) + 1 :][:8] for problem in store.verify()] == [
        f"{number:08}" for number in (4, 5, 6, 7, 2, 3)
    ]


def test_a_store_of_a_newer_version_stops_the_build(folder: str) -> None:
    write(folder, NAME, segment_header(version=2))
    store = Store(folder)
    for call in (store.raw, store.block, store.cooked, store.compressed_size):
        with pytest.raises(
            UnsupportedError, match="upgrade lumpyard, or set LUMPYARD_STORE to another folder"
        ):
            call(b"k" * 32)
    with pytest.raises(UnsupportedError):
        store.put_raw(sha(b"raw"), b"raw")
    with pytest.raises(UnsupportedError):
        store.trim(0, lambda _kind, _key: False)
    assert segments(folder) == [NAME]
    store.close()


def test_large_bytes_are_not_copied_about(folder: str) -> None:
    data = os.urandom(1 << 20) * 50
    raw_digest = sha(data)
    store = Store(folder)
    store.raw(raw_digest)
    tracemalloc.start()
    try:
        store.put_raw(raw_digest, memoryview(data))
        store.put_encoded([(b"b" * 32, data)])
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
        again = store.raw(raw_digest)
        assert again is not None
        assert tracemalloc.get_traced_memory()[1] < len(data) + (1 << 20)
        tracemalloc.reset_peak()
        assert store.verify() == []
        assert tracemalloc.get_traced_memory()[1] < len(data) + (4 << 20)
    finally:
        tracemalloc.stop()
    assert again == data


def test_names_that_are_not_utf8_are_fine_as_folders(tmp_path: Path) -> None:
    folder = f"{tmp_path}/" + b"caf\xe9".decode("utf-8", "surrogateescape")
    fill(Store(folder))
    check_filled(Store(folder))
    assert Store(folder).verify() == []


def test_info_counts_what_there_is(folder: str) -> None:
    fill(Store(folder))
    store = Store(folder)
    info = store.info()
    assert info.records == {"cooked": 2, "raw": 2, "block": 1, "size": 1}
    assert info.record_sizes["raw"] == 3
    assert info.record_sizes["block"] == 5
    assert (info.segments, info.dead_size) == (1, 0)
    assert info.size == sum(os.path.getsize(f"{folder}/{name}") for name in os.listdir(folder))


def test_info_counts_dead_bytes(folder: str) -> None:
    twice, torn = raw_record(b"twice"), raw_record(b"torn")[:-1]
    write(folder, NAME, segment_header() + twice + raw_record(b"once") + twice + torn)
    info = Store(folder).info()
    assert info.records["raw"] == 2
    assert info.dead_size == len(twice) + len(torn)


def test_a_kind_that_is_not_known_is_named_and_not_used(folder: str) -> None:
    write(folder, NAME, segment_header() + record(9, b"k" * 32, b"x") + raw_record(b"raw"))
    store = Store(folder)
    assert store.raw(sha(b"raw")) == b"raw"
    assert store.verify() == [
        f"{folder}/{NAME}: the kind 9 record {(b'k' * 32).hex()} at byte 32 is of no kind that is known"
    ]
    assert store.info().dead_size == 89
    assert store.trim(10**9, lambda _kind, _key: True).kept == 1
    assert store.verify() == []


def test_kinds_are_these_numbers() -> None:
    assert {kind.name: kind.value for kind in Kind} == {"COOKED": 1, "RAW": 2, "BLOCK": 3, "SIZE": 4}
