"""What lines and things do, the same for Doom's specials and Hexen's actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lumpyard.maps.tables.actions import actions as known_actions
from lumpyard.maps.tables.line_types import find_line_type
from lumpyard.maps.tables.locks import lock_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.maps.model import DoomMap
    from lumpyard.maps.tables.actions import Action


class Use(NamedTuple):
    """What one line's special does, as far as checks care."""

    line: int
    special: int
    kind: str  # as of `line_types`
    sector_tags: Sequence[int] = ()  # 0 where there is none
    line_tags: Sequence[int] = ()
    thing_ids: Sequence[int] = ()
    lock: str = ""
    pressed_door: bool = False  # moves the sector behind the line
    trigger: str = ""  # of Doom's specials


def is_special(special: int, game: str, target: str, *, actions: bool) -> bool:
    """Whether a target knows a line's special; `actions` where the map's specials are Hexen's."""
    if actions:
        return special in known_actions(target)
    return find_line_type(special, game, target) is not None


def uses(level: DoomMap, game: str, target: str, *, actions: bool) -> list[Use]:
    """All uses of specials that the target knows, by line."""
    found: list[Use] = []
    for number, line in enumerate(level.lines):
        if not line.special:
            continue
        if actions:
            action = known_actions(target).get(line.special)
            if action:
                found.append(_action_use(number, action, line.args, game, target))
            continue
        row = find_line_type(line.special, game, target)
        if row:
            sectors, lines = (
                ((line.tag,), ()) if row.tagged == "sector" else ((), (line.tag,)) if row.tagged else ((), ())
            )
            pressed = row.trigger[0] == "D"
            found.append(
                Use(number, line.special, row.kind, sectors, lines, (), row.lock, pressed, row.trigger)
            )
    return found


def thing_uses(level: DoomMap, game: str, target: str) -> list[Use]:
    """The same of things."""
    known = known_actions(target)
    return [
        _action_use(-1, known[thing.special], thing.args, game, target)
        for thing in level.things
        if thing.special in known
    ]


def _action_use(number: int, action: Action, args: Sequence[int], game: str, target: str) -> Use:
    args = (*args, 0, 0, 0, 0, 0)

    def those(letter: str) -> tuple[int, ...]:
        return tuple(arg for arg, role in zip(args, action.args, strict=False) if role == letter)

    sectors, locks = those("t"), those("k")
    lock = lock_name(locks[0], game, target) if locks else ""
    pressed = action.kind == "door" and sectors == (0,)
    return Use(number, action.number, action.kind, sectors, those("l"), those("i"), lock, pressed)
