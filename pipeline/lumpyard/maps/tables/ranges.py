"""Numbers written as in the tables: `2 3 108-110`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def numbers(text: str) -> Iterator[int]:
    """All numbers of a list of numbers and ranges, both ends included."""
    for word in text.split():
        first, _, last = word.partition("-")
        yield from range(int(first), int(last or first) + 1)
