"""A damaged store: right bytes or a miss, never wrong bytes, never an error; and `verify` names all of it.

P4: a cache, local or shared, can make a build slower, never different.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.builders.segments import (
    BLOCK,
    COOKED,
    NAME,
    RAW,
    SIZE,
    raw_record,
    record,
    segment,
    segment_header,
    sha,
)

from lumpyard.store import Ask, CookedRecord, KeptProduct, Store

if TYPE_CHECKING:
    from pathlib import Path

COOKED_RECORD = CookedRecord((Ask("exists", "x", "no"),), (KeptProduct("n", sha(b"raw"), 3, 7, 1),))
COOKED_PAYLOAD = (
    b'{"asks":[["exists","x","no"]],"products":[["n","' + sha(b"raw").hex().encode() + b'",3,7,1]]}'
)
RECORDS = [
    (RAW, sha(b"raw"), b"raw"),
    (BLOCK, b"b" * 32, b"block"),
    (COOKED, b"c" * 32, COOKED_PAYLOAD),
    (SIZE, b"s" * 32, (77).to_bytes(8, "little")),
]
WHOLE = segment(RECORDS)


class Fixture:
    """A store's folder with one segment in it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        os.mkdir(folder)

    def put(self, data: bytes, name: str = NAME) -> None:
        with open(f"{self.folder}/{name}", "wb") as file:
            file.write(data)

    def clear(self) -> None:
        for name in os.listdir(self.folder):
            os.unlink(f"{self.folder}/{name}")

    def found(self, store: Store) -> int:
        """How many of the four records are there; what is there must be right."""
        raw, block, size = store.raw(sha(b"raw")), store.block(b"b" * 32), store.compressed_size(b"s" * 32)
        cooked = store.cooked(b"c" * 32)
        assert raw in (b"raw", None)
        assert block in (b"block", None)
        assert store.compressed_size(b"b" * 32) in (5, None)
        assert size in (77, None)
        assert cooked in ([COOKED_RECORD], [])
        return sum((raw is not None, block is not None, size is not None, bool(cooked)))


@pytest.fixture
def store_folder(tmp_path: Path) -> Fixture:
    return Fixture(f"{tmp_path}/store")


def test_every_truncation_gives_the_records_before_it(store_folder: Fixture) -> None:
    for size in range(len(WHOLE) + 1):
        store_folder.put(WHOLE[:size])
        store = Store(store_folder.folder)
        ends = [32 + len(segment(RECORDS[:n])) - 32 for n in range(1, 5)]
        assert store_folder.found(store) == sum(end <= size for end in ends)
        assert len(store.verify()) == (0 if size in {0, 32, *ends} else 1)
        store.close()
        store_folder.clear()


@pytest.mark.parametrize("bit", [0, 3, 7])
def test_every_flipped_bit_costs_one_record_and_is_named(store_folder: Fixture, bit: int) -> None:
    for at in range(len(WHOLE)):
        damaged = bytearray(WHOLE)
        damaged[at] ^= 1 << bit
        store_folder.put(bytes(damaged))
        warnings: list[str] = []
        store = Store(store_folder.folder, warnings.append)
        assert store_folder.found(store) == (0 if at < 32 else 3)
        assert store_folder.found(store) == (0 if at < 32 else 3)
        assert len(warnings) <= 1
        assert len(store.verify()) == 1
        store.close()
        store_folder.clear()


def test_every_flipped_bit_of_a_segment_that_is_indexed_is_found(store_folder: Fixture) -> None:
    """The index says where a record is; what it is, its own bytes say."""
    filler = [(SIZE, bytes([number]) * 32, bytes(8)) for number in range(80)]
    whole = segment([*RECORDS, *filler])
    store_folder.put(whole)
    store = Store(store_folder.folder)
    store_folder.found(store)
    store.close()
    with open(f"{store_folder.folder}/index-1", "rb") as file:
        index = file.read()
    for at in range(32, len(WHOLE)):
        damaged = bytearray(whole)
        damaged[at] ^= 4
        store_folder.put(bytes(damaged))
        store_folder.put(index, "index-1")
        store = Store(store_folder.folder)
        assert store_folder.found(store) >= 3
        assert len(store.verify()) == 1
    for at in range(32):
        damaged = bytearray(whole)
        damaged[at] ^= 4
        store_folder.put(bytes(damaged))
        store_folder.put(index, "index-1")
        store_folder.found(Store(store_folder.folder))


def test_a_warning_says_which_record_is_damaged_and_what_follows(store_folder: Fixture) -> None:
    store_folder.put(WHOLE.replace(b"block", b"bl0ck"))
    warnings: list[str] = []
    store = Store(store_folder.folder, warnings.append)
    assert store.block(b"b" * 32) is None
    assert store.block(b"b" * 32) is None
    at = 32 + 88 + 3
    problem = f"{store_folder.folder}/{NAME}: the BLOCK record {(b'b' * 32).hex()} at byte {at} is damaged"
    assert warnings == [f"{problem}; what it held is made again"]
    assert store.verify() == [problem]


