"""Why a lump of a map is not made, as values. Most often it would be too large: fields have 16 bits."""

from __future__ import annotations

from typing import NamedTuple


class OverLimit(NamedTuple):
    """Why a lump cannot be built: more of something than its fields, or this program's memory, can hold."""

    id: str  # stable: "blockmap-too-large"
    message: str  # one line: what, how many there are, how many there may be
    found: int
    most: int


class BuildProblem(NamedTuple):
    """Why a lump, or all that was asked for, is not made."""

    id: str  # stable
    message: str


def over(id_: str, what: str, found: int, most: int) -> OverLimit:
    """The value for `found` of something of which there may be `most`."""
    return OverLimit(id_, f"{what}: {found}, at most {most} are possible", found, most)
