"""The quick answer for most files: Python's parser, in C, with the checks that it lacks.

It only ever says yes where `strict` finds nothing to report; where it says no, `strict` says why.
"""

from __future__ import annotations

import json
import re
from array import array
from itertools import accumulate
from typing import Any

# No possessive quantifiers, as in `strings`.
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_PIECE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[^ \t\n\r"]+')
_STEPS = bytes(1 if byte in b"[{" else 0xFF if byte in b"]}" else 0 for byte in range(256))
_OTHERS = bytes(byte for byte in range(256) if byte not in b"[]{}")


def is_plainly_valid(text: str, max_depth: int) -> bool:
    """Whether the text is JSON without repeated keys, escapes of half characters, or too deep nesting."""
    data = text.encode()
    if b"\\ud" in data.lower():
        return False
    try:
        json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_int=len, parse_float=len)
    except (ValueError, RecursionError):
        return False
    return _depth(data) <= max_depth  # last: it is quick for valid JSON alone


def minified(text: str) -> str:
    """A valid text without white space between its tokens."""
    return "".join(_PIECE.findall(text))


def _depth(data: bytes) -> int:
    """How deep the brackets outside of strings nest; right for valid JSON, any number for the rest."""
    brackets = _STRING.sub(b"", data).translate(_STEPS, _OTHERS)
    return max(accumulate(array("b", brackets)), default=0)


def _unique(pairs: list[tuple[str, Any]]) -> None:
    """Nothing, if all keys differ."""
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError


def _refuse(name: str) -> None:
    """Never anything: NaN and the infinities are not JSON."""
    raise ValueError(name)
