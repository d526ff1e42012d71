"""What a picture is made of: plain values, in the order they are painted, whoever draws them.

Shapes of the plan are in map units, y north; those of the frame (title, legend) in pixels, y down from the top left.
A role names what a colour stands for (`palette`). Widths, radii and sizes of text are pixels in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    Point = tuple[float, float]
    Ring = Sequence[Point]  # closed; the last point is joined to the first
    Segment = tuple[float, float, float, float]


class Area(NamedTuple):
    """Filled rings; a point is inside where the rings go around it more one way than the other (nonzero winding)."""

    layer: str
    role: str
    rings: Sequence[Ring]
    opacity: int = 100  # percent


class Strokes(NamedTuple):
    """Straight lines of one width, with round ends."""

    layer: str
    role: str
    width: float
    lines: Sequence[Segment]
    opacity: int = 100


class Symbols(NamedTuple):
    """The same small symbol in many places, with a rim that sets it off the ground."""

    layer: str
    role: str
    symbol: str  # of `symbols.SYMBOLS`
    radius: float
    places: Sequence[tuple[float, float, int]]  # and eighths of a turn, 0 east, 2 north


class Label(NamedTuple):
    """A line of text; y is its baseline."""

    layer: str
    role: str
    x: float
    y: float
    size: float
    text: str
    anchor: str = "start"  # or middle, end
    bold: bool = False
    rim: bool = False  # set off the ground


Shape = Area | Strokes | Symbols | Label


class View(NamedTuple):
    """Where map units are in the picture: x * scale + left, top - y * scale."""

    scale: float  # pixels a map unit
    left: float
    top: float


class Picture(NamedTuple):
    """A whole picture."""

    width: int  # pixels
    height: int
    name: str
    description: str
    view: View
    plan: Sequence[Shape]
    frame: Sequence[Shape]
