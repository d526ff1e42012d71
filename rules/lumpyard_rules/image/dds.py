"""DDS: "DDS ", a header of 124 bytes, for newer formats 20 more, then surfaces. All u32, little-endian.

header  size 124, flags, height, width, pitch, depth, mip levels, 11 reserved;
        pixel format: size 32, flags, fourcc, bits, four masks; caps, caps2, caps3, caps4, reserved
DX10    where the fourcc says so: DXGI format, dimension (2 to 4: 1D to 3D), misc (4: cube), array size,
        misc2

For each layer, then each face, all mip levels follow from the largest; rows are not padded. The flags that
say which fields hold are not relied on: Microsoft's documentation warns that writers forget them. Source:
Microsoft, "Programming Guide for DDS", "DDS_HEADER" and "DDS_HEADER_DXT10".
"""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from lumpyard.rule.kinds import need
from lumpyard_rules.image.picture import Picture, check_levels, trailing
from lumpyard_rules.image.surfaces import Packing, dxgi_packing, fourcc_packing, level_size

SIGNATURE = b"DDS "

_HEADER = Struct("<7I44x2I4s5I2I12x")
_DX10 = Struct("<5I")
_FOURCC, _INDEXED, _BITS_HOLD = 0x4, 0x20, 0x2 | 0x40 | 0x200 | 0x20000 | 0x80000  # flags of the pixel format
_CUBE, _FACES, _VOLUME = 0x200, 0xFC00, 0x200000  # of caps2
_PALETTE_SIZE = 1024


class _Header(NamedTuple):
    """DDS_HEADER without its reserved fields."""

    size: int
    flags: int
    height: int
    width: int
    pitch: int
    depth: int
    levels: int
    format_size: int
    format_flags: int
    fourcc: bytes
    bits: int
    red: int
    green: int
    blue: int
    alpha: int
    caps: int
    caps2: int


class _Layout(NamedTuple):
    """What follows the headers."""

    start: int  # offset of the first surface
    packing: Packing | None  # None: the format is not known here
    format: str  # for people
    surfaces: int  # layers times faces
    depth: int


def check_dds(data: bytes) -> Picture:
    """The picture that a DDS's headers give; the file holds every surface that they announce."""
    need(data.startswith(SIGNATURE), "it does not start with 'DDS '")
    need(
        len(data) >= 128, f"the file ends at offset {len(data)} inside the header of 128 bytes; it is cut off"
    )
    header = _Header._make(_HEADER.unpack_from(data, 4))
    need(header.size == 124, f"the header says that its size is {header.size}, not 124")
    need(header.format_size == 32, f"the pixel format says that its size is {header.format_size}, not 32")
    need(header.width > 0 and header.height > 0, f"{header.width}x{header.height} pixels; no side may be 0")
    dx10 = header.format_flags & _FOURCC and header.fourcc == b"DX10"
    layout = _dx10_layout(data, header) if dx10 else _old_layout(header)
    sides = (header.width, header.height, *((layout.depth,) if layout.depth > 1 else ()))
    levels = header.levels or 1
    check_levels(levels, sides)
    return Picture(sides, _check_size(data, layout, sides, levels))


def _old_layout(header: _Header) -> _Layout:
    """The layout that a header without a second one says."""
    start, faces, depth = 128, 1, 1
    if header.caps2 & _CUBE:
        faces = (header.caps2 & _FACES).bit_count()
        need(faces > 0, "the header says that it is a cube map, but names no face")
        need(
            header.width == header.height,
            f"a cube map of {header.width}x{header.height} pixels; faces are square",
        )
    elif header.caps2 & _VOLUME:
        depth = header.depth or 1
    if header.format_flags & _FOURCC:
        return _Layout(start, fourcc_packing(header.fourcc), f"fourcc {header.fourcc!r}", faces, depth)
    if header.format_flags & _INDEXED:
        return _Layout(start + _PALETTE_SIZE, Packing(1, 1, 8), "a palette of 256 colours", faces, depth)
    holds = header.format_flags & _BITS_HOLD and 0 < header.bits <= 128
    packing = Packing(1, 1, header.bits) if holds else None
    name = f"pixel format flags 0x{header.format_flags:x} with {header.bits} bits"
    return _Layout(start, packing, name, faces, depth)


def _dx10_layout(data: bytes, header: _Header) -> _Layout:
    """The layout that the second header says."""
    need(len(data) >= 148, f"the file ends at offset {len(data)} inside the DX10 header; it is cut off")
    number, dimension, misc, layers, _ = _DX10.unpack_from(data, 128)
    need(dimension in (2, 3, 4), f"resource dimension {dimension} is not 2 (1D), 3 (2D) or 4 (3D)")
    need(layers > 0, "array size 0; one picture has array size 1")
    need(dimension != 4 or layers == 1, f"a 3D texture has array size {layers}, not 1")
    need(dimension != 2 or header.height == 1, f"a 1D texture has height {header.height}, not 1")
    cube = bool(misc & 4)
    need(not cube or dimension == 3, f"a cube map has resource dimension {dimension}, not 3")
    square = header.width == header.height
    need(not cube or square, f"a cube map of {header.width}x{header.height} pixels; faces are square")
    depth = (header.depth or 1) if dimension == 4 else 1
    return _Layout(148, dxgi_packing(number), f"DXGI format {number}", layers * (6 if cube else 1), depth)


def _check_size(data: bytes, layout: _Layout, sides: tuple[int, ...], levels: int) -> tuple[str, ...]:
    """The file holds every surface; what is odd is noted."""
    need(len(data) > layout.start, "no pixels follow the header; the file is cut off")
    if layout.packing is None:
        return (f"{layout.format} is not known here; the size of the pixels was not checked",)
    one = sum(level_size(layout.packing, sides, level) for level in range(levels))
    right = layout.start + layout.surfaces * one
    shape = f"{layout.surfaces} times {'x'.join(map(str, sides))} pixels with {levels} mip levels"
    found = f"{right} bytes with headers, found {len(data)}; the file is cut off"
    need(right <= len(data), f"{shape} ({layout.format}) need {found}")
    return trailing(data, right)
