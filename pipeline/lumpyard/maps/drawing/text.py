r"""Names and titles made safe to draw: they come from archives, and may hold anything.

What cannot be seen is shown as what it is: `\x1b` a control character or a byte that is not UTF-8, `\u{202e}` any
other.
"""

from __future__ import annotations

NAME = 60  # characters of a name at most


def shown(text: str, most: int = NAME) -> str:
    """A text in characters that can be seen, at most so many of them."""
    found = "".join(letter if letter.isprintable() else escaped(letter) for letter in text[: most + 1])
    return found if len(found) <= most else found[: max(most - 3, 0)] + "..."


def escaped(letter: str) -> str:
    """A character in ASCII that cannot be mistaken for itself."""
    code = ord(letter)
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"
