"""Maps as pictures: SVG and PNG, on light ground or dark, from nothing but the standard library (docs/maps.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.drawing.layout import picture_of
from lumpyard.maps.drawing.options import (
    CHANGES,
    DEFAULT_LAYERS,
    FILLS,
    LAYERS,
    MODES,
    THEMES,
    DrawOptions,
    Mark,
)
from lumpyard.maps.drawing.png import render_png
from lumpyard.maps.drawing.svg import render_svg

if TYPE_CHECKING:
    from lumpyard.maps.model import DoomMap

__all__ = [
    "CHANGES",
    "DEFAULT_LAYERS",
    "FILLS",
    "LAYERS",
    "MODES",
    "THEMES",
    "DrawOptions",
    "Mark",
    "draw_png",
    "draw_svg",
]

_DEFAULT = DrawOptions()


def draw_svg(level: DoomMap, options: DrawOptions = _DEFAULT) -> str:
    """A map as SVG. Whatever is wrong with the map, there is a picture of what is left of it."""
    return render_svg(picture_of(level, options), options.theme)


def draw_png(level: DoomMap, options: DrawOptions = _DEFAULT) -> bytes:
    """A map as PNG; the same pixels everywhere, and the same bytes with the same version of zlib."""
    return render_png(picture_of(level, options), options.theme)
