"""The colours of a picture by role: what a colour stands for, on light ground and on dark.

Lines are told apart by lightness and width before hue; green, orange, teal and magenta are for what a player does.
"""

from __future__ import annotations

from typing import NamedTuple

LIGHT, DARK = 0, 1
STEPS = 16  # of light: 16 levels are one step, as in the engine
HEIGHTS = 24
HUES = 12  # of tags


class Colour(NamedTuple):
    """Red, green and blue, 0 to 255."""

    red: int
    green: int
    blue: int


ROLES: dict[str, tuple[str, str]] = {
    "ground": ("FFFFFF", "101216"),
    "text": ("16181C", "F2F3F5"),
    "quiet": ("5F6772", "9AA3AF"),
    "plain": ("E9ECF0", "2A2F38"),
    "secret": ("EFC6F2", "5B2A66"),
    "wall": ("16181C", "F2F3F5"),
    "floor": ("A4632A", "B9794A"),
    "ceiling": ("B59A1E", "9C8A36"),
    "flat": ("9BA3AE", "4A515D"),
    "door": ("7A2020", "E09A94"),
    "special": ("D46A00", "FFB347"),
    "teleport": ("008C95", "2FD3D8"),
    "exit": ("0A8F2F", "3DDC6B"),
    "exit-secret": ("A020B0", "E27BF0"),
    "broken": ("E00000", "FF4040"),
    "lock-blue": ("1F5FE0", "5B9BFF"),
    "lock-red": ("D4141E", "FF5555"),
    "lock-yellow": ("D9A400", "FFDD33"),
    "lock-green": ("2C8A1E", "6CCB4A"),
    "lock-any": ("8A2BC2", "C78BFF"),
    "monster": ("C8201E", "FF5A52"),
    "player": ("0A8F2F", "3DDC6B"),
    "start": ("4F9B4A", "78C47A"),
    "deathmatch": ("9A7B00", "D9C04A"),
    "weapon": ("E07800", "FFA63D"),
    "ammo": ("8A6A2A", "C9A86A"),
    "health": ("2C6BD4", "6FA8FF"),
    "powerup": ("7B3FC4", "B58CFF"),
    "decoration": ("8C95A1", "6E7785"),
    "unknown": ("E000A0", "FF5AC8"),
    "tag": ("6A3FB5", "B99AF5"),
    "grid": ("3A5A8C", "9DB7DD"),
    "block": ("2C6BD4", "6FA8FF"),
    "node": ("B5179E", "E873D6"),
    "reject-from": ("F2B705", "D9A400"),
    "reject-seen": ("BFE3C4", "2F5B3B"),
    "reject-hidden": ("D5D9DF", "23272E"),
    "veil": ("FFFFFF", "101216"),
    "added": ("0A8F2F", "3DDC6B"),
    "removed": ("D4141E", "FF5555"),
    "changed": ("D46A00", "FFB347"),
    "moved": ("1F5FE0", "5B9BFF"),
}  # light, dark
_LIGHTS = (("848D9B", "EEF1F5"), ("1E222A", "6E7788"))  # neither end is taken for the ground
_LOW_TO_HIGH = (
    ("4A78C8", "9DBBE6", "EEF0F2", "EFB69A", "CF5B4A"),
    ("27477F", "3B5E92", "4A4F58", "8E5A48", "A83E36"),
)
_HUES = (
    ("F4B6B6 F6CFA4 F3E3A0 D5E8A5 B2E3B6 A9E3D6 A8DDF0 AFC8F3 BFB8F2 DBB6F0 F2B4E0 DDD2C4"),
    ("7A3B3B 7D5630 756A2A 556E2C 2F6E3C 2A6C5F 28627A 33507F 473F80 65397D 7B3767 5C5346"),
)


def colour(role: str, theme: int) -> Colour:
    """A role's colour on light or dark ground; roles with a number are a step of a ramp."""
    kind, _, step = role.rpartition("-")
    if kind == "light":
        return _ramp(_LIGHTS[theme], int(step), STEPS - 1)
    if kind == "height":
        return _ramp(_LOW_TO_HIGH[theme], int(step), HEIGHTS - 1)
    if kind == "hue":
        return _parsed(_HUES[theme].split()[int(step) % HUES])
    return _parsed(ROLES[role][theme])


def hex_of(role: str, theme: int) -> str:
    """The same as XML has it."""
    return "#{:02X}{:02X}{:02X}".format(*colour(role, theme))


def _parsed(text: str) -> Colour:
    return Colour(*bytes.fromhex(text))


def _ramp(stops: tuple[str, ...], step: int, last: int) -> Colour:
    """A colour between stops that are evenly spaced; whole numbers only, so that all machines agree."""
    place = step * (len(stops) - 1)
    first = min(place // last, len(stops) - 2)
    part = place - first * last
    low, high = _parsed(stops[first]), _parsed(stops[first + 1])
    return Colour(*(a + ((b - a) * part + last // 2) // last for a, b in zip(low, high, strict=True)))
