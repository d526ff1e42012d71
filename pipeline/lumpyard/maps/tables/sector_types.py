"""Which sector types a game knows on a target, and which of them end the level.

Source: the unofficial Doom specification, "Sector types"; boomref.txt (bits 5 to 11); the MBF21 specification (bits 12
and 13); the ZDoom wiki, "Sector specials".
"""

from __future__ import annotations

from functools import cache

from lumpyard.maps.tables.games import BOOM, HERETIC, HEXEN, MBF21, TARGETS, ZDOOM
from lumpyard.maps.tables.ranges import numbers

_DOOM = frozenset(numbers("0-14 16 17"))
_HERETIC = frozenset(numbers("0-5 7-51"))
_HEXEN = frozenset(numbers("0-4 9 26 27 40-51 198-225"))
_ZDOOM = frozenset(numbers("0-4 9 21-22 26-27 40-51 64-91 101-139 195-238 244-255"))
_BOOM_BITS = 0x0FE0  # damage, secret, friction, wind
_MBF21_BITS = 0x3000  # other kinds of damage, monsters die
_ZDOOM_BITS = 0xFF00
_DEATH = 0x1000  # MBF21: bits 5 and 6 mean something else then


@cache
def _plain(game: str, target: str, actions: bool) -> frozenset[int]:
    if actions:
        return _ZDOOM if target == ZDOOM else _HEXEN
    return {HERETIC: _HERETIC, HEXEN: _HEXEN}.get(game, _DOOM)


def is_known(special: int, game: str, target: str, *, actions: bool) -> bool:
    """Whether a sector type means something; `actions` where the map's specials are Hexen's."""
    plain = _plain(game, target, actions)
    if special in plain:
        return True
    if actions:
        return target == ZDOOM and special & ~_ZDOOM_BITS in plain
    later = TARGETS.index(target)
    bits = (_BOOM_BITS if later >= TARGETS.index(BOOM) else 0) | (
        _MBF21_BITS if later >= TARGETS.index(MBF21) else 0
    )
    return bool(bits) and special & ~bits in plain and special >= 0


def ends_level(special: int, target: str) -> bool:
    """Whether a player who stands in such a sector long enough leaves the level."""
    if TARGETS.index(target) >= TARGETS.index(BOOM):
        if TARGETS.index(target) >= TARGETS.index(MBF21) and special & _DEATH and special & 0x40:
            return True
        special &= 0x1F
    return special == 11
