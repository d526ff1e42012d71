"""The tests' own readers of pictures: PNG decoded, paths of SVG taken apart."""

from __future__ import annotations

import re
import struct
import zlib
from typing import NamedTuple
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


class Pixels(NamedTuple):
    """A decoded PNG."""

    width: int
    height: int
    rows: list[bytes]  # red, green, blue

    def at(self, x: float, y: float) -> tuple[int, int, int]:
        red, green, blue = self.rows[int(y)][3 * int(x) : 3 * int(x) + 3]
        return red, green, blue


def decode_png(data: bytes) -> Pixels:
    """A PNG of 8 bits each of red, green and blue, every chunk checked.

    Source: PNG (Third Edition), 5.3 "Chunk layout", 9.2 "Filter types for filter method 0".
    """
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks: list[tuple[bytes, bytes]] = []
    at = 8
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8 : at + 8 + size]
        (check,) = struct.unpack_from(">I", data, at + 8 + size)
        assert check == zlib.crc32(kind + content)
        chunks.append((kind, content))
        at += 12 + size
    assert [kind for kind, _ in chunks[:1] + chunks[-1:]] == [b"IHDR", b"IEND"]
    assert {kind for kind, _ in chunks[1:-1]} == {b"IDAT"}
    width, height, *form = struct.unpack(">IIBBBBB", chunks[0][1])
    assert form == [8, 2, 0, 0, 0]
    raw = zlib.decompress(b"".join(content for kind, content in chunks if kind == b"IDAT"))
    assert len(raw) == height * (1 + 3 * width)
    rows: list[bytes] = []
    for start in range(0, len(raw), 1 + 3 * width):
        above = rows[-1] if rows else bytes(3 * width)
        rows.append(_unfiltered(raw[start], raw[start + 1 : start + 1 + 3 * width], above))
    return Pixels(width, height, rows)


def _unfiltered(kind: int, row: bytes, above: bytes) -> bytes:
    if kind == 0:
        return row
    done = bytearray()
    for place, value in enumerate(row):
        left = done[place - 3] if place >= 3 else 0
        corner = above[place - 3] if place >= 3 else 0
        guess = (left, above[place], (left + above[place]) // 2, _paeth(left, above[place], corner))[kind - 1]
        done.append((value + guess) & 255)
    return bytes(done)


def _paeth(left: int, above: int, corner: int) -> int:
    base = left + above - corner
    return min((left, above, corner), key=lambda value: abs(base - value))


class SvgPath(NamedTuple):
    """A path with its rings in pixels."""

    layer: str
    attributes: dict[str, str]
    rings: list[list[tuple[float, float]]]

    def winds(self, x: float, y: float) -> int:
        """How often the rings go around a point."""
        total = 0
        for ring in self.rings:
            for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1], strict=True):
                if (y1 > y) != (y2 > y) and x1 + (x2 - x1) * (y - y1) / (y2 - y1) > x:
                    total += 1 if y2 > y1 else -1
        return total


def paths_of(svg: str) -> list[SvgPath]:
    """All paths in their order, by the layer of the group that they are in."""
    found = []
    for group in ET.fromstring(svg.encode()).iter(f"{SVG}g"):
        for path in group.iter(f"{SVG}path"):
            scale_x, scale_y, left, top = _transform(path.get("transform", "matrix(1 0 0 1 0 0)"))
            rings = [
                [(x * scale_x + left, y * scale_y + top) for x, y in ring]
                for ring in _rings(path.attrib["d"])
            ]
            found.append(SvgPath(group.attrib["data-layer"], dict(path.attrib), rings))
    return found


def texts_of(svg: str) -> list[str]:
    """What is written in a picture."""
    return [text.text or "" for text in ET.fromstring(svg.encode()).iter(f"{SVG}text")]


def _transform(text: str) -> tuple[float, float, float, float]:
    a, b, c, d, e, f = map(float, text.removeprefix("matrix(").removesuffix(")").split())
    assert (b, c) == (0, 0)
    return a, d, e, f


def _rings(data: str) -> list[list[tuple[float, float]]]:
    """The points of a path of M, l, h, v and z."""
    rings: list[list[tuple[float, float]]] = []
    x = y = 0.0
    for command, rest in re.findall(r"([Mlhvz])([^Mlhvz]*)", data):
        numbers = [float(word) for word in rest.split()]
        if command == "M":
            x, y = numbers
            rings.append([(x, y)])
        elif command == "z":
            x, y = rings[-1][0]
        else:
            steps = list(zip(numbers[::2], numbers[1::2], strict=True)) if command == "l" else []
            steps += [(n, 0.0) for n in numbers if command == "h"] + [
                (0.0, n) for n in numbers if command == "v"
            ]
            for dx, dy in steps:
                x, y = x + dx, y + dy
                rings[-1].append((x, y))
    assert re.sub(r"[Mlhvz0-9.e+\s-]", "", data) == ""
    return rings
