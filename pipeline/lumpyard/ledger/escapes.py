r"""Any text on one line: `\t`, `\n`, `\r`, `\\`, and `\xNN` for bytes that must not stand there bare."""

from __future__ import annotations

import re

_SPECIAL = re.compile(
    "[\x00-\x1f\x7f-\x9f\\\\"  # controls, among them 0x85, which some programs take for a line end
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction marks
    "\u2028\u2029"  # line ends
    "\ud800-\udfff]"  # surrogate escapes: bytes that are not UTF-8
)
_ESCAPE = re.compile(rb"\\(?:[tnr\\]|x[0-9a-f]{2})?")
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r", "\\": r"\\"}
_BYTES = {rb"\t": b"\t", rb"\n": b"\n", rb"\r": b"\r", rb"\\": b"\\"}


def is_special(text: str) -> bool:
    """Whether a text holds what must be escaped."""
    return _SPECIAL.search(text) is not None


def escape(text: str) -> str:
    """The text as it stands on a line."""
    return _SPECIAL.sub(_escape_one, text)


def unescape(text: str) -> str:
    """The text that `escape` made this of; ValueError where a backslash starts no escape."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_unescape_one, text.encode()).decode("utf-8", "surrogateescape")


def _escape_one(match: re.Match[str]) -> str:
    char = match[0]
    return _SHORT.get(char) or "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))


def _unescape_one(match: re.Match[bytes]) -> bytes:
    if len(match[0]) == 1:
        raise ValueError("a backslash starts no escape")
    return _BYTES.get(match[0]) or bytes.fromhex(match[0][2:].decode())
