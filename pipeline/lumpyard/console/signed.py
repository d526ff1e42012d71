"""Differences of sizes, as people read them."""

from __future__ import annotations

from lumpyard.console.sizes import size_text


def signed_bytes(number: int) -> str:
    """A difference in bytes, to the byte: `+1,234`, `-5`, `0`."""
    return f"{number:+,}" if number else "0"


def signed_size(number: int) -> str:
    """A difference in its unit: `+1.20 kB`, `-5 B`, `0 B`."""
    sign = "+" if number > 0 else "-" if number < 0 else ""
    return f"{sign}{size_text(abs(number))}"


def signed_percent(change: int, of: int) -> str:
    """A difference in percent, to a tenth: `+1.2%`; "" of nothing, in words where it is less than can be shown."""
    if not of or not change:
        return ""
    tenths = (abs(change) * 1000 + of // 2) // of
    if not tenths:
        return "less than 0.1%"
    if tenths == 1000 and 0 < -change < of:
        tenths = 999  # not all of it
    return f"{'+' if change > 0 else '-'}{tenths // 10}.{tenths % 10}%"
