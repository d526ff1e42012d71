"""The formats that `archives` may ask for, as far as the manifest must know them."""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """What a manifest may ask of a format."""

    suffix: str
    holds_all: bool = (
        False  # types, schemas, alignment, LZ4, shared ranges, seeds and stripped names; else none of these
    )
    holds_kinds: bool = False  # a lump type byte
    codec: str = ""  # what `compress: auto` means, where it isn't LZ4; "": raw
    has_paths: bool = True  # names are paths; else any bytes
    has_spaces: bool = False  # lumps of different maps and namespaces may share a name


FORMATS = {
    "EWAD": Format(".ewad", holds_all=True),
    "IWAD": Format(".wad", has_paths=False, has_spaces=True),
    "PWAD": Format(".wad", has_paths=False, has_spaces=True),
    "PACK": Format(".pak", has_paths=False),
    "WAD2": Format(".wad", holds_kinds=True, has_paths=False),
    "WAD3": Format(".wad", holds_kinds=True, has_paths=False),
    "PAK": Format(".pak"),
    "DAIKATANA": Format(".pak", codec="daikatana"),
}
