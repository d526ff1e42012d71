"""FLAC: "fLaC", metadata blocks, then frames. Big-endian.

block       last u1, type u7, size u24, data; type 0, STREAMINFO, is the first and 34 bytes
STREAMINFO  least and most samples a block u16, least and most bytes a frame u24, rate u20, channels less
            1 u3, bits a sample less 1 u5, samples u36, MD5 of the samples
frame       begins with FFF8 or FFF9

Source: RFC 9639, sections 6 to 9.
"""

from __future__ import annotations

from lumpyard.rule.kinds import need
from lumpyard_rules.sound.clip import Clip

SIGNATURE = b"fLaC"

_STREAMINFO_SIZE = 34


def check_flac(data: bytes) -> Clip:
    """The sound that a FLAC's STREAMINFO gives; metadata blocks follow each other up to the first frame."""
    at, last, number = len(SIGNATURE), False, 0
    while not last:
        need(at + 4 <= len(data), f"the file ends inside the metadata at offset {len(data)}; it is cut off")
        last, kind = data[at] > 0x7F, data[at] & 0x7F
        size = int.from_bytes(data[at + 1 : at + 4], "big")
        rest = len(data) - at - 4
        need(kind != 127, f"metadata block type 127 at offset {at} is not allowed")
        need(
            (kind == 0) == (number == 0),
            f"metadata block {number} has type {kind}; STREAMINFO (0) is the first, once",
        )
        need(
            size <= rest,
            f"metadata block at offset {at} has size {size}, but {rest} bytes follow; it is cut off",
        )
        at += 4 + size
        number += 1
    clip = _check_streaminfo(data)
    need(data[at : at + 2] in (b"\xff\xf8", b"\xff\xf9"), _no_frame(data, at))
    return clip


def _no_frame(data: bytes, at: int) -> str:
    """What is wrong where the first frame should be."""
    found = f"bytes {data[at : at + 2].hex(' ')}" if at < len(data) else "the end of the file"
    return f"a frame (FFF8 or FFF9) is expected at offset {at}, found {found}"


def _check_streaminfo(data: bytes) -> Clip:
    """Rate, channels and length that the first metadata block says."""
    size = int.from_bytes(data[5:8], "big")
    need(size == _STREAMINFO_SIZE, f"STREAMINFO has {size} bytes, not {_STREAMINFO_SIZE}")
    least, most = int.from_bytes(data[8:10], "big"), int.from_bytes(data[10:12], "big")
    need(16 <= least <= most, f"blocks of {least} to {most} samples; the least is 16, and not above the most")
    packed = int.from_bytes(data[18:26], "big")
    rate, channels, bits = packed >> 44, (packed >> 41 & 7) + 1, (packed >> 36 & 31) + 1
    samples = packed & 0xFFFFFFFFF
    need(bits >= 4, f"{bits} bits a sample; FLAC has 4 to 32")
    return Clip(rate, channels, samples / rate if samples and rate else None)
