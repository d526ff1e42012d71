"""JPEG: segments, each a marker (any number of FF, and a byte), most with a u16 size and data.

FFD8        start of the image; nothing else comes first
FFC0-FFCF   frame (but C4, C8, CC): size u16, precision u8, height u16, width u16, components u8, then
            3 bytes for each
FFDA        scan: a header, then coded data in which FF is followed by 00 or D0 to D7
FFDC        number of lines, where the frame says 0
FFD9        end of the image

Source: ITU-T T.81, annex B; JFIF adds nothing that matters here.
"""

from __future__ import annotations

import re
from struct import unpack_from
from typing import NamedTuple

from lumpyard.rule.kinds import need, unsupported
from lumpyard_rules.image.picture import Picture, trailing

SIGNATURE = b"\xff\xd8\xff"

_START, _END, _SCAN, _LINES, _JPEG_LS = 0xD8, 0xD9, 0xDA, 0xDC, 0xF7
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WITHOUT_SIZE = frozenset({0x01, *range(0xD0, 0xD8)})
# A marker and the fill bytes before it; it starts at the first of them, so that a run of them is looked at once.
_CODED_END = re.compile(rb"(?<!\xff)\xff+[^\x00\xd0-\xd7\xff]")


class _Walk(NamedTuple):
    """What a walk over the segments has met so far."""

    at: int = 2  # offset of the next marker
    frame: tuple[int, int] | None = None  # width and height
    scans: int = 0
    ended: bool = False


def check_jpeg(data: bytes) -> Picture:
    """The picture that a JPEG's frame gives; the segments follow each other up to the end of the image."""
    need(data.startswith(SIGNATURE[:2]), "it does not start with FFD8")
    walk = _Walk()
    while not walk.ended:
        walk = _step(data, walk)
    need(walk.frame is not None and walk.scans > 0, "the image ends without a scan; it has no pixels")
    width, height = walk.frame or (0, 0)
    need(height > 0, "the frame has height 0, and no segment FFDC says the number of lines")
    return Picture((width, height), trailing(data, walk.at))


def _step(data: bytes, walk: _Walk) -> _Walk:
    """The walk behind one more segment."""
    at = _marker_end(data, walk.at)
    marker = data[at - 1]
    if marker == _END:
        return walk._replace(at=at, ended=True)
    if marker in _WITHOUT_SIZE:
        return walk._replace(at=at)
    need(marker != _START, f"a second FFD8 at offset {at - 2}")
    need(marker >= 0xC0, f"marker FF{marker:02X} at offset {at - 2} is reserved")
    if marker == _JPEG_LS:
        raise unsupported("the frame is JPEG-LS (FFF7), which hardly any JPEG reader takes")
    body = _body(data, at, marker)
    walk = walk._replace(at=at + 2 + len(body))
    if marker in _FRAMES:
        size = _frame(body, marker)
        return walk._replace(frame=walk.frame or size)
    if marker == _SCAN:
        return _skip_coded(data, walk)
    if marker == _LINES and walk.frame:
        need(len(body) == 2, f"segment FFDC at offset {at - 2} has size {len(body) + 2}, not 4")
        (lines,) = unpack_from(">H", body)
        return walk._replace(frame=(walk.frame[0], walk.frame[1] or lines))
    return walk


def _marker_end(data: bytes, at: int) -> int:
    """The offset behind the marker that starts here."""
    need(at < len(data), f"the file ends at offset {len(data)} without FFD9; it is cut off")
    need(data[at] == 0xFF, f"a marker is expected at offset {at}, found 0x{data[at]:02x}")
    while at < len(data) and data[at] == 0xFF:
        at += 1
    need(at < len(data), f"the file ends at offset {len(data)} without FFD9; it is cut off")
    return at + 1


def _body(data: bytes, at: int, marker: int) -> bytes:
    """The data of a segment, whose size field stands here."""
    need(
        at + 2 <= len(data),
        f"the file ends in the size of segment FF{marker:02X} at offset {at - 2}; it is cut off",
    )
    (size,) = unpack_from(">H", data, at)
    need(size >= 2, f"segment FF{marker:02X} at offset {at - 2} has size {size}, below 2")
    rest = len(data) - at
    need(size <= rest, f"segment FF{marker:02X} at offset {at - 2} has size {size}, but {rest} bytes follow")
    return data[at + 2 : at + size]


def _frame(body: bytes, marker: int) -> tuple[int, int]:
    """Width and height that a frame header gives."""
    name = f"frame header FF{marker:02X}"
    need(len(body) >= 6, f"{name} has size {len(body) + 2}, below 8")
    precision, height, width, components = unpack_from(">BHHB", body)
    need(2 <= precision <= 16, f"{name} has precision {precision}, not 2 to 16 bits")
    need(width > 0, f"{name} has width 0")
    need(components > 0, f"{name} has no component")
    right = 6 + 3 * components
    need(len(body) == right, f"{name} has size {len(body) + 2}, but {components} components need {right + 2}")
    return width, height


def _skip_coded(data: bytes, walk: _Walk) -> _Walk:
    """The walk behind a scan's coded data."""
    need(walk.frame is not None, "a scan stands before the frame header")
    match = _CODED_END.search(memoryview(data)[walk.at :])
    end = walk.at + match.start() if match else len(data)
    need(match is not None, f"the file ends at offset {len(data)} inside a scan, without FFD9; it is cut off")
    need(end > walk.at, f"the scan at offset {walk.at} holds no data")
    return walk._replace(at=end, scans=walk.scans + 1)
