"""The hashes: published values, and parts that may be cut anywhere."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lumpyard.hashing import content_hash, content_hash_parts, digest, digest_parts, name_key, name_keys


def test_published_values() -> None:
    """XXH64 of nothing and of "abc" (xxHash's own), BLAKE3 of nothing and of "abc" (its test vectors)."""
    assert content_hash(b"") == 0xEF46DB3751D8E999
    assert content_hash(b"abc") == 0x44BC2CF5AD770999
    assert digest(b"").hex() == "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
    assert digest(b"abc").hex() == "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"


@given(st.lists(st.binary(max_size=50)))
def test_parts_hash_as_the_whole(parts: list[bytes]) -> None:
    whole = b"".join(parts)
    assert content_hash_parts(iter(parts)) == content_hash(whole)
    assert digest_parts(map(memoryview, parts)) == digest(whole)


@given(st.lists(st.binary(max_size=50)), st.integers(0, 2**64 - 1))
def test_keys_of_many_names_are_the_keys_of_each(names: list[bytes], seed: int) -> None:
    assert name_keys(names, seed) == [name_key(name, seed) for name in names]


def test_the_content_hash_is_the_key_under_seed_zero() -> None:
    assert name_key(b"a/b.png", 0) == content_hash(b"a/b.png")
    assert name_key(b"a/b.png", 1) != name_key(b"a/b.png", 0)
