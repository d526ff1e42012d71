"""The seed retry, with names that really collide (tests/builders/collide.py)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import collide
from xxhash import xxh64_intdigest

from lumpyard.archives.ewad.layout import order_names
from lumpyard.archives.ewad.reader import view
from lumpyard.archives.ewad.records import StoredLump
from lumpyard.archives.ewad.verify import verify
from lumpyard.archives.ewad.writer import write_ewad
from lumpyard.errors import UsageError

U64 = st.integers(0, 2**64 - 1)


@given(st.binary(min_size=8, max_size=8), U64)
def test_the_description_of_xxh64_and_its_inversion_are_right(name: bytes, seed: int) -> None:
    assert collide.hash_of_eight(name, seed) == xxh64_intdigest(name, seed)
    assert collide.name_of_key(xxh64_intdigest(name, seed), seed) == name


@given(U64, U64)
def test_every_key_has_an_eight_byte_name(key: int, seed: int) -> None:
    assert xxh64_intdigest(collide.name_of_key(key, seed), seed) == key


@pytest.mark.parametrize("seed", range(65))
def test_the_file_names_collide_and_are_fit_for_files(seed: int) -> None:
    first, second = collide.file_pair(seed)
    assert xxh64_intdigest(first.encode(), seed) == xxh64_intdigest(second.encode(), seed)
    assert len(second) == 8
    assert second.isascii()
    assert second.replace("_", "").replace("-", "").isalnum()


def test_without_collision_the_first_seed_stays() -> None:
    for seed in (0, 7, 2**64 - 1):
        assert order_names([b"a", b"b"], seed).seed == seed


def test_a_collision_takes_the_next_seed() -> None:
    """ "If two different names share a key it increments the seed and rebuilds." """
    names = [name.encode() for name in collide.file_pair(0)]
    ordering = order_names([*names, b"other"])
    assert ordering.seed == 1
    assert ordering.keys == sorted(xxh64_intdigest(name, 1) for name in [*names, b"other"])
    data = write_ewad([StoredLump(name, name, len(name)) for name in names])
    assert view(data).seed == 1
    assert verify(view(data)) == []
    for name in names:
        index = view(data).find(name)
        assert index is not None
        assert view(data).read(index) == name


@pytest.mark.parametrize("tried", [1, 2, 63, 64])
def test_up_to_64_more_seeds_are_tried(tried: int) -> None:
    assert order_names(collide.names_for_seeds(range(100, 100 + tried)), 100).seed == 100 + tried


def test_after_64_more_seeds_the_writer_gives_up_and_names_two() -> None:
    names = [name.encode() for name in collide.file_names_for_every_seed()]
    with pytest.raises(UsageError) as caught:
        order_names(names)
    message = str(caught.value)
    assert any(
        repr(first) in message and repr(second) in message
        for first, second in (collide.file_pair(0), collide.file_pair(0)[::-1])
    )
    assert "seed 0" in message
    assert "64" in message
    assert order_names(names, 65).seed == 65


def test_seeds_count_on_from_zero_after_the_last() -> None:
    """Modulo 2^64."""
    last = 2**64 - 1
    assert order_names(collide.names_for_seeds(range(last, last + 1)), last).seed == 0
    assert order_names(collide.names_for_seeds(range(last - 1, last + 4)), last - 1).seed == 3
    with pytest.raises(UsageError, match=f"seed {last - 30}"):
        order_names(collide.names_for_seeds(range(last - 30, last + 35)), last - 30)


def test_the_order_of_names_makes_no_difference_to_the_seed() -> None:
    names = collide.names_for_seeds(range(5))
    forward, backward = order_names(names), order_names(names[::-1])
    assert (forward.seed, forward.keys) == (backward.seed, backward.keys) == (5, forward.keys)
    assert [names[index] for index in forward.order] == [names[::-1][index] for index in backward.order]
