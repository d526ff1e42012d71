"""PNG: signature, then chunks of length (u32, big-endian), type (4 letters), data, CRC-32 of type and data.

IHDR (first)  width u32, height u32, bit depth u8, colour type u8, compression u8, filter u8, interlace u8
PLTE          1 to 256 times red, green, blue; before IDAT; needed by colour type 3, not allowed with 0 and 4
IDAT          one or more, one behind the other: the pixels, which are not looked at
IEND (last)   empty

Source: W3C PNG specification, third edition, sections 5 (datastream), 11.2 (critical chunks) and 13.2
(errors).
"""

from __future__ import annotations

from struct import unpack_from
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from lumpyard.rule.kinds import need, unsupported
from lumpyard_rules.image.picture import Picture, trailing

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"

_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}  # by colour type
_CRITICAL = (b"IHDR", b"PLTE", b"IDAT", b"IEND")
_MOST = 0x7FFFFFFF  # of lengths and sides


class _Chunk(NamedTuple):
    """A chunk whose CRC holds."""

    type: bytes
    data: memoryview
    end: int  # offset behind it


def check_png(data: bytes) -> Picture:
    """The picture that a PNG's header gives; every chunk's length, order and CRC hold."""
    header, end = None, 0
    order: list[bytes] = []
    for chunk in _chunks(data):
        if not order:
            need(chunk.type == b"IHDR", f"the first chunk is {_name(chunk.type)}, not IHDR")
            header = _check_header(chunk.data)
        elif chunk.type == b"PLTE":
            _check_palette(chunk.data, header or (0, 0, 0, 0))
        order.append(chunk.type)
        end = chunk.end
    _check_order(order, (header or (0, 0, 0, 0))[3])
    width, height, _, _ = header or (0, 0, 0, 0)
    return Picture((width, height), trailing(data, end))


def _chunks(data: bytes) -> Iterator[_Chunk]:
    """The chunks up to IEND."""
    view = memoryview(data)
    at, name = len(SIGNATURE), b""
    while name != b"IEND":
        need(
            at + 12 <= len(data), f"the file ends at offset {len(data)} without an IEND chunk; it is cut off"
        )
        size, name = unpack_from(">I4s", data, at)
        need(name.isalpha(), f"chunk type {bytes(name)!r} at offset {at} is not four letters")
        need(size <= _MOST, f"length {size} of chunk {_name(name)} at offset {at} is above {_MOST}")
        end = at + 12 + size
        rest = len(data) - at - 12
        need(
            end <= len(data), f"chunk {_name(name)} at offset {at} has length {size}, but {rest} bytes follow"
        )
        (crc,) = unpack_from(">I", data, end - 4)
        found = crc32(view[at + 4 : end - 4])
        need(
            crc == found,
            f"CRC of chunk {_name(name)} at offset {at} is 0x{crc:08x}, its bytes give 0x{found:08x}",
        )
        yield _Chunk(name, view[at + 8 : end - 4], end)
        at = end


def _check_header(data: memoryview) -> tuple[int, int, int, int]:
    """Width, height, bit depth and colour type of an IHDR chunk."""
    need(len(data) == 13, f"chunk IHDR has length {len(data)}, not 13")
    width, height, depth, colour, compression, filtering, interlace = unpack_from(">IIBBBBB", data)
    need(0 < width <= _MOST and 0 < height <= _MOST, f"{width}x{height} pixels; both sides are 1 to {_MOST}")
    need(colour in _DEPTHS, f"colour type {colour} is not 0, 2, 3, 4 or 6")
    need(
        depth in _DEPTHS[colour],
        f"bit depth {depth} is not one of {_DEPTHS[colour]} that colour type {colour} has",
    )
    need(compression == 0, f"compression method {compression} is not 0")
    need(filtering == 0, f"filter method {filtering} is not 0")
    need(interlace <= 1, f"interlace method {interlace} is not 0 or 1")
    return width, height, depth, colour


def _check_palette(data: memoryview, header: tuple[int, int, int, int]) -> None:
    """A palette has 1 to 256 colours, and no more than the bit depth can tell apart."""
    depth, colour = header[2:]
    need(colour not in (0, 4), f"chunk PLTE is not allowed with colour type {colour}")
    need(len(data) % 3 == 0, f"length {len(data)} of chunk PLTE is not a multiple of 3")
    most = 1 << depth if colour == 3 else 256
    need(0 < len(data) // 3 <= most, f"chunk PLTE has {len(data) // 3} colours, not 1 to {most}")


def _check_order(order: list[bytes], colour: int) -> None:
    """Critical chunks stand as often and where the specification says."""
    for name in order:
        if name[0] & 0x20 == 0 and name not in _CRITICAL:
            raise unsupported(f"critical chunk {_name(name)} is not one that PNG defines")
    for name in (b"IHDR", b"PLTE"):
        need(order.count(name) <= 1, f"chunk {_name(name)} is there {order.count(name)} times, not once")
    need(b"IDAT" in order, "there is no IDAT chunk; the picture has no pixels")
    first, times = order.index(b"IDAT"), order.count(b"IDAT")
    need(
        order[first : first + times] == [b"IDAT"] * times, "the IDAT chunks do not stand one behind the other"
    )
    need(colour != 3 or b"PLTE" in order, "colour type 3 needs a PLTE chunk, and there is none")
    need(b"PLTE" not in order[first:], "chunk PLTE stands behind the first IDAT")
    need(order[-1] == b"IEND", "the last chunk is not IEND")


def _name(name: bytes) -> str:
    """A chunk type for people."""
    return name.decode("ascii", "replace")
