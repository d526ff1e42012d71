"""Archives that someone broke: a small sound one, or several, changed here and there by a seeded generator."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

NUMBERS = [0, 1, 2, 11, 12, 13, 63, 64, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x10000]
NUMBERS += [0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF, 1 << 32, (1 << 63) - 1, (1 << 64) - 1]


def mutant(archives: Sequence[bytes], rng: random.Random) -> bytes:
    """One of the archives with one to four changes."""
    data = bytearray(rng.choice(archives))
    for _ in range(rng.choice([1, 1, 1, 2, 3, 4])):
        rng.choice(CHANGES)(data, archives, rng)
    return bytes(data)


def _flip(data: bytearray, _: Sequence[bytes], rng: random.Random) -> None:
    if data:
        data[_place(data, rng)] ^= 1 << rng.randrange(8)


def _byte(data: bytearray, _: Sequence[bytes], rng: random.Random) -> None:
    if data:
        data[_place(data, rng)] = rng.choice([0, 1, 0x5C, 0x2F, 0x7F, 0x80, 0xFE, 0xFF, rng.randrange(256)])


def _number(data: bytearray, _: Sequence[bytes], rng: random.Random) -> None:
    """A number of 2, 4 or 8 bytes becomes an extreme, or one near the size of the file or to what it was."""
    code = rng.choice(["<H", "<I", "<I", "<I", "<Q"])
    width = struct.calcsize(code)
    if len(data) < width:
        return
    at = min(_place(data, rng) & ~1, len(data) - width)
    (old,) = struct.unpack_from(code, data, at)
    near = rng.choice([old, len(data), old * 2, old // 2]) + rng.randrange(-2, 3)
    struct.pack_into(code, data, at, rng.choice([near, near, *NUMBERS]) % (1 << 8 * width))


def _cut(data: bytearray, _: Sequence[bytes], rng: random.Random) -> None:
    del data[rng.randrange(len(data) + 1) :]


def _drop(data: bytearray, _: Sequence[bytes], rng: random.Random) -> None:
    at = _place(data, rng) if data else 0
    del data[at : at + rng.choice([1, 4, 16, 64])]


def _insert(data: bytearray, _: Sequence[bytes], rng: random.Random) -> None:
    at = rng.randrange(len(data) + 1)
    data[at:at] = rng.randbytes(rng.choice([1, 4, 16, 64]))


def _repeat(data: bytearray, _: Sequence[bytes], rng: random.Random) -> None:
    """One stretch is put over another: entries that say the same, ranges that overlap."""
    size = rng.choice([4, 8, 16, 32, 64, 72])
    if len(data) > size:
        source, target = rng.randrange(len(data) - size), rng.randrange(len(data) - size)
        data[target : target + size] = data[source : source + size]


def _graft(data: bytearray, archives: Sequence[bytes], rng: random.Random) -> None:
    """A stretch of another archive, at the same place."""
    other = rng.choice(archives)
    at = rng.randrange(len(data) + 1)
    size = rng.choice([4, 16, 64, 256])
    data[at : at + size] = other[at : at + size]


CHANGES: list[Callable[[bytearray, Sequence[bytes], random.Random], None]] = [
    *([_flip] * 3),
    *([_byte] * 2),
    *([_number] * 5),
    *(_cut, _drop, _insert, _repeat, _graft),
]


def _place(data: bytearray, rng: random.Random) -> int:
    """Any byte, half of the time one of the first 64 or the last 256, where headers and directories are."""
    if rng.random() < 0.5:
        return rng.randrange(len(data))
    return rng.choice([rng.randrange(min(64, len(data))), rng.randrange(max(0, len(data) - 256), len(data))])


def mpq_mutant(archives: Sequence[bytes], rng: random.Random) -> bytes:
    """An MPQ of which a number in the hash or the block table was changed, under the cipher that covers them."""
    data = bytearray(rng.choice(archives))
    hashes, blocks, hash_entries, block_entries = struct.unpack_from("<IIII", data, 16)
    at, entries, key = rng.choice([(hashes, hash_entries, 0xC3AF3770), (blocks, block_entries, 0xEC83B3A3)])
    if at + 16 * entries > len(data) or not entries:
        return bytes(data)  # compressed, as in the third and fourth version
    table = list(struct.unpack_from(f"<{4 * entries}I", data, at))
    plain = _crypted(table, key, decrypt=True)
    for _ in range(rng.choice([1, 1, 2, 3])):
        place = rng.randrange(len(plain))
        near = rng.choice([plain[place], plain[rng.randrange(len(plain))], len(data)]) + rng.randrange(-2, 3)
        flags = plain[place] ^ 1 << rng.choice([8, 9, 16, 17, 24, 25, 26, 31])
        plain[place] = rng.choice([near, near, flags, flags, *NUMBERS]) & 0xFFFFFFFF
    struct.pack_into(f"<{4 * entries}I", data, at, *_crypted(plain, key, decrypt=False))
    return bytes(data)


def _crypted(numbers: Sequence[int], key: int, *, decrypt: bool) -> list[int]:
    """The cipher of MPQ tables, in the words of its description."""
    seed, found = 0xEEEEEEEE, []
    for number in numbers:
        seed = (seed + CIPHER[key & 0xFF]) & 0xFFFFFFFF
        other = number ^ (key + seed & 0xFFFFFFFF)
        key = ((~key << 21) + 0x11111111 & 0xFFFFFFFF) | key >> 11
        seed = (other if decrypt else number) + seed * 33 + 3 & 0xFFFFFFFF
        found.append(other)
    return found


def _cipher() -> list[int]:
    seed, table = 0x00100001, [0] * 0x500
    for low in range(0x100):
        for place in range(low, 0x500, 0x100):
            halves = []
            for _ in range(2):
                seed = (seed * 125 + 3) % 0x2AAAAB
                halves.append(seed & 0xFFFF)
            table[place] = halves[0] << 16 | halves[1]
    return table[0x400:]


CIPHER = _cipher()
