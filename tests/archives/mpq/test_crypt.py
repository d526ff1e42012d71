"""The cipher and the hashes, against a plain writing of them and against known values."""

from __future__ import annotations

import random

import pytest
from tests.builders import mpq

from lumpyard.archives.mpq import crypt
from lumpyard.archives.mpq.jenkins import hashlittle2, jenkins_hash

NAMES = [
    b"",
    b"a",
    b"(listfile)",
    b"Units\\Human\\Footman\\Footman.mdx",
    b"caf\xe9\\na\xefve.txt",
    b"war3map.j",
    bytes(range(256)),
]


@pytest.mark.parametrize("size", [0, 1, 3, 4, 7, 44, 48, 49, 52, 71, 72, 73, 96, 100, 1024, 4095, 4096])
@pytest.mark.parametrize("key", [0, 1, 0xFFFFFFFF, 0xC3AF3770, 0x12345678, -1])
def test_what_the_plain_cipher_encrypts_is_decrypted(size: int, key: int) -> None:
    data = random.Random(size).randbytes(size)
    assert crypt.decrypt(mpq.encrypted(data, key & 0xFFFFFFFF), key) == data


def test_a_memoryview_is_decrypted_as_its_bytes_are() -> None:
    data = bytes(range(256))
    assert crypt.decrypt(memoryview(data), 5) == crypt.decrypt(data, 5)


def test_every_running_key_comes_back_after_six_steps() -> None:
    """What `decrypt` relies on: after 4 steps 18 bits are the same for all keys, and the other 14 go round."""

    def step(key: int) -> int:
        return (((~key << 21) + 0x11111111) & 0xFFFFFFFF) | key >> 11

    def after(key: int, steps: int) -> int:
        for _ in range(steps):
            key = step(key)
        return key

    # One bit of a key moves one bit of what is below it, and a carry those above: all bits of the sum that are free.
    reached = {after(random.Random(seed).getrandbits(32), 4) for seed in range(20_000)}
    ones, zeros = 0xFFFFFFFF, 0xFFFFFFFF
    for key in reached:
        ones, zeros = ones & key, zeros & ~key
    free = [bit for bit in range(32) if not (ones | zeros) >> bit & 1]
    assert len(free) <= 14
    for chosen in range(1 << len(free)):
        key = ones | sum(1 << bit for place, bit in enumerate(free) if chosen >> place & 1)
        settled = after(key, 8)
        assert after(settled, 6) == settled


@pytest.mark.parametrize("name", NAMES)
def test_the_hashes_of_a_name_are_those_of_the_plain_way(name: bytes) -> None:
    assert crypt.start_hash(name) == mpq.hashed(name, 0)
    assert crypt.name_hash(name) == mpq.hashed(name, 1) | mpq.hashed(name, 2) << 32
    assert crypt.file_key(name) == mpq.base_key(name)
    hasher = crypt.NameHasher()
    assert hasher(name) == hasher(name.lower()) == crypt.name_hash(name)


def test_known_hashes() -> None:
    assert crypt.file_key(b"(hash table)") == 0xC3AF3770
    assert crypt.file_key(b"(block table)") == 0xEC83B3A3


@pytest.mark.parametrize("name", NAMES)
def test_case_and_kind_of_slash_make_no_difference(name: bytes) -> None:
    other = bytes(name).swapcase().replace(b"\\", b"/") if name.isascii() else name.replace(b"\\", b"/")
    for hashed in (crypt.start_hash, crypt.name_hash, crypt.file_key, jenkins_hash):
        assert hashed(other) == hashed(name)


def test_only_ascii_letters_have_a_case() -> None:
    assert crypt.name_hash(b"\xe9") != crypt.name_hash(b"\xc9")


@pytest.mark.parametrize("name", [*NAMES, *(b"x" * size for size in range(30))])
def test_the_jenkins_hash_is_that_of_the_plain_way(name: bytes) -> None:
    assert jenkins_hash(name) == mpq.jenkins(name)


def test_known_results_of_lookup3() -> None:
    """From `driver5` in lookup3.c."""
    phrase = b"Four score and seven years ago"
    assert hashlittle2(b"", 0, 0) == (0xDEADBEEF, 0xDEADBEEF)
    assert hashlittle2(b"", 0, 0xDEADBEEF) == (0xBD5B7DDE, 0xDEADBEEF)
    assert hashlittle2(b"", 0xDEADBEEF, 0xDEADBEEF) == (0x9C093CCD, 0xBD5B7DDE)
    assert hashlittle2(phrase, 0, 0) == (0x17770551, 0xCE7226E6)
    assert hashlittle2(phrase, 0, 1) == (0xE3607CAE, 0xBD371DE4)
    assert hashlittle2(phrase, 1, 0) == (0xCD628161, 0x6CBEA4B3)


def test_keys_are_found_from_a_known_dword() -> None:
    for key in range(0, 0xFFFFFFFF, 0x0FEDCBA9):
        stored = int.from_bytes(mpq.encrypted((76).to_bytes(4, "little"), key), "little")
        assert key in crypt.keys_for(stored, 76)
