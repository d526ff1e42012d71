"""What a picture's headers say."""

from __future__ import annotations

from typing import NamedTuple

from lumpyard.rule.kinds import need


class Picture(NamedTuple):
    """A picture by its headers."""

    sides: tuple[int, ...]  # in pixels: width, height and, of a volume, depth
    notes: tuple[str, ...] = ()  # odd, but no error


def trailing(data: bytes, end: int) -> tuple[str, ...]:
    """A note on bytes behind the end of a picture."""
    size = len(data) - end
    return (f"{size} bytes stand behind the end of the picture; they ship with it",) if size else ()


def check_levels(levels: int, sides: tuple[int, ...]) -> None:
    """A full chain of mip levels halves the longest side down to 1; no picture can have more levels."""
    most = max(sides).bit_length()
    need(levels <= most, f"{levels} mip levels, but {'x'.join(map(str, sides))} pixels have at most {most}")
