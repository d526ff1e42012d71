"""The index of a store: it spares a scan, and is never believed where segments say otherwise."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.builders.segments import sha
from tests.store.segments import check_filled, fill, read, segments, write

from lumpyard.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_the_index_is_written_once_it_pays_and_found_whole(folder: str) -> None:
    store = Store(folder)
    for number in range(63):
        store.put_raw(sha(bytes([number])), bytes([number]))
    store.close()
    assert not os.path.exists(f"{folder}/index-1")
    store.put_raw(sha(b"last"), b"last")
    store.close()
    index = read(folder, "index-1")
    store.raw(sha(b"last"))
    store.close()
    assert read(folder, "index-1") == index
    assert [name for name in os.listdir(folder) if not name.endswith(".seg")] == ["index-1"]


def test_with_the_index_no_segment_is_scanned(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(folder)
    for number in range(200):
        store.put_raw(sha(bytes([number])), bytes([number]))
    store.close()

    def no_scan(*_: object) -> None:
        raise AssertionError

    with monkeypatch.context() as patch:
        patch.setattr("lumpyard.store.catalog.scan", no_scan)
        assert all(store.raw(sha(bytes([number]))) == bytes([number]) for number in range(200))
    store.put_raw(sha(b"more"), b"more")
    assert Store(folder).raw(sha(b"more")) == b"more"


@pytest.mark.parametrize("index", [b"", b"garbage" * 100, b"LYINDEX\n" + bytes(56), bytes(64)])
def test_a_missing_or_garbage_index_means_a_scan(folder: str, index: bytes) -> None:
    fill(Store(folder))
    write(folder, "index-1", index)
    check_filled(Store(folder))


def test_an_index_of_other_segments_means_a_scan(folder: str, tmp_path: Path) -> None:
    other = Store(f"{tmp_path}/other")
    for number in range(100):
        other.put_raw(sha(bytes([number])), bytes([number]))
    other.close()
    fill(Store(folder))
    write(folder, "index-1", read(other.folder, "index-1"))
    store = Store(folder)
    check_filled(store)
    assert store.raw(sha(b"\1")) is None


def test_an_index_from_before_a_segment_was_cut_means_a_scan(folder: str) -> None:
    store = Store(folder)
    for number in range(100):
        store.put_raw(sha(bytes([number])), bytes([number]))
    store.close()
    (name,) = segments(folder)
    write(folder, name, read(folder, name)[:-1])
    assert [n for n in range(100) if store.raw(sha(bytes([n]))) is None] == [99]
    store.put_raw(sha(bytes([99])), bytes([99]))
    assert store.raw(sha(bytes([99]))) == bytes([99])


def test_a_folder_or_fifo_in_place_of_the_index_is_done_without(folder: str, warnings: list[str]) -> None:
    makers: tuple[Callable[[str], None], ...] = (os.mkdir, os.mkfifo)
    for make in makers:
        fill(Store(folder))
        make(f"{folder}/index-1")
        store = Store(folder, warnings.append)
        check_filled(store)
        for number in range(100):
            store.put_raw(sha(bytes([number])), bytes([number]))
        store.close()
        check_filled(store)
        store.close()
        assert warnings == []
        os.rename(folder, f"{folder}-{make.__name__}")
