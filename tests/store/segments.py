"""A store's folder in tests."""

from __future__ import annotations

import os

from tests.builders.segments import sha

from lumpyard.store import Ask, CookedRecord, KeptProduct, Store


def a_record(answer: str) -> CookedRecord:
    return CookedRecord(
        (Ask("exists", "x", answer),), (KeptProduct(None, sha(answer.encode()), 1, None, None),)
    )


def segments(folder: str) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.endswith(".seg"))


def write(folder: str, name: str, data: bytes) -> None:
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/{name}", "wb") as file:
        file.write(data)


def read(folder: str, name: str) -> bytes:
    with open(f"{folder}/{name}", "rb") as file:
        return file.read()


def fill(store: Store) -> None:
    store.put_raw(sha(b"raw"), b"raw")
    store.put_raw(sha(b""), b"")
    if store.compressed_size(b"s" * 32) is None:
        store.put_encoded([(b"b" * 32, b"block"), (b"s" * 32, 77)])
    store.put_cooked(b"c" * 32, a_record("no"))
    store.put_cooked(b"c" * 32, a_record("yes"))


def check_filled(store: Store) -> None:
    assert store.raw(sha(b"raw")) == b"raw"
    assert store.raw(sha(b"")) == b""
    assert store.block(b"b" * 32) == b"block"
    assert store.compressed_size(b"b" * 32) == 5
    assert store.compressed_size(b"s" * 32) == 77
    assert store.cooked(b"c" * 32) == [a_record("yes"), a_record("no")]