def test_what_is_damaged_can_be_put_again(store_folder: Fixture) -> None:
    store_folder.put(WHOLE.replace(b"block", b"bl0ck"))
    store = Store(store_folder.folder)
    assert store.block(b"b" * 32) is None
    assert store.compressed_size(b"b" * 32) is None
    store.put_encoded([(b"b" * 32, b"block")])
    assert store.block(b"b" * 32) == b"block"
    store.close()
    os.unlink(f"{store_folder.folder}/index-1") if os.path.exists(f"{store_folder.folder}/index-1") else None
    assert Store(store_folder.folder).block(b"b" * 32) == b"block"


def test_after_verify_the_index_leaves_bad_records_out(store_folder: Fixture) -> None:
    store_folder.put(WHOLE.replace(b"block", b"bl0ck"))
    store = Store(store_folder.folder)
    assert len(store.verify()) == 1
    store.close()
    warnings: list[str] = []
    store = Store(store_folder.folder, warnings.append)
    assert store_folder.found(store) == 3
    assert warnings == []


def test_an_older_good_copy_serves_when_a_younger_is_bad(store_folder: Fixture) -> None:
    store_folder.put(segment_header() + raw_record(b"raw") + raw_record(b"raw")[:-1] + b"x")
    assert Store(store_folder.folder).raw(sha(b"raw")) == b"raw"


def test_a_payload_under_another_key_is_a_miss(store_folder: Fixture) -> None:
    """A record holds for its own key only: one block in place of another of the same size is found out."""
    first, second = record(BLOCK, b"1" * 32, b"first"), record(BLOCK, b"2" * 32, b"secnd")
    swapped = first[:88] + second[88:] + second[:88] + first[88:]
    store_folder.put(segment_header() + swapped)
    store = Store(store_folder.folder)
    assert store.block(b"1" * 32) is None
    assert store.block(b"2" * 32) is None
    assert len(store.verify()) == 2


def test_raw_bytes_with_a_right_checksum_under_the_wrong_digest_are_a_miss(store_folder: Fixture) -> None:
    """Poison: evil content with a right self-checksum."""
    store_folder.put(segment_header() + record(RAW, sha(b"good"), b"evil"))
    store = Store(store_folder.folder)
    assert store.raw(sha(b"good")) is None
    assert len(store.verify()) == 1


def test_answers_that_are_no_answers_are_a_miss(store_folder: Fixture) -> None:
    store_folder.put(
        segment_header() + record(COOKED, b"c" * 32, b"{}") + record(SIZE, b"s" * 32, b"123456789")
    )
    store = Store(store_folder.folder)
    assert store.cooked(b"c" * 32) == []
    assert store.compressed_size(b"s" * 32) is None
    assert len(store.verify()) == 2


def test_empty_and_garbage_segments_are_misses(store_folder: Fixture) -> None:
    for data in (b"", b"\0" * 5000, os.urandom(5000), b"LYSTORE\n", WHOLE[::-1]):
        store_folder.put(data)
        store = Store(store_folder.folder)
        assert store_folder.found(store) == 0
        assert len(store.verify()) == bool(data)
        store.close()


def test_a_segment_that_vanishes_is_a_miss(store_folder: Fixture) -> None:
    store_folder.put(WHOLE)
    store = Store(store_folder.folder)
    assert store.raw(sha(b"raw")) == b"raw"
    os.unlink(f"{store_folder.folder}/{NAME}")
    assert store.raw(sha(b"raw")) == b"raw"  # an open file stays readable
    store.refresh()
    assert store_folder.found(store) == 0
    store.put_raw(sha(b"raw"), b"raw")
    assert store.raw(sha(b"raw")) == b"raw"


def test_a_segment_that_vanishes_before_it_is_opened_is_a_miss(store_folder: Fixture) -> None:
    store_folder.put(WHOLE)
    Store(store_folder.folder).verify()
    filler = Store(store_folder.folder)
    for number in range(80):
        filler.put_encoded([(bytes([number]) * 32, number)])
    filler.close()
    warnings: list[str] = []
    store = Store(store_folder.folder, warnings.append)
    store.refresh()
    os.unlink(f"{store_folder.folder}/{NAME}")
    assert store_folder.found(store) == 0
    assert warnings == []


def test_a_folder_that_vanishes_is_made_again(store_folder: Fixture) -> None:
    store_folder.put(WHOLE)
    store = Store(store_folder.folder)
    store.refresh()
    store_folder.clear()
    os.rmdir(store_folder.folder)
    store.refresh()
    assert store_folder.found(store) == 0
    store.put_raw(sha(b"raw"), b"raw")
    assert Store(store_folder.folder).raw(sha(b"raw")) == b"raw"
