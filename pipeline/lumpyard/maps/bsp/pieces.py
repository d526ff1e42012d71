"""What a map is cut into: pieces of lines, with the numbers and places of their ends.

Coordinates are floats that are whole multiples of 1/64 of a map unit, at most 32767 from the middle. So a product of
a place and a line's whole-numbered direction is exact, and which side of a line a point is on is no matter of rounding.
"""

from __future__ import annotations

from math import floor, isfinite, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumpyard.maps.model import DoomMap

FRONT, BACK, BOTH = 1, 2, 3
GRAIN = 64  # places to a map unit
FARTHEST = 0x7FFF  # map units


class Piece(NamedTuple):
    """A part of a line, seen from its front: from the line's start towards its end."""

    x1: float
    y1: float
    x2: float
    y2: float
    line: int
    sides: int  # FRONT, BACK or both: those that a seg is to be made of
    v1: int
    v2: int


class Cut(NamedTuple):
    """The line along which a plan is cut in two, as far as it goes: x, y and the way from there."""

    x: int
    y: int
    dx: int
    dy: int
    length: float  # by sqrt, which is the same everywhere; hypot is not


class Plan(NamedTuple):
    """A map's lines, ready to be cut."""

    pieces: Sequence[Piece]
    cuts: Sequence[Cut]  # by line number
    places: list[
        tuple[float, float]
    ]  # of vertices, by number; those of the map, and then those where lines are cut


def plan_of(level: DoomMap) -> Plan:
    """The lines of a map that have length and a side; vertices behind the last that a line has are left out.

    Those are what a node builder put there.
    """
    known = len(level.vertices)
    good = [line.v1 < known and line.v2 < known for line in level.lines]
    places = [(_place(x), _place(y)) for x, y in level.vertices[: vertices_of_lines(level)]]
    pieces: list[Piece] = []
    cuts: list[Cut] = []
    for number, line in enumerate(level.lines):
        if not good[number]:
            cuts.append(Cut(0, 0, 0, 0, 0.0))
            continue
        (x1, y1), (x2, y2) = places[line.v1], places[line.v2]
        dx, dy = x2 - x1, y2 - y1
        cuts.append(Cut(int(x1), int(y1), int(dx), int(dy), sqrt(dx * dx + dy * dy)))
        sides = _sides(level, line.front, FRONT) | _sides(level, line.back, BACK)
        if sides and (dx or dy):
            pieces.append(Piece(x1, y1, x2, y2, number, sides, line.v1, line.v2))
    return Plan(pieces, cuts, places)


def vertices_of_lines(level: DoomMap) -> int:
    """How many vertices there are up to the last that a line has."""
    known = len(level.vertices)
    ends = (max(line.v1, line.v2) for line in level.lines if line.v1 < known and line.v2 < known)
    return 1 + max(ends, default=-1)


def _sides(level: DoomMap, side: int | None, which: int) -> int:
    """`which` where there is such a side, and a sector that it faces."""
    if side is None or side >= len(level.sides) or level.sides[side].sector >= len(level.sectors):
        return 0
    return which


def _place(value: float) -> float:
    """A coordinate as it is counted with."""
    if not isfinite(value):
        return 0.0
    return float(max(-FARTHEST - 1, min(FARTHEST, floor(value))))
