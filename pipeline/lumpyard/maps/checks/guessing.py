"""Which game a map is for, where nobody says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard.maps.model import DOOM as DOOM_FORMAT
from lumpyard.maps.model import HEXEN as HEXEN_FORMAT
from lumpyard.maps.tables.games import DOOM, DOOM2, HERETIC, HEXEN, MBF21, ZDOOM
from lumpyard.maps.tables.things import things

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap

_EPISODE = re.compile(r"E[0-9]M[0-9]+", re.IGNORECASE)
_NAMESPACES = {"heretic": HERETIC, "hexen": HEXEN}


def guess_game(level: DoomMap) -> str:
    """The game of a map: of those that use its kind of name and format, the one that knows most of its things.

    Doom II's numbers are all of Doom's; a map called E1M1 is Doom's or Heretic's.
    """
    if level.namespace.lower() in _NAMESPACES:
        return _NAMESPACES[level.namespace.lower()]
    doom = DOOM if _EPISODE.fullmatch(level.name) else DOOM2
    if level.namespace.lower() == "doom":
        return doom
    games = [doom, HERETIC] if doom == DOOM else [doom]
    if level.format == HEXEN_FORMAT or level.namespace:
        games.append(HEXEN)
    types = [thing.type for thing in level.things]

    target = MBF21 if level.format == DOOM_FORMAT else ZDOOM

    def score(game: str) -> int:
        known = things(game, target)
        return sum(number in known for number in types)

    return max(games, key=score)
