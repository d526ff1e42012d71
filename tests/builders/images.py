"""Picture files, written from their specifications alone; each function gives a whole valid file."""

from __future__ import annotations

import zlib
from struct import pack

PNG_SIGNATURE = bytes.fromhex("89504e470d0a1a0a")


def png_chunk(name: bytes, data: bytes = b"") -> bytes:
    """A PNG chunk with its right CRC."""
    return pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))


def png_header(
    width: int = 4,
    height: int = 4,
    depth: int = 8,
    colour: int = 2,
    *,
    compression: int = 0,
    filtering: int = 0,
    interlace: int = 0,
) -> bytes:
    """An IHDR chunk."""
    fields = (width, height, depth, colour, compression, filtering, interlace)
    return png_chunk(b"IHDR", pack(">IIBBBBB", *fields))


def png_pixels(width: int = 4, height: int = 4, depth: int = 8, colour: int = 2) -> bytes:
    """The compressed bytes of black pixels."""
    bits = depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    return zlib.compress((b"\0" + bytes((width * bits + 7) // 8)) * height)


def png(width: int = 4, height: int = 4, depth: int = 8, colour: int = 2, *, extra: bytes = b"") -> bytes:
    """A PNG; `extra` chunks stand between header and pixels."""
    palette = png_chunk(b"PLTE", bytes(3)) if colour == 3 else b""
    pixels = png_chunk(b"IDAT", png_pixels(width, height, depth, colour))
    header = png_header(width, height, depth, colour)
    return PNG_SIGNATURE + header + extra + palette + pixels + png_chunk(b"IEND")


def jpeg_segment(marker: int, body: bytes) -> bytes:
    """A JPEG segment with its size."""
    return bytes([0xFF, marker]) + pack(">H", len(body) + 2) + body


def jpeg_frame(width: int, height: int, components: int = 1, marker: int = 0xC0) -> bytes:
    """A frame header."""
    parts = b"".join(bytes([number + 1, 0x11, 0]) for number in range(components))
    return jpeg_segment(marker, pack(">BHHB", 8, height, width, components) + parts)


JPEG_JFIF = jpeg_segment(0xE0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0")
JPEG_QUANTIZATION = jpeg_segment(0xDB, b"\0" + b"\x01" * 64)
# One code of one bit for the symbol 0, in the tables for DC and for AC.
JPEG_HUFFMAN = jpeg_segment(0xC4, b"".join(bytes([cls, 1, *[0] * 15, 0]) for cls in (0x00, 0x10)))
JPEG_SCAN = jpeg_segment(0xDA, b"\x01\x01\x00\x00\x3f\x00")


def jpeg(
    width: int = 8, height: int = 8, *, marker: int = 0xC0, extra: bytes = b"", coded: bytes = b""
) -> bytes:
    """A grey JPEG; every 8x8 block is two zero bits, so a byte of 0x00 holds four blocks."""
    blocks = -(-width // 8) * -(-height // 8)
    coded = coded or bytes((blocks * 2 + 7) // 8)
    frame = jpeg_frame(width, height, 1, marker)
    return (
        b"\xff\xd8"
        + JPEG_JFIF
        + extra
        + JPEG_QUANTIZATION
        + frame
        + JPEG_HUFFMAN
        + JPEG_SCAN
        + coded
        + b"\xff\xd9"
    )


def tga_header(
    width: int,
    height: int,
    kind: int,
    bits: int,
    *,
    map_length: int = 0,
    map_bits: int = 0,
    id_size: int = 0,
) -> bytes:
    """A TGA header."""
    has_map = 1 if map_length else 0
    return pack(
        "<BBBHHBHHHHBB", id_size, has_map, kind, 0, map_length, map_bits, 0, 0, width, height, bits, 0x20
    )


def tga_packets(pixels: int, size: int) -> bytes:
    """Run-length packets of black pixels."""
    packets = b""
    while pixels:
        run = min(pixels, 128)
        packets += bytes([0x80 | (run - 1)]) + bytes(size)
        pixels -= run
    return packets


def tga_footer(extension: int = 0, developer: int = 0) -> bytes:
    """The footer of TGA 2.0."""
    return pack("<II", extension, developer) + b"TRUEVISION-XFILE.\0"


def tga(width: int = 4, height: int = 4, kind: int = 2, bits: int = 24, *, footer: bytes = b"") -> bytes:
    """A TGA of black pixels; of kind 1 and 9 with a colour map of two entries."""
    colours = 2 if kind & 7 == 1 else 0
    header = tga_header(width, height, kind, bits, map_length=colours, map_bits=24 if colours else 0)
    size = (bits + 7) // 8
    pixels = tga_packets(width * height, size) if kind & 8 else bytes(width * height * size)
    return header + bytes(colours * 3) + pixels + footer


def dds_header(
    width: int,
    height: int,
    *,
    levels: int = 0,
    flags: int = 4,
    fourcc: bytes = b"DXT1",
    bits: int = 0,
    depth: int = 0,
    caps2: int = 0,
) -> bytes:
    """A DDS header with its signature."""
    start = pack("<7I", 124, 0x1007, height, width, 0, depth, levels) + bytes(44)
    masks = pack("<4I", 0xFF0000, 0xFF00, 0xFF, 0xFF000000) if bits else bytes(16)
    pixel_format = pack("<II4sI", 32, flags, fourcc, bits) + masks
    return b"DDS " + start + pixel_format + pack("<5I", 0x1000, caps2, 0, 0, 0)


def dds_dx10(number: int, *, dimension: int = 3, misc: int = 0, layers: int = 1) -> bytes:
    """The second header."""
    return pack("<5I", number, dimension, misc, layers, 0)


def block_size(width: int, height: int, block: int, levels: int = 1, depth: int = 1) -> int:
    """Bytes of a texture of 4x4 blocks with its mip levels."""
    total = 0
    for level in range(levels):
        across, down, deep = (max(1, side >> level) for side in (width, height, depth))
        total += ((across + 3) // 4) * ((down + 3) // 4) * block * deep
    return total


def dds(width: int = 8, height: int = 8, levels: int = 1) -> bytes:
    """A DXT1 texture."""
    return dds_header(width, height, levels=levels) + bytes(block_size(width, height, 8, levels))


KTX2_SIGNATURE = bytes.fromhex("ab4b5458203230bb0d0a1a0a")


def ktx2(
    width: int = 4,
    height: int = 4,
    *,
    depth: int = 0,
    layers: int = 0,
    faces: int = 1,
    levels: int = 1,
    scheme: int = 0,
    values: bytes = b"",
    common: bytes = b"",
    level_size: int = 64,
) -> bytes:
    """A KTX2 texture of format 37 (R8G8B8A8_UNORM); the smallest level comes first, as it should."""
    stored = max(1, levels)
    descriptor = pack("<IHHHHBBBBBBBBBBBBBBBB", 44, 0, 0, 2, 40, *[0] * 16) + bytes(16)
    start = 80 + 24 * stored
    values_at = start + len(descriptor)
    common_at = values_at + len(values)
    at = common_at + len(common)
    index = []
    for _ in range(stored):
        index.append(pack("<3Q", at, level_size, 0 if scheme == 1 else level_size))
        at += level_size
    fields = (37, 1, width, height, depth, layers, faces, levels, scheme)
    sections = (start, len(descriptor), values_at if values else 0, len(values))
    header = KTX2_SIGNATURE + pack("<9I4I", *fields, *sections)
    header += pack("<QQ", common_at if common else 0, len(common))
    return header + b"".join(reversed(index)) + descriptor + values + common + bytes(level_size * stored)


def ktx2_values(**entries: bytes) -> bytes:
    """Key/value data, each entry padded to four bytes."""
    data = b""
    for key, value in entries.items():
        body = key.encode() + b"\0" + value
        data += pack("<I", len(body)) + body + bytes(-len(body) % 4)
    return data
