"""What a texture lump of WAD2 and WAD3 must look like: a header, four pictures, each half as wide as the one before.

    offset  bytes     what
    0       16        name, which should be the directory's
    16      4, 4      width and height, multiples of 16
    24      4 each    where the four pictures start, from the start of the lump; 0 or -1 for one that is absent
    40      w * h …   pixels, one byte each
    …       2, 768    WAD3: 256, and a palette of as many colours; then 2 bytes of padding in most

A lump's type is a hint and no more: conchars in gfx.wad has the type of a texture and is 128 by 128 pixels without a
header. So the sizes are looked at first, and nothing here makes an archive malformed.

Source: Quake's and Half-Life's own WADs; the specification does not look into lumps.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from lumpyard.archives.model import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = {"WAD2": 0x44, "WAD3": 0x43}  # lump type of a texture
_HEADER = Struct("<16sII4I")
_PALETTE_SIZE = 2 + 256 * 3
_STEP = 16  # width and height are multiples of it
_ABSENT = {0, 0xFFFFFFFF}


def miptex_oddities(stored: memoryview, name: bytes, format_name: str) -> Iterator[tuple[str, str]]:
    """What is odd about a lump that has the type of a texture: code and message."""
    if len(stored) < _HEADER.size:
        yield (
            "miptex",
            f"it has the type of a texture, but {len(stored)} bytes; the header alone has {_HEADER.size}",
        )
        return
    inner, width, height, *starts = _HEADER.unpack(stored[: _HEADER.size])
    pixels = width * height
    if not pixels or max(width, height, pixels) > len(stored):
        found = f"its {len(stored)} bytes do not hold {width} by {height} pixels"
        yield "miptex", f"it has the type of a texture, but is none: {found}"
        return
    if width % _STEP or height % _STEP:
        yield "miptex-size", f"its {width} by {height} pixels are no multiples of {_STEP}"
    inner = inner.partition(b"\0")[0]
    if inner.upper() != name.upper():
        yield "miptex-name", f"the texture in it calls itself {shown(inner)}; the directory's name counts"
    end = _HEADER.size
    for level, start in enumerate(starts):
        size = (width >> level) * (height >> level)
        if start in _ABSENT:
            continue
        if start < _HEADER.size or start + size > len(stored):
            found = f"{size} bytes at {start} in a lump of {len(stored)}"
            yield "miptex-range", f"picture {level} of its texture lies outside it ({found})"
            return
        end = max(end, start + size)
    if format_name == "WAD3" and bytes(stored[end : end + 2]) != b"\0\1":
        yield "miptex-palette", f"the count of 256 colours is missing behind its pictures, at {end}"
    elif format_name == "WAD3" and end + _PALETTE_SIZE > len(stored):
        yield "miptex-palette", f"its palette of {_PALETTE_SIZE} bytes at {end} is cut at {len(stored)}"
