"""Strings of JSON: which bytes of a text are one, what is wrong with one, and the text that it stands for.

Source: RFC 8259, sections 7 (strings) and 8 (encoding).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard_rules.json.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

# No possessive quantifiers: until Python 3.11.5 they match too much where a group repeats (cpython gh-106052).
_START = r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*'
_STRING = re.compile(_START + '"')
_STRING_PART = re.compile(_START)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_BAD_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,4}|.)", re.DOTALL)
_HALF = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|u([dD][c-fC-F]..)|.)", re.DOTALL
)
_PLAIN_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def string_at(text: str, at: int) -> str | None:
    """The string that starts at a quote, with its quotes; None where it is none of JSON."""
    match = _STRING.match(text, at)
    return match[0] if match else None


def string_fault(text: str, at: int) -> Fault:
    """What is wrong with the string that starts at a quote."""
    part = _STRING_PART.match(text, at)
    end = part.end() if part else at
    char = text[end : end + 1]
    if char == "\\":
        escape = _BAD_ESCAPE.match(text, end)
        shown = ascii(escape[0] if escape else "\\").replace(r"\\", "\\")
        hint = r"write \\ for a backslash; \u needs four hex digits"
        return Fault(end, f"{shown} is not an escape of JSON", hint)
    if char in ("", "\n", "\r"):
        message = "the string that opens here has no closing quote in its line"
        return Fault(at, message, r"write \n for a line end")
    return Fault(end, f"control character {char!a} in a string", f"write \\u{ord(char):04x}")


def half_characters(token: str, at: int) -> Iterator[Fault]:
    """Warnings of escapes that stand for half a character, in a string that starts there."""
    if "\\" not in token:
        return
    for match in _HALF.finditer(token):
        if match[3] or (match[1] and not match[2]):
            message = f"{match[0]} is half of a surrogate pair, which is no character"
            hint = "parsers differ on it; write both halves, or the character itself"
            yield Fault(at + match.start(), message, hint, warning=True)


def unescape(token: str) -> str:
    """The text that a string stands for, halves of pairs joined, so that keys can be compared."""
    text = _ESCAPE.sub(_escaped, token[1:-1])
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _escaped(match: re.Match[str]) -> str:
    """The character that an escape stands for."""
    return chr(int(match[1], 16)) if match[1] else _PLAIN_ESCAPES.get(match[2], match[2])
