"""Where things stand in an EWAD that we write: the order of the lumps, the seed, the offsets.

All of it follows from names, sizes and alignments, so a build knows it before it has read or compressed
anything.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.archives.ewad.records import ENTRY_SIZE, HEADER_SIZE, LAST_SEED, MAX_NAME_SIZE, SEED_RETRIES
from lumpyard.archives.model import shown
from lumpyard.errors import UsageError
from lumpyard.hashing import name_key, name_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Ordering(NamedTuple):
    """The directory order of some names."""

    seed: int  # under which all keys differ
    keys: list[int]  # ascending
    order: list[int]  # indices into the names, in the order of their keys


def order_names(names: Sequence[bytes], seed: int = 0) -> Ordering:
    """The order of names under the first seed that keeps their keys apart: the given one or one of 64 more.

    Seeds count modulo 2^64. UsageError when a name is not 1 to 255 bytes without NUL, when one is there
    twice, or when names collide under each seed.
    """
    check_names(names)
    for attempt in range(SEED_RETRIES + 1):
        tried = (seed + attempt) & LAST_SEED
        keys = name_keys(names, tried)
        if len(set(keys)) == len(keys):
            order = sorted(range(len(keys)), key=keys.__getitem__)
            return Ordering(tried, list(map(keys.__getitem__, order)), order)
    first, second = _collision(names, seed)
    raise UsageError(
        f"lumps {shown(first)} and {shown(second)} have the same key under seed {seed}, and some names"
        f" collide under each of the {SEED_RETRIES} seeds after it too; rename a lump or choose another seed"
    )


def check_names(names: Sequence[bytes]) -> None:
    """UsageError unless each name is 1 to 255 bytes without NUL, and there only once."""
    if not names:
        return
    sizes = list(map(len, names))
    if min(sizes) < 1 or max(sizes) > MAX_NAME_SIZE or b"\0".join(names).count(b"\0") != len(names) - 1:
        for name in names:
            check_name(name)
    if len(set(names)) != len(names):
        twice = next(name for name, times in Counter(names).items() if times > 1)
        raise UsageError(f"two lumps have the name {shown(twice)}; names in an archive must differ")


def check_name(name: bytes) -> None:
    """UsageError unless a name can stand in an EWAD."""
    if not 1 <= len(name) <= MAX_NAME_SIZE:
        raise UsageError(f"lump name {shown(name)} has {len(name)} bytes; a name has 1 to {MAX_NAME_SIZE}")
    if b"\0" in name:
        raise UsageError(f"lump name {shown(name)} has a NUL byte; a name may hold any byte but NUL")


def head_size(names: Iterable[bytes], *, named: bool) -> int:
    """Bytes of header, directory and string table: where the first lump may start."""
    sizes = list(map(len, names))
    return HEADER_SIZE + ENTRY_SIZE * len(sizes) + (sum(sizes) + len(sizes) if named else 0)


def place(sizes: Iterable[int], alignments: Iterable[int], start: int) -> tuple[list[int], int]:
    """The offset of each lump, at the next multiple of its alignment, and the size of the file.

    `start` is `head_size`. An empty lump is placed like any other: where it is the last, the file ends at its
    offset, padding included.
    """
    offsets = []
    end = start
    for size, alignment in zip(sizes, alignments, strict=False):  # alignments may be repeat(16)
        offset = -(-end // alignment) * alignment
        offsets.append(offset)
        end = offset + size
    return offsets, end


def _collision(names: Sequence[bytes], seed: int) -> tuple[bytes, bytes]:
    """The first two names that have one key under a seed."""
    seen: dict[int, bytes] = {}
    for name in names:
        other = seen.setdefault(name_key(name, seed), name)
        if other is not name:
            return other, name
    raise AssertionError("no collision")
