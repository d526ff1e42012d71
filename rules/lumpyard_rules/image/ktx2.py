"""KTX2: an identifier of 12 bytes, a header, an index of sections and mip levels, then these. Little-endian.

12  vkFormat, typeSize, width, height, depth, layers, faces, levels, supercompression: u32 each
48  offset and size of the data format descriptor and of the key/value data, u32; of the global data, u64
80  for each level, the largest first: offset, size, uncompressed size, u64

Source: Khronos, "KTX File Format Specification", version 2.0, sections 3 and 4.
"""

from __future__ import annotations

from struct import Struct, unpack_from
from typing import NamedTuple

from lumpyard.rule.kinds import need
from lumpyard_rules.image.picture import Picture, check_levels, trailing

SIGNATURE = b"\xabKTX 20\xbb\r\n\x1a\n"

_HEADER = Struct("<9I4I2Q")
_LEVEL = Struct("<3Q")
_INDEX = 80  # offset of the level index
_NONE, _BASIS_LZ, _KNOWN = 0, 1, 3  # supercompression schemes; 3 is the last that version 2.0 defines


class _Header(NamedTuple):
    """The header and the index of sections."""

    format: int
    type_size: int
    width: int
    height: int
    depth: int
    layers: int
    faces: int
    levels: int
    scheme: int
    descriptor_offset: int
    descriptor_size: int
    values_offset: int
    values_size: int
    global_offset: int
    global_size: int


def check_ktx2(data: bytes) -> Picture:
    """The picture that a KTX2's header gives; every section and mip level of it is inside the file."""
    need(data.startswith(SIGNATURE), "it does not start with the identifier of KTX 2.0")
    need(
        len(data) >= _INDEX,
        f"the file ends at offset {len(data)} inside the header of {_INDEX} bytes; it is cut off",
    )
    header = _Header._make(_HEADER.unpack_from(data, 12))
    sides = _check_shape(header)
    levels = header.levels or 1  # 0 asks the engine to make the smaller levels
    check_levels(levels, sides)
    start = _INDEX + _LEVEL.size * levels
    need(
        start <= len(data),
        f"the file ends at offset {len(data)} inside the index of {levels} levels; it is cut off",
    )
    end = max(
        _check_descriptor(data, header, start),
        _check_values(data, header, start),
        _check_global(data, header, start),
        *(_check_level(data, header, level, start) for level in range(levels)),
    )
    return Picture(sides, trailing(data, end))


def _check_shape(header: _Header) -> tuple[int, ...]:
    """The sides of the picture; a 1D texture has height 1."""
    need(header.width > 0, "width 0; every texture has at least one pixel")
    need(
        header.depth == 0 or header.height > 0,
        f"depth {header.depth} with height 0; a 3D texture has all three sides",
    )
    need(header.faces in (1, 6), f"{header.faces} faces, not 1 or 6 (cube map)")
    square = header.width == header.height and header.depth == 0
    shape = f"{header.width}x{header.height}x{header.depth}"
    need(header.faces == 1 or square, f"a cube map of {shape} pixels; faces are square, with depth 0")
    need(header.type_size in (1, 2, 4, 8), f"type size {header.type_size} is not 1, 2, 4 or 8")
    return (header.width, header.height or 1, *((header.depth,) if header.depth > 1 else ()))


def _check_range(data: bytes, what: str, offset: int, size: int, start: int) -> int:
    """The end of a section, which must lie between the level index and the end of the file."""
    need(
        offset >= start,
        f"{what} is at offset {offset}, inside the header and level index, which end at {start}",
    )
    end = offset + size
    need(end <= len(data), f"{what} reaches to offset {end}, but the file ends at {len(data)}; it is cut off")
    return end


def _check_descriptor(data: bytes, header: _Header, start: int) -> int:
    """The end of the data format descriptor: its size, then at least one block of 24 bytes."""
    size = header.descriptor_size
    need(size >= 28, f"the data format descriptor has {size} bytes, below 28")
    end = _check_range(data, "the data format descriptor", header.descriptor_offset, size, start)
    (total,) = unpack_from("<I", data, header.descriptor_offset)
    need(total == size, f"the data format descriptor says that it has {total} bytes, the header says {size}")
    return end


def _check_values(data: bytes, header: _Header, start: int) -> int:
    """The end of the key/value data; an entry is a u32 size, a key, a NUL and a value, padded to 4 bytes."""
    if header.values_size == 0:
        return 0
    end = _check_range(data, "the key/value data", header.values_offset, header.values_size, start)
    at = header.values_offset
    while at < end:
        need(at + 4 <= end, f"the key/value data ends inside the size of the entry at offset {at}")
        (size,) = unpack_from("<I", data, at)
        need(
            at + 4 + size <= end,
            f"the key/value entry at offset {at} has {size} bytes, but {end - at - 4} follow",
        )
        need(
            data.find(b"\0", at + 4, at + 4 + size) > at + 4, f"the key/value entry at offset {at} has no key"
        )
        at += 4 + (size + 3) // 4 * 4
    return end


def _check_global(data: bytes, header: _Header, start: int) -> int:
    """The end of the supercompression global data, which only BasisLZ has."""
    if header.global_size == 0:
        need(header.scheme != _BASIS_LZ, "supercompression BasisLZ needs global data, and there is none")
        return 0
    known = header.scheme <= _KNOWN and header.scheme != _BASIS_LZ
    need(not known, f"supercompression {header.scheme} has no global data, but the header names some")
    return _check_range(data, "the global data", header.global_offset, header.global_size, start)


def _check_level(data: bytes, header: _Header, level: int, start: int) -> int:
    """The end of a mip level."""
    offset, size, raw_size = _LEVEL.unpack_from(data, _INDEX + _LEVEL.size * level)
    need(size > 0, f"mip level {level} holds no bytes")
    same = header.scheme != _NONE or size == raw_size
    both = f"{size} bytes and {raw_size} uncompressed"
    need(same, f"mip level {level} has {both}; without supercompression they are equal")
    return _check_range(data, f"mip level {level}", offset, size, start)
