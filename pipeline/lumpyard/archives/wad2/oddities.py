"""What is odd but legal in a WAD2 or WAD3: all findings have the verdict `ok` and name their entry."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from lumpyard.archives.findings import limited
from lumpyard.archives.flat import name_warnings
from lumpyard.archives.model import Finding
from lumpyard.archives.ranges import range_warnings
from lumpyard.archives.wad2.miptex import KINDS, miptex_oddities
from lumpyard.archives.wad2.records import FIELD_SIZE

_BREAKING = re.compile(rb'[\x00-\x20\x7f"}]|(?<!^){')

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lumpyard.archives.directory import DirectoryArchive


def warnings_of(archive: DirectoryArchive) -> list[Finding]:
    """All warnings about the entries of a WAD2 or WAD3, in directory order.

    Codes: `empty-offset`, `overlap`, `name-empty`, `name-unterminated`, `name-odd`, and those of `miptex`.
    """
    return limited(chain(range_warnings(archive), name_warnings(archive), _of_lumps(archive)))


def odd_name(name: bytes) -> str:
    """What is odd about a name: what ends a word in the text of a map; empty where nothing is.

    An opening brace in front is not: in WAD3 it marks a texture with holes.
    """
    if _BREAKING.search(name):
        return "its name has a space, quote or brace, which breaks the maps that use it"
    return ""


def _of_lumps(archive: DirectoryArchive) -> Iterator[Finding]:
    kind = KINDS[archive.format]
    for index, lump in enumerate(archive.lumps):
        name = lump.name or b""
        odd = []
        if len(name) == FIELD_SIZE:
            odd.append(("name-unterminated", f"its name fills all {FIELD_SIZE} bytes, without a NUL"))
        if message := odd_name(name):
            odd.append(("name-odd", message))
        if lump.kind == kind:
            odd += miptex_oddities(archive.stored(index), name, archive.format)
        for code, message in odd:
            yield Finding(code, f"{archive.label(index)}: {message}", index, "ok")
