"""TGA: a header, the picture, and since version 2.0 a footer. Integers are little-endian.

header  id size u8, map type u8, image type u8, map start u16, map length u16, map entry bits u8,
        x u16, y u16, width u16, height u16, bits per pixel u8, descriptor u8; then id, colour map, pixels
footer  the last 26 bytes: extension offset u32, developer offset u32, "TRUEVISION-XFILE.", a NUL

There is no signature at the start, so the checks of the fields are all that tells a TGA from other bytes.
Source: Truevision TGA File Format Specification 2.0, and what is seen in the wild where it is said below.
"""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from lumpyard.rule.kinds import need, unsupported
from lumpyard_rules.image.picture import Picture

FOOTER = b"TRUEVISION-XFILE.\0"

_HEADER = Struct("<BBBHHBHHHHBB")
_FOOTER_SIZE = 26
_EXTENSION_SIZE = 495
_MAPPED, _TRUE_COLOUR, _GREY = 1, 2, 3
_RUN_LENGTHS = 8  # added to the image type where pixels are in packets of at most 128
_DEPTHS = {_MAPPED: (8, 15, 16), _TRUE_COLOUR: (15, 16, 24, 32), _GREY: (8, 16)}  # 16-bit grey has alpha

_MAP_BITS = (8, 15, 16, 24, 32)  # "typically" 15 and up, says the specification; 8 is seen


class _Header(NamedTuple):
    """The header (section C.2 of the specification)."""

    id_size: int
    map_type: int
    image_type: int
    map_start: int
    map_length: int
    map_bits: int
    x: int
    y: int
    width: int
    height: int
    bits: int
    descriptor: int


def check_tga(data: bytes) -> Picture:
    """The picture that a TGA's header gives; pixels and what the footer names are inside the file."""
    need(len(data) >= _HEADER.size, f"{len(data)} bytes are too few for a TGA header of {_HEADER.size}")
    header = _Header._make(_HEADER.unpack_from(data))
    kind = _check_type(header)
    need(header.width > 0 and header.height > 0, f"{header.width}x{header.height} pixels; no side may be 0")
    need(
        header.bits in _DEPTHS[kind],
        f"{header.bits} bits a pixel; image type {header.image_type} has {_DEPTHS[kind]}",
    )
    end = _check_footer(data)
    _check_size(header, end)
    return Picture((header.width, header.height))


def _check_type(header: _Header) -> int:
    """The image type without its run-length bit; type and colour map go together."""
    need(header.map_type in (0, 1), f"colour map type {header.map_type} is not 0 or 1")
    need(header.image_type != 0, "image type 0: the file holds no picture")
    if header.image_type in (32, 33):
        raise unsupported(
            f"image type {header.image_type} (Huffman and delta coding) is read by hardly any program"
        )
    kind = header.image_type & ~_RUN_LENGTHS
    need(
        kind in _DEPTHS,
        f"image type {header.image_type} is not 1, 2, 3, 9, 10 or 11; this may be no TGA at all",
    )
    need(
        kind != _MAPPED or header.map_type == 1,
        f"image type {header.image_type} needs a colour map, and there is none",
    )
    if header.map_type:
        need(header.map_bits in _MAP_BITS, f"colour map entries of {header.map_bits} bits, not {_MAP_BITS}")
        need(kind != _MAPPED or header.map_length > 0, "the colour map is empty")
    return kind


def _check_size(header: _Header, end: int) -> None:
    """The file is long enough for what the header says; of packed pixels, for the least they could take."""
    map_size = header.map_length * _bytes_of(header.map_bits) if header.map_type else 0
    pixels, pixel = header.width * header.height, _bytes_of(header.bits)
    if header.image_type & _RUN_LENGTHS:
        least, how = -(-pixels // 128) * (1 + pixel), "at least "
    else:
        least, how = pixels * pixel, ""
    right = _HEADER.size + header.id_size + map_size + least
    shape = f"{header.width}x{header.height} pixels of {header.bits} bits"
    need(right <= end, f"{shape} need {how}{right} bytes with their header, found {end}; the file is cut off")


def _check_footer(data: bytes) -> int:
    """Where pixels must have ended: at the footer, or at the end of a file that has none."""
    if not data.endswith(FOOTER) or len(data) < _HEADER.size + _FOOTER_SIZE:
        return len(data)
    end = len(data) - _FOOTER_SIZE
    for name, at in (("extension", end), ("developer", end + 4)):
        offset, least = (
            int.from_bytes(data[at : at + 4], "little"),
            _EXTENSION_SIZE if name == "extension" else 2,
        )
        inside = offset == 0 or _HEADER.size <= offset <= end - least
        need(inside, f"the footer's {name} offset {offset} is not between {_HEADER.size} and {end - least}")
    return end


def _bytes_of(bits: int) -> int:
    """Whole bytes that so many bits take."""
    return (bits + 7) // 8
