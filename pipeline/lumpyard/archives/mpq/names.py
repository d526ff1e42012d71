"""Names of an MPQ's files: the archive holds only their hashes, so names are tried.

Those tried are the special ones, the lines of `(listfile)`, and what the caller has. A line may hold several names,
parted by semicolons.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard.archives.mpq.crypt import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lumpyard.archives.mpq.lookup import Lookup

LISTFILE = b"(listfile)"
ATTRIBUTES = b"(attributes)"
SPECIAL = (LISTFILE, ATTRIBUTES, b"(signature)")
MAX_LISTFILE = 1 << 26  # bytes of it that are read
_MARK = b"\xef\xbb\xbf"
_LINES = re.compile(rb"[^\r\n\0]+")


def parse_listfile(text: bytes | memoryview) -> Iterator[bytes]:
    """The names in a list file, in its order, without spaces around them or a byte order mark."""
    start = len(_MARK) if text[: len(_MARK)] == _MARK else 0
    for found in _LINES.finditer(text, start):
        line = found[0].strip()
        if line:
            yield line
        if b";" in line:
            yield from filter(None, map(bytes.strip, line.split(b";")))


def most_names(blocks: int) -> int:
    """How many names of a list file are tried in an archive of so many blocks: 10 us each, and a list can be a bomb."""
    return (1 << 16) + 16 * blocks


def known_names(lookup: Lookup, names: Iterable[bytes]) -> dict[int, bytes]:
    """For each block whose name is among those given, the first such name, spelt as given."""
    found: dict[int, bytes] = {}
    for block, name in lookup.known(_different(names)):
        found.setdefault(block, name)
    return found


def _different(names: Iterable[bytes]) -> Iterator[bytes]:
    """Each name once, whatever its case."""
    seen: set[bytes] = set()
    for name in names:
        folded = fold(name)
        if folded not in seen:
            seen.add(folded)
            yield name
