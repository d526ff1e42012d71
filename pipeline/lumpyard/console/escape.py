r"""Text made safe to print: names come from archives and folders, and may hold anything.

A terminal obeys control characters (an escape sequence can retitle, recolour or retype), and bidi marks
show a name in another order than it has. Both are shown as what they are: `\x1b` is a control character of
ASCII, or a byte that is not UTF-8; `\u{202e}` any other character that can't be shown as itself.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "["
    "\x00-\x1f\x7f"  # ASCII control characters
    "\x80-\x9f"  # C1: U+009B alone starts an escape sequence; U+0085 is a line end
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidi marks, embeddings, overrides and isolates
    "\u2028\u2029"  # line and paragraph separators
    "\ud800-\udfff"  # surrogates: U+DC80 to U+DCFF stand for bytes that are not UTF-8
    "]"
)


def escape_name(text: str) -> str:
    """A text that is safe to print on one line; what is safe already comes back as it is."""
    return text if text.isprintable() else _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    elif code >= 0x80:
        return f"\\u{{{code:x}}}"
    return f"\\x{code:02x}"
