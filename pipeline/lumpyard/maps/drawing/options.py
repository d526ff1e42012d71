"""What is drawn of a map, how large, and in which colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

LAYERS = (  # from the ground up; each may be left out
    "sectors",  # filled, by `fill`
    "secrets",  # secret sectors in a colour of their own
    "grid",  # every so many units, with numbers at the edge
    "blockmap",  # the cells of BLOCKMAP, darker where more lines are in one
    "nodes",  # where NODES cut the plan
    "steps",  # lines between two sectors, by what differs
    "walls",  # lines with one side
    "specials",  # lines that do something
    "teleports",
    "locks",  # in the colours of their keys
    "exits",
    "tags",  # what acts on which sector
    "things",
    "starts",  # of players 2 to 4 and more, and of deathmatch
    "diff",  # `marks`
    "title",
    "legend",
)
DEFAULT_LAYERS = frozenset(LAYERS) - {"grid", "blockmap", "nodes", "tags", "starts"}
FILLS = ("light", "floor", "ceiling", "tags", "plain")
THEMES = ("auto", "light", "dark")
MODES = ("all", "single", "coop", "deathmatch")
CHANGES = ("added", "removed", "changed", "moved")
MIN_SIZE, MAX_SIZE = 160, 8192  # pixels: less has no room for a plan, more no use (200 MB of memory)


class Mark(NamedTuple):
    """One difference to another map, to be drawn on the plan."""

    change: str  # one of CHANGES
    shape: str  # "line", "thing" or "sector"
    # Map units: a line's ends, or a thing's place, of those that moved the old and then the new; or the ends of a
    # sector's lines, two and two, so that the sector is on the right of the way from the first to the second.
    points: Sequence[tuple[int | float, int | float]]


@dataclass(frozen=True, slots=True)
class DrawOptions:
    """How a map is drawn; ValueError if that makes no sense."""

    size: int = 1400  # pixels of the picture's longer side
    theme: str = "auto"  # auto: an SVG goes by its reader's preference, a PNG is light
    fill: str = "light"  # what a sector's colour says; plain: only that it is there
    layers: Collection[str] = DEFAULT_LAYERS
    skill: int = 0  # things of this skill, 1 to 5; 0 of any
    mode: str = "all"  # things of this kind of game
    game: str = "auto"  # whose things and specials they are: doom, doom2, heretic, hexen
    reject_from: int | None = None  # fill: which sectors REJECT hides from this one
    marks: Sequence[Mark] = ()
    title: str | None = None  # in place of the map's name

    def __post_init__(self) -> None:
        """Refuse what is none of the values above."""
        _one_of("theme", self.theme, THEMES)
        _one_of("fill", self.fill, FILLS)
        _one_of("mode", self.mode, MODES)
        for layer in self.layers:
            _one_of("layer", layer, LAYERS)
        for mark in self.marks:
            _one_of("change", mark.change, CHANGES)
        if not MIN_SIZE <= self.size <= MAX_SIZE:
            raise ValueError(f"the size of a picture is {MIN_SIZE} to {MAX_SIZE} pixels, not {self.size}")
        if not 0 <= self.skill <= 5:
            raise ValueError(f"a skill is 1 to 5, or 0 for all, not {self.skill}")


def _one_of(what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ValueError(f"{what} {value!r} is none of {', '.join(known)}")
