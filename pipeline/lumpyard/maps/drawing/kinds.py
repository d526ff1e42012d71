"""What lines, sectors and things are drawn as: roles of the palette, from the numbers that the games give them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.checks.guessing import guess_game
from lumpyard.maps.model import DOOM, UDMF
from lumpyard.maps.tables import games
from lumpyard.maps.tables.actions import actions
from lumpyard.maps.tables.line_types import find_line_type
from lumpyard.maps.tables.locks import lock_name
from lumpyard.maps.tables.things import things

if TYPE_CHECKING:
    from lumpyard.maps.drawing.plan import PlanLine
    from lumpyard.maps.model import DoomMap, Line, Sector, Thing

_DOOM_NAMESPACES = frozenset({"doom", "heretic", "strife"})  # of UDMF, whose specials are Doom's
_COLOURS = frozenset({"blue", "red", "yellow", "green"})
_QUIET = frozenset({"scroll", "translucent"})  # what a line looks like, not what it does
_ROLES = {"exit": "exit", "secret": "exit-secret", "teleport": "teleport", "line-teleport": "teleport"}
_THINGS = {"armor": "health", "spot": "decoration", "effect": "decoration", "start": "player"}
_SECRET, _BOOM_SECRET, _ZDOOM_SECRET = 9, 0x80, 0x400
_MULTIPLAYER, _NOT_DEATHMATCH, _NOT_COOP = 16, 32, 64  # flags of things in Doom's format
_SINGLE, _COOP, _DEATHMATCH = 256, 512, 1024  # in Hexen's
_SKILLS = (0, 1, 1, 2, 4, 4)


class Rules(NamedTuple):
    """Whose numbers a map has."""

    game: str
    actions: bool  # specials are Hexen's, with arguments


def rules_of(level: DoomMap, game: str = "auto") -> Rules:
    """The numbers of a map: of the game given, or of the one that it seems to be for."""
    numbered = level.format == DOOM or (level.format == UDMF and level.namespace.lower() in _DOOM_NAMESPACES)
    return Rules(guess_game(level) if game == "auto" else game, not numbered)


def special_role(line: Line, rules: Rules) -> str:
    """What a line is drawn as for its special: an exit, a lock, a teleport, a special; empty if for none."""
    if not line.special:
        return ""
    if not rules.actions:
        return _numbered_role(line.special, rules.game)
    action = actions(games.ZDOOM).get(line.special)
    if action is None:
        return "special"
    place = action.args.find("k")
    if 0 <= place < len(line.args) and line.args[place]:
        return _lock_role(lock_name(line.args[place], rules.game, games.ZDOOM))
    return (
        "" if action.kind in _QUIET or action.args.startswith("l---") else _ROLES.get(action.kind, "special")
    )


def tags_of(line: Line, rules: Rules) -> tuple[int, ...]:
    """The sector tags that a line's special acts on; without 0, which is the sector behind it or none."""
    if not line.special:
        return ()
    if rules.actions:
        action = actions(games.ZDOOM).get(line.special)
        letters = action.args if action else ""
        return tuple(arg for letter, arg in zip(letters, line.args, strict=False) if letter == "t" and arg)
    known = find_line_type(line.special, rules.game, games.ZDOOM)
    return (line.tag,) if known and known.tagged == "sector" and line.tag else ()


@cache
def _numbered_role(special: int, game: str) -> str:
    known = find_line_type(special, game, games.ZDOOM)
    if known is None:
        return "special"
    if known.lock:
        return _lock_role(known.lock)
    return "" if known.trigger == "-" or known.kind in _QUIET else _ROLES.get(known.kind, "special")


def _lock_role(lock: str) -> str:
    colour = lock.partition("-")[0]
    return f"lock-{colour}" if colour in _COLOURS else "lock-any"


def wall_role(line: PlanLine, level: DoomMap) -> str:
    """What a line is drawn as for what is on its sides."""
    if line.front is None:
        return "broken"
    if line.back is None:
        return "wall" if line.line.back is None else "broken"
    front, back = level.sectors[line.front], level.sectors[line.back]
    if _is_shut(front) != _is_shut(back):
        return "door"
    if front.floor_height != back.floor_height:
        return "floor"
    return "ceiling" if front.ceiling_height != back.ceiling_height else "flat"


def _is_shut(sector: Sector) -> bool:
    return sector.ceiling_height <= sector.floor_height


def is_secret(sector: Sector, rules: Rules) -> bool:
    """Whether finding the sector counts as finding a secret."""
    special = sector.special
    if special == _SECRET:
        return True
    return bool(special & _ZDOOM_SECRET) if rules.actions else special > 31 and bool(special & _BOOM_SECRET)


def thing_role(thing: Thing, rules: Rules) -> str:
    """What a thing is drawn as; keys as `lock-` and their colour."""
    known = things(rules.game, games.ZDOOM).get(thing.type)
    if known is None:
        return "unknown"
    if known.kind == "key":
        return _lock_role(next((word for word in known.name.split() if word in _COLOURS), ""))
    if known.kind == "start" and thing.type != 1:
        return "start"
    return _THINGS.get(known.kind, known.kind)


def is_key(thing: Thing, rules: Rules) -> bool:
    """Whether a thing opens locks."""
    known = things(rules.game, games.ZDOOM).get(thing.type)
    return known is not None and known.kind == "key"


def is_there(thing: Thing, level: DoomMap, skill: int, mode: str) -> bool:
    """Whether a thing is in a game of this skill (0 for any) and mode ("all" for any)."""
    flags = thing.flags
    if skill and not flags & _SKILLS[skill]:
        return False
    if mode == "all":
        return True
    if level.format == DOOM:
        unwanted = {"single": _MULTIPLAYER, "coop": _NOT_COOP, "deathmatch": _NOT_DEATHMATCH}[mode]
        return not flags & unwanted
    return bool(flags & {"single": _SINGLE, "coop": _COOP, "deathmatch": _DEATHMATCH}[mode])
