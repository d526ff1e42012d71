"""A picture as SVG: plain attributes for one theme, and what differs on dark ground in a style sheet.

Programs that read no style sheets get the light picture whole. The plan is in map units, exact, under one transform;
symbols and texts are in pixels. There is no script, no font and nothing from outside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumpyard.maps.drawing.palette import DARK, LIGHT, hex_of
from lumpyard.maps.drawing.shapes import Area, Label, Strokes, Symbols
from lumpyard.maps.drawing.symbols import turned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lumpyard.maps.drawing.shapes import Picture, Point, Ring, Shape, View

_FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


def render_svg(picture: Picture, theme: str) -> str:
    """The whole file; theme `auto` is light, and dark where the reader prefers that."""
    base = DARK if theme == "dark" else LIGHT
    body = [*_layers(picture.plan, picture.view, base), *_layers(picture.frame, None, base)]
    size = f'width="{picture.width}" height="{picture.height}" viewBox="0 0 {picture.width} {picture.height}"'
    drawn = f'role="img" font-family="{_FONT}" stroke-linecap="round" stroke-linejoin="round"'
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {drawn}>',
        f"<title>{_escaped(picture.name)}</title>",
        f"<desc>{_escaped(picture.description)}</desc>",
    ]
    if theme == "auto":
        parts.append(_style((*picture.plan, *picture.frame)))
    parts.append(f'<rect class="f-ground" width="100%" height="100%" fill="{hex_of("ground", base)}"/>')
    return "\n".join([*parts, *body, "</svg>", ""])


def _style(shapes: Iterable[Shape]) -> str:
    """What is of another colour on dark ground."""
    fills, strokes = {"ground"}, {"ground"}
    for shape in shapes:
        (strokes if isinstance(shape, Strokes) else fills).add(shape.role)
    rules = [f".f-{role}{{fill:{hex_of(role, DARK)}}}" for role in sorted(fills)]
    rules += [f".s-{role}{{stroke:{hex_of(role, DARK)}}}" for role in sorted(strokes)]
    return f"<style>@media (prefers-color-scheme: dark) {{{' '.join(rules)}}}</style>"


def _layers(shapes: Sequence[Shape], view: View | None, theme: int) -> Iterator[str]:
    """Shapes in groups by layer, which a page may hide and show."""
    layer = None
    for shape in shapes:
        if shape.layer != layer:
            if layer is not None:
                yield "</g>"
            layer = shape.layer
            yield f'<g data-layer="{layer}">'
        yield from _shape(shape, view, theme)
    if layer is not None:
        yield "</g>"


def _shape(shape: Shape, view: View | None, theme: int) -> Iterator[str]:
    ink = hex_of(shape.role, theme)
    if isinstance(shape, Label):
        yield _label(shape, view, theme)
    elif isinstance(shape, Symbols):
        yield from _symbols(shape, view, theme)
    elif isinstance(shape, Area):
        yield f'<path class="f-{shape.role}" fill="{ink}"{_drawn(shape, view)} d="{_rings(shape.rings)}"/>'
    else:
        pen = f'stroke="{ink}" stroke-width="{_n(shape.width / (view.scale if view else 1), 3)}"'
        yield f'<path class="s-{shape.role}" {pen} fill="none"{_drawn(shape, view)} d="{_segments(shape.lines)}"/>'


def _drawn(shape: Area | Strokes, view: View | None) -> str:
    """How a shape of the plan comes into the picture."""
    found = "" if shape.opacity == 100 else f' opacity="{shape.opacity / 100:g}"'
    if view is not None:
        found += f' transform="matrix({view.scale:.9g} 0 0 {-view.scale:.9g} {_n(view.left)} {_n(view.top)})"'
    return found


def _label(label: Label, view: View | None, theme: int) -> str:
    x, y = (label.x, label.y) if view is None else _placed(label.x, label.y, view)
    extra = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    if label.bold:
        extra += ' font-weight="bold"'
    if label.rim:
        extra += f' stroke="{hex_of("ground", theme)}" stroke-width="3" paint-order="stroke"'
    classes = f"f-{label.role} s-ground" if label.rim else f"f-{label.role}"
    return (
        f'<text class="{classes}" x="{_n(x)}" y="{_n(y)}" font-size="{_n(label.size)}"'
        f' fill="{hex_of(label.role, theme)}"{extra}>{_escaped(label.text)}</text>'
    )


def _placed(x: float, y: float, view: View) -> Point:
    return x * view.scale + view.left, view.top - y * view.scale


def _symbols(shape: Symbols, view: View | None, theme: int) -> Iterator[str]:
    """One symbol in all its places: what it covers with a rim around it, and the symbol."""
    ground, ink = hex_of("ground", theme), hex_of(shape.role, theme)
    rim = f'stroke="{ground}" stroke-width="1.8" paint-order="stroke"'
    if len(turned(shape.symbol, 1, 0)) == 1:
        yield f'<path class="f-{shape.role} s-ground" fill="{ink}" {rim} d="{_places(shape, view, 1)}"/>'
        return
    yield f'<path class="f-ground s-ground" fill="{ground}" {rim} d="{_places(shape, view, 1)}"/>'
    yield f'<path class="f-{shape.role}" fill="{ink}" d="{_places(shape, view, None)}"/>'


def _places(shape: Symbols, view: View | None, rings: int | None) -> str:
    """The first rings of a symbol, in each place: where they start, then the same steps each time."""
    steps = {
        turn: [_relative(ring) for ring in turned(shape.symbol, shape.radius, turn)[:rings]]
        for turn in range(8)
    }
    parts = []
    for east, north, turn in shape.places:
        x, y = (east, north) if view is None else _placed(east, north, view)
        parts += [f"M{_n(x + dx)} {_n(y + dy)}{rest}" for (dx, dy), rest in steps[turn % 8]]
    return "".join(parts)


def _relative(ring: Ring) -> tuple[Point, str]:
    rest, at = [], ring[0]
    for x, y in ring[1:]:
        step = round(x - at[0], 2), round(y - at[1], 2)
        rest.append(f"{_n(step[0])} {_n(step[1])}")
        at = at[0] + step[0], at[1] + step[1]
    return ring[0], f"l{' '.join(rest)}z"


def _rings(rings: Iterable[Ring]) -> str:
    return "".join(f"{_path(ring)}z" for ring in rings)


def _path(points: Sequence[Point]) -> str:
    """Absolute start, then steps; level and upright ones in short."""
    x, y = points[0]
    parts = [f"M{_n(x)} {_n(y)}"]
    for x_next, y_next in points[1:]:
        dx, dy = x_next - x, y_next - y
        if not dy:
            parts.append(f"h{_n(dx)}")
        elif not dx:
            parts.append(f"v{_n(dy)}")
        else:
            parts.append(f"l{_n(dx)} {_n(dy)}")
        x, y = x_next, y_next
    return "".join(parts)


def _segments(lines: Iterable[tuple[float, float, float, float]]) -> str:
    """Lines as few paths: one that starts where the last ended goes on."""
    parts: list[str] = []
    chain: list[Point] = []
    for x1, y1, x2, y2 in lines:
        if not chain or chain[-1] != (x1, y1):
            if chain:
                parts.append(_path(chain))
            chain = [(x1, y1)]
        chain.append((x2, y2))
    if chain:
        parts.append(_path(chain))
    return "".join(parts)


def _escaped(text: str) -> str:
    """A text in XML; the standard library's own function loads all that speaks to the network."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _n(number: float, digits: int = 2) -> str:
    """A number as short as it goes."""
    if number == int(number):
        return str(int(number))
    text = f"{number:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text
