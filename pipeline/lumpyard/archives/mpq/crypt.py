"""The cipher of MPQ tables and files, and the three hashes of names.

Both come from one table of 5 * 256 numbers. A name's hashes are of its upper-case form with backslashes; the first says
where a probe of the hash table starts, the next two are compared there, the last is a file's key.

The cipher makes two numbers for every dword: a running key, which depends on the first key alone, and a running seed,
which depends on all plain text so far. With the sum of the two as state, one step is `plain = stored ^ state; state =
plain + 33 * state + (a number that depends on the keys alone)`. The running key soon repeats itself: after 4 steps only
14 of its bits are free, and from then on each key comes back after 6 steps. So those numbers are made once and then go
round, which halves the time.
"""

from __future__ import annotations

from struct import Struct, pack, unpack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

_MASK = 0xFFFFFFFF
_FIRST_SEED = 0xEEEEEEEE
_FIRST_HASH = 0x7FED7FED
_NEW = (
    _FIRST_HASH,
    _FIRST_SEED,
    _FIRST_HASH,
    _FIRST_SEED,
)  # two hashes of nothing, as `_hash_two` carries them on
_STEPS = 12  # enough for the running key to have reached its circle
_PERIOD = 6
_SIX = Struct("<6I")


def _make_table() -> tuple[int, ...]:
    table = [0] * 0x500
    seed = 0x00100001
    for low in range(0x100):
        for place in range(low, 0x500, 0x100):
            seed = (seed * 125 + 3) % 0x2AAAAB
            high = (seed & 0xFFFF) << 16
            seed = (seed * 125 + 3) % 0x2AAAAB
            table[place] = high | (seed & 0xFFFF)
    return tuple(table)


_TABLE = _make_table()
_START, _NAME_A, _NAME_B, _KEY, _CIPHER = (_TABLE[place : place + 0x100] for place in range(0, 0x500, 0x100))

_UPPER = bytes.maketrans(b"abcdefghijklmnopqrstuvwxyz/", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ\\")


def fold(name: bytes) -> bytes:
    """The form of a name that is hashed: ASCII letters upper-case, slashes turned into backslashes."""
    return name.translate(_UPPER)


def start_hash(name: bytes) -> int:
    """Where the probe for a name starts, before it is cut to the size of the hash table."""
    return _hash(_START, fold(name))


def name_hash(name: bytes) -> int:
    """The two hashes that stand in a hash entry as one u64, the first in its low half."""
    first, _, other, _ = _hash_two(_NEW, fold(name))
    return first | other << 32


def file_key(name: bytes) -> int:
    """The key of an encrypted file, or of a table by its name: the hash of what is behind the last backslash."""
    return _hash(_KEY, fold(name).rpartition(b"\\")[2])


def _hash(table: tuple[int, ...], folded: bytes) -> int:
    first, second = _FIRST_HASH, _FIRST_SEED
    for character in folded:
        first = table[character] ^ (first + second & _MASK)
        second = character + first + second * 33 + 3 & _MASK
    return first


class NameHasher:
    """`name_hash` for many names of few folders: what a folder's name does to the hashes is remembered."""

    def __init__(self) -> None:
        self._folders: dict[bytes, tuple[int, int, int, int]] = {}

    def __call__(self, name: bytes) -> int:
        """As `name_hash`."""
        folder, slash, base = fold(name).rpartition(b"\\")
        state = self._folders.get(folder + slash)
        if state is None:
            state = self._folders[folder + slash] = _hash_two(_NEW, folder + slash)
        first, _, other, _ = _hash_two(state, base)
        return first | other << 32


def _hash_two(state: tuple[int, int, int, int], folded: bytes) -> tuple[int, int, int, int]:
    """The two name hashes, each with its seed, carried on over some characters."""
    first, second, other, another = state
    table_a, table_b = _NAME_A, _NAME_B
    for character in folded:
        first = table_a[character] ^ (first + second & _MASK)
        second = character + first + second * 33 + 3 & _MASK
        other = table_b[character] ^ (other + another & _MASK)
        another = character + other + another * 33 + 3 & _MASK
    return first, second, other, another


def decrypt(data: Buffer, key: int) -> bytes:
    """The plain bytes of some encrypted ones; up to 3 bytes behind the last whole dword are not encrypted."""
    view = memoryview(data).cast("B")
    whole = len(view) & ~3
    first_end = min(whole, 4 * _STEPS)
    rest_start = whole - (whole - first_end) % _SIX.size
    key &= _MASK
    state = key + _FIRST_SEED + _CIPHER[key & 0xFF] & _MASK
    added = _between_steps(key)
    plain: list[int] = []
    state = _decrypt_some(view[:first_end], state, added, plain)
    state = _decrypt_sixes(view[first_end:rest_start], state, added[_STEPS:], plain)
    _decrypt_some(view[rest_start:whole], state, added[_STEPS:], plain)
    return pack(f"<{len(plain)}I", *plain) + view[whole:].tobytes()


def _decrypt_some(stored: memoryview, state: int, added: list[int], plain: list[int]) -> int:
    """The state after some dwords, no more than there are numbers to add; they go to the end of `plain`."""
    for dword, more in zip(unpack(f"<{len(stored) // 4}I", stored), added, strict=False):
        dword ^= state  # noqa: PLW2901 - what was stored is of no more use
        plain.append(dword)
        state = dword + 33 * state + more & _MASK
    return state


def _decrypt_sixes(stored: memoryview, state: int, added: list[int], plain: list[int]) -> int:
    """The same for any number of times six: a quarter quicker than one by one."""
    add_a, add_b, add_c, add_d, add_e, add_f = added
    extend = plain.extend
    for a, b, c, d, e, f in _SIX.iter_unpack(stored):
        a ^= state  # noqa: PLW2901 - as above
        state = a + 33 * state + add_a & 0xFFFFFFFF
        b ^= state  # noqa: PLW2901
        state = b + 33 * state + add_b & 0xFFFFFFFF
        c ^= state  # noqa: PLW2901
        state = c + 33 * state + add_c & 0xFFFFFFFF
        d ^= state  # noqa: PLW2901
        state = d + 33 * state + add_d & 0xFFFFFFFF
        e ^= state  # noqa: PLW2901
        state = e + 33 * state + add_e & 0xFFFFFFFF
        f ^= state  # noqa: PLW2901
        state = f + 33 * state + add_f & 0xFFFFFFFF
        extend((a, b, c, d, e, f))
    return state


def _between_steps(key: int) -> list[int]:
    """What is added after each of the first steps, and then of the six that come round again and again."""
    added = []
    for _ in range(_STEPS + _PERIOD):
        following = ((~key << 21) + 0x11111111 & _MASK) | key >> 11
        added.append(following - 33 * key + _CIPHER[following & 0xFF] + 3 & _MASK)
        key = following
    return added


def keys_for(stored: int, plain: int) -> list[int]:
    """The keys under which a first dword is stored so: one of 256 on average, all others are wrong for certain."""
    state = stored ^ plain
    keys = (state - _FIRST_SEED - more & _MASK for more in _CIPHER)
    return [key for low, key in enumerate(keys) if key & 0xFF == low]
