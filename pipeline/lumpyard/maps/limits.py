"""What a map is too large for, as a value: the lumps that are built have 16-bit fields."""

from __future__ import annotations

from typing import NamedTuple


class OverLimit(NamedTuple):
    """Why a lump cannot be built: more of something than its fields, or this program's memory, can hold."""

    id: str  # stable: "blockmap-too-large"
    message: str  # one line: what, how many there are, how many there may be
    found: int
    most: int


def over(id_: str, what: str, found: int, most: int) -> OverLimit:
    """The value for `found` of something of which there may be `most`."""
    return OverLimit(id_, f"{what}: {found}, at most {most} are possible", found, most)
