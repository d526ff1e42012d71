r"""How names are compared in each kind of mount.

A name that is there as it was asked for always comes first; folding only finds what would else not be found, so an
archive that holds `a.txt` and `A.TXT` keeps both apart.

| kind | ASCII case | `\` is `/` |
|---|---|---|
| folder, EWAD, PACK | counts | no |
| IWAD, PWAD, WAD2, WAD3, PAK | does not count | no |
| DAIKATANA, MPQ | does not count | yes |

Letters beyond ASCII always count: no format says how to fold them, and engines fold bytes.
"""

from __future__ import annotations

import string
from typing import NamedTuple


class NameRule(NamedTuple):
    """How a kind of mount compares names."""

    fold: bool  # ASCII letters of either case are one
    slashes: bool  # a backslash is a slash
    reason: str  # one clause, for `explain` and the docs


_DOOM = NameRule(True, False, "engines compare lump names without case")
_WAD2 = NameRule(True, False, "Quake lower-cases names before it compares them")

NAME_RULES = {
    "folder": NameRule(False, False, "files have the names they have, on every system alike"),
    "EWAD": NameRule(False, False, "an EWAD is searched by a hash of the very bytes of a name"),
    # No engine reads the classic layout of PACK, so nothing asks for more than what is stored.
    "PACK": NameRule(False, False, "the format says nothing of case"),
    "IWAD": _DOOM,
    "PWAD": _DOOM,
    "WAD2": _WAD2,
    "WAD3": _WAD2,
    # Quake compares with strcmp, Quake II with Q_strcasecmp; PhysFS and DarkPlaces fold, too. What Quake finds is
    # found here all the same, since a name as it is stored comes first.
    "PAK": NameRule(True, False, "Quake II and most engines since compare names of PAKs without case"),
    "DAIKATANA": NameRule(
        True, True, "the game runs on Quake II, which ignores case, and asks with either slash"
    ),
    "MPQ": NameRule(True, True, "an MPQ hashes names in upper case, with backslashes"),
}

_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def fold(name: str) -> str:
    """The name with its ASCII letters in lower case."""
    return name.lower() if name.isascii() else name.translate(_LOWER)
