"""Cooked records and the encode digest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.segments import sha

from lumpyard.store import Ask, CookedRecord, KeptProduct, encode_digest, encode_digests
from lumpyard.store.cooked import decode_cooked, encode_cooked

if TYPE_CHECKING:
    from typing import Any

# Names that are not UTF-8 travel as surrogate escapes.
texts = st.one_of(st.text(), st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")))
products = st.builds(
    KeptProduct,
    st.none() | texts,
    st.binary(min_size=32, max_size=32),
    st.integers(0, 2**64),
    st.none() | st.integers(0, 2**32 - 1),
    st.none() | st.integers(0, 65535),
)
records = st.builds(
    CookedRecord, st.lists(st.builds(Ask, texts, texts, texts)).map(tuple), st.lists(products).map(tuple)
)


@settings(deadline=None)
@given(records)
def test_a_record_survives_the_round_trip(record: CookedRecord) -> None:
    assert decode_cooked(encode_cooked(record)) == record


def test_a_record_is_this_json() -> None:
    record = CookedRecord((Ask("read", "a.txt", "absent"),), (KeptProduct(None, bytes(32), 5, 7, 1),))
    assert encode_cooked(record) == (
        b'{"asks":[["read","a.txt","absent"]],"products":[[null,"' + b"00" * 32 + b'",5,7,1]]}'
    )


GOOD: Any = [None, "00" * 32, 5, 7, 1]


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"asks": [], "products": 3},
        {"asks": None, "products": []},
        {"asks": [["a", "b"]], "products": []},
        {"asks": [["a", "b", 3]], "products": []},
        {"asks": [], "products": [GOOD[:4]]},
        {"asks": [], "products": [[*GOOD, 1]]},
        {"asks": [], "products": [[3, *GOOD[1:]]]},
        {"asks": [], "products": [[None, "00", *GOOD[2:]]]},
        {"asks": [], "products": [[None, "x" * 64, *GOOD[2:]]]},
        {"asks": [], "products": [[None, "00" * 32, -1, 7, 1]]},
        {"asks": [], "products": [[None, "00" * 32, True, 7, 1]]},
        {"asks": [], "products": [[None, "00" * 32, 1.5, 7, 1]]},
        {"asks": [], "products": [[None, "00" * 32, 1, "TEXT", 1]]},
        {"asks": [], "products": [[None, "00" * 32, 1, 7, "1"]]},
    ],
)
def test_anything_else_is_no_record(document: Any) -> None:
    assert decode_cooked(json.dumps(document).encode()) is None


def test_what_is_no_json_is_no_record() -> None:
    for payload in (b"", b"\xff", b"{", b"[" * 100_000, b"9" * 10_000):
        assert decode_cooked(payload) is None


def test_keys_of_a_later_version_are_left_alone() -> None:
    assert decode_cooked(b'{"asks":[],"notes":[1],"products":[]}') == CookedRecord((), ())


def test_the_encode_digest_is_of_these_bytes() -> None:
    """Digest of the raw bytes, codec, level, binding and LZ4 library version."""
    parts = [b"lumpyard encode 1", sha(b"raw"), b"lz4hc", b"9", b"python-lz4, lz4 1.9.4"]
    expected = sha(b"".join(len(part).to_bytes(4, "little") + part for part in parts))
    assert encode_digest(sha(b"raw"), "lz4hc", 9, "python-lz4, lz4 1.9.4") == expected


@given(st.binary(min_size=32, max_size=32))
def test_one_by_one_or_many_at_once_encode_digests_are_the_same(raw_digest: bytes) -> None:
    for encoder in (("lz4hc", 12, "python-lz4, lz4 1.9.4"), ("daikatana", 0, "daikatana 1")):
        assert encode_digests(*encoder)(raw_digest) == encode_digest(raw_digest, *encoder)


def test_whatever_decides_a_block_changes_its_digest() -> None:
    raw = sha(b"raw")
    digests = {
        encode_digest(raw, "lz4", 0, "a"),
        encode_digest(sha(b"other"), "lz4", 0, "a"),
        encode_digest(raw, "lz4hc", 0, "a"),
        encode_digest(raw, "lz4", 1, "a"),
        encode_digest(raw, "lz4", 0, "b"),
        encode_digest(raw, "lz4", 0, ""),
        encode_digest(raw, "lz40", 0, "a"),
    }
    assert len(digests) == 7
