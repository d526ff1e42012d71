"""Segments that were torn, grew, or are written by others meanwhile: all that is whole is read, and kept."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.builders.segments import NAME, raw_record, segment_header, sha
from tests.store.segments import a_record, read, segments, write

from lumpyard.store import Store

if TYPE_CHECKING:
    import pytest


def test_a_torn_segment_is_read_and_not_appended_to(folder: str) -> None:
    data = segment_header() + raw_record(b"whole") + raw_record(b"torn")[:-1]
    write(folder, NAME, data)
    store = Store(folder)
    store.put_raw(sha(b"new"), b"new")
    assert store.raw(sha(b"whole")) == b"whole"
    assert store.raw(sha(b"torn")) is None
    assert read(folder, NAME) == data
    assert len(segments(folder)) == 2


def test_a_segment_that_was_torn_meanwhile_is_not_appended_to(folder: str) -> None:
    other, store = Store(folder), Store(folder)
    other.put_raw(sha(b"whole"), b"whole")
    assert store.raw(sha(b"whole")) == b"whole"
    other.close()
    (name,) = segments(folder)
    data = read(folder, name) + raw_record(b"torn", bytes.fromhex(name[9:25]))[:-1]
    write(folder, name, data)
    store.put_raw(sha(b"new"), b"new")
    assert read(folder, name) == data
    assert Store(folder).raw(sha(b"new")) == b"new"


def test_a_segment_that_grew_meanwhile_is_appended_to_after_a_look(folder: str) -> None:
    other, store = Store(folder), Store(folder)
    other.put_raw(sha(b"1"), b"1")
    assert store.raw(sha(b"1")) == b"1"
    other.put_raw(sha(b"2"), b"2")
    other.close()
    store.put_raw(sha(b"3"), b"3")
    assert len(segments(folder)) == 1
    assert all(store.raw(sha(data)) == data for data in (b"1", b"2", b"3"))


def test_a_segment_whose_header_was_damaged_meanwhile_is_not_appended_to(folder: str) -> None:
    other, store = Store(folder), Store(folder)
    other.put_raw(sha(b"1"), b"1")
    assert store.raw(sha(b"1")) == b"1"
    other.close()
    (name,) = segments(folder)
    write(folder, name, b"x" + read(folder, name)[1:])
    store.put_raw(sha(b"2"), b"2")
    assert Store(folder).raw(sha(b"2")) == b"2"


def test_answers_of_a_younger_segment_come_first(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lumpyard.store.writer.SEGMENT_LIMIT", 100)
    store = Store(folder)
    for number in range(20):
        store.put_cooked(b"c" * 32, a_record(str(number)))
    assert len(segments(folder)) == 20
    newest_first = [a_record(str(number)) for number in range(19, -1, -1)]
    assert store.cooked(b"c" * 32) == newest_first
    store.close()
    assert store.cooked(b"c" * 32) == newest_first
    store.verify()
    store._keeper.save_index()
    store.close()
    assert store.cooked(b"c" * 32) == newest_first


def test_segments_that_are_written_at_once_are_of_one_age(folder: str) -> None:
    """Else the oldest would not be what goes first, and each build would leave more segments."""
    for _ in range(5):
        stores = [Store(folder) for _ in range(3)]
        for store in stores:
            store.refresh()
            store.put_raw(sha(os.urandom(8)), b"x")
        for store in stores:
            store.close()
    assert [name[:8] for name in segments(folder)] == ["00000001"] * 3


def test_of_many_sets_of_answers_the_newest_are_looked_at(folder: str) -> None:
    store = Store(folder)
    for number in range(70):
        store.put_cooked(b"c" * 32, a_record(str(number)))
    assert store.cooked(b"c" * 32) == [a_record(str(number)) for number in range(69, 5, -1)]


def test_what_another_process_makes_is_noticed_on_a_miss(folder: str) -> None:
    reader, writer = Store(folder), Store(folder)
    assert reader.raw(sha(b"1")) is None
    writer.put_raw(sha(b"1"), b"1")
    assert reader.raw(sha(b"1")) == b"1"


def test_what_another_process_appends_is_noticed_on_refresh(folder: str) -> None:
    reader, writer = Store(folder), Store(folder)
    writer.put_raw(sha(b"1"), b"1")
    assert reader.raw(sha(b"1")) == b"1"
    writer.put_raw(sha(b"2"), b"2")
    assert reader.raw(sha(b"2")) is None
    reader.refresh()
    assert reader.raw(sha(b"2")) == b"2"


def test_what_follows_a_cut_is_found_also_after_a_kill(folder: str) -> None:
    """As after a power cut: the index knows more of a segment than there is, and then the segment grows past that."""
    store = Store(folder)
    for number in range(100):
        store.put_encoded([(bytes([number]) * 32, number)])
    store.close()
    (name,) = segments(folder)
    os.truncate(f"{folder}/{name}", 32 + 50 * 96)
    store = Store(folder)
    for number in range(100, 163):
        store.put_encoded([(bytes([number]) * 32, number)])
    assert segments(folder) == [name]
    warnings: list[str] = []
    other = Store(folder, warnings.append)
    found = [number for number in range(256) if other.compressed_size(bytes([number]) * 32) == number]
    assert found == [*range(50), *range(100, 163)]
    assert warnings == []


def test_the_same_answers_from_two_processes_are_one_record(folder: str) -> None:
    first, second = Store(folder), Store(folder)
    first.put_encoded([(b"s" * 32, 1)])
    second.raw(b"r" * 32)
    first.put_cooked(b"c" * 32, a_record("no"))
    second.put_cooked(b"c" * 32, a_record("no"))
    assert Store(folder).cooked(b"c" * 32) == [a_record("no")]


def test_a_segment_that_shrinks_while_it_is_known_is_scanned_again(folder: str) -> None:
    other, store = Store(folder), Store(folder)
    other.put_raw(sha(b"1"), b"1")
    other.put_raw(sha(b"2"), b"2")
    assert store.raw(sha(b"2")) == b"2"
    other.close()
    (name,) = segments(folder)
    os.truncate(f"{folder}/{name}", 32 + 88 + 1)
    store.refresh()
    other.put_raw(sha(b"33"), b"33")
    other.close()
    store.refresh()
    assert store.raw(sha(b"33")) == b"33"
    assert store.raw(sha(b"1")) == b"1"
