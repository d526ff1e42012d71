"""Pictures: a palette, pictures drawn as text, and PNG files of them.

The deflate blocks of these PNG files are stored ones, so the bytes are the same under every zlib, and the archive's own
compression has something to do.
"""

import struct
import zlib

TRANSPARENT = "."
PALETTE = {
    TRANSPARENT: 0x000000,
    "k": 0x1D1B2C,  # ink
    "d": 0x3D3357,  # dusk
    "s": 0x5B6282,  # slate
    "g": 0x9DA6BD,  # gray
    "w": 0xF5F2E6,  # white
    "r": 0xC9434D,  # red
    "o": 0xE8853D,  # orange
    "y": 0xF7CB4A,  # yellow
    "c": 0xFAE5B3,  # cream
    "b": 0x6A4234,  # brown
    "t": 0xA8724D,  # tan
    "e": 0x2C6649,  # fir
    "l": 0x5DAB4B,  # leaf
    "m": 0xB2D85A,  # lime
    "u": 0x38689F,  # blue
    "a": 0x6FC4D8,  # aqua
    "p": 0xE48CA6,  # pink
}
_INDEX = {letter: index for index, letter in enumerate(PALETTE)}

Picture = list[str]  # rows of palette letters, all of one length


def parse(text: str) -> Picture:
    """The picture that a block of text draws."""
    rows = [line.strip() for line in text.strip().splitlines()]
    if len({len(row) for row in rows}) != 1:
        widths = ", ".join(f"{row} {len(row)}" for row in rows)
        raise ValueError(f"rows of one picture have several lengths: {widths}")
    return rows


def mirrored(picture: Picture) -> Picture:
    """Left and right swapped."""
    return [row[::-1] for row in picture]


def shifted(picture: Picture, right: int, down: int) -> Picture:
    """Moved inside its frame; what leaves it is gone."""
    width, height = len(picture[0]), len(picture)

    def at(x: int, y: int) -> str:
        return picture[y][x] if 0 <= x < width and 0 <= y < height else TRANSPARENT

    return ["".join(at(x - right, y - down) for x in range(width)) for y in range(height)]


def over(below: Picture, above: Picture) -> Picture:
    """One picture laid over another of the same size."""
    return [
        "".join(low if high == TRANSPARENT else high for low, high in zip(*rows, strict=True))
        for rows in zip(below, above, strict=True)
    ]


def recolored(picture: Picture, colors: dict[str, str]) -> Picture:
    """Letters exchanged for others."""
    table = str.maketrans(colors)
    return [row.translate(table) for row in picture]


def png(picture: Picture, *, packed: bool = False) -> bytes:
    """A PNG file with 8 bits a pixel and the palette above; color 0 is transparent. `packed` is for web pages."""
    rows = b"".join(b"\0" + bytes(_INDEX[letter] for letter in row) for row in picture)
    colors = b"".join(color.to_bytes(3, "big") for color in PALETTE.values())
    header = struct.pack(">IIBBBBB", len(picture[0]), len(picture), 8, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", colors),
        (b"tRNS", b"\0"),
        (b"IDAT", zlib.compress(rows, 9) if packed else _stored(rows)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def _stored(data: bytes) -> bytes:
    """A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4)."""
    limit = 0xFFFF
    pieces = [data[start : start + limit] for start in range(0, len(data), limit)]
    blocks = (
        struct.pack("<BHH", index == len(pieces) - 1, len(piece), len(piece) ^ limit) + piece
        for index, piece in enumerate(pieces)
    )
    return b"\x78\x01" + b"".join(blocks) + struct.pack(">I", zlib.adler32(data))
