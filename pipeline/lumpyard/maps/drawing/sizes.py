"""How large things are that have no size on the map: lines, symbols, text."""

from __future__ import annotations

from typing import NamedTuple


class Sizes(NamedTuple):
    """How large what has no size on the map is drawn, in pixels."""

    line: float  # factor of widths
    symbol: float  # radius
    text: float


def sizes_at(scale: float, size: int) -> Sizes:
    """Sizes for a scale (pixels a map unit) in a picture of so many pixels."""
    part = (size / 1400) ** 0.5
    return Sizes(
        min(max(scale * 4, 0.7), 1.3) * part, min(max(scale * 16, 3.6), 9.0) * part, max(11.0, size / 100)
    )
