"""`compress` in all its forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lumpyard.manifest import keys
from lumpyard.manifest.codes import BAD_COMPRESS
from lumpyard.manifest.model import AUTO, Compression
from lumpyard.manifest.nodes import shown, text_of

if TYPE_CHECKING:
    from lumpyard.errors import Place
    from lumpyard.manifest.model import Node
    from lumpyard.manifest.reader import Entry, Reader

DEFAULT_LEVEL = 9
LEVELS = (3, 12)
CODECS = ("none", "lz4", "lz4hc")
WORDS = (*CODECS, "auto")
_PERCENT = re.compile(r"([0-9]|[1-9][0-9])%")


def read_compression(reader: Reader, node: Node, parent: Place) -> Compression | None:
    """What a set, an override or `defaults` says."""
    if node.kind == "map":
        entries = reader.entries(node, keys.COMPRESS, "compress", parent)
        return _from_map(reader, entries or {})
    if node.kind != "scalar":
        reader.wrong_type(node, f"one of {', '.join(WORDS)}, or a map")
        return None
    word = reader.choice(node, WORDS)
    if word is None:
        return None
    return AUTO if word == "auto" else Compression(word, DEFAULT_LEVEL if word == "lz4hc" else 0)


def read_ship_compression(reader: Reader, node: Node, parent: Place) -> Compression | None:
    """What `ship` says; it replaces the codec and level of `auto`, whose limits stay."""
    if node.kind == "map":
        entries = reader.entries(node, keys.SHIP_COMPRESS, "ship.compress", parent)
        return _from_map(reader, entries or {})
    return read_compression(reader, node, parent)


def _from_map(reader: Reader, entries: dict[str, Entry]) -> Compression | None:
    if "codec" not in entries:
        return None
    codec = reader.choice(entries["codec"].value, CODECS)
    level = _level(reader, entries["level"].value, codec) if "level" in entries else None
    saving = _saving(reader, entries["min_saving"].value, codec) if "min_saving" in entries else 0
    if codec is None:
        return None
    return Compression(codec, level or DEFAULT_LEVEL if codec == "lz4hc" else 0, saving)


def _level(reader: Reader, node: Node, codec: str | None) -> int | None:
    low, high = LEVELS
    level = reader.integer(node, -(1 << 31), 1 << 31)
    if level is None or codec is None:
        return None
    if codec != "lz4hc":
        reader.report(BAD_COMPRESS, node, f"{codec} has no levels", "levels 3 to 12 are lz4hc's")
    elif level == 2:
        hint = "its output changed between LZ4 versions, so builds would differ; 3 is the next"
        reader.report(BAD_COMPRESS, node, "level 2 of lz4hc can't be used", hint)
    elif not low <= level <= high:
        reader.report(
            BAD_COMPRESS, node, f"level {level} of lz4hc doesn't exist here", f"levels are {low} to {high}"
        )
    else:
        return level
    return None


def _saving(reader: Reader, node: Node, codec: str | None) -> int:
    found = _PERCENT.fullmatch(text_of(node)) if node.kind == "scalar" else None
    if found is None:
        number = node.kind == "scalar" and text_of(node).isdecimal()
        reader.wrong_type(node, "a percentage from 0% to 99%", f"write {text_of(node)}%" if number else "")
        return 0
    if codec == "none":
        reader.report(
            BAD_COMPRESS, node, f"none saves nothing, found {shown(node)}", "leave `min_saving` out"
        )
    return int(found[1])
