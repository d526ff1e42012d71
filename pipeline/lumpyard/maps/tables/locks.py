"""Which keys open a lock: groups of thing numbers, of each of which one is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.tables.games import HERETIC, HEXEN, ZDOOM

if TYPE_CHECKING:
    from collections.abc import Mapping

Keys = tuple[tuple[int, ...], ...]

_DOOM: Mapping[str, Keys] = {
    "blue": ((5, 40),),
    "yellow": ((6, 39),),
    "red": ((13, 38),),
    "blue-card": ((5,),),
    "yellow-card": ((6,),),
    "red-card": ((13,),),
    "red-skull": ((38,),),
    "yellow-skull": ((39,),),
    "blue-skull": ((40,),),
    "any": ((5, 6, 13, 38, 39, 40),),
    "three": ((5, 40), (6, 39), (13, 38)),
    "all": ((5,), (6,), (13,), (38,), (39,), (40,)),
}
_HERETIC: Mapping[str, Keys] = {"green": ((73,),), "blue": ((79,),), "yellow": ((80,),)}
_DOOM_LOCKS = {1: "red-card", 2: "blue-card", 3: "yellow-card", 4: "red-skull", 5: "blue-skull", 6: "yellow-skull",
               100: "any", 101: "all", 129: "red", 130: "blue", 131: "yellow", 132: "red", 133: "blue", 134: "yellow",
               229: "three"}  # fmt: skip
_HERETIC_LOCKS = {1: "green", 2: "blue", 3: "yellow", 129: "green", 130: "blue", 131: "yellow"}
_HEXEN_KEYS = (
    "steel",
    "cave",
    "axe",
    "fire",
    "emerald",
    "dungeon",
    "silver",
    "rusted",
    "horn",
    "swamp",
    "castle",
)
_HEXEN_LOCKS = dict(enumerate(_HEXEN_KEYS, 1))
_HEXEN: Mapping[str, Keys] = {
    name: ((8029 + number if number < 11 else 8200,),) for number, name in _HEXEN_LOCKS.items()
}


def keys_of(lock: str, game: str) -> Keys:
    """What opens a lock; nothing is needed for one that the game has not."""
    return {HERETIC: _HERETIC, HEXEN: _HEXEN}.get(game, _DOOM).get(lock, ())


def lock_name(number: int, game: str, target: str) -> str:
    """The lock of an action's argument; empty where there is none or it is not known."""
    if game == HEXEN:
        return _HEXEN_LOCKS.get(number, "")
    if target != ZDOOM:
        return ""
    return (_HERETIC_LOCKS if game == HERETIC else _DOOM_LOCKS).get(number, "")
