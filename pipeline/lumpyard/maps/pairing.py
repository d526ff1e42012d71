"""Records of two maps paired up: by keys, one after another, and at last by nearness.

Numbers of records mean nothing here but an order, in which records of one key are paired.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    Key = Callable[[int], Hashable]
    Place = Callable[[int], tuple[float, float] | None]

_MOST_PAIRS = 250_000  # that are measured for nearness (0.3 s); beyond them, the order decides


class Pairing(NamedTuple):
    """Which records are the same, and which are in one map only."""

    pairs: list[tuple[int, int]]
    old: list[int]
    new: list[int]


def pair_by(old: Iterable[int], new: Iterable[int], old_key: Key, new_key: Key) -> Pairing:
    """Records of equal keys, in the order given; a key of None is like no other."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for number in new:
        waiting[new_key(number)].append(number)
    rest = waiting.pop(None, [])
    for numbers in waiting.values():
        numbers.reverse()
    pairs: list[tuple[int, int]] = []
    left: list[int] = []
    for number in old:
        key = old_key(number)
        if key is not None and waiting.get(key):
            pairs.append((number, waiting[key].pop()))
        else:
            left.append(number)
    rest += [number for numbers in waiting.values() for number in numbers]
    return Pairing(pairs, left, sorted(rest))


def pair_by_keys(old: Iterable[int], new: Iterable[int], keys: Sequence[tuple[Key, Key]]) -> Pairing:
    """Records of equal keys: by the first pair of keys, what is left by the second, and so on."""
    found = Pairing([], list(old), list(new))
    for old_key, new_key in keys:
        more = pair_by(found.old, found.new, old_key, new_key)
        found = Pairing([*found.pairs, *more.pairs], more.old, more.new)
    return found


def pair_nearest(
    old: Iterable[int], new: Iterable[int], keys: tuple[Key, Key], places: tuple[Place, Place]
) -> Pairing:
    """Records of equal keys, the nearest first; ties go to the lower numbers.

    Nearness is measured of so many pairs and no more, over all keys: a hostile map has billions.
    """
    groups: dict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, numbers in enumerate((old, new)):
        for number in numbers:
            groups[keys[side](number)][side].append(number)
    found = Pairing([], [], [])
    left = _MOST_PAIRS
    for key, (ours, theirs) in groups.items():
        left -= 0 if key is None else len(ours) * len(theirs)
        if key is None:
            pairs = []
        elif left < 0:
            pairs = list(zip(ours, theirs, strict=False))
        else:
            pairs = _nearest(ours, theirs, places)
        found.pairs.extend(pairs)
        paired = ({pair[0] for pair in pairs}, {pair[1] for pair in pairs})
        found.old.extend(number for number in ours if number not in paired[0])
        found.new.extend(number for number in theirs if number not in paired[1])
    return Pairing(found.pairs, sorted(found.old), sorted(found.new))


def _nearest(old: list[int], new: list[int], places: tuple[Place, Place]) -> list[tuple[int, int]]:
    spots = {number: place for number in new if (place := places[1](number)) is not None}
    measured = sorted(
        ((x - spot[0]) ** 2 + (y - spot[1]) ** 2, ours, theirs)
        for ours in old
        if (place := places[0](ours)) is not None
        for x, y in [place]
        for theirs, spot in spots.items()
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, ours, theirs in measured:
        if ours not in pairs and theirs not in taken:
            pairs[ours] = theirs
            taken.add(theirs)
    return list(pairs.items())
