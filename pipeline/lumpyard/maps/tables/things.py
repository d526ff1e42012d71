"""What each thing number is, by game and target.

The tables are text, a thing a line: number, radius and height in map units, name. A heading in brackets says what those
below it are, and how they stand:

    solid    nothing walks through it
    hangs    from the ceiling
    doom2    not in the first game
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.tables.games import BOOM, DOOM, DOOM2, HERETIC, HEXEN, MBF21, VANILLA, ZDOOM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

KINDS = (
    *("start", "deathmatch", "teleport", "monster", "weapon", "ammo", "health", "armor", "powerup", "key"),
    *("decoration", "effect", "spot"),
)


class ThingType(NamedTuple):
    """One row of the tables."""

    number: int
    name: str
    kind: str  # of KINDS
    radius: int  # map units
    height: int
    flags: frozenset[str] = frozenset()


@cache
def things(game: str, target: str) -> Mapping[int, ThingType]:
    """All things that a game knows on a target, by number."""
    from lumpyard.maps.tables import (  # noqa: PLC0415 - half of them are not needed
        doom_things,
        heretic_things,
        hexen_things,
        port_things,
    )

    own = {
        DOOM: doom_things.DOOM,
        DOOM2: doom_things.DOOM,
        HERETIC: heretic_things.HERETIC,
        HEXEN: hexen_things.HEXEN,
    }[game]
    ports = {
        VANILLA: port_things.EDITORS,
        BOOM: port_things.EDITORS + port_things.BOOM,
        MBF21: port_things.EDITORS + port_things.BOOM + port_things.MBF,
        ZDOOM: port_things.EDITORS + port_things.BOOM + port_things.MBF + port_things.ZDOOM,
    }[target]
    if target == ZDOOM and game in {DOOM, DOOM2}:
        ports += port_things.ZDOOM_DOOM
    rows = {row.number: row for row in parse(ports)}
    rows.update((row.number, row) for row in parse(own) if game != DOOM or "doom2" not in row.flags)
    return rows


def parse(text: str) -> Iterator[ThingType]:
    """The rows of a table."""
    kind, flags = "", frozenset[str]()
    for line in text.splitlines():
        if line.startswith("["):
            kind, *words = line.strip("[]").split()
            flags = frozenset(words)
        elif line:
            number, size, name = line.split(None, 2)
            first, _, last = number.partition("-")
            radius, _, height = size.partition("x")
            for each in range(int(first), int(last or first) + 1):
                yield ThingType(each, name, kind, int(radius), int(height), flags)
