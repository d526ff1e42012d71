"""What several checks need to know of a map, worked out once, and as far as its numbers lead somewhere."""

from __future__ import annotations

from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING

from lumpyard.maps import nodes
from lumpyard.maps.checks.guessing import guess_game
from lumpyard.maps.checks.uses import thing_uses, uses
from lumpyard.maps.grid import Ends, Steps, line_east_of, make_grid
from lumpyard.maps.model import DOOM, HEXEN, UDMF
from lumpyard.maps.tables.things import things

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lumpyard.maps.checks.context import CheckContext
    from lumpyard.maps.checks.uses import Use
    from lumpyard.maps.grid import Grid
    from lumpyard.maps.model import DoomMap, NodeTree, Number, Side
    from lumpyard.maps.tables.things import ThingType

OUTSIDE, UNSURE = -1, -2  # where no sector's number can stand
FAR = 1 << 24  # map units; beyond it nothing is compared
_DOOM_NAMESPACES = frozenset({"doom", "heretic", "strife"})  # of UDMF, whose lines have Doom's specials


class Survey:
    """A map and its context, with indexes over it."""

    def __init__(self, level: DoomMap, context: CheckContext) -> None:
        self.level = level
        self.context = context
        self.target = context.target
        self.game = context.game or guess_game(level)

    @cached_property
    def actions(self) -> bool:
        """Whether specials are actions of Hexen's kind."""
        if self.level.format == UDMF:
            return self.level.namespace.lower() not in _DOOM_NAMESPACES
        return self.level.format == HEXEN

    @cached_property
    def scripted(self) -> bool:
        """Whether scripts may do what no line does."""
        if self.level.format == DOOM:
            return False
        behavior = self.level.lumps.get("BEHAVIOR", b"")
        if len(behavior) <= 8:
            return False
        start = int.from_bytes(behavior[4:8], "little")
        return behavior[:4] != b"ACS\0" or behavior[start : start + 4] != bytes(4)

    @cached_property
    def things(self) -> Mapping[int, ThingType]:
        """All things that there are in the game."""
        return things(self.game, self.target)

    @cached_property
    def ends(self) -> Sequence[Ends | None]:
        """Start and end of every line; None where a vertex is not there, or too far off for a map."""
        points = [
            point if -FAR < point[0] < FAR and -FAR < point[1] < FAR else None
            for point in self.level.vertices
        ]
        there = len(points)
        found: list[Ends | None] = []
        for line in self.level.lines:
            v1, v2 = line[:2]
            one = points[v1] if 0 <= v1 < there else None
            two = points[v2] if 0 <= v2 < there else None
            found.append(Ends(*one, *two) if one is not None and two is not None else None)
        return found

    @cached_property
    def long_ends(self) -> Sequence[Ends | None]:
        """The same without lines of no length."""
        return [ends if ends and (ends[0] != ends[2] or ends[1] != ends[3]) else None for ends in self.ends]

    @cached_property
    def grid(self) -> Grid:
        """All lines by place."""
        return make_grid(self.long_ends)

    @cached_property
    def tree(self) -> NodeTree:
        """The map's nodes, as they were shipped."""
        return nodes.decode(self.level)

    @cached_property
    def fronts(self) -> Sequence[int | None]:
        """The sector in front of every line; None where there is none, or it is not there."""
        return self._sectors_of([line.front for line in self.level.lines])

    @cached_property
    def backs(self) -> Sequence[int | None]:
        """The sector behind every line."""
        return self._sectors_of([line.back for line in self.level.lines])

    def side(self, number: int | None) -> Side | None:
        """A side that is there."""
        if number is None or not 0 <= number < len(self.level.sides):
            return None
        return self.level.sides[number]

    def _sectors_of(self, sides: Sequence[int | None]) -> Sequence[int | None]:
        there = len(self.level.sectors)
        faced = [side.sector if 0 <= side.sector < there else None for side in self.level.sides]
        known = len(faced)
        return [faced[side] if side is not None and 0 <= side < known else None for side in sides]

    @cached_property
    def edges(self) -> Mapping[int, Sequence[int]]:
        """The lines of each sector that has any; a line with the same sector on both sides once."""
        found: dict[int, list[int]] = {}
        for number, (front, back) in enumerate(zip(self.fronts, self.backs, strict=True)):
            if front is not None:
                found.setdefault(front, []).append(number)
            if back is not None and back != front:
                found.setdefault(back, []).append(number)
        return found

    @cached_property
    def tagged(self) -> Mapping[int, Sequence[int]]:
        """The sectors of each tag but 0."""
        found: dict[int, list[int]] = {}
        for number, sector in enumerate(self.level.sectors):
            for tag in {sector.tag, *_more(sector.extra)} - {0}:
                found.setdefault(tag, []).append(number)
        return found

    @cached_property
    def line_ids(self) -> Mapping[int, Sequence[int]]:
        """The lines of each id but 0: Doom's tags, UDMF's ids, Hexen's Line_SetIdentification."""
        found: dict[int, list[int]] = {}
        for number, line in enumerate(self.level.lines):
            if not (line.tag or line.extra or self.actions):
                continue
            ids = {line.tag, *_more(line.extra)}
            if self.actions and line.special == 121 and line.args:
                ids.add(line.args[0])
            for one in ids - {0}:
                found.setdefault(one, []).append(number)
        return found

    @cached_property
    def uses(self) -> Sequence[Use]:
        """What lines do that have a special which the target knows."""
        return uses(self.level, self.game, self.target, actions=self.actions)

    @cached_property
    def thing_uses(self) -> Sequence[Use]:
        """What things do when they die or are taken; the line of each is -1."""
        return thing_uses(self.level, self.game, self.target) if self.actions else ()

    @cached_property
    def places(self) -> Sequence[int]:
        """The sector that each thing is in, OUTSIDE or UNSURE."""
        steps = Steps()
        known: dict[tuple[Number, Number], int] = {}
        for thing in self.level.things:
            if (thing.x, thing.y) not in known:
                known[thing.x, thing.y] = self._place(thing.x, thing.y, steps)
        return [known[thing.x, thing.y] for thing in self.level.things]

    def _place(self, x: Number, y: Number, steps: Steps) -> int:
        if not (isfinite(x) and isfinite(y) and -FAR < x < FAR and -FAR < y < FAR):
            return OUTSIDE
        hit = line_east_of(self.grid, self.long_ends, x, y, steps)
        if hit is None:
            return UNSURE if steps.left < 0 else OUTSIDE
        line = self.level.lines[hit.line]
        facing = (self.backs if hit.upward else self.fronts)[hit.line]
        if facing is not None:
            return facing
        return OUTSIDE if (line.back if hit.upward else line.front) is None else UNSURE

    def line_place(self, number: int) -> tuple[Number, Number] | None:
        """A line's start."""
        ends = self.ends[number]
        return (ends.x1, ends.y1) if ends else None

    def sector_place(self, number: int) -> tuple[Number, Number] | None:
        """The westmost vertex of a sector, the southmost of several."""
        ends = [self.ends[line] for line in self.edges.get(number, ())]
        return min((point for end in ends if end for point in (end[:2], end[2:])), default=None)

    def thing_place(self, number: int) -> tuple[Number, Number]:
        """Where a thing is."""
        thing = self.level.things[number]
        return thing.x, thing.y


def _more(extra: Mapping[str, str | float | bool]) -> set[int]:
    """The further ids that UDMF's `moreids` holds, as text with blanks."""
    text = extra.get("moreids", "")
    return {int(word) for word in str(text).split() if word.lstrip("-").isdecimal() and len(word) < 12}
