"""Data as the page carries it: compressed, in letters that mean nothing in HTML.

A block is `base64(zlib(bytes))` in an element that no browser runs. Nothing of a name or a lump is ever part of the
markup, so nothing in one can end the element that it stands in.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

_LEVEL = 6


def encode_block(data: Buffer) -> str:
    """The text of a block that holds these bytes."""
    return b64encode(zlib.compress(data, _LEVEL)).decode("ascii")


def encode_json(value: object) -> str:
    """The text of a block that holds a value; text in it may have bytes that are not UTF-8 as surrogate escapes."""
    return encode_block(json.dumps(value, separators=(",", ":")).encode("ascii"))
