"""Sparse streams: runs of zeros and of other bytes that add up to exactly the stated size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import mpq_sparse

from lumpyard.archives.mpq.codecs.sparse import expand
from lumpyard.errors import MalformedError


@given(st.lists(st.binary(max_size=200) | st.integers(0, 300).map(bytes), max_size=10).map(b"".join))
def test_what_is_made_sparse_is_expanded(raw: bytes) -> None:
    assert expand(memoryview(mpq_sparse.sparse(raw)), len(raw)) == raw


def test_every_run_has_its_length() -> None:
    for length in range(3, 131):
        assert expand(memoryview(mpq_sparse.stream([length], length)), 200) == bytes(length)
    for length in range(1, 129):
        plain = bytes(range(1, length + 1))
        assert expand(memoryview(mpq_sparse.stream([plain], length)), 200) == plain


@pytest.mark.parametrize(
    ("pieces", "size"),
    [([5], 4), ([5, 3], 7), ([b"abc"], 2), ([5], 6), ([], 1), ([b"abc", 3], 7), ([130] * 9, 1169)],
)
def test_runs_that_do_not_end_at_the_size_are_malformed(pieces: list[bytes | int], size: int) -> None:
    with pytest.raises(MalformedError) as caught:
        expand(memoryview(mpq_sparse.stream(pieces, size)), 10_000)
    assert caught.value.code == "sparse"


def test_a_size_that_is_too_much_is_refused_before_a_run_is_read() -> None:
    for size in (11, 2**31, 2**32 - 1):
        with pytest.raises(MalformedError, match=f"says {size} raw bytes, but at most 10 belong here"):
            expand(memoryview(mpq_sparse.stream([10], size)), 10)


def test_what_stands_behind_the_last_run_is_ignored() -> None:
    assert expand(memoryview(mpq_sparse.stream([10], 10) + b"\xff" * 9), 10) == bytes(10)
