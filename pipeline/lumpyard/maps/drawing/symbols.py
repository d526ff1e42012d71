"""The symbols of things: rings around a middle, in units of their radius, x east and y north."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lumpyard.maps.drawing.shapes import Point

    Rings = tuple[tuple[Point, ...], ...]

_HALF = 0.7071  # sine of 45 degrees; a table instead of a library's sine, whose last digit differs by machine
TURNS = ((1, 0), (_HALF, _HALF), (0, 1), (-_HALF, _HALF), (-1, 0), (-_HALF, -_HALF), (0, -1), (_HALF, -_HALF))
_CIRCLE = (
    *((1.0, 0.0), (0.9239, 0.3827), (_HALF, _HALF), (0.3827, 0.9239)),
    *((0.0, 1.0), (-0.3827, 0.9239), (-_HALF, _HALF), (-0.9239, 0.3827)),
    *((-1.0, 0.0), (-0.9239, -0.3827), (-_HALF, -_HALF), (-0.3827, -0.9239)),
    *((0.0, -1.0), (0.3827, -0.9239), (_HALF, -_HALF), (0.9239, -0.3827)),
)


def _scaled(ring: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    return tuple((x * by, y * by) for x, y in ring)


def _hollow(ring: tuple[Point, ...], inner: float) -> Rings:
    """A ring with a hole; it goes the other way around, so that it is one."""
    return ring, _scaled(ring, inner)[::-1]


_DART = ((1.15, 0.0), (-0.8, 0.8), (-0.4, 0.0), (-0.8, -0.8))
_DIAMOND = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
_SQUARE = ((0.8, 0.8), (-0.8, 0.8), (-0.8, -0.8), (0.8, -0.8))
_ARROW = ((0.62, 0.0), (0.05, 0.55), (0.05, 0.2), (-0.55, 0.2), (-0.55, -0.2), (0.05, -0.2), (0.05, -0.55))
_KEY = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
_PLUS = (
    *((0.9, 0.3), (0.3, 0.3), (0.3, 0.9), (-0.3, 0.9), (-0.3, 0.3), (-0.9, 0.3)),
    *((-0.9, -0.3), (-0.3, -0.3), (-0.3, -0.9), (0.3, -0.9), (0.3, -0.3), (0.9, -0.3)),
)

SYMBOLS: dict[str, Rings] = {
    "dart": (_DART,),
    "hollow-dart": (_DART, ((0.6, 0.0), (-0.33, -0.38), (-0.1, 0.0), (-0.33, 0.38))),
    "dot": (_CIRCLE,),
    "ring": _hollow(_CIRCLE, 0.6),
    "diamond": (_DIAMOND,),
    "hollow-diamond": _hollow(_DIAMOND, 0.52),
    "square": (_SQUARE,),
    "plus": (_PLUS,),
    "key": _hollow(_KEY, 0.25),
    "exit": (_CIRCLE, _ARROW[::-1]),
    "target": (*_hollow(_CIRCLE, 0.72), _scaled(_CIRCLE, 0.4)),
}
TURNING = frozenset({"dart", "hollow-dart"})


def turned(symbol: str, radius: float, turn: int) -> Rings:
    """A symbol's rings in pixels around its middle, y down, turned by eighths from the east."""
    cos, sin = TURNS[turn % 8] if symbol in TURNING else TURNS[0]
    return tuple(
        tuple(((x * cos - y * sin) * radius, -(x * sin + y * cos) * radius) for x, y in ring)
        for ring in SYMBOLS[symbol]
    )


def rim(symbol: str, radius: float, turn: int, width: float) -> Rings:
    """The symbol's outline, made larger by about a width."""
    grown = (radius + width * 1.2) / radius
    return (tuple((x * grown, y * grown) for x, y in turned(symbol, radius, turn)[0]),)
