"""Values in UDMF's text (`maps.udmf_text`), and how they are spelled.

A value is a whole number (decimal, or 0x and hexadecimal), a number with a fraction, `true` or `false`, or a string in
quotes, where a backslash makes a quote or backslash part of it.

Source: "Universal Doom Map Format Specification v1.1", Grammar.
"""

from __future__ import annotations

import math
import re

Value = str | int | float | bool

_LONGEST = 40  # characters of a number
_WHOLE = re.compile(r"[+-]?(?:0[xX][0-9A-Fa-f]+|[0-9]+)")
_FRACTION = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_ESCAPED = re.compile(r'\\(["\\])')


class Values(dict[str, "Value"]):
    """Values of their spellings, each made once: most of a map's stand in it many times."""

    def __missing__(self, spelling: str) -> Value:
        value = self[spelling] = _value(spelling)
        return value


def _value(spelling: str) -> Value:
    """The value of one spelling; ValueError, to be put behind the spelling, where it is none."""
    if spelling.startswith('"'):
        return _ESCAPED.sub(r"\1", spelling[1:-1]) if "\\" in spelling else spelling[1:-1]
    if len(spelling) > _LONGEST:
        raise ValueError("is too long for a number")
    if _WHOLE.fullmatch(spelling):
        number = int(spelling, 16 if "x" in spelling.lower() else 10)
        if not -(1 << 31) <= number < 1 << 32:
            raise ValueError("is beyond 32 bits")
        return number
    if _FRACTION.fullmatch(spelling):
        fraction = float(spelling)
        if math.isinf(fraction):
            raise ValueError("is beyond the numbers of a computer")
        return fraction
    word = spelling.lower()
    if word in {"true", "false"}:
        return word == "true"
    raise ValueError("is no number, true, false or string in quotes")


def spelled(value: Value) -> str:
    """A spelling of a value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"'
    return repr(value)
