"""The formats that `archives` may ask for, as far as the manifest must know them."""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """What a manifest may ask of a format."""

    suffix: str
    holds_all: bool = (
        False  # types, schemas, alignment, shared ranges, seeds and stripped names; else none of these
    )


FORMATS = {
    "EWAD": Format(".ewad", holds_all=True),
    "IWAD": Format(".wad"),
    "PWAD": Format(".wad"),
    "PACK": Format(".pak"),
    "WAD2": Format(".wad"),
    "WAD3": Format(".wad"),
    "PAK": Format(".pak"),
    "DAIKATANA": Format(".pak"),
}
