"""Names for the bits of lines' and things' flags.

Source: "Doom map", LINEDEFS and THINGS, and "Hexen's format"; UDMF's are folded into Hexen's bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_LINES = (
    *("blocking", "blocks monsters", "two-sided", "upper unpegged", "lower unpegged", "secret"),
    *("blocks sound", "hidden", "mapped"),
)
_THINGS = ("easy", "medium", "hard", "ambush")

_DOOM_THINGS = dict(enumerate((*_THINGS, "multiplayer only", "not deathmatch", "not co-op", "friendly")))
_HEXEN_THINGS = dict(
    enumerate((*_THINGS, "dormant", "fighter", "cleric", "mage", "single player", "co-op", "deathmatch"))
)


def thing_flags(form: str) -> Mapping[int, str]:
    """The names of a thing's bits in a map's format."""
    return _DOOM_THINGS if form == "doom" else _HEXEN_THINGS


def line_flags(form: str) -> Mapping[int, str]:
    """The names of a line's bits in a map's format."""
    return dict(enumerate((*_LINES, "passes use" if form == "doom" else "repeatable")))


def flag_words(old: int, new: int, names: Mapping[int, str]) -> str:
    """The bits that came and went: " (+two-sided, -blocking)"; those without a name by their value."""
    changed = [bit for bit in range((old ^ new).bit_length()) if (old ^ new) >> bit & 1]
    words = [f"{'+' if new >> bit & 1 else '-'}{names.get(bit, hex(1 << bit))}" for bit in changed]
    return f" ({', '.join(words)})" if words else ""
