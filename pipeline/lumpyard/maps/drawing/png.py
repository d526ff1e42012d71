"""A picture as PNG: our own painter and encoder, since bytes have to be the same on every machine.

Source: PNG (Third Edition), 5 "Datastream structure", 9 "Filtering" and 11 "Chunk specifications".
"""

from __future__ import annotations

import struct
import zlib
from math import sqrt
from typing import TYPE_CHECKING, TypeVar

from lumpyard.maps.drawing.font import (
    BASELINE,
    BOLD,
    GLYPHS,
    STROKE,
    UNIT,
    place_letters,
    strokes_of,
    text_width,
)
from lumpyard.maps.drawing.palette import DARK, LIGHT, colour
from lumpyard.maps.drawing.raster import Canvas
from lumpyard.maps.drawing.shapes import Area, Label, Strokes, Symbols
from lumpyard.maps.drawing.symbols import rim, turned
from lumpyard.maps.drawing.text import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.maps.drawing.shapes import Picture, Ring, Segment, Shape, View

_T = TypeVar("_T")
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LEVEL = 6
_BATCH = 1000  # lines or symbols that are painted as one, so that memory ends somewhere
_RIM = 1.0  # pixels around symbols


def render_png(picture: Picture, theme: str) -> bytes:
    """The whole file: 8 bits each of red, green and blue."""
    number = DARK if theme == "dark" else LIGHT
    canvas = Canvas(picture.width, picture.height, colour("ground", number))
    for shape in picture.plan:
        _paint(canvas, shape, picture.view, number)
    for shape in picture.frame:
        _paint(canvas, shape, None, number)
    return encode_png(canvas.width, canvas.height, canvas.rows())


def encode_png(width: int, height: int, rows: Iterable[bytes]) -> bytes:
    """A PNG of rows of red, green and blue."""
    deflate = zlib.compressobj(_LEVEL)
    data = b"".join([*(deflate.compress(b"\0" + row) for row in rows), deflate.flush()])
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _paint(canvas: Canvas, shape: Shape, view: View | None, theme: int) -> None:
    ink = colour(shape.role, theme)
    if isinstance(shape, Area):
        rings = [_placed(ring, view) for ring in shape.rings]
        if shape.layer in {"sectors", "secrets"}:
            canvas.tile(rings, ink)
        else:
            canvas.paint(rings, ink, shape.opacity)
    elif isinstance(shape, Strokes):
        for lines in _batches(shape.lines):
            capsules = [capsule(*_line(line, view), shape.width / 2) for line in lines]
            canvas.paint(capsules, ink, shape.opacity)
    elif isinstance(shape, Symbols):
        ground = colour("ground", theme)
        for places in _batches(shape.places):
            canvas.paint(_symbols(shape, places, view, around=True), ground)
            canvas.paint(_symbols(shape, places, view, around=False), ink)
    else:
        _letters(canvas, shape, view, theme)


def _batches(items: Sequence[_T]) -> Iterator[Sequence[_T]]:
    for start in range(0, len(items), _BATCH):
        yield items[start : start + _BATCH]


def _placed(ring: Ring, view: View | None) -> Ring:
    if view is None:
        return ring
    scale, left, top = view
    return [(x * scale + left, top - y * scale) for x, y in ring]


def _line(line: Segment, view: View | None) -> Segment:
    if view is None:
        return line
    scale, left, top = view
    return line[0] * scale + left, top - line[1] * scale, line[2] * scale + left, top - line[3] * scale


def capsule(x1: float, y1: float, x2: float, y2: float, half: float) -> Ring:
    """The outline of a line of some width, with a point at each end for a round one; all go around the same way."""
    dx, dy = x2 - x1, y2 - y1
    length = sqrt(dx * dx + dy * dy)
    ux, uy = (dx / length * half, dy / length * half) if length else (half, 0.0)
    return (
        (x1 - uy, y1 + ux),
        (x1 - ux * 0.8, y1 - uy * 0.8),
        (x1 + uy, y1 - ux),
        (x2 + uy, y2 - ux),
        (x2 + ux * 0.8, y2 + uy * 0.8),
        (x2 - uy, y2 + ux),
    )


def _symbols(
    shape: Symbols, places: Iterable[tuple[float, float, int]], view: View | None, *, around: bool
) -> list[Ring]:
    rings: list[Ring] = []
    for x, y, turn in places:
        ((px, py),) = _placed([(x, y)], view)
        form = (
            rim(shape.symbol, shape.radius, turn, _RIM)
            if around
            else turned(shape.symbol, shape.radius, turn)
        )
        rings += [[(px + dx, py + dy) for dx, dy in ring] for ring in form]
    return rings


def _letters(canvas: Canvas, label: Label, view: View | None, theme: int) -> None:
    """A text in strokes."""
    ((x, y),) = _placed([(label.x, label.y)], view)
    text = "".join(letter if letter in GLYPHS or letter == " " else escaped(letter) for letter in label.text)
    wide = text_width(text, label.size)
    x -= {"middle": wide / 2, "end": wide}.get(label.anchor, 0)
    unit = UNIT * label.size
    half = (BOLD if label.bold else STROKE) * label.size / 2
    lines: list[Segment] = []
    for start, letter in place_letters(text):
        for stroke in strokes_of(letter):
            points = [(x + (start + px) * unit, y - (py - BASELINE) * unit) for px, py in stroke]
            lines += [(*one, *other) for one, other in zip(points, points[1:] or points, strict=False)]
    if label.rim:
        canvas.paint([capsule(*line, half + 1.5) for line in lines], colour("ground", theme))
    canvas.paint([capsule(*line, half) for line in lines], colour(label.role, theme))
