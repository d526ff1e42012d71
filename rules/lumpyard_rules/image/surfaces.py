"""How many bytes the pixels of a DDS surface take, by its format.

Source: Microsoft, "DXGI_FORMAT enumeration", "D3DFORMAT" and "Programming Guide for DDS".
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple


class Packing(NamedTuple):
    """Pixels come in groups of so many by so many, each of so many bits."""

    width: int
    height: int
    bits: int


_BLOCK_8, _BLOCK_16 = Packing(4, 4, 64), Packing(4, 4, 128)
_PAIR = Packing(2, 1, 32)  # two pixels share their colour

# First number of each run of DXGI formats that pack alike; None where planes or unknown formats begin.
_DXGI: tuple[tuple[int, Packing | None], ...] = (
    (0, None),
    (1, Packing(1, 1, 128)),  # R32G32B32A32
    (5, Packing(1, 1, 96)),  # R32G32B32
    (9, Packing(1, 1, 64)),  # R16G16B16A16, R32G32, R32G8X24
    (23, Packing(1, 1, 32)),  # R10G10B10A2, R11G11B10, R8G8B8A8, R16G16, R32, R24G8
    (48, Packing(1, 1, 16)),  # R8G8, R16
    (60, Packing(1, 1, 8)),  # R8, A8
    (66, Packing(8, 1, 8)),  # R1
    (67, Packing(1, 1, 32)),  # R9G9B9E5
    (68, _PAIR),  # R8G8_B8G8, G8R8_G8B8
    (70, _BLOCK_8),  # BC1
    (73, _BLOCK_16),  # BC2, BC3
    (79, _BLOCK_8),  # BC4
    (82, _BLOCK_16),  # BC5
    (85, Packing(1, 1, 16)),  # B5G6R5, B5G5R5A1
    (87, Packing(1, 1, 32)),  # B8G8R8A8, B8G8R8X8, R10G10B10_XR
    (94, _BLOCK_16),  # BC6H, BC7
    (100, None),  # video formats, some in planes
    (113, Packing(1, 1, 8)),  # P8
    (114, Packing(1, 1, 16)),  # A8P8, B4G4R4A4
    (116, None),
)
_DXGI_STARTS = tuple(start for start, _ in _DXGI)

_FOURCCS = {
    **dict.fromkeys((b"DXT1", b"ATI1", b"BC4U", b"BC4S"), _BLOCK_8),
    **dict.fromkeys((b"DXT2", b"DXT3", b"DXT4", b"DXT5", b"ATI2", b"BC5U", b"BC5S"), _BLOCK_16),
    **dict.fromkeys((b"RGBG", b"GRGB", b"YUY2", b"UYVY"), _PAIR),
}
# Numbers of D3DFORMAT that stand where a fourcc would, and their bits.
_D3D = {36: 64, 110: 64, 111: 16, 112: 32, 113: 64, 114: 32, 115: 64, 116: 128, 117: 16}


def dxgi_packing(number: int) -> Packing | None:
    """How a DXGI format packs pixels; None for one that is not known here."""
    return _DXGI[bisect_right(_DXGI_STARTS, number) - 1][1]


def fourcc_packing(fourcc: bytes) -> Packing | None:
    """How a fourcc of a pixel format packs pixels; None for one that is not known here."""
    bits = _D3D.get(int.from_bytes(fourcc, "little"))
    return Packing(1, 1, bits) if bits else _FOURCCS.get(fourcc)


def level_size(packing: Packing, sides: tuple[int, ...], level: int) -> int:
    """Bytes of one mip level; each level halves every side, down to 1, and rows start on whole bytes."""
    width, height, *depth = (max(1, side >> level) for side in sides)
    columns, rows = -(-width // packing.width), -(-height // packing.height)
    return -(-columns * packing.bits // 8) * rows * (depth[0] if depth else 1)
